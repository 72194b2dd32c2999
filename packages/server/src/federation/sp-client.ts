// How this service becomes the client of an external SP: the first way that applies.

import { createCache } from "../lib/cache.ts";
import type { SpClientRow, SpClientStore } from "../store/sp-clients.ts";
import type { SpClient } from "./authorization-request.ts";
import { documentUrl } from "./client-document.ts";
import type { Allowance, ProviderMetadata } from "./provider.ts";
import {
  askIfKnown,
  clientOf,
  isOver,
  openSecret,
  operatorSettings,
  type RegistrationDeps,
  register,
  registrationMethod,
  takesEs256,
} from "./registration.ts";
import { SpFailure } from "./sp-problem.ts";

export type WayToBecomeClient = "operator" | "document" | "public_document" | "registration";

export interface SpClients {
  /** What the operator lets this SP do without. */
  allowedAt(sp: string): Promise<readonly Allowance[]>;
  /**
   * Registers where there is no other way, or the SP has forgotten us; of callers at once, on all nodes,
   * all get the same. Throws `SpFailure`.
   */
  become(metadata: ProviderMetadata, signal: AbortSignal): Promise<SpClient>;
  /**
   * The SP knows this client no more: takes what another node has put in its place, or registers anew.
   * False where that is no help. Throws `SpFailure`.
   */
  renew(metadata: ProviderMetadata, former: SpClient, signal: AbortSignal): Promise<boolean>;
  /** The SP has just redeemed a code for this client. */
  worked(sp: string, client: SpClient): void;
  /** The secret of a client, if it has one and still stands. */
  secretOf(sp: string, client: SpClient): Promise<string | null>;
}

/** Seconds: an SP that knows no client for long is not registered at with every sign-in. */
const RENEWED_EVERY = 60;
/** Seconds: an SP that knew us not longer ago than this is not asked whether it still does. */
const KNOWN_FOR = 3600;
const ENTRIES = 1000;

/** Null if there is none. A pure function. */
export function wayToBecomeClient(
  metadata: ProviderMetadata,
  hasOperatorsEntry: boolean,
): WayToBecomeClient | null {
  if (hasOperatorsEntry) return "operator";
  if (metadata.client_id_metadata_document_supported === true) {
    const methods = metadata.token_endpoint_auth_methods_supported ?? [];
    if (methods.includes("private_key_jwt") && takesEs256(metadata)) return "document";
    if (methods.includes("none")) return "public_document";
  }
  const { registration_endpoint } = metadata;
  const canRegister = registration_endpoint !== undefined && registrationMethod(metadata) !== null;
  return canRegister ? "registration" : null;
}

export interface SpClientDeps extends RegistrationDeps {
  readonly store: SpClientStore;
}

/** The registrations that we made ourselves, and the ids that SPs were seen to know. */
function createRegistrations(deps: SpClientDeps) {
  const { store, seal, clock } = deps;
  const clients = createCache<SpClient>({ clock, maxEntries: ENTRIES });
  /** By SP: our id there. */
  const known = createCache<string>({ clock, maxEntries: ENTRIES });

  const rowOf = async (sp: string, source: SpClientRow["source"]) =>
    (await store.findSpClients(sp)).find((row) => row.source === source) ?? null;

  /** An SP that has forgotten us may tell only the person, on a page that nobody comes back from. */
  async function isKnown(row: SpClientRow, metadata: ProviderMetadata, signal: AbortSignal) {
    const { issuer: sp, clientId: id, madeAt } = row;
    const now = clock.seconds();
    if (now < madeAt + KNOWN_FOR || known.get(sp) === id) return true;
    const client = { ...clientOf(row), secret: openSecret(row, seal) };
    const told = await askIfKnown(metadata, client, deps, signal);
    if (told === "unknown") return false;
    known.set(sp, id, (told === "known" ? KNOWN_FOR : RENEWED_EVERY) * 1000);
    return true;
  }

  async function registered(metadata: ProviderMetadata, signal: AbortSignal): Promise<SpClient> {
    const row = await rowOf(metadata.issuer, "registered");
    const stands = row !== null && !isOver(row, clock.seconds());
    if (stands && (await isKnown(row, metadata, signal))) return clientOf(row);
    const fresh = await register(metadata, deps, signal);
    if (row === null) return clientOf(await store.addSpClient(fresh));
    if (await store.replaceSpClient(fresh, row.clientId)) return clientOf(fresh);
    return clientOf((await rowOf(metadata.issuer, "registered")) ?? fresh);
  }

  return {
    rowOf,
    registered: (metadata: ProviderMetadata, signal: AbortSignal) =>
      clients.share(metadata.issuer, () => registered(metadata, signal)),
    noteKnown: (sp: string, id: string) => known.set(sp, id, KNOWN_FOR * 1000),
  };
}

export function createSpClients(deps: SpClientDeps): SpClients {
  const { issuer, store, seal, clock } = deps;
  const { rowOf, registered, noteKnown } = createRegistrations(deps);

  function documentClient(sp: string, source: "document" | "public_document"): SpClient {
    return source === "document"
      ? { id: documentUrl(issuer, sp, "client"), source, method: "private_key_jwt" }
      : { id: documentUrl(issuer, sp, "public-client"), source, method: "none" };
  }

  return {
    async allowedAt(sp) {
      const row = await rowOf(sp, "operator");
      return row === null ? [] : operatorSettings.parse(JSON.parse(row.settings)).allow;
    },

    async become(metadata, signal) {
      const { issuer: sp } = metadata;
      const entry = await rowOf(sp, "operator");
      if (entry !== null) return clientOf(entry);
      const way = wayToBecomeClient(metadata, false);
      if (way === "document" || way === "public_document") return documentClient(sp, way);
      if (way === "registration") return registered(metadata, signal);
      throw new SpFailure(
        "no_client",
        "it knows no client-id metadata documents and has no open registration, and the operator has not registered us",
      );
    },

    async renew(metadata, former, signal) {
      if (former.source !== "registered") return false;
      const row = await rowOf(metadata.issuer, "registered");
      if (row === null || row.clientId !== former.id) return true;
      if (clock.seconds() - row.madeAt < RENEWED_EVERY) return false;
      const fresh = await register(metadata, deps, signal);
      // If not this node, then another replaced it meanwhile.
      await store.replaceSpClient(fresh, former.id);
      return true;
    },

    worked(sp, { source, id }) {
      if (source === "registered") noteKnown(sp, id);
    },

    async secretOf(sp, client) {
      if (client.source === "document" || client.source === "public_document") return null;
      const row = await rowOf(sp, client.source);
      return row !== null && row.clientId === client.id ? openSecret(row, seal) : null;
    },
  };
}
