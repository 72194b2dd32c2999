// Makes this service a client of an external SP, in the first way that the SP supports.

import { dynamicClientRegistrationRequest } from "oauth4webapi";
import { z } from "zod";
import type { Seal } from "../keys/seal.ts";
import { createCache } from "../lib/cache.ts";
import type { SpClientRow, SpClientStore } from "../store/sp-clients.ts";
import { clientMetadata, documentUrl } from "./own-documents.ts";
import { type Allowance, asymmetricAlgs, type ProviderMetadata, type SpCall } from "./provider.ts";
import { AUTH_METHODS, type AuthMethod, type SpClient, spKey } from "./sp-authorization.ts";
import { answerOf, SpFailure, shownError } from "./sp-problem.ts";
import {
  allowancesOf,
  clientOf,
  isExpired,
  openSecret,
  PRINTABLE,
  registeredSettings,
  sealSecret,
  usesSecret,
} from "./sp-registry.ts";
import { createTokenEndpoint, jsonOf, requestOptions, type SpRequester } from "./token-endpoint.ts";

export type WayToBecomeClient = "operator" | "document" | "public_document" | "registration";

/** Prevents a registration with every sign-in at an SP that forgets its clients. */
const MIN_RENEWAL_INTERVAL_S = 60;
/** After the SP was seen to know the client, for this long it is not probed again. */
const KNOWN_LIFETIME_S = 3600;
const MAX_CACHE_ENTRIES = 1000;

const NO_ROOM =
  "this service has registered at as many SPs as it may; the SP can support client ID metadata documents, or the operator can add it";

/** The way without an operator's entry; null if there is none. A pure function. */
export function wayToBecomeClient(metadata: ProviderMetadata): WayToBecomeClient | null {
  if (metadata.client_id_metadata_document_supported === true) {
    const methods = metadata.token_endpoint_auth_methods_supported ?? [];
    if (methods.includes("private_key_jwt") && takesEs256(metadata)) return "document";
    if (methods.includes("none")) return "public_document";
  }
  const method = registrationMethod(metadata);
  const canRegister = metadata.registration_endpoint !== undefined && method !== undefined;
  return canRegister ? "registration" : null;
}

export function documentClient(
  issuer: string,
  sp: string,
  source: "document" | "public_document",
): SpClient {
  return source === "document"
    ? { id: documentUrl(issuer, sp, "client"), source, method: "private_key_jwt" }
    : { id: documentUrl(issuer, sp, "public-client"), source, method: "none" };
}

export interface SpClientDeps extends SpRequester {
  readonly spClients: SpClientStore;
  readonly seal: Seal;
}

export function createSpClients(deps: SpClientDeps) {
  const { issuer, spClients, seal, clock } = deps;
  const { probeClient } = createTokenEndpoint(deps);
  const clients = createCache<SpClient>({ clock, maxEntries: MAX_CACHE_ENTRIES });
  /** The client id that each SP was seen to know. */
  const known = createCache<string>({ clock, maxEntries: MAX_CACHE_ENTRIES });

  const rowOf = async (sp: string, source: SpClientRow["source"]) =>
    (await spClients.findSpClients(sp)).find((row) => row.source === source) ?? null;

  /** Probed because an SP that does not know a client may show an error page and never redirect back. */
  async function isKnown(row: SpClientRow, metadata: ProviderMetadata, call: SpCall) {
    const { issuer: sp, clientId: id, madeAt } = row;
    if (clock.seconds() < madeAt + KNOWN_LIFETIME_S || known.get(sp) === id) return true;
    const result = await probeClient(metadata, clientOf(row), openSecret(row, seal), call);
    if (result === "unknown") return false;
    const lifetime = result === "known" ? KNOWN_LIFETIME_S : MIN_RENEWAL_INTERVAL_S;
    known.set(sp, id, lifetime * 1000);
    return true;
  }

  async function registered(metadata: ProviderMetadata, call: SpCall): Promise<SpClient> {
    const row = await rowOf(metadata.issuer, "registered");
    const isValid = row !== null && !isExpired(row, clock.seconds());
    if (isValid && (await isKnown(row, metadata, call))) return clientOf(row);
    const { issuer: sp } = metadata;
    if (row === null && !(await spClients.hasRoomForSp(sp)))
      throw new SpFailure("no_client", NO_ROOM);
    const fresh = await newRow(metadata, call);
    if (row === null) {
      const stored = await spClients.addSpClient(fresh);
      if (stored === null) throw new SpFailure("no_client", NO_ROOM);
      return clientOf(stored);
    }
    if (await spClients.replaceSpClient(fresh, row.clientId)) return clientOf(fresh);
    return clientOf((await rowOf(sp, "registered")) ?? fresh);
  }

  async function newRow(metadata: ProviderMetadata, call: SpCall): Promise<SpClientRow> {
    const answer = await requestRegistration(metadata, deps, call);
    const { client, secret, settings } = readRegistration(metadata, issuer, answer);
    const key = { issuer: metadata.issuer, source: "registered" } as const;
    return {
      ...key,
      clientId: client.id,
      settings: JSON.stringify(settings),
      sealedSecret: sealSecret(key, secret, seal),
      madeAt: clock.seconds(),
    };
  }

  return {
    async allowancesOf(sp: string): Promise<readonly Allowance[]> {
      const row = await rowOf(sp, "operator");
      return row === null ? [] : allowancesOf(row);
    },

    /** Our client at the SP, registered if need be. Concurrent callers, on all nodes, get the same client. */
    async clientFor(metadata: ProviderMetadata, call: SpCall): Promise<SpClient> {
      const { issuer: sp } = metadata;
      const entry = await rowOf(sp, "operator");
      if (entry !== null) return clientOf(entry);
      const way = wayToBecomeClient(metadata);
      if (way === "registration") return clients.share(sp, () => registered(metadata, call));
      if (way === "document" || way === "public_document") return documentClient(issuer, sp, way);
      throw new SpFailure(
        "no_client",
        "the SP supports neither client ID metadata documents nor open registration, and the operator of this service has not registered it there",
      );
    },

    /** Replaces `previous`, which the SP no longer knows, unless another node has. False if that is not possible. */
    async renew(metadata: ProviderMetadata, previous: SpClient, call: SpCall) {
      if (previous.source !== "registered") return false;
      const row = await rowOf(metadata.issuer, "registered");
      if (row === null || row.clientId !== previous.id) return true;
      if (clock.seconds() - row.madeAt < MIN_RENEWAL_INTERVAL_S) return false;
      const fresh = await newRow(metadata, call);
      // If it returns false, another node has replaced it in the meantime.
      await spClients.replaceSpClient(fresh, previous.id);
      return true;
    },

    /** The SP has just redeemed a code for this client, so it knows the client. */
    async noteSuccess(sp: string, { source, id }: SpClient): Promise<void> {
      if (source !== "registered") return;
      known.set(sp, id, KNOWN_LIFETIME_S * 1000);
      await spClients.noteSpClientUse(sp, clock.seconds());
    },

    /** The client secret; null if there is none, or if the client was replaced. */
    async secretOf(sp: string, client: SpClient): Promise<string | null> {
      if (client.source === "document" || client.source === "public_document") return null;
      const row = await rowOf(sp, client.source);
      return row !== null && row.clientId === client.id ? openSecret(row, seal) : null;
    },
  };
}

/** Where a registration can be removed (RFC 7592). The token is a secret. */
export type RegistrationManagement = NonNullable<ReturnType<typeof managementOf>>;

interface RegistrationAnswer {
  readonly status: number;
  readonly body: Awaited<ReturnType<typeof jsonOf>>;
}

const registrationResponse = registeredSettings
  .extend({
    client_id: z.string().regex(PRINTABLE),
    client_secret: z.string().regex(PRINTABLE).optional(),
  })
  .refine(
    ({ token_endpoint_auth_method: method, client_secret }) =>
      !usesSecret(method) || client_secret !== undefined,
    { path: ["client_secret"] },
  );

const managementResponse = z.object({
  registration_client_uri: z.string(),
  registration_access_token: z.string().regex(PRINTABLE),
});

/** The preferred method that the SP supports: key, then secret, then none. */
export function registrationMethod(metadata: ProviderMetadata): AuthMethod | undefined {
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const canUse = (method: AuthMethod) => method !== "private_key_jwt" || takesEs256(metadata);
  return AUTH_METHODS.find((method) => offered.includes(method) && canUse(method));
}

export function takesEs256(metadata: ProviderMetadata): boolean {
  return metadata.token_endpoint_auth_signing_alg_values_supported?.includes("ES256") ?? true;
}

/** The client metadata to register. `issuer` is ours. Throws `SpFailure` if there is none that the SP supports. */
export function registrationRequest(metadata: ProviderMetadata, issuer: string) {
  const method = registrationMethod(metadata);
  const [alg] = asymmetricAlgs(metadata);
  const hasEndpoint = metadata.registration_endpoint !== undefined;
  if (method === undefined || alg === undefined || !hasEndpoint) {
    throw new SpFailure("no_client", "the SP offers no supported way to register a client");
  }
  const client = clientMetadata(issuer, spKey(metadata.issuer), method);
  return { ...client, id_token_signed_response_alg: alg };
}

/** Registers a new client and stores nothing. */
export async function requestRegistration(
  metadata: ProviderMetadata,
  deps: SpRequester,
  call: SpCall,
): Promise<RegistrationAnswer> {
  const { issuer: sp, registration_endpoint = "" } = metadata;
  const response = await dynamicClientRegistrationRequest(
    { issuer: sp, registration_endpoint },
    registrationRequest(metadata, deps.issuer),
    requestOptions(deps, call),
  );
  return { status: response.status, body: await jsonOf(response) };
}

/** The client that the SP has registered. Throws `SpFailure`. A pure function. */
export function readRegistration(
  metadata: ProviderMetadata,
  issuer: string,
  { status, body }: RegistrationAnswer,
) {
  if (status !== 201) {
    const detail = `the SP refused the registration with status ${status}: ${shownError(body.error)}`;
    throw new SpFailure("no_client", detail, answerOf(status, body));
  }
  // RFC 7591 §3.2.1: the SP may register other values than requested.
  const requested = registrationRequest(metadata, issuer);
  const read = registrationResponse.safeParse({ ...requested, ...body });
  const algs = asymmetricAlgs(metadata);
  if (!read.success || !algs.includes(read.data.id_token_signed_response_alg)) {
    const paths = read.error?.issues.map(({ path: [name] }) => String(name));
    const names = [...new Set(paths ?? ["id_token_signed_response_alg"])].join(", ");
    const detail = `the registration response has missing or unsupported values: ${names}`;
    throw new SpFailure("no_client", detail, answerOf(status));
  }
  const { client_id: id, client_secret = null, ...settings } = read.data;
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = settings;
  const secret = usesSecret(method) ? client_secret : null;
  const client: SpClient = { id, source: "registered", method, alg };
  return { client, secret, settings };
}

/** Null if the SP does not offer the removal of the registration. */
export function managementOf(body: object) {
  const { data } = managementResponse.safeParse(body);
  if (data === undefined) return null;
  return { uri: data.registration_client_uri, token: data.registration_access_token };
}
