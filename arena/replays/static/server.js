// The arena of a page that a server on this machine holds: its stream, and requests with the token of its address.

import { listen } from "./stream.js";

/** @import { Handlers } from "../viewer" */

export class Server {
  /** @param {string} stream its address, with the token */
  constructor(stream) {
    this.stream = stream;
    this.token = new URL(stream, location.href).searchParams.get("token") ?? "";
    this.headers = { "Content-Type": "application/json", "X-Token": this.token };
  }

  /** Listen to its stream; return what ends that. @param {Handlers} handlers */
  listen(handlers) {
    return listen(this.stream, handlers);
  }

  /** Return where something can be looked at, such as the rules. @param {string} path */
  address(path) {
    return `${path}?token=${this.token}`;
  }

  /** Return what it says of something. @param {string} path */
  async get(path) {
    return (await fetch(this.address(path))).json();
  }

  /** Ask for something, or change something; an Error has the reason why not. @param {string} path @param {object} body */
  async post(path, body) {
    const said = await fetch(path, { method: "POST", headers: this.headers, body: JSON.stringify(body) }).catch(() => {
      throw new Error("The server does not answer.");
    });
    if (said.status === 204) return null;
    const answer = await said.json();
    if (!said.ok) throw new Error(answer.detail);
    return answer;
  }

  /** Tell it that the page is closed. */
  leave() {
    void fetch("left", { method: "POST", keepalive: true, headers: this.headers });
  }

  /** Return whether another server has its place. */
  async isAnother() {
    const said = await fetch(this.address("rules")).catch(() => null);
    return said?.status === 403;
  }
}
