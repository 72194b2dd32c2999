// The rows of clients and resources: a new one, and the secrets of one.

import type { Clock } from "../lib/clock.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow } from "../store/clients.ts";

export interface Secret {
  readonly hash: string;
  /** In epoch seconds; null for the current secret. */
  readonly expiresAt: number | null;
}

export function secretsOf({ secretHash, ...former }: ClientRow): Secret[] {
  const secrets = [
    { hash: secretHash, expiresAt: null },
    { hash: former.formerSecretHash, expiresAt: former.formerSecretExpiresAt },
  ];
  return secrets.flatMap(({ hash, expiresAt }) => (hash === null ? [] : { hash, expiresAt }));
}

/** The row of a new client or resource. The secret is null for a public client. */
export function newClientRow(
  registration: object,
  {
    secret,
    resource = null,
  }: { readonly secret: string | null; readonly resource?: string | null },
  { random, clock }: { readonly random: Random; readonly clock: Clock },
): ClientRow {
  return {
    id: `dsid_${randomText(random, 16)}`,
    resource,
    registration: JSON.stringify(registration),
    secretHash: secret === null ? null : sha256(secret),
    formerSecretHash: null,
    formerSecretExpiresAt: null,
    createdAt: clock.seconds(),
    accessTokenHash: null,
    usedAt: null,
    expiresAt: null,
  };
}
