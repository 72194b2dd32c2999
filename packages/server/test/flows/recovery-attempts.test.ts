// Recovery codes can be tried so often and no more: counted by browser and address, never by account.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";

const stopAt = "https://app.example.org/";
const PER_BROWSER = 30;

const at = flow({ service: "test" });
let codes: readonly string[];
beforeEach(async () => {
  codes = (await at.setUp({ agent: createUserAgent() })).codes;
});

const begin = (agent: UserAgent) => at.begin({ agent });
const tryCode = (agent: UserAgent, page: Page, recovery_code: string) =>
  at.submit(page, "check-form", { recovery_code }, { agent });

test("after 30 tries in a browser even the right code has to wait a quarter of an hour", async () => {
  const agent = createUserAgent();
  const page = await begin(agent);
  at.publish(page);
  for (let tries = 1; tries <= PER_BROWSER; tries++) {
    const wrong = await tryCode(agent, page, `wrong code number ${tries}`);
    expect([tries, wrong.status]).toEqual([tries, 400]);
  }
  const late = await tryCode(agent, page, codes[0] ?? "");
  expect([late.status, late.step]).toEqual([429, "dns-challenge"]);
  expect(late.html).toContain("Too many attempts.");
  // What was typed is kept, an empty field is told as such, and neither counts the wait anew.
  expect(late.html).toContain(codes[0]);
  expect((await tryCode(agent, page, "")).status).toBe(400);

  at.advance(900);
  const done = await tryCode(agent, page, codes[0] ?? "");
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("another browser is not held up, since the account is never locked", async () => {
  const [guesser, owner] = [createUserAgent(), createUserAgent()];
  const guessed = await begin(guesser);
  for (let tries = 0; tries <= PER_BROWSER; tries++) await tryCode(guesser, guessed, "a wrong one");
  expect((await tryCode(guesser, guessed, "a wrong one")).status).toBe(429);
  const page = await begin(owner);
  at.publish(page);
  const done = await tryCode(owner, page, codes[1] ?? "");
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("in the place of a passkey they are limited as well, and the account is never locked", async () => {
  const passkey = await givePasskey(at, at.domain);
  const leave = async (agent: UserAgent) =>
    at.submit(await begin(agent), "without-passkey-form", {}, { agent });
  const guesser = createUserAgent();
  // A new interaction does not begin a new count.
  for (let tries = 0; tries <= PER_BROWSER; tries += 10) {
    const page = await leave(guesser);
    for (let more = 0; more < 10; more++) await tryCode(guesser, page, "a wrong one");
  }
  const right = await tryCode(guesser, await leave(guesser), codes[0] ?? "");
  expect([right.status, right.step]).toEqual([429, "dns-challenge"]);
  // Neither the code of another browser nor the passkey, in any browser, has to wait.
  const owner = createUserAgent();
  const challenge = await tryCode(owner, await leave(owner), codes[0] ?? "");
  at.publish(challenge);
  const recovered = await at.submit(challenge, "check-form", {}, { agent: owner });
  expect(recovered.step).toBe("new-passkey");
  for (const agent of [guesser, createUserAgent()]) {
    const done = await usePasskey(agent, await begin(agent), passkey, { stopAt });
    expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  }
});

test("an address that makes up browsers is counted by itself", async () => {
  const statuses: number[] = [];
  for (let browser = 0; browser < 4; browser++) {
    const agent = createUserAgent();
    const { url } = await begin(agent);
    const cookie = agent.cookies.header(url) ?? "";
    for (let tries = 0; tries < PER_BROWSER; tries++) {
      const { status } = await fetch(url, {
        method: "POST",
        headers: { "x-forwarded-for": "203.0.113.7", origin: at.issuer, cookie },
        body: new URLSearchParams({ recovery_code: "a wrong one" }),
      });
      statuses.push(status);
    }
  }
  expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 400));
  expect(statuses.slice(100)).toEqual(Array.from({ length: 20 }, () => 429));
});
