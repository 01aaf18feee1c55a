import { readFileSync } from "node:fs";

import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Where the arena is, and how the way there is protected. */
export interface Address {
  /** As gRPC writes it. */
  target: string;
  shown: string;
  credentials: ChannelCredentials;
}

/** Reads where the arena is; undefined where nothing says it. Throws an Error with a sentence for what cannot be. */
export function findArena(environment: NodeJS.ProcessEnv): Address | undefined {
  const socket = environment.BALLCOURT_SOCKET;
  if (socket) return { target: `unix:${socket}`, shown: socket, credentials: credentials.createInsecure() };
  const address = environment.BALLCOURT_ADDRESS;
  if (!address) return undefined;
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (!host || !port) throw new Error(`BALLCOURT_ADDRESS is '${address}'; it must be HOST:PORT`);
  if (environment.BALLCOURT_TLS !== "off") {
    return { target: address, shown: address, credentials: credentials.createSsl(trusted(environment.BALLCOURT_CA)) };
  }
  if (!LOOPBACK.includes(host)) {
    throw new Error(`BALLCOURT_TLS=off is for ${LOOPBACK.join(", ")} alone, and BALLCOURT_ADDRESS is ${address}`);
  }
  return { target: address, shown: address, credentials: credentials.createInsecure() };
}

/** Reads the certificates to trust; null stands for those that come with node. */
function trusted(file: string | undefined): Buffer | null {
  if (!file) return null;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`BALLCOURT_CA names '${file}', which cannot be read: ${(error as Error).message}`);
  }
}
