// Tests of telling apps that a session has ended: what is sent, how often, and when it is given up.

import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { ISSUER, makeOAuthWorld } from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { Account } from "../store/accounts.ts";
import { createBackChannelLogout } from "./back-channel-logout.ts";

const LOGOUT_URI = "https://app.example.org/logout";
const HOST = "app.example.org";
const PER_ROUND = { each: 8, all: 64 };

const world = fixture(makeOAuthWorld);
let client: Client;
let account: Account;
let sent: { url: string; init: Parameters<GuardedFetch>[1]; token: string }[];
let answering: () => Promise<{ ok: boolean; status: number }>;
beforeEach(async () => {
  // What another test left behind is due no more.
  world.now += 2 * 86_400;
  client = await appOf(LOGOUT_URI);
  account = await world.addAccount();
  sent = [];
  answering = async () => ({ ok: true, status: 204 });
  world.reported.splice(0);
});

const appOf = async (uri: string, more = {}) =>
  (await world.addClient({ backchannel_logout_uri: uri, ...more })).client;

type LogoutDeps = Parameters<typeof createBackChannelLogout>[0];

function deps(changes: Partial<LogoutDeps> = {}): LogoutDeps {
  const logoutFetch = (async (url: string, init: Parameters<GuardedFetch>[1]) => {
    const token = new URLSearchParams(String(init?.body)).get("logout_token") ?? "";
    sent.push({ url: String(url), init, token });
    return answering();
  }) as unknown as GuardedFetch;
  return { ...world.parts, logoutFetch, ...changes };
}

/** A session that signed in to the client, and has just ended. */
async function endedSession(of: Pick<Client, "client_id"> = client, host = HOST) {
  const sid = await world.openSession(account);
  await world.store.logouts.noteSessionClient({ sid, clientId: of.client_id, host });
  await world.store.sessions.endSession({ sid, accountId: account.id }, "signed_out", world.now);
  return sid;
}
const attempts = () => world.reported.filter(({ event }) => event === "logoutNotDelivered");

describe("an app is told of the end of a session", () => {
  test("once, by a logout token of that session for that app", async () => {
    const sid = await endedSession();
    await createBackChannelLogout(deps())();
    expect(sent.map(({ url, init }) => [url, init?.method, init?.statusOnly])).toEqual([
      [LOGOUT_URI, "POST", true],
    ]);
    const token = sent[0]?.token ?? "";
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: "logout+jwt", alg: "RS256" });
    expect(decodeJwt(token)).toEqual({
      ...{ iss: ISSUER, sub: account.id, aud: client.client_id, sid },
      ...{ iat: world.now, exp: world.now + 120, jti: expect.stringMatching(/^[\w-]{22}$/) },
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    await createBackChannelLogout(deps())();
    world.now += 86_000;
    await createBackChannelLogout(deps())();
    expect([sent.length, attempts()]).toEqual([1, []]);
  });

  test("by its own name for the account, signed as its ID tokens are", async () => {
    const id_token_signed_response_alg = "ES256";
    const more = { subject_type: "domain", id_token_signed_response_alg } as const;
    await endedSession(await appOf(LOGOUT_URI, more));
    await createBackChannelLogout(deps())();
    const token = sent[0]?.token ?? "";
    expect(decodeJwt(token).sub).toBe(account.domain);
    expect(decodeProtectedHeader(token).alg).toBe("ES256");
  });

  test.each([
    ["is not registered any more", async () => ({ client_id: "gone" })],
    ["does not want to know any more", async () => appOf("")],
  ])("not if it %s, and then never", async (_, app) => {
    await endedSession(await app());
    await createBackChannelLogout(deps())();
    const due = await world.store.logouts.dueLogouts(world.now + 7200, PER_ROUND);
    expect([sent, attempts(), due]).toEqual([[], [], []]);
  });
});

describe("an app that does not accept it", () => {
  test("is told again after pauses that grow to six hours, with another token", async () => {
    const sid = await endedSession();
    answering = async () => ({ ok: false, status: 503 });
    const pauses = [30, 120, 480, 1920, 7680, 21_600, 21_600];
    for (const pause of pauses) {
      await createBackChannelLogout(deps())();
      const at = world.now;
      world.now = at + pause - 1;
      await createBackChannelLogout(deps())();
      world.now = at + pause;
    }
    const problem = "status 503";
    const { client_id: clientId } = client;
    expect(attempts().map(({ fields }) => fields)).toEqual(
      pauses.map((pause, index) => ({ clientId, attempt: index + 1, problem, pause })),
    );
    const ids = sent.map(({ token }) => decodeJwt(token).jti);
    expect(new Set(ids).size).toBe(pauses.length);
    expect(sid).toBe(decodeJwt(sent.at(-1)?.token ?? "").sid);
  });

  test("because it cannot be reached, has the reason in the log", async () => {
    await endedSession();
    answering = () => Promise.reject(new GuardedFetchError("timeout", "in 5 seconds"));
    await createBackChannelLogout(deps())();
    expect(attempts()).toMatchObject([{ fields: { problem: "timeout", attempt: 1, pause: 30 } }]);
  });

  test("or whose document cannot be fetched is asked again", async () => {
    await endedSession();
    const clients = { find: () => Promise.reject(new Error("no answer")) };
    await createBackChannelLogout(deps({ clients }))();
    expect([sent.length, attempts()]).toMatchObject([0, [{ fields: { problem: "no document" } }]]);
    world.now += 30;
    await createBackChannelLogout(deps())();
    expect(sent).toHaveLength(1);
  });

  test("a mistake of ours is no answer of the app", async () => {
    await endedSession();
    answering = () => Promise.reject(new TypeError("a mistake"));
    await expect(createBackChannelLogout(deps())()).rejects.toThrow("a mistake");
    // A node that dies gives the attempt back after a minute.
    answering = async () => ({ ok: true, status: 200 });
    world.now += 59;
    await createBackChannelLogout(deps())();
    expect(sent).toHaveLength(1);
    world.now += 1;
    await createBackChannelLogout(deps())();
    expect(sent).toHaveLength(2);
  });
});

describe("in one round", () => {
  const appAt = (host: string) => {
    const redirect_uris = [`https://${host}/callback`];
    return appOf(`https://${host}/logout`, { redirect_uris });
  };
  const sentTo = (host: string) => sent.filter(({ url }) => new URL(url).host === host).length;

  test("an app is notified of eight sessions, and another one is not delayed by it", async () => {
    const other = await appAt("other.example.org");
    for (let count = 0; count < 9; count++) await endedSession();
    await endedSession(other, "other.example.org");
    await createBackChannelLogout(deps())();
    expect([sentTo(HOST), sentTo("other.example.org")]).toEqual([8, 1]);
    await createBackChannelLogout(deps())();
    expect(sentTo(HOST)).toBe(9);
  });

  test("a host gets eight tokens, of however many apps", async () => {
    for (let count = 0; count < 9; count++) await endedSession(await appOf(LOGOUT_URI));
    await createBackChannelLogout(deps())();
    expect(sentTo(HOST)).toBe(8);
    await createBackChannelLogout(deps())();
    expect(sentTo(HOST)).toBe(9);
  });

  test("an app that has moved to another host gets its token in a turn of that host", async () => {
    for (let count = 0; count < 8; count++) await endedSession();
    await endedSession(await appOf(LOGOUT_URI), "before.example.org");
    // A row of an earlier version has no host.
    await endedSession(await appOf(LOGOUT_URI), "");
    await createBackChannelLogout(deps())();
    expect([sentTo(HOST), attempts()]).toEqual([8, []]);
    await createBackChannelLogout(deps())();
    expect(sentTo(HOST)).toBe(10);
  });

  test("64 tokens are sent at most", async () => {
    for (let count = 0; count < 65; count++) {
      await endedSession(await appAt(`app-${count}.example.org`), `app-${count}.example.org`);
    }
    await createBackChannelLogout(deps())();
    expect(sent).toHaveLength(64);
    await createBackChannelLogout(deps())();
    expect(sent).toHaveLength(65);
  });

  test("an attempt that another node has claimed sends nothing", async () => {
    await endedSession();
    const logouts = { ...world.store.logouts, claimLogout: async () => null };
    await createBackChannelLogout(deps({ logouts }))();
    expect(sent).toEqual([]);
  });
});

test("if more than 10,000 wait for an app, the oldest are given up, which is one event", async () => {
  const other = await appOf("https://other.example.org/logout", {
    redirect_uris: ["https://other.example.org/callback"],
  });
  for (let count = 0; count < 2; count++) await endedSession();
  await endedSession(other, "other.example.org");
  const dropped: unknown[] = [];
  const logouts = {
    ...world.store.logouts,
    dueLogouts: async (now: number) =>
      (await world.store.logouts.dueLogouts(now, PER_ROUND)).map((one) => ({
        ...{ ...one, pending: one.clientId === client.client_id ? 10_001 : 10_000 },
      })),
    dropLogouts: async (of: object) => dropped.push(of) && 7,
  };
  await createBackChannelLogout(deps({ logouts }))();
  expect(dropped).toEqual([{ clientId: client.client_id, kept: 10_000, now: world.now }]);
  expect(world.reported).toMatchObject([
    { event: "logoutsDropped", fields: { clientId: client.client_id, count: 7 } },
  ]);
  await createBackChannelLogout(deps({ logouts: { ...logouts, dropLogouts: async () => 0 } }))();
  expect(world.reported).toHaveLength(1);
  expect(sent).toHaveLength(3);
});
