// The SPs in their operator's hands: registered by hand, listed, forgotten.

import type { Seal } from "../keys/seal.ts";
import { openKeys } from "../keys/stored-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { SpClientRow } from "../store/sp-clients.ts";
import type { Store } from "../store/store.ts";
import { type AuthMethod, callbackUri } from "./external-state.ts";
import { clientOf, operatorSettings, sealSecret } from "./registration.ts";
import type { Allowance } from "./requirements.ts";
import type { SpEntry } from "./sp-entry.ts";

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
