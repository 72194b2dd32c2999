// Registrations of this service at SPs, as they are stored: settings and sealed client secrets.

import { z } from "zod";
import type { Seal } from "../keys/seal.ts";
import type { SpClientRow, SpClientStore } from "../store/sp-clients.ts";
import { ALLOWANCES, type Allowance } from "./provider.ts";
import { AUTH_METHODS, type AuthMethod, type SpClient } from "./sp-authorization.ts";
import { SpFailure } from "./sp-problem.ts";

/** What an operator sets for an SP, in addition to client_id and secret. */
const operatorSettings = z.strictObject({
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  allow: z.array(z.enum(ALLOWANCES)).default([]),
});
export type OperatorSettings = z.infer<typeof operatorSettings>;

export const registeredSettings = z.object({
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  id_token_signed_response_alg: z.string(),
  /** Epoch seconds; 0 for never (RFC 7591 §3.2.1). */
  client_secret_expires_at: z.number().default(0),
});

export function clientOf({ source, clientId: id, settings }: SpClientRow): SpClient {
  const json: unknown = JSON.parse(settings);
  if (source === "operator") {
    return { id, source, method: operatorSettings.parse(json).token_endpoint_auth_method };
  }
  const read = registeredSettings.parse(json);
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = read;
  return { id, source, method, alg };
}

/** The requirements that the operator waived for this SP. */
export function allowancesOf({ source, settings }: SpClientRow): readonly Allowance[] {
  return source === "operator" ? operatorSettings.parse(JSON.parse(settings)).allow : [];
}

export function isExpired({ settings }: SpClientRow, now: number): boolean {
  const { client_secret_expires_at: end } = registeredSettings.parse(JSON.parse(settings));
  return end !== 0 && end <= now;
}

export function usesSecret(method: AuthMethod): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

/** Of a client_id or secret (RFC 6749 §A.1, §A.2). Limited in length, because any SP can make us store them. */
export const PRINTABLE = /^[\x20-\x7e]{1,2000}$/;

interface RowKey {
  readonly source: SpClientRow["source"];
  readonly issuer: string;
}

const labelOf = ({ source, issuer }: RowKey) => `sp-client/${source}/${issuer}`;

export function sealSecret(row: RowKey, secret: string | null, seal: Seal): string | null {
  return secret === null ? null : seal.close(labelOf(row), Buffer.from(secret));
}

/** Null if the client has no secret. Throws `SpFailure` if the operator's secret does not open it. */
export function openSecret(row: SpClientRow, seal: Seal): string | null {
  if (row.sealedSecret === null) return null;
  const opened = seal.open(labelOf(row), row.sealedSecret);
  if (opened !== null) return opened.plain.toString();
  throw new SpFailure("no_client", "the stored client secret cannot be decrypted");
}

/** Re-encrypts the client secrets that only the previous secret opens. Skips those that neither opens. */
export async function resealSpSecrets({
  spClients,
  seal,
}: {
  spClients: SpClientStore;
  seal: Seal;
}) {
  for (const row of await spClients.listSpClients()) {
    const label = labelOf(row);
    const opened = row.sealedSecret === null ? null : seal.open(label, row.sealedSecret);
    if (!opened?.isPrevious) continue;
    const changed = { ...row, sealedSecret: seal.close(label, opened.plain) };
    await spClients.replaceSpClient(changed, row.clientId);
  }
}
