// A clock that jumps, is set back or is ahead for a minute: nothing is revived, and nothing is lost.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { signedAt, startTestService, type TestService } from "../support/service.ts";
import { redemption, refresh, type SignIn, signInForTokens } from "../support/sign-in.ts";

const HOUR = 3600;
const DAY = 86_400;
const YEAR = 366 * DAY;
const MINUTE_MS = 60_000;

const held = heldSleep();
/** Whether the DNS root cannot be seen any more. */
let isBlind = false;
beforeEach(() => {
  isBlind = false;
});
const at = flow({
  start: () => startTestService({ sleep: held.sleep, isBlind: () => isBlind }),
  service: "test",
});

const statusOf = async (path: string) => (await fetch(at.issuer + path)).status;
const ready = async () => {
  const response = await fetch(`${at.issuer}/readyz`);
  return { status: response.status, body: await response.json() };
};
const userinfo = async (token: string) => (await at.userinfo(token)).status;
const redeem = async (done: SignIn) =>
  answerOf(await at.token(redemption(at.client, done), at.client));
const rotate = async (token: string) => answerOf(await at.token(refresh(token), at.client));
const answerOf = ({ status, body }: Awaited<ReturnType<TestService["token"]>>) =>
  status === 200 ? body : `${status} ${String(body.error)}`;
const UNAVAILABLE = "503 temporarily_unavailable";
const REFUSED = "400 invalid_grant";

/** One round of the work in the background that waits as long as that. */
async function background(milliseconds: number): Promise<void> {
  await held.end((one) => one === milliseconds);
  await expect.poll(() => held.has((one) => one === milliseconds)).toBe(true);
}

const isPause = (milliseconds: number) => milliseconds === 250;

/** Between two questions whether a look at the DNS root is due. */
const LOOK_MS = 5000;

/** Both kinds of cleaning, and the mark. */
const EVERY_MINUTE = 3;

/** Cleaning pauses after each table, and waits again when it has been through all. */
async function clean(): Promise<void> {
  await held.end((one) => one === MINUTE_MS);
  const waiting = async () => {
    await held.end(isPause);
    return held.count((one) => one === MINUTE_MS);
  };
  await expect.poll(waiting, { timeout: 10_000 }).toBe(EVERY_MINUTE);
}

describe("a clock that is set back by an hour", () => {
  test("revives neither a replaced refresh token nor an expired code, and ends nothing", async () => {
    const { refresh_token: first } = await at.tokens();
    const done = await at.signIn();
    const { refresh_token: second } = (await rotate(first)) as Record<string, string>;
    at.advance(HOUR);
    await background(10_000);
    at.setAhead(-HOUR);
    expect(await rotate(first)).toBe(UNAVAILABLE);
    expect(await redeem(done)).toBe(UNAVAILABLE);
    expect(await rotate(second ?? "")).toBe(UNAVAILABLE);
    at.setAhead(0);
    expect(await redeem(done)).toBe(REFUSED);
    expect(await rotate(second ?? "")).toMatchObject({ refresh_token: expect.any(String) });
  });

  test("makes the node unready, with the reason, and the rest is served", async () => {
    at.advance(2 * HOUR);
    await background(10_000);
    at.setAhead(-HOUR);
    expect(await ready()).toEqual({
      status: 503,
      body: {
        ...{ status: "unavailable", error: "temporarily_unavailable" },
        reason: expect.stringMatching(
          /^the clock says \S+Z, \d+ s behind the newest time that is proven, \S+Z: correct the clock; if it is right, run domain-signin clock accept$/,
        ),
      },
    });
    for (const path of ["/livez", "/.well-known/jwks.json", "/.well-known/openid-configuration"]) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
    expect(await statusOf("/account")).toBe(503);
    at.setAhead(0);
    expect(await ready()).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(at.events.join("\n")).toMatch(/clock uncertain .*"verdict":"behind"/);
    expect(at.events.join("\n")).toContain("clock certain");
  });

  test("keeps no client secret alive that was ended, and refuses no new one", async () => {
    const { refresh_token } = await at.tokens();
    const rotated = await at.service.clients.rotateSecret(at.client.id, HOUR);
    at.advance(HOUR + 10);
    await background(10_000);
    at.setAhead(-HOUR);
    const old = await at.token(refresh(refresh_token), at.client);
    const fresh = { ...at.client, secret: rotated?.client_secret ?? "" };
    expect(answerOf(old)).toBe(UNAVAILABLE);
    at.setAhead(0);
    expect(answerOf(await at.token(refresh(refresh_token), at.client))).toBe("400 invalid_client");
    expect(answerOf(await at.token(refresh(refresh_token), fresh))).toMatchObject({
      scope: "openid",
    });
  });

  test("by half a minute is no more than a correction", async () => {
    const { refresh_token } = await at.tokens();
    at.setAhead(-29);
    expect(await rotate(refresh_token)).toMatchObject({ scope: "openid" });
    expect(await ready()).toMatchObject({ status: 200 });
  });
});

describe("a clock that is 40 days ahead for a minute", () => {
  test("deletes nothing, and what it seems to have ended works afterwards", async () => {
    isBlind = true;
    const { access_token, refresh_token } = await at.tokens();
    const done = await at.signIn();
    at.setAhead(40 * DAY);
    await background(10_000);
    await clean();
    expect(await ready()).toEqual({
      ...{ status: 200, body: { status: "ready", clock: "unwitnessed" } },
    });
    // An app that gets these asks for another token or code; for a refresh token there is none.
    expect(await redeem(done)).toBe(REFUSED);
    expect(await userinfo(access_token)).toBe(401);
    const refreshed = await at.token(refresh(refresh_token), at.client);
    expect(answerOf(refreshed)).toBe(UNAVAILABLE);
    expect(refreshed.headers.get("retry-after")).toBe("60");
    expect(await at.silently()).not.toBe("login_required");
    at.setAhead(0);
    expect(await userinfo(access_token)).toBe(200);
    expect(await redeem(done)).toMatchObject({ scope: "openid" });
    expect(await rotate(refresh_token)).toMatchObject({ scope: "openid" });
  });

  test("is contradicted by the DNS root within seconds: nothing is answered by it, and the reason names both", async () => {
    const { access_token, refresh_token } = await at.tokens();
    const done = await at.signIn();
    at.setAhead(40 * DAY);
    // The first request waits for the answer of the root.
    expect(await redeem(done)).toBe(UNAVAILABLE);
    expect(await ready()).toEqual({
      status: 503,
      body: {
        ...{ status: "unavailable", error: "temporarily_unavailable" },
        reason: expect.stringMatching(
          /^the clock says \S+Z, and the newest signature of the DNS root is of \S+Z: correct the clock, unless the resolvers show old answers$/,
        ),
      },
    });
    expect(await redeem(done)).toBe(UNAVAILABLE);
    expect(await rotate(refresh_token)).toBe(UNAVAILABLE);
    expect(await userinfo(access_token)).toBe(503);
    await clean();
    expect(at.events.join("\n")).toMatch(/clock uncertain .*"verdict":"contradicted"/);
    at.setAhead(0);
    expect(await userinfo(access_token)).toBe(200);
    await background(LOOK_MS);
    expect(await ready()).toEqual({ status: 200, body: { status: "ready", clock: "certain" } });
    expect(await redeem(done)).toMatchObject({ scope: "openid" });
    expect(await rotate(refresh_token)).toMatchObject({ scope: "openid" });
  });

  test("leaves nothing that is valid for 40 days", async () => {
    isBlind = true;
    at.setAhead(40 * DAY);
    const ahead = await at.tokens();
    const code = await at.signIn();
    expect(await userinfo(ahead.access_token)).toBe(200);
    at.setAhead(0);
    at.advance(2);
    expect(await redeem(code)).toBe(REFUSED);
    expect(await userinfo(ahead.access_token)).toBe(401);
    // The refresh token goes on, after a look at the record.
    const next = (await rotate(ahead.refresh_token)) as Record<string, string>;
    expect(next).toMatchObject({ scope: "openid" });
    expect(await userinfo(next.access_token ?? "")).toBe(200);
  });

  test("takes no double submit of a code for theft", async () => {
    const done = await at.signIn();
    at.setAhead(400);
    const { refresh_token } = (await redeem(done)) as Record<string, string>;
    at.setAhead(0);
    expect(await redeem(done)).toBe(REFUSED);
    expect(await rotate(refresh_token ?? "")).toMatchObject({ scope: "openid" });
  });

  test("takes no retry for theft of a token that was replaced in that minute", async () => {
    // One that authenticates could repeat the request at any time.
    at.client = await at.addClient({ consent: "never", type: "public" });
    const { refresh_token: first } = await at.tokens();
    at.setAhead(2 * HOUR);
    const second = (await rotate(first)) as Record<string, string>;
    at.setAhead(0);
    // Whether the retry came in time is not known, so it gets no successor, and nothing ends.
    expect(await rotate(first)).toBe(REFUSED);
    const third = await rotate(second.refresh_token ?? "");
    expect(third).toMatchObject({ scope: "openid" });
    // From then on, a second use is theft again.
    expect(await rotate(first)).toBe(REFUSED);
    expect(await rotate((third as Record<string, string>).refresh_token ?? "")).toBe(REFUSED);
  });

  test("takes no retry for theft", async () => {
    isBlind = true;
    at.client = await at.addClient({ consent: "never", type: "public" });
    const { refresh_token: first } = await at.tokens();
    const second = (await rotate(first)) as Record<string, string>;
    at.setAhead(2 * HOUR);
    expect(await rotate(first)).toBe(UNAVAILABLE);
    at.setAhead(0);
    expect(await rotate(first)).toMatchObject({ refresh_token: second.refresh_token });
    // A second use that is none is theft, also while the clock is ahead.
    const third = (await rotate(second.refresh_token ?? "")) as Record<string, string>;
    at.advance(60);
    await background(10_000);
    at.setAhead(2 * HOUR);
    const fourth = (await rotate(third.refresh_token ?? "")) as Record<string, string>;
    at.advance(31);
    expect(await rotate(third.refresh_token ?? "")).toBe(REFUSED);
    expect(await rotate(fourth.refresh_token ?? "")).toBe(REFUSED);
  });
});

test("keys of the DNS root that are no trust anchors are named, and the node stays ready", async () => {
  const now = Math.floor(Date.now() / 1000);
  const rootLook = async () => ({ ...signedAt(now), unknownKeys: [20326, 38696] });
  const warned = await startTestService({ rootLook });
  onTestFinished(warned.close);
  const answer = async () => {
    const response = await fetch(`${warned.issuer}/readyz`);
    return [response.status, await response.json()];
  };
  const body = { status: "ready", clock: "certain", unknown_root_keys: [20326, 38696] };
  await expect.poll(answer).toEqual([200, body]);
  expect(warned.events.join("\n")).toMatch(/^root key unknown .*"keyTags":\[20326,38696\],/m);
});

describe("a session that has ended only if a clock is right that jumped ahead", () => {
  test("keeps nobody from signing in again, and is not signed out", async () => {
    isBlind = true;
    await at.signIn();
    const bob = { agent: createUserAgent(), domain: "bob.test" };
    await at.signIn(bob);
    at.advance(30 * DAY - HOUR);
    await background(10_000);
    at.setAhead(2 * HOUR);
    expect(await at.silently()).toBe("temporarily_unavailable");
    expect((await at.open()).step).toBe("domain");
    expect((await at.signIn()).code).not.toBe("");
    expect(await at.silently()).toBeNull();
    at.setAhead(0);
    expect(await at.silently(bob)).toBeNull();
  });

  test("can be ended", async () => {
    isBlind = true;
    await at.signIn();
    at.advance(30 * DAY - HOUR);
    await background(10_000);
    at.setAhead(2 * HOUR);
    const page = await at.agent.open(`${at.issuer}/oauth/logout`);
    await at.agent.submit(page, "logout-form", {}, { button: "sign-out" });
    at.setAhead(0);
    expect(await at.silently()).toBe("login_required");
  });
});

test("what has really expired is deleted seven days later", async () => {
  const { refresh_token } = await at.tokens();
  const grants = async () => ((await at.dump()).match(/"refresh_expires_at"/g) ?? []).length;
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      at.advance(DAY);
      await background(10_000);
      await background(LOOK_MS);
    }
    await clean();
  };
  await days(30);
  expect([await grants(), await rotate(refresh_token)]).toEqual([1, REFUSED]);
  await days(6);
  expect(await grants()).toBe(1);
  await days(1);
  expect(await grants()).toBe(0);
});

test("a clock that is a year ahead for a minute keeps no key from being rotated", async () => {
  const published = async () => {
    const { keys } = (await (await fetch(`${at.issuer}/.well-known/jwks.json`)).json()) as {
      keys: { alg: string; kid: string }[];
    };
    return keys.filter(({ alg }) => alg === "ES256").map(({ kid }) => kid);
  };
  const [first] = await published();
  at.setAhead(YEAR);
  await background(10_000);
  await background(30_000);
  at.setAhead(0);
  await background(10_000);
  expect(await published()).toEqual([first]);
  at.advance(91 * DAY);
  await background(30_000);
  expect(await published()).toHaveLength(2);
  at.advance(2 * DAY);
  expect((await published())[0]).not.toBe(first);
});

test("in 2106, and in 2243, people sign in and their tokens work", async () => {
  for (const year of [2106, 2243]) {
    const now = Math.floor(Date.now() / 1000);
    const later = await startTestService({ aheadAtStart: Date.UTC(year, 1, 7, 7) / 1000 - now });
    onTestFinished(later.close);
    const app = await later.addClient({ consent: "never" });
    const { access_token, refresh_token } = await signInForTokens(later, app);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(`${later.issuer}/oauth/userinfo`, { headers })).status).toBe(200);
    expect((await later.token(refresh(refresh_token), app)).status).toBe(200);
    later.advance(HOUR + 1);
    expect((await fetch(`${later.issuer}/oauth/userinfo`, { headers })).status).toBe(401);
  }
});
