// Single requests of apps and thieves, beside what the rows say.

import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { formBodyOf, type LateGrant, type LateOperation, send } from "./app.ts";
import { grantIdOf } from "./rows.ts";
import type { World } from "./world.ts";

const LOOK_MS = 5;
/** How long a request may take to have an effect that nobody answers for. */
const EFFECT_MS = 20_000;

export type Probe = ReturnType<typeof probeOf>;

/** Requests about one grant. */
export function probeOf(world: Pick<World, "node" | "rows">, grant: LateGrant) {
  const grantId = grantIdOf(grant.code);
  const { rows } = world;
  const present = (verb: "redeem" | "rotate", input: string, node = world.node) =>
    send(node, grant.app, { who: "probe", grant: grant.name, verb, input });
  return {
    grant,
    row: () => rows.read(grantId),
    age: (seconds: number, more: { codeExpiresAt?: number; withControl?: boolean } = {}) =>
      rows.age({ grantId, seconds, ...more }),
    code: (node = world.node) => present("redeem", grant.code, node),
    codeWithAnotherVerifier: () =>
      send(
        world.node,
        { ...grant.app, codeVerifier: "w".repeat(43) },
        { who: "thief", grant: grant.name, verb: "redeem", input: grant.code },
      ),
    refresh: (token: string, node = world.node) => present("rotate", token, node),
    /** Sends the token, and resets the connection when `moment` has come. Nothing is read. */
    async refreshAndReset(token: string, moment: () => Promise<unknown>): Promise<void> {
      const before = (await rows.read(grantId)).generation;
      await sendAndReset(world.node.port, formBodyOf(grant.app, { verb: "rotate", input: token }), {
        moment,
      });
      const until = performance.now() + EFFECT_MS;
      while ((await rows.read(grantId)).generation === before) {
        if (performance.now() > until) throw new Error("the request had no effect");
        await sleep(LOOK_MS);
      }
    },
    /** The first refresh token. */
    async redeemed(): Promise<string> {
      return successorOf(await present("redeem", grant.code));
    },
  };
}

/** The claim `nonce` of the ID token in the answer to a code. */
export function nonceIn({ body }: LateOperation): unknown {
  const { id_token: idToken = "" }: { id_token?: string } = JSON.parse(body);
  const claims: { nonce?: unknown } = JSON.parse(
    Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString(),
  );
  return claims.nonce;
}

export function successorOf(operation: LateOperation): string {
  expect([operation.status, operation.body]).toEqual([200, operation.body]);
  return operation.successor ?? "";
}

/** `invalid_grant`, and whether the grant is revoked. */
export async function expectRefused(
  probe: Probe,
  operation: LateOperation,
  is: { revoked: boolean },
): Promise<void> {
  expect([operation.status, operation.outcome], operation.body).toEqual([400, "fail"]);
  expect((await probe.row()).revokedAt !== null).toBe(is.revoked);
}

async function sendAndReset(
  port: number,
  body: string,
  { moment }: { moment: () => Promise<unknown> },
): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  const head = [
    "POST /oauth/token HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  await new Promise<void>((resolve) =>
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`, () => resolve()),
  );
  await moment();
  socket.resetAndDestroy();
  await closed;
}
