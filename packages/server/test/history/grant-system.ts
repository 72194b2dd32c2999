// The real grants of one sequence: the token endpoint's own functions over the real store.
//
// Only what lies outside is played: the clock, and what the zone says.

import { createControl } from "../../src/account/control.ts";
import type { Everything } from "../../src/assemble.ts";
import { readClient } from "../../src/clients/client.ts";
import { makeClient } from "../../src/clients/client-registration.ts";
import type { SqlEngine } from "../../src/database/engine.ts";
import type { SpRecordLook } from "../../src/dns/sp-record.ts";
import { type Keyring, openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { clockFrom, systemClock } from "../../src/lib/clock.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { SERVICE } from "../../src/lib/fair-queue.ts";
import { sha256, systemRandom, timeOrderedId } from "../../src/lib/random.ts";
import type { TokenResponse } from "../../src/oauth/access-tokens.ts";
import { createAuthorizationCodeGrant } from "../../src/oauth/authorization-code-grant.ts";
import type { Delivery } from "../../src/oauth/delivery.ts";
import { mintCode, mintRefreshToken } from "../../src/oauth/grant-token.ts";
import { TokenError } from "../../src/oauth/protocol-errors.ts";
import { createRefreshTokenGrant } from "../../src/oauth/refresh-token-grant.ts";
import type { Account } from "../../src/store/accounts.ts";
import type { NewGrant } from "../../src/store/issue.ts";
import type { Store } from "../../src/store/store.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { tokenParts } from "../support/oauth-world.ts";
import { someDelivery } from "../support/some-delivery.ts";
import { liveAccount, someGrant } from "../support/store-rows.ts";
import { makeTestKey } from "../support/test-keys.ts";
import type { Model, Verdict } from "./grant-model.ts";

const VERIFIER = "v".repeat(43);

type Presented = Parameters<Delivery["begin"]>[0];

export interface Backend {
  readonly store: Store;
  readonly engine: SqlEngine;
  readonly keyring: Keyring;
}

export async function backendOf(store: Store, engine: SqlEngine): Promise<Backend> {
  const seal = sealWith("a secret for tests, and for nothing else", systemRandom);
  const keyring = await openKeyring({
    ...store,
    ...{ seal, clock: systemClock, random: systemRandom, makeKey: makeTestKey },
  });
  return { store, engine, keyring };
}

/** What a redemption has wrong or leaves out. Without a verifier, a code with a challenge is refused. */
export type Mistake = "client" | "redirect_uri" | "verifier" | "no verifier" | "no secret";

export interface Answer {
  readonly verdict: Exclude<Verdict, "next" | "same"> | "answered";
  readonly token?: string;
}

/** Whether it is the client of the grant, and whether it authenticates. */
export interface RefreshingClient {
  readonly ownClient: boolean;
  readonly isProven: boolean;
}

export interface GrantSystem {
  readonly account: Account;
  /** By index of the grant: the refresh tokens handed out, at the place of their generation. */
  readonly tokens: string[][];
  issue(challenged: boolean): Promise<NewGrant>;
  /** What a second submit of the same consent does. */
  issueAgain(index: number): Promise<void>;
  redeem(index: number, mistake: Mistake | null): Promise<Answer>;
  rotate(index: number, token: string, by: RefreshingClient): Promise<Answer>;
  /** Says that the last change of the grant was not answered. */
  failDelivery(index: number): Promise<void>;
  /** A refresh token that this service has not handed out yet. */
  future(index: number, generation: number): string;
  revoke(index: number): Promise<void>;
  sleep(): Promise<void>;
  wake(): Promise<void>;
  end(): Promise<void>;
  /** The stored state, in the model's words. */
  stateOf(index: number): Promise<object>;
}

/** `model` is read for its clock and its zone, which are inputs, and for nothing else. */
export async function startGrants(
  { store, engine, keyring }: Backend,
  model: Pick<Model, "now" | "zone" | "idleLifetime" | "retryWindow">,
  absoluteLifetime: number,
): Promise<GrantSystem> {
  const clock = clockFrom(() => model.now * 1000);
  const account = await liveAccount(store);
  const [own, other] = [someClient(model), someClient(model)];
  const look = async () => lookAt(account, model);
  const control = createControl({
    ...store,
    spRecords: { look },
    minAssurance: "single",
    clock,
    events: {
      ...jsonEvents({ write: () => {} }),
      failed: ({ cause }) => Promise.reject(cause),
    },
  });
  const parts = {
    ...store,
    control,
    keyring,
    clock,
    random: systemRandom,
    events: { replayed: () => {}, lostWrites: () => {}, retriedLate: () => {} },
  } as unknown as Everything;
  Object.assign(parts, tokenParts(parts));
  const redeem = createAuthorizationCodeGrant(parts);
  const rotate = createRefreshTokenGrant(parts);
  const grants: NewGrant[] = [];
  const tokens: string[][] = [];
  /** By index of the grant: the last request that got an answer with a token that nobody had. */
  const answered: Presented[] = [];

  /** A delivery that notes what its request presents, if the request is answered. */
  async function answerTo(
    index: number,
    request: (delivery: Delivery) => Promise<TokenResponse>,
  ): Promise<Answer> {
    let presented: Presented | undefined;
    const begin = (of: Presented) => {
      presented = of;
    };
    const answer = await answerOf(request(someDelivery({ begin })));
    const isNew = answer.token !== undefined && !tokens[index]?.includes(answer.token);
    // A repetition of a marked answer is a change too, but one of the same generation.
    if (presented !== undefined && (isNew || (await attemptOf(index)) === presented.attempt)) {
      answered[index] = presented;
    }
    return answer;
  }

  async function attemptOf(index: number): Promise<string | null | undefined> {
    return (await store.grants.readGrant(grantAt(index).id))?.grant.attempt;
  }

  function grantAt(index: number): NewGrant {
    const grant = grants[index];
    if (grant === undefined) throw new Error(`there is no grant ${index}`);
    return grant;
  }

  return {
    account,
    tokens,
    async issue(challenged) {
      const grant = someGrant(account.id, {
        // With resources, a refresh reads the grant before the rotation decides.
        resources: null,
        id: timeOrderedId(systemClock, systemRandom),
        clientId: own.client_id,
        codeChallenge: challenged ? sha256(VERIFIER) : null,
        createdAt: model.now,
        codeExpiresAt: model.now + 600,
        expiresAt: model.now + absoluteLifetime,
        controlCheckedAt: model.now,
      });
      await store.grants.issueGrant(grant);
      grants.push(grant);
      tokens.push([mintCode(keyring, grant.id, model.now)]);
      return grant;
    },
    async issueAgain(index) {
      await store.grants.issueGrant(grantAt(index));
    },
    redeem(index, mistake) {
      const { redirectUri, codeChallenge } = grantAt(index);
      const values = new Map([
        ["code", tokens[index]?.[0] ?? ""],
        ["redirect_uri", mistake === "redirect_uri" ? `${redirectUri}/` : redirectUri],
      ]);
      const wrong = codeChallenge === null ? VERIFIER : "w".repeat(43);
      const right = codeChallenge === null ? undefined : VERIFIER;
      const verifier = mistake === "verifier" ? wrong : right;
      if (verifier !== undefined && mistake !== "no verifier") {
        values.set("code_verifier", verifier);
      }
      const client = mistake === "client" ? other : own;
      const by = { client, isProven: mistake !== "no secret", from: SERVICE };
      return answerTo(index, (delivery) => redeem(by, values, delivery));
    },
    async rotate(index, token, { ownClient, isProven }) {
      const values = new Map([["refresh_token", token]]);
      const by = { client: ownClient ? own : other, isProven, from: SERVICE };
      const answer = await answerTo(index, (delivery) => rotate(by, values, delivery));
      await control.settled();
      return answer;
    },
    async failDelivery(index) {
      const presented = answered[index];
      if (presented === undefined) return;
      store.grants.markUndelivered({
        presented,
        isBegun: true,
        isUnknown: false,
        changedSince: null,
      });
      await store.grants.marksWritten();
    },
    future: (index, generation) =>
      mintRefreshToken(keyring, grantAt(index).id, generation, model.now),
    async revoke(index) {
      await store.grants.revokeGrant({ id: grantAt(index).id, now: model.now });
    },
    sleep: async () => {
      await store.accounts.putToSleep(account.id, model.now);
    },
    async wake() {
      await store.accounts.wakeAccount(account, model.now);
    },
    async end() {
      // No verb does this yet.
      await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [
        model.now,
        account.id,
      ]);
    },
    async stateOf(index) {
      const found = await store.grants.readGrant(grantAt(index).id);
      if (found === null) return {};
      const { generation, rotatedAt, refreshExpiresAt, controlCheckedAt } = found.grant;
      const { undelivered, redeliveredAt, revokedAt } = found.grant;
      const { asleepSince, lostConfirmedAt, endedAt } = found.account;
      return {
        ...{ generation, rotatedAt, refreshExpiresAt, controlCheckedAt, redeliveredAt },
        undelivered: undelivered !== null && undelivered === generation,
        ...{ revoked: revokedAt !== null, asleepSince, lost: lostConfirmedAt !== null },
        ended: endedAt !== null,
      };
    },
  };
}

function someClient({ idleLifetime, retryWindow }: Pick<Model, "idleLifetime" | "retryWindow">) {
  const registration = {
    name: "App",
    redirect_uris: ["https://app.example.org/callback?a=b"],
    refresh_idle_lifetime: idleLifetime,
    refresh_retry_window: retryWindow,
  };
  const { row } = makeClient(registration, { random: systemRandom, clock: systemClock });
  return readClient(row);
}

function lookAt(account: Account, { zone, now }: Pick<Model, "zone" | "now">): SpRecordLook {
  const seen = {
    name: account.domain,
    assurance: "single",
    checkedAt: now,
    records: [],
    resolvers: 1,
    proof: null,
    inception: null,
  } as const;
  switch (zone) {
    case "own":
      return { ...seen, outcome: "own", acct: account.acct, jkt: [], spk: [] };
    case "other":
      return { ...seen, outcome: "absent" };
    case "silent":
      return { ...seen, outcome: "indeterminate", reason: "timeout" };
  }
}

async function answerOf(response: Promise<TokenResponse>): Promise<Answer> {
  try {
    return { verdict: "answered", token: (await response).refresh_token };
  } catch (error) {
    if (error instanceof UnavailableError) return { verdict: "unavailable" };
    if (error instanceof TokenError && error.code === "invalid_grant") {
      return { verdict: "refused" };
    }
    throw error;
  }
}
