// Binds a database to the host of its issuer.

import { OperatorError } from "../lib/errors.ts";
import type { InstallationStore } from "../store/installation.ts";

/** Rejects with `OperatorError` for another host than before: DNS records and issued tokens contain the host. */
export async function claimIssuer(installation: InstallationStore, issuer: string): Promise<void> {
  const { host } = new URL(issuer);
  const claimed = await installation.claimFact("issuer_host", host);
  if (claimed !== host) {
    throw new OperatorError(
      `the database belongs to issuer host ${claimed}, not ${host}: the issuer of a database cannot be changed, so use another database or an empty one`,
    );
  }
}
