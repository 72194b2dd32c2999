// Grants with codes to redeem, made without a browser: through the store, and with the service's keys.

import { newGrantId } from "../../src/interaction/interaction.ts";
import { openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256, systemRandom } from "../../src/lib/random.ts";
import { makeClient } from "../../src/oauth/client-registration.ts";
import { mintCode } from "../../src/oauth/grant-token.ts";
import { migrate } from "../../src/store/migrations.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { createStore } from "../../src/store/store.ts";
import { liveAccount, someGrant } from "../support/store-rows.ts";
import { makeTestKey } from "../support/test-keys.ts";
import type { Request } from "./history.ts";

/** The nodes' own: with it the codes are minted. */
export const SECRET = "a secret for tests, and for nothing else";
const REDIRECT_URI = "https://app.example.org/callback";
const VERIFIER = "v".repeat(43);
/** Inserts that are under way at a time. */
const AT_ONCE = 20;

export interface Seeded {
  readonly clientId: string;
  /** A name for the history, and the code. */
  readonly grants: readonly { name: string; code: string }[];
}

/** `database` as in the settings. Brings the schema, one public client, one account, the grants. */
export async function seed(database: string, count: number): Promise<Seeded> {
  const engine = database.startsWith("postgres")
    ? openPostgres(database)
    : openSqlite(database.replace(/^sqlite:/, ""));
  await migrate(engine);
  const store = createStore(engine);
  const seal = sealWith(SECRET, systemRandom);
  const keyring = await openKeyring({
    ...{ store, seal, clock: systemClock, random: systemRandom, makeKey: makeTestKey },
  });
  const { row } = makeClient(
    { name: "App", type: "public", redirect_uris: [REDIRECT_URI] },
    { random: systemRandom, clock: systemClock },
  );
  await store.addClient(row);
  const account = await liveAccount(store);
  const now = systemClock.seconds();
  const grants: { name: string; code: string }[] = [];
  const issue = async () => {
    while (grants.length < count) {
      const id = newGrantId(systemClock, systemRandom);
      grants.push({ name: `grant ${grants.length}`, code: mintCode(keyring, id, now) });
      await store.issueGrant(
        someGrant(account.id, {
          ...{ id, clientId: row.id, redirectUri: REDIRECT_URI, codeChallenge: sha256(VERIFIER) },
          // Longer than a code lives, since the last one waits until the load gets to it.
          ...{ createdAt: now, codeExpiresAt: now + 3600, controlCheckedAt: now },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, issue));
  await engine.close();
  return { clientId: row.id, grants };
}

/** The HTTP request that a request of the history is. */
export function formOf(
  { verb, input }: Pick<Request, "verb" | "input">,
  clientId: string,
): { path: string; body: string } {
  const form = (fields: Record<string, string>) =>
    new URLSearchParams({ client_id: clientId, ...fields }).toString();
  switch (verb) {
    case "redeem": {
      const code = { code: input, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
      return { path: "/oauth/token", body: form({ grant_type: "authorization_code", ...code }) };
    }
    case "rotate": {
      const fields = { grant_type: "refresh_token", refresh_token: input };
      return { path: "/oauth/token", body: form(fields) };
    }
    case "revoke":
      return { path: "/oauth/revoke", body: form({ token: input }) };
  }
}
