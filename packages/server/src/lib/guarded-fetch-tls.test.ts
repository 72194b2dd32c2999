// Tests of whom a guarded fetch takes for the host: whoever has a certificate for its name.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { makeAuthority, makeSelfSigned } from "../../test/support/certificates.ts";
import {
  answerOf,
  certificates,
  closeWorlds,
  outcomeOf,
  publicAddress,
  spName,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  closeWorlds();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const hello = answerOf("{}");

describe("a certificate is refused, and nothing asked, that is", () => {
  const { authority } = certificates();
  it.each([
    ["for another name", authority.issue("other.example"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for a name below", authority.issue(`a.${spName}`), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for all names beside", authority.issue(`*.${spName}`), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for the address", authority.issue(publicAddress), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["signed by itself", makeSelfSigned(spName), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["of another authority", makeAuthority().issue(spName), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ])("%s", async (_, certificate, code) => {
    const { fetch, server } = await startWorld(hello, { certificate });
    // What the process was told must not matter.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      await expect(fetch(spUrl)).rejects.toMatchObject({
        ...{ code: "unreachable", host: spName },
        message: `${spName} could not be reached (${code}).`,
      });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(server.connections()).toBe(1);
    expect(server.requests).toEqual([]);
  });

  it("of an authority that only the tests know, where none is given", async () => {
    const { fetch, server } = await startWorld(hello, { ca: undefined });
    expect(await outcomeOf(fetch(spUrl))).toBe("unreachable");
    expect(server.requests).toEqual([]);
  });
});

describe("a host is unreachable that", () => {
  async function outcomeAt(take: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      cleanups.push(() => socket.destroy());
      take(socket.on("error", () => {}));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(() => server.close());
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("no port was opened");
    const fetch = createGuardedFetch({
      ...{ allowLoopback: false, timeoutMs: 20_000 },
      resolve: async () => [publicAddress],
      reach: () => ({ address: "127.0.0.1", port: bound.port }),
    });
    return outcomeOf(fetch(spUrl));
  }

  it.each<[string, (socket: Socket) => void]>([
    ["resets the connection", (socket) => socket.resetAndDestroy()],
    ["ends the connection", (socket) => socket.end()],
    [
      "resets it during the handshake",
      (socket) => socket.on("data", () => socket.resetAndDestroy()),
    ],
    ["ends it during the handshake", (socket) => socket.on("data", () => socket.end())],
    ["speaks first", (socket) => socket.write("220 mail.example ESMTP\r\n")],
    ["answers without TLS", (socket) => socket.on("data", () => socket.end(hello))],
    ["echoes", (socket) => socket.pipe(socket)],
  ])("%s", async (_, take) => {
    expect(await outcomeAt(take)).toBe("unreachable");
  });

  it.each<[string, (socket: Socket) => void]>([
    ["resets it after the request", (socket) => socket.destroy()],
    [
      "resets it within the head",
      (socket) => socket.write(hello.slice(0, 30), () => socket.destroy()),
    ],
    [
      "resets it within the body",
      (socket) => socket.write(hello.slice(0, -1), () => socket.destroy()),
    ],
  ])("%s", async (_, answer) => {
    const { fetch, server } = await startWorld(answer);
    expect(await outcomeOf(fetch(spUrl))).toBe("unreachable");
    // Not asked again: the first request may have been heard.
    expect(server.requests).toHaveLength(1);
  });

  it("has no open port", async () => {
    const { fetch } = await startWorld(hello);
    closeWorlds();
    const refused = expect(fetch(spUrl)).rejects;
    await refused.toMatchObject({ message: `${spName} could not be reached (ECONNREFUSED).` });
  });
});
