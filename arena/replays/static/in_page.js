// The arena of a page without a server: it runs in a worker of the page, which is asked as others ask a server.

/** @import { Events, Handlers } from "../viewer" */

/**
 * What the worker sends: an event, or the answer to the request with this number.
 *
 * @typedef {{ event: keyof Events, data: string, request?: undefined }} News
 * @typedef {{ request: number, answer?: any, detail?: string }} Answered
 */

const LOADING = "Loading Python and the arena \u2026 The first time this takes some seconds.";
const FAILED = "The arena cannot be loaded. A web server must serve this page, and the browser must allow WebAssembly.";

export class InPage {
  /** @type {Partial<Handlers>} */
  handlers = {};
  /** Who waits for an answer, by the number of the request. @type {Map<number, (answered: Answered) => void>} */
  waiting = new Map();
  requests = 0;

  /** @param {string} program the address of the worker's program, with the table */
  constructor(program) {
    this.program = program;
    this.worker = this.start();
  }

  start() {
    const worker = new Worker(this.program, { type: "module" });
    worker.onmessage = ({ data }) => this.take(data);
    worker.onerror = () => this.handlers.notice?.(FAILED);
    return worker;
  }

  /** End the worker, whatever it does, and start another one; who waits for an answer gets the reason. @param {string} why */
  restart(why) {
    this.worker.terminate();
    for (const [request, answered] of this.waiting) answered({ request, detail: why });
    this.waiting.clear();
    this.worker = this.start();
  }

  /** @param {News | Answered} sent */
  take(sent) {
    if (sent.request === undefined) {
      this.handlers.notice?.("");
      const handler = /** @type {(data: unknown) => unknown} */ (this.handlers[sent.event]);
      handler?.(JSON.parse(sent.data));
    } else {
      this.waiting.get(sent.request)?.(sent);
      this.waiting.delete(sent.request);
    }
  }

  /** Play with the person; return what ends that. @param {Handlers} handlers */
  listen(handlers) {
    this.handlers = handlers;
    handlers.notice?.(LOADING);
    this.post("hold", {}).catch((error) => handlers.notice?.(error.message));
    return () => this.worker.terminate();
  }

  /** Return the address of a part of the site. @param {string} path */
  address(path) {
    return location.pathname.replace(/(-bot)?\.html$/, `-${path}.html`);
  }

  /** @param {string} path */
  get(path) {
    return this.post(path, {});
  }

  /** Ask for something, or change something; an Error has the reason why not. @param {string} path @param {object} body */
  async post(path, body) {
    const request = this.requests++;
    this.worker.postMessage({ request, path, body: JSON.stringify(body) });
    const { answer, detail } = await new Promise((/** @type {(answered: Answered) => void} */ answered) => {
      this.waiting.set(request, answered);
    });
    if (detail !== undefined) throw new Error(detail);
    return answer;
  }

  leave() {}

  async isAnother() {
    return false;
  }
}
