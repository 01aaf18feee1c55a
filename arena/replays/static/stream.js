// A stream of events that comes back: after the server was away, and when a hidden page is shown again.

/** @import { Handlers } from "../viewer" */

const PATIENCE = [1000, 2000, 5000, 10000];
/** What a handler returns when the server is to be asked again later. */
export const LATER = "later";

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

  /** Try again later. */
  function rest() {
    close();
    timer = setTimeout(open, PATIENCE[Math.min(failures++, PATIENCE.length - 1)]);
  }

  function open() {
    clearTimeout(timer);
    if (source || over || document.hidden) return;
    const asked = new URL(address, location.href);
    if (known) asked.searchParams.set("known", known);
    source = new EventSource(asked);
    source.onopen = () => handlers.found();
    source.onerror = () => {
      rest();
      handlers.lost();
    };
    for (const [name, handler] of Object.entries(handlers)) {
      if (name === "lost" || name === "found") continue;
      source.addEventListener(name, (event) => {
        known = event.lastEventId || known;
        failures = 0;
        if (handler(JSON.parse(event.data)) !== LATER) return;
        failures = PATIENCE.length;
        rest();
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
