import { readFileSync } from "node:fs";

import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** The address of the arena, and how to secure the connection. */
export interface Address {
  /** For gRPC. */
  target: string;
  /** For messages to people. */
  shown: string;
  credentials: ChannelCredentials;
}

/** Reads the address of the arena from the environment; undefined if there is none. Throws if a variable is invalid. */
export function findArena(environment: NodeJS.ProcessEnv): Address | undefined {
  const socket = environment.BALLCOURT_SOCKET;
  if (socket) return { target: `unix:${socket}`, shown: socket, credentials: credentials.createInsecure() };
  const address = environment.BALLCOURT_ADDRESS;
  if (!address) return undefined;
  const [, host, port] = /^(\[.+\]|[^:]+):([0-9]{1,5})$/.exec(address) ?? [];
  if (!host || Number(port) < 1 || Number(port) > 65535)
    throw new Error(`BALLCOURT_ADDRESS is '${address}'; it must be HOST:PORT, for example localhost:7433`);
  if (environment.BALLCOURT_TLS !== "off") {
    return { target: address, shown: address, credentials: credentials.createSsl(trusted(environment.BALLCOURT_CA)) };
  }
  if (!LOOPBACK.includes(host)) {
    throw new Error(
      `BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '${address}'; without TLS the host must be ` +
        "127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS",
    );
  }
  return { target: address, shown: address, credentials: credentials.createInsecure() };
}

/** Reads the certificates to trust from a PEM file; null stands for those that come with Node.js. */
function trusted(file: string | undefined): Buffer | null {
  if (!file) return null;
  const data = read(file);
  if (!data.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`BALLCOURT_CA is '${file}'; it must be a PEM file with at least one certificate`);
  return data;
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(
      `BALLCOURT_CA is '${file}'; it must be the path of a readable PEM file: ${(error as Error).message}`,
    );
  }
}
