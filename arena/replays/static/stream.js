// A stream of events that comes back: after the server was away, and when a hidden page is shown again.

/** @import { Handlers } from "../viewer" */

const PATIENCE = [1000, 2000, 5000, 10000];

/**
 * Listen to an address. `handlers` get the data of events by name, and `lost` and `found` when the connection is.
 * Return what ends it.
 *
 * @param {string} address
 * @param {Handlers} handlers
 */
export function listen(address, handlers) {
  /** @type {EventSource | null} */
  let source = null;
  /** @type {number | undefined} */
  let timer;
  let known = "";
  let failures = 0;
  let over = false;

  function open() {
    clearTimeout(timer);
    if (source || over || document.hidden) return;
    const asked = new URL(address, location.href);
    if (known) asked.searchParams.set("known", known);
    source = new EventSource(asked);
    source.onopen = () => {
      failures = 0;
      handlers.found();
    };
    source.onerror = () => {
      close();
      handlers.lost();
      timer = setTimeout(open, PATIENCE[Math.min(failures++, PATIENCE.length - 1)]);
    };
    for (const [name, handler] of Object.entries(handlers)) {
      if (name === "lost" || name === "found") continue;
      source.addEventListener(name, (event) => {
        known = event.lastEventId || known;
        handler(JSON.parse(event.data));
      });
    }
  }

  function close() {
    clearTimeout(timer);
    if (source) source.close();
    source = null;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
  return () => {
    over = true;
    close();
  };
}
