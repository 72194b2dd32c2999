// Client registrations at SPs, as the operator manages them.

import type { Seal } from "../keys/seal.ts";
import { openKeys } from "../keys/stored-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import type { KeyStore } from "../store/keys.ts";
import type { SpClientRow, SpClientStore } from "../store/sp-clients.ts";
import { ALLOWANCES, issuerMistake } from "./provider.ts";
import { AUTH_METHODS, callbackUri } from "./sp-authorization.ts";
import {
  allowancesOf,
  clientOf,
  type OperatorSettings,
  PRINTABLE,
  sealSecret,
  usesSecret,
} from "./stored-client.ts";

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
  const settings: OperatorSettings = { token_endpoint_auth_method: method, allow };
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
    // Fails if the secret is not that of the service, which could not open the client secret then.
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
