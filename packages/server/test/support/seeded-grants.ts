// A database with one client and grants with codes to redeem, made without a browser: through the store, and with the
// service's keys.

import { makeClient } from "../../src/clients/client-registration.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openDatabase } from "../../src/database/open.ts";
import { sqlOf } from "../../src/database/rows.ts";
import { openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256, systemRandom, timeOrderedId } from "../../src/lib/random.ts";
import type { ControlEvidence } from "../../src/oauth/control-evidence.ts";
import { mintCode } from "../../src/oauth/grant-token.ts";
import { floorStore } from "../../src/store/floor.ts";
import type { NewGrant } from "../../src/store/issue.ts";
import { createStore } from "../../src/store/store.ts";
import { liveAccount, someGrant } from "./store-rows.ts";
import { makeTestKey } from "./test-keys.ts";

/** What the codes are redeemed with. */
export const REDIRECT_URI = "https://app.example.org/callback";
export const VERIFIER = "v".repeat(43);
/** Inserts that are under way at a time. */
const AT_ONCE = 20;

export interface SeededGrants {
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly codes: readonly string[];
}

/**
 * `database` and `secret` as in the settings of the service. The codes live for an hour, because the last one waits
 * until the load gets to it. Unless it is `durable`, a power cut loses what was seeded, and it takes less long.
 */
export async function seedGrants(options: {
  database: string;
  secret: string;
  count: number;
  client: Partial<Parameters<typeof makeClient>[0]> & { type: "public" | "confidential" };
  /** The service ends those beyond 20 of a client and an account. All of one account by default. */
  ofAccount?: number;
  grant?: Partial<NewGrant>;
  /** Stored with each grant, as the service does. None by default. */
  evidence?: ControlEvidence;
  durable?: boolean;
}): Promise<SeededGrants> {
  const { database, count, ofAccount = count, evidence, durable = true } = options;
  const { engine } = openDatabase(database);
  await migrate(engine);
  // As of a service that has run for long: what a test moves into the past is not before the first start.
  await floorStore(sqlOf(engine)).acceptClock(systemClock.seconds());
  if (!durable && database.startsWith("sqlite:")) {
    await engine.execute("PRAGMA synchronous = OFF", []);
  }
  const store = createStore(engine);
  const seal = sealWith(options.secret, systemRandom);
  const keyring = await openKeyring({
    ...store,
    ...{ seal, clock: systemClock, random: systemRandom, makeKey: makeTestKey },
  });
  const { row, secret } = makeClient(
    { name: "App", redirect_uris: [REDIRECT_URI], ...options.client },
    { random: systemRandom, clock: systemClock },
  );
  await store.registrations.addClient(row);
  const now = systemClock.seconds();
  const codes: string[] = [];
  async function issue(account: string, until: number): Promise<void> {
    while (codes.length < until) {
      const id = timeOrderedId(systemClock, systemRandom);
      codes.push(mintCode(keyring, id, now));
      if (evidence !== undefined) {
        const body = JSON.stringify(evidence);
        await store.evidences.keepEvidence({ grantId: id, expiresAt: now + 7200, body });
      }
      await store.grants.issueGrant(
        someGrant(account, {
          ...{ id, clientId: row.id, redirectUri: REDIRECT_URI, codeChallenge: sha256(VERIFIER) },
          ...{ authTime: now, createdAt: now, codeExpiresAt: now + 3600, controlCheckedAt: now },
          // As most grants: one with resources reads them before its rotation.
          resources: null,
          ...options.grant,
        }),
      );
    }
  }
  while (codes.length < count) {
    const { id: account } = await liveAccount(store, { now });
    const until = Math.min(count, codes.length + ofAccount);
    await Promise.all(Array.from({ length: AT_ONCE }, () => issue(account, until)));
  }
  await engine.close();
  return { clientId: row.id, clientSecret: secret, codes };
}
