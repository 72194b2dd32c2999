// Binds a database to the host of its issuer.

import { OperatorError } from "../lib/errors.ts";
import type { KeyStore } from "../store/keys.ts";

/**
 * DNS records and issued tokens contain the issuer, so a database keeps its issuer host. Rejects with `OperatorError`
 * for another one.
 */
export async function claimIssuer(
  store: Pick<KeyStore, "claimFact">,
  issuer: string,
): Promise<void> {
  const { host } = new URL(issuer);
  const claimed = await store.claimFact("issuer_host", host);
  if (claimed !== host) {
    throw new OperatorError(
      `the database belongs to issuer host ${claimed}, not ${host}: the issuer of a database cannot be changed, so use another database or an empty one`,
    );
  }
}
