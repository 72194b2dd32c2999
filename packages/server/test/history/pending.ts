// Sign-ins that wait for nothing but the code, made without a browser: each is answered by one request.

import { makeClient } from "../../src/clients/client-registration.ts";
import type { SqlEngine } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openDatabase } from "../../src/database/open.ts";
import { sqlOf } from "../../src/database/rows.ts";
import { cookiesOf } from "../../src/http/cookies.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { randomText, sha256, systemRandom, timeOrderedId } from "../../src/lib/random.ts";
import { floorStore } from "../../src/store/floor.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { REDIRECT_URI, VERIFIER } from "../support/seeded-grants.ts";
import {
  authenticatedProgress,
  DAY,
  liveAccount,
  someInteraction,
  someSession,
} from "../support/store-rows.ts";

/** A request for its code has `path` and `cookie`. */
export interface PendingSignIn {
  readonly grantId: string;
  readonly sid: string;
  readonly path: string;
  readonly cookie: string;
}

export const ISSUER = "http://localhost:8080";
/** Accounts that are made at a time, and the sign-ins of each: fewer than grants that may stand. */
const AT_ONCE = 20;
const OF_ACCOUNT = 10;

/** Opens the database for the time of the task. */
export async function withEngine<T>(
  database: string,
  task: (engine: SqlEngine) => Promise<T>,
): Promise<T> {
  const { engine } = openDatabase(database);
  try {
    return await task(engine);
  } finally {
    await engine.close();
  }
}

/** Of one client, which gets validation data and is notified of the end of each session. */
export function seedPending(database: string, count: number): Promise<readonly PendingSignIn[]> {
  return withEngine(database, async (engine) => {
    await migrate(engine);
    await floorStore(sqlOf(engine)).acceptClock(systemClock.seconds());
    const store = createStore(engine);
    const client = { type: "public", consent: "never", validation_data: true } as const;
    const uris = {
      redirect_uris: [REDIRECT_URI],
      backchannel_logout_uri: "https://app.example.org/logout",
    };
    const registration = { name: "App", ...client, ...uris };
    const { row } = makeClient(registration, { random: systemRandom, clock: systemClock });
    await store.registrations.addClient(row);
    const all: PendingSignIn[] = [];
    const work = async () => {
      while (all.length < count) all.push(...(await pendingOfOne(store, row.id)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return all;
  });
}

async function pendingOfOne(store: Store, clientId: string): Promise<PendingSignIn[]> {
  const now = systemClock.seconds();
  const { id: accountId, domain } = await liveAccount(store, { now });
  const query = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: REDIRECT_URI, response_type: "code", scope: "openid" },
    ...{ code_challenge: sha256(VERIFIER), code_challenge_method: "S256" },
  }).toString();
  const cookies = cookiesOf(ISSUER, () => "");
  const pending = async () => {
    const times = { now, authTime: now, expiresAt: now + DAY };
    const session = someSession(accountId, times);
    await store.sessions.startSession(session);
    const { newSid: sid } = session;
    const browser = randomText(systemRandom, 32);
    // No look can be made while the test runs; this one is recent at its end too.
    const proof = { accountId, sid, authTime: now, controlCheckedAt: now + 3600 };
    const grantId = timeOrderedId(systemClock, systemRandom);
    const interaction = someInteraction({
      id: randomText(systemRandom, 16),
      ...{ clientId, query, domain, grantId, browserHash: sha256(browser) },
      ...{ createdAt: now, expiresAt: now + DAY },
      progress: authenticatedProgress(proof),
    });
    await store.interactions.beginInteraction(interaction);
    const [cookie = ""] = cookies.set("browser", browser).split(";");
    return { grantId, sid, path: `/interaction/${interaction.id}/complete`, cookie };
  };
  return Promise.all(Array.from({ length: OF_ACCOUNT }, pending));
}
