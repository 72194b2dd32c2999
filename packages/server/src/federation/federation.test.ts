// Tests of the rate limits for requests to SPs: other users cannot exhaust the limit of an account.

import { expect, test } from "vitest";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { noSigningKeys } from "../../test/support/test-keys.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { createFederation } from "./federation.ts";
import { requestSecrets } from "./sp-authorization.ts";

const SP = "https://sp.example";
const METADATA = {
  issuer: SP,
  authorization_endpoint: `${SP}/authorize`,
  token_endpoint: `${SP}/token`,
  jwks_uri: `${SP}/keys`,
  ...{ code_challenge_methods_supported: ["S256"], client_id_metadata_document_supported: true },
  ...{ token_endpoint_auth_methods_supported: ["none"] },
  authorization_response_iss_parameter_supported: true,
};

/** An SP that refuses every code, at a host that has nothing else. */
async function world() {
  let now = 1_700_000_000_000;
  const asked: string[] = [];
  const fetch: GuardedFetch = async (url) => {
    asked.push(url);
    if (url === `${SP}/token`) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const isIts = url === `${SP}/.well-known/openid-configuration`;
    return isIts ? Response.json(METADATA) : new Response(null, { status: 404 });
  };
  const federation = createFederation({
    fetch,
    ...{ issuer: "https://auth.example", ...(await openMemoryStore()), allowLoopback: false },
    ...{ seal: sealWith("a secret", systemRandom), clock: clockFrom(() => now) },
    ...{ random: systemRandom, assertionKey: noSigningKeys.signingKeyAt },
  });
  /** What came of a sign-in at the issuer, or `too many`. */
  const outcomeOf = (work: Promise<{ outcome: string }>) =>
    work.then(
      ({ outcome }) => outcome,
      (error) => {
        if (error instanceof TooManyRequestsError) return "too many";
        throw error;
      },
    );
  const prepare = (sp: string) => outcomeOf(federation.prepare(sp));
  const ready = await federation.prepare(SP);
  if (ready.outcome !== "ready") throw new Error(ready.problem.detail);
  const secrets = requestSecrets("browser", { interactionId: "id", salt: "salt" });
  const redeem = (accountId: string | null) => {
    const answer = new URLSearchParams({ code: "a guess", state: secrets.state, iss: SP });
    const state = { v: 1, sp: SP, salt: "salt", asked: ready.asked } as const;
    const named = { domain: "alice.test", acct: "a".repeat(22) };
    const code = { answer, secrets, maxAge: undefined, forceLogin: false, ...named };
    return outcomeOf(federation.redeem(state, code, accountId));
  };
  const advance = (seconds: number) => {
    now += seconds * 1000;
  };
  return { prepare, redeem, asked, advance };
}

test("issuers that are made up at an SP's host do not use up what its own metadata needs", async () => {
  const { prepare, asked, advance } = await world();
  const made: string[] = [];
  for (let index = 0; index < 310; index++) made.push(await prepare(`${SP}/${index}`));
  expect(new Set(made)).toEqual(new Set(["problem", "too many"]));
  expect(asked.length).toBeLessThanOrEqual(601);
  advance(3601);
  expect(await prepare(SP)).toBe("ready");
});

test("codes that are guessed do not use up what accounts of the SP need", async () => {
  const { redeem, asked } = await world();
  const guess = async (count: number, accountId: string | null) => {
    const outcomes: string[] = [];
    for (let index = 0; index < count; index++) outcomes.push(await redeem(accountId));
    return outcomes;
  };
  // Anybody can enter the domain of an account, which must not affect the account.
  expect(new Set(await guess(100, "sub_alice"))).toEqual(new Set(["problem"]));
  expect(new Set(await guess(500, null))).toEqual(new Set(["problem"]));
  expect(await guess(1, null)).toEqual(["too many"]);
  expect(await guess(30, "sub_mallory")).toEqual(Array(30).fill("problem"));
  expect(await guess(1, "sub_mallory")).toEqual(["too many"]);
  expect(await guess(1, "sub_alice")).toEqual(["problem"]);
  expect(asked.filter((url) => url === `${SP}/token`)).toHaveLength(631);
});
