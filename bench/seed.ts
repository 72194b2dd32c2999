// Fills a database with clients and grants, and mints the codes to begin with, without a browser.

import { newGrantId } from "../packages/server/src/interaction/interaction.ts";
import { openKeyring } from "../packages/server/src/keys/keyring.ts";
import { sealWith } from "../packages/server/src/keys/seal.ts";
import { systemClock } from "../packages/server/src/lib/clock.ts";
import { sha256, systemRandom } from "../packages/server/src/lib/random.ts";
import { makeClient } from "../packages/server/src/oauth/client-registration.ts";
import { mintCode } from "../packages/server/src/oauth/grant-token.ts";
import { migrate } from "../packages/server/src/store/migrations.ts";
import { openDatabase } from "../packages/server/src/store/open.ts";
import { createStore } from "../packages/server/src/store/store.ts";
import { liveAccount, someGrant } from "../packages/server/test/support/store-rows.ts";
import { makeTestKey } from "../packages/server/test/support/test-keys.ts";

const REDIRECT_URI = "https://app.example.org/callback";
const VERIFIER = "v".repeat(43);
/** Of one account, at the same time. The service ends those beyond 20 of a client. */
const GRANTS_OF_ACCOUNT = 20;

export interface Seeded {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly codes: readonly string[];
}

/** `database` and `secret` as in the settings of the service. */
export async function seed(options: {
  database: string;
  secret: string;
  grants: number;
  scope: string;
  /** Of ID tokens. */
  alg: "ES256" | "RS256";
}): Promise<Seeded> {
  const { database, secret, grants, scope, alg } = options;
  const { engine } = openDatabase(database);
  await migrate(engine);
  // Nothing of this must survive a power cut, and a commit to the disk for each account would take minutes.
  if (database.startsWith("sqlite:")) await engine.execute("PRAGMA synchronous = OFF", []);
  const store = createStore(engine);
  const seal = sealWith(secret, systemRandom);
  const keyring = await openKeyring({
    ...{ store, seal, clock: systemClock, random: systemRandom, makeKey: makeTestKey },
  });
  const { row, secret: clientSecret } = makeClient(
    {
      ...{ name: "App", type: "confidential", redirect_uris: [REDIRECT_URI] },
      ...{ validation_data: false, scope, id_token_signed_response_alg: alg },
    },
    { random: systemRandom, clock: systemClock },
  );
  await store.addClient(row);
  const now = systemClock.seconds();
  const codes: string[] = [];
  while (codes.length < grants) {
    const some = Array.from({ length: Math.min(GRANTS_OF_ACCOUNT, grants - codes.length) });
    const { id: account } = await liveAccount(store, { now });
    const made = some.map(async () => {
      const id = newGrantId(systemClock, systemRandom);
      codes.push(mintCode(keyring, id, now));
      await store.issueGrant(
        someGrant(account, {
          ...{ id, clientId: row.id, redirectUri: REDIRECT_URI, codeChallenge: sha256(VERIFIER) },
          ...{ scope, resources: null, authTime: now, createdAt: now, codeExpiresAt: now + 3600 },
          ...{ expiresAt: now + 365 * 86_400, controlCheckedAt: now },
        }),
      );
    });
    await Promise.all(made);
  }
  await engine.close();
  return {
    ...{ clientId: row.id, clientSecret: clientSecret ?? "", codes },
    ...{ redirectUri: REDIRECT_URI, verifier: VERIFIER },
  };
}
