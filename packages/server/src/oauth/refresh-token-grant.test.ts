// Tests of changes to a grant during the DNS check of a refresh.

import { beforeEach, expect, test } from "vitest";
import { someDelivery } from "../../test/support/some-delivery.ts";
import { makeTestKey } from "../../test/support/test-keys.ts";
import type { Everything } from "../assemble.ts";
import { newGrantId } from "../interaction/interaction.ts";
import { openKeyring } from "../keys/keyring.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { aggregatesOf, createStore, type Store } from "../store/store.ts";
import { readClient } from "./client.ts";
import { makeClient } from "./client-registration.ts";
import { mintRefreshToken } from "./grant-token.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";

const START = 1_800_000_000;
/** Too late to refresh without a check. */
const LATER = START + 4 * 86_400;
const { row } = makeClient(
  { name: "App", redirect_uris: ["https://app.example.org/"] },
  { random: systemRandom, clock: clockFrom(() => START * 1000) },
);
const client = readClient(row);

let store: Store;
let grant: GrantForTokens;
let parts: (confirm: () => Promise<boolean>) => Everything;
let replayed: object[];
beforeEach(async () => {
  const engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  const clock = clockFrom(() => LATER * 1000);
  const random = systemRandom;
  const keyring = await openKeyring({
    ...{ store, seal: sealWith("secret", random), clock, random, makeKey: makeTestKey },
  });
  const enrolment = {
    ...{ domain: "alice.test", acct: "acct", accountId: "account" },
    ...{ finishHash: "finish" },
  };
  await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: START });
  const id = newGrantId(clock, random);
  const issued = { id, clientId: client.client_id, redirectUri: "https://app.example.org/" };
  await store.issueGrant({
    ...issued,
    ...{ accountId: "account", scope: "openid", codeChallenge: null, nonce: null },
    ...{ authTime: START, amr: "dns", createdAt: START, codeExpiresAt: START + 600 },
    ...{ expiresAt: LATER + 86_400, controlCheckedAt: START },
  });
  const redemption = { ...issued, codeChallenge: null, refreshExpiresAt: LATER + 60, now: START };
  const redeemed = await store.redeemCode(redemption);
  if (redeemed === null) throw new Error("not redeemed");
  grant = redeemed;
  replayed = [];
  parts = (confirm) => ({
    ...({ ...aggregatesOf(store), keyring, clock, random } as Everything),
    control: { ...({} as Everything["control"]), confirm },
    events: { replayed: (event: object) => void replayed.push(event) } as Everything["events"],
  });
});

function present(confirm: () => Promise<boolean>) {
  const { keyring } = parts(confirm);
  const refresh_token = mintRefreshToken(keyring, grant.id, 1, START);
  return rotateRefreshToken(
    { client, isProven: true },
    new Map([["refresh_token", refresh_token]]),
    parts(confirm),
    someDelivery(),
  );
}

const rotateElsewhere = async (generation: number) => {
  await store.recordControl({ grantId: grant.id, checkedAt: LATER, now: LATER });
  await store.rotateRefreshToken({
    ...{ id: grant.id, generation, clientId: client.client_id, now: LATER },
    ...{ refreshExpiresAt: LATER + 60, controlCheckedAfter: START },
  });
};

test("rotated once by somebody else, it is a retry and gets the same successor", async () => {
  const answer = await present(async () => {
    await rotateElsewhere(1);
    return true;
  });
  const { keyring } = parts(async () => false);
  expect(answer.refresh_token).toBe(mintRefreshToken(keyring, grant.id, 2, LATER));
});

test("rotated twice by somebody else, it is a replay: the grant ends and the log says so", async () => {
  const answer = present(async () => {
    await rotateElsewhere(1);
    await rotateElsewhere(2);
    return true;
  });
  await expect(answer).rejects.toMatchObject({ code: "invalid_grant" });
  expect((await store.readGrant(grant.id))?.grant.revokedAt).toBe(LATER);
  expect(replayed).toEqual([expect.objectContaining({ token: "refresh_token" })]);
});

test("revoked by somebody else, it is refused", async () => {
  const answer = present(async () => {
    await store.revokeGrant({ id: grant.id, now: LATER });
    return true;
  });
  await expect(answer).rejects.toMatchObject({ code: "invalid_grant", detail: "revoked" });
});
