// Registrations of this service at SPs: their rows with sealed client secrets, and how the operator manages them.

import { z } from "zod";
import type { Seal } from "../keys/seal.ts";
import { openKeys } from "../keys/stored-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import type { KeyStore } from "../store/keys.ts";
import type { SpClientRow, SpClientStore } from "../store/sp-clients.ts";
import { ALLOWANCES, type Allowance, issuerMistake } from "./provider.ts";
import { AUTH_METHODS, type AuthMethod, callbackUri, type SpClient } from "./sp-authorization.ts";
import { SpFailure } from "./sp-problem.ts";

/** What an operator sets for an SP, in addition to client_id and secret. */
const operatorSettings = z.strictObject({
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  allow: z.array(z.enum(ALLOWANCES)).default([]),
});

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

/** A client_id or secret (RFC 6749 §A.1, §A.2). Limited in length, because any SP can make us store them. */
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

/** Re-encrypts the client secrets that only the previous secret opens. Skips what neither secret opens. */
export async function resealSpSecrets(spClients: SpClientStore, seal: Seal): Promise<void> {
  for (const row of await spClients.listSpClients()) {
    const label = labelOf(row);
    const opened = row.sealedSecret === null ? null : seal.open(label, row.sealedSecret);
    if (!opened?.isPrevious) continue;
    const changed = { ...row, sealedSecret: seal.close(label, opened.plain) };
    await spClients.replaceSpClient(changed, row.clientId);
  }
}

/** Unvalidated input. The default method is `client_secret_basic` with a secret, `none` without. */
interface SpEntryInput {
  readonly issuer: string;
  readonly client_id?: string | undefined;
  readonly client_secret: string | null;
  readonly token_endpoint_auth_method?: string | undefined;
  readonly allow: readonly string[];
}

type SpEntry = ReturnType<typeof readSpEntry>;

/** Throws an `OperatorError` that lists every mistake. Without `ownIssuer`, any port is allowed. */
export function readSpEntry(input: SpEntryInput, ownIssuer: string | null) {
  const { issuer, client_id: clientId = "", client_secret: secret } = input;
  const named = input.token_endpoint_auth_method ?? (secret === null ? "none" : AUTH_METHODS[1]);
  const method = AUTH_METHODS.find((one) => one === named);
  const allow = ALLOWANCES.filter((one) => input.allow.includes(one));
  const unknown = input.allow.filter((one) => !ALLOWANCES.some((known) => known === one));
  const wantsSecret = method !== undefined && usesSecret(method);
  const mistakes = [
    issuerMistake(issuer, {
      allowLoopbackIssuer: ownIssuer === null || isLoopbackIssuer(ownIssuer),
      // An operator whose own issuer has a port allows ports for others too.
      allowIssuerPort: ownIssuer === null || new URL(ownIssuer).port !== "",
    }),
    issuer === ownIssuer && `${issuer} is the issuer of this service`,
    !isVisible(clientId) &&
      "client_id (--client-id) must be the client_id issued by the SP, in printable ASCII",
    secret !== null &&
      !isVisible(secret) &&
      "the client secret must be printable ASCII and must not be empty",
    method === undefined &&
      `token_endpoint_auth_method (--token-endpoint-auth-method) must be one of ${AUTH_METHODS.join(", ")}`,
    wantsSecret &&
      secret === null &&
      `${method} requires a client secret: set --client-secret-file`,
    method !== undefined &&
      !wantsSecret &&
      secret !== null &&
      `${method} does not use a client secret: remove --client-secret-file, or choose another method`,
    unknown.length > 0 &&
      `allow (--allow) must list only ${ALLOWANCES.join(", ")}, not ${unknown.join(", ")}`,
  ].filter((mistake) => typeof mistake === "string");
  if (mistakes.length > 0 || method === undefined) throw new OperatorError(mistakes.join("\n"));
  const settings = { token_endpoint_auth_method: method, allow };
  return { issuer, clientId, secret, settings };
}

function isVisible(text: string): boolean {
  return PRINTABLE.test(text) && text.trim() === text;
}

/** Throws `OperatorError` without the operator's secret. */
export function requireSeal(seal: Seal | null): Seal {
  if (seal !== null) return seal;
  throw new OperatorError(
    "the secret that encrypts the client secret is missing: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this command in the directory of domain-signin.secret",
  );
}

export type SpRegistry = ReturnType<typeof spRegistry>;

interface Deps {
  readonly spClients: SpClientStore;
  readonly keys: KeyStore;
  readonly clock: Clock;
  /** Null if only entries without a client secret are stored. */
  readonly seal: Seal | null;
  /** The database can be used once this has resolved. */
  readonly ready: Promise<unknown>;
}

export function spRegistry({ spClients, keys, clock, seal, ready }: Deps) {
  async function sealed(issuer: string, secret: string | null) {
    if (secret === null) return null;
    const needed = requireSeal(seal);
    // Fails if the service has another secret, because it could not open the client secret.
    openKeys(await keys.readKeys(), needed);
    return sealSecret({ issuer, source: "operator" }, secret, needed);
  }

  return {
    /** Replaces an existing entry. Rejects with `OperatorError` if no secret is set that can seal the client secret. */
    async add({ issuer, clientId, secret, settings }: SpEntry, ownIssuer: string) {
      await ready;
      const row: SpClientRow = {
        issuer,
        source: "operator",
        clientId,
        settings: JSON.stringify(settings),
        sealedSecret: await sealed(issuer, secret),
        madeAt: clock.seconds(),
      };
      await spClients.putSpClient(row);
      return { ...listed(row), redirect_uri: callbackUri(ownIssuer, issuer) };
    },
    async list() {
      await ready;
      return (await spClients.listSpClients()).map(listed);
    },
    /** Removes the operator's entry and the dynamic registration. Returns the sources that existed. */
    async remove(issuer: string) {
      await ready;
      const removed: SpClientRow["source"][] = [];
      for (const source of ["operator", "registered"] as const) {
        if (await spClients.removeSpClient(issuer, source)) removed.push(source);
      }
      return removed;
    },
    async entryOf(issuer: string) {
      await ready;
      const rows = await spClients.findSpClients(issuer);
      const row = rows.find(({ source }) => source === "operator");
      return row === undefined ? null : listed(row);
    },
  };
}

/** A registration as the JSON of `sp list`, without its secret. `made_at` is in epoch seconds. */
function listed(row: SpClientRow) {
  return {
    issuer: row.issuer,
    source: row.source,
    client_id: row.clientId,
    token_endpoint_auth_method: clientOf(row).method,
    allow: allowancesOf(row),
    made_at: row.madeAt,
  };
}
