// The SPs at which the operator has registered us: what may be set, the registry, and its secrets under a new key.

import type { IssuerOptions } from "domain-signin-verify/record";
import type { Seal } from "../keys/seal.ts";
import { openKeys } from "../keys/stored-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { SpClientRow } from "../store/sp-clients.ts";
import type { Store } from "../store/store.ts";
import { AUTH_METHODS, type AuthMethod, callbackUri } from "./authorization-request.ts";
import { ALLOWANCES, type Allowance, issuerMistake } from "./provider.ts";
import {
  clientOf,
  type OperatorSettings,
  openSecret,
  operatorSettings,
  sealSecret,
} from "./registration.ts";
import { SpFailure } from "./sp-problem.ts";

/** As typed. Without a method it is `client_secret_basic` with a secret, and `none` without. */
export interface SpEntryInput {
  readonly issuer: string;
  readonly client_id?: string | undefined;
  readonly client_secret: string | null;
  readonly token_endpoint_auth_method?: string | undefined;
  readonly allow: readonly string[];
}

export interface SpEntry {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string | null;
  readonly settings: OperatorSettings;
}

/** Throws `OperatorError`. */
export function readSpEntry(
  input: SpEntryInput,
  { ownIssuer, ...options }: IssuerOptions & { readonly ownIssuer: string | null },
): SpEntry {
  const { issuer, client_id: clientId = "", client_secret: secret } = input;
  const named = input.token_endpoint_auth_method ?? (secret === null ? "none" : AUTH_METHODS[1]);
  const method = AUTH_METHODS.find((one) => one === named);
  const allow = ALLOWANCES.filter((one) => input.allow.includes(one));
  const unknown = input.allow.filter((one) => !ALLOWANCES.some((known) => known === one));
  const wantsSecret = method?.startsWith("client_secret") ?? false;
  const mistakes = [
    issuerMistake(issuer, options),
    issuer === ownIssuer && `${issuer} is this service itself`,
    !isVisible(clientId) && "client_id (--client-id) must be what the SP calls us, in ASCII",
    secret !== null &&
      !isVisible(secret) &&
      "the client secret is empty, or holds what is not printable ASCII",
    method === undefined &&
      `token_endpoint_auth_method (--token-endpoint-auth-method) must be one of ${AUTH_METHODS.join(", ")}`,
    wantsSecret && secret === null && `${method} needs a secret: give --client-secret-file`,
    method !== undefined &&
      !wantsSecret &&
      secret !== null &&
      `${method} uses no secret: leave --client-secret-file out, or name another method`,
    unknown.length > 0 && `allow (--allow) knows ${ALLOWANCES.join(", ")}, not ${unknown.join()}`,
  ].filter((mistake) => typeof mistake === "string");
  if (mistakes.length > 0 || method === undefined) throw new OperatorError(mistakes.join("\n"));
  return { issuer, clientId, secret, settings: { token_endpoint_auth_method: method, allow } };
}

/** RFC 6749 appendix A.1, A.2. */
function isVisible(text: string): boolean {
  return /^[\x20-\x7e]{1,2000}$/.test(text) && text.trim() === text;
}

/** What `sp list` says of a registration at an SP, in the names of its JSON; never its secret. */
export interface ListedSp {
  readonly issuer: string;
  /** Who made it: the operator, or the service itself (RFC 7591). */
  readonly source: SpClientRow["source"];
  readonly client_id: string;
  readonly token_endpoint_auth_method: AuthMethod;
  readonly allow: readonly Allowance[];
  /** In epoch seconds. */
  readonly made_at: number;
}

export interface SpRegistry {
  /**
   * Enters it, in the place of an entry that is there. With what the SP has to be told of us. Rejects
   * with `OperatorError` where there is a secret to keep, and none of ours that opens the keys.
   */
  add(entry: SpEntry, ownIssuer: string): Promise<ListedSp & { readonly redirect_uri: string }>;
  list(): Promise<readonly ListedSp[]>;
  /** Forgets the operator's entry, and what the service registered by itself; gives back which there was. */
  remove(issuer: string): Promise<readonly SpClientRow["source"][]>;
  /** What the operator entered; null if nothing. */
  entryOf(issuer: string): Promise<ListedSp | null>;
}

export function spRegistry(parts: {
  store: Pick<
    Store,
    "readKeys" | "findSpClients" | "listSpClients" | "putSpClient" | "removeSpClient"
  >;
  clock: Clock;
  /** Null keeps no secret. */
  seal: Seal | null;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}): SpRegistry {
  const { store, clock, seal, ready } = parts;

  async function sealed(row: Pick<SpClientRow, "source" | "issuer">, secret: string | null) {
    if (secret === null) return null;
    if (seal === null) {
      throw new OperatorError(
        "the secret is missing, which the client's secret is sealed with: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this beside ./domain-signin.secret",
      );
    }
    // What is sealed with a secret that is not the service's could never be opened there.
    openKeys(await store.readKeys(), seal);
    return sealSecret(row, secret, seal);
  }

  return {
    async add({ issuer, clientId, secret, settings }, ownIssuer) {
      await ready;
      const key = { issuer, source: "operator" } as const;
      const sealedSecret = await sealed(key, secret);
      const madeAt = clock.seconds();
      const row = { ...key, clientId, settings: JSON.stringify(settings), sealedSecret, madeAt };
      await store.putSpClient(row);
      return { ...listed(row), redirect_uri: callbackUri(ownIssuer, issuer) };
    },
    async list() {
      await ready;
      return (await store.listSpClients()).map(listed);
    },
    async remove(issuer) {
      await ready;
      const removed: SpClientRow["source"][] = [];
      for (const source of ["operator", "registered"] as const) {
        if (await store.removeSpClient(issuer, source)) removed.push(source);
      }
      return removed;
    },
    async entryOf(issuer) {
      await ready;
      const rows = await store.findSpClients(issuer);
      const row = rows.find(({ source }) => source === "operator");
      return row === undefined ? null : listed(row);
    },
  };
}

function listed(row: SpClientRow): ListedSp {
  const { issuer, source, clientId, settings, madeAt } = row;
  const isByHand = source === "operator";
  return {
    ...{ issuer, source, client_id: clientId },
    token_endpoint_auth_method: clientOf(row).method,
    allow: isByHand ? operatorSettings.parse(JSON.parse(settings)).allow : [],
    made_at: madeAt,
  };
}

/** Those that the previous secret alone opens. What neither opens stays: the SP's own error says so. */
export async function resealSpSecrets({
  store,
  seal,
}: {
  store: Pick<Store, "listSpClients" | "replaceSpClient">;
  seal: Seal;
}): Promise<void> {
  const withoutFormer = { ...seal, openFormer: () => null };
  for (const row of await store.listSpClients()) {
    if (row.sealedSecret === null || opened(row, withoutFormer) !== null) continue;
    const secret = opened(row, seal);
    if (secret === null) continue;
    await store.replaceSpClient(
      { ...row, sealedSecret: sealSecret(row, secret, seal) },
      row.clientId,
    );
  }
}

function opened(row: SpClientRow, seal: Seal): string | null {
  try {
    return openSecret(row, seal);
  } catch (error) {
    if (error instanceof SpFailure) return null;
    throw error;
  }
}
