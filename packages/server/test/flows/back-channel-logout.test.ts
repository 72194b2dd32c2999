// Apps are notified that a session has ended: by whom, how often, and what a target can do to us.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from "jose";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AddressDns, startAddressDns } from "../support/address-dns.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { REFUSED_ADDRESSES } from "../support/refused-addresses.ts";
import { startTestService } from "../support/service.ts";
import { someSession } from "../support/store-rows.ts";

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

const held = heldSleep();
const KINDS = Object.keys(REFUSED_ADDRESSES);
const hostOf = (kind: string) => `app${KINDS.indexOf(kind)}.alice.test`;
const addressesOf = (name: string) =>
  REFUSED_ADDRESSES[KINDS[Number(/^app(\d+)\./.exec(name)?.[1])] ?? ""];
let dns: AddressDns;
const at = flow({
  domain: "alice.test",
  start: () =>
    startTestService({
      sleep: held.sleep,
      dns: async (zone) => {
        dns = await startAddressDns(zone.address, addressesOf);
        return dns.address;
      },
    }),
});
afterAll(() => dns.close());
let ahead = 0;
let tokens: string[];
let answering: Answering;
const app = fixture(async () => {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url === "/logout") tokens.push(new URLSearchParams(body).get("logout_token") ?? "");
    answering(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server, close };
});
beforeEach(async () => {
  tokens = [];
  at.events.length = 0;
  answering = (response) => response.writeHead(204).end();
  at.client = await addClient();
});
// What a test leaves behind must not be due in the next one.
afterEach(() => advance(86_401));

function advance(seconds: number): void {
  ahead += seconds;
  at.advance(seconds);
}
/** `publish` moves the clock of the service too, by a second or so. */
const now = () => Math.floor(Date.now() / 1000) + ahead + 60;

const addClient = (uri = `${app.origin}/logout`) =>
  at.addClient({
    ...{ consent: "never", redirect_uris: [`${app.origin}/callback`], backchannel_logout_uri: uri },
  });

/** Signs in, and gives back what the app knows of it. */
async function signedIn(client = at.client): Promise<JWTPayload> {
  return decodeJwt((await at.tokens({ client })).id_token);
}

/** One round of the work in the background, and what came of it. */
async function round(wanted: { tokens?: number; problems?: number } = {}): Promise<void> {
  await held.end((milliseconds) => milliseconds === 10_000);
  const { tokens: told = tokens.length, problems: failed = problems().length } = wanted;
  await expect
    .poll(() => [tokens.length, problems().length], { timeout: 10_000 })
    .toEqual([told, failed]);
  // The round has ended when the next one is waited for.
  await expect.poll(() => held.has((milliseconds) => milliseconds === 10_000)).toBe(true);
}
async function signOut(): Promise<void> {
  await at.submit(await at.open(), "sign-out-form");
}
const problems = () =>
  at.events
    .filter((event) => event.startsWith("logout not delivered"))
    .map((event) => JSON.parse(event.slice("logout not delivered".length)));

describe("the app is notified", () => {
  test("once, by a logout token of its own session", async () => {
    const { sid, sub } = await signedIn();
    await round({ tokens: 0 });
    await signOut();
    await round({ tokens: 1 });
    await round({ tokens: 1 });
    const jwks = createRemoteJWKSet(new URL(`${at.issuer}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(tokens[0] ?? "", jwks, {
      ...{ issuer: at.issuer, audience: at.client.id, typ: "logout+jwt" },
      currentDate: new Date((now() - 60) * 1000),
    });
    // Without `nonce`, so that it does not pass for an ID token.
    expect(payload).toEqual({
      ...{ iss: at.issuer, aud: at.client.id, sub, sid },
      ...{ iat: expect.any(Number), exp: Number(payload.iat) + 120, jti: expect.any(String) },
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
  });

  test("each app of the session", async () => {
    const other = await addClient();
    const { sid } = await signedIn();
    await at.signIn({ client: other });
    await signOut();
    await round({ tokens: 2 });
    const told = tokens.map((token) => decodeJwt(token));
    expect(told.map(({ aud }) => aud).sort()).toEqual([at.client.id, other.id].sort());
    expect(new Set(told.map((claims) => claims.sid))).toEqual(new Set([sid]));
  });

  test.each(["everywhere", "operator", "account", "record"] as const)(
    "if the session is ended by: %s",
    async (how) => {
      const { sid } = await signedIn();
      const { id: accountId } = await at.accountOf();
      if (how === "everywhere") {
        await at.submit(await at.account(), "sign-out-everywhere-form");
      } else if (how === "operator") {
        await at.store.sessions.endSessionsOf(accountId, { reason: "operator", now: now() });
      } else if (how === "account") {
        await at.store.accountAdmin.endAccountNow({ accountId, now: now() });
      } else {
        await at.store.accounts.putToSleep(accountId, now());
        await round({ tokens: 0 });
        advance(86_401);
        await at.store.accounts.putToSleep(accountId, now());
      }
      await round({ tokens: 1 });
      expect(tokens.map((token) => decodeJwt(token).sid)).toEqual([sid]);
    },
  );

  test("again, if the session ends after the record has returned and the person has signed in", async () => {
    const { sid } = await signedIn();
    const records = at.zone.records();
    const { id: accountId } = await at.accountOf();
    for (const record of records) at.zone.remove(record);
    await at.store.accounts.putToSleep(accountId, now());
    advance(86_401);
    await at.store.accounts.putToSleep(accountId, now());
    await round({ tokens: 1 });
    for (const record of records) at.zone.add(record);
    advance(301);
    expect((await signedIn()).sid).toBe(sid);
    await round({ tokens: 1 });
    await signOut();
    await round({ tokens: 2 });
    await round({ tokens: 2 });
    expect(tokens.map((token) => decodeJwt(token).sid)).toEqual([sid, sid]);
  });

  test("not if it did not ask for it", async () => {
    at.client = await addClient("");
    await signedIn();
    await signOut();
    await round({ tokens: 0, problems: 0 });
  });
});

describe("a target that", () => {
  test("answers 500, then 200, gets a new token after 30 seconds", async () => {
    await signedIn();
    answering = (response) => response.writeHead(500).end("<h1>no</h1>");
    await signOut();
    await round({ tokens: 1, problems: 1 });
    expect(problems().at(-1)).toMatchObject({ attempt: 1, problem: "status 500", pause: 30 });
    await round({ tokens: 1 });
    advance(31);
    answering = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>ok");
    await round({ tokens: 2 });
    expect(tokens[1]).not.toBe(tokens[0]);
    advance(40_000);
    await round({ tokens: 2 });
  });

  test("redirects is not followed", async () => {
    let followed = 0;
    await signedIn();
    answering = (response, { url }) => {
      if (url !== "/logout") followed++;
      response.writeHead(302, { location: `${app.origin}/elsewhere` }).end();
    };
    await signOut();
    await round({ tokens: 1, problems: 1 });
    expect([problems().at(-1)?.problem, followed]).toEqual(["redirect", 0]);
  });

  test("answers without an end is cut off after its head", async () => {
    let sent = 0;
    await signedIn();
    answering = (response) => {
      response.writeHead(200);
      // On Node 26, what is written after the end of the connection fails one after another, before the response ends.
      const more = (error?: Error | null) => {
        if (error) return;
        sent += 65_536;
        if (!response.destroyed && sent < 1e9) response.write("x".repeat(65_536), more);
      };
      more();
    };
    await signOut();
    await round({ tokens: 1 });
    expect(sent).toBeLessThan(1e8);
  });

  test("hangs in hundreds of sessions delays no other app, and is given up after a day", async () => {
    // A host that has answered before, as that of a live app has.
    await signedIn();
    await signOut();
    await round({ tokens: 1 });
    const hanging = await addClient(`${app.origin}/hang`);
    const { sub } = await signedIn(hanging);
    const accountId = String(sub);
    for (let count = 0; count < 300; count++) {
      // Used before that of the owner, who is not forgotten for them.
      const session = someSession(accountId, { now: now() - 3600, expiresAt: now() + 1000 });
      const { sid } = await at.store.sessions.startSession(session);
      await at.store.logouts.noteSessionClient({ sid, clientId: hanging.id, host: "localhost" });
      await at.store.sessions.endSession({ sid, accountId }, "signed_out", now() - 600);
    }
    await at.signIn();
    answering = (response, { url }) => {
      if (url === "/logout") response.writeHead(200).end();
    };
    await signOut();
    // Eight of the host, of which one is for the other app.
    await round({ tokens: 2, problems: 7 });
    expect(problems().at(-1)).toMatchObject({ clientId: hanging.id, problem: "timeout" });
    app.server.closeAllConnections();
    advance(86_401);
    expect(await at.store.logouts.dueLogouts(now(), { each: 8, all: 64 })).toEqual([]);
  });

  test.each(KINDS)("has no public address gets no packet: %s", async (kind) => {
    const connect = vi.spyOn(Socket.prototype, "connect");
    const host = hostOf(kind);
    const uri = `https://${host}/logout`;
    const redirect_uris = [`https://${host}/callback`];
    const refused = await at.addClient({
      ...{ consent: "never", redirect_uris, backchannel_logout_uri: uri },
    });
    await at.signIn({ client: refused });
    await signOut();
    connect.mockClear();
    await round({ problems: 1 });
    expect(problems().at(-1)).toMatchObject({ clientId: refused.id, problem: "not_public" });
    expect(dns.looks).toContain(host);
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });
});
