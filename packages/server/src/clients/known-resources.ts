// Which resources a request may name: those that an operator has added, and those whose metadata names this issuer.

import { limitKeys } from "../http/rate-limit.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { remoteJson } from "./client-documents.ts";
import { ClientDocumentError } from "./client-errors.ts";
import {
  metadataUrl,
  type RegisteredResources,
  type Resource,
  resourceUriProblem,
} from "./resource.ts";
import type { ResourceDocument } from "./resource-documents.ts";

/** As for the documents of clients: by the address that causes a fetch, and by the host that answers. */
const FETCHES_PER_MINUTE_BY_ADDRESS = 30;
const FETCHES_PER_MINUTE_BY_HOST = 150;

export type FoundResource =
  | { readonly outcome: "found"; readonly resource: Resource; readonly isRegistered: boolean }
  /** Nobody has read its metadata yet, and `mayFetch` is false. */
  | { readonly outcome: "unread" }
  /** `problem` is the end of a sentence about the resource. */
  | { readonly outcome: "unknown" | "unreachable"; readonly problem: string };

export interface ResourceLookup {
  /** Whether the person has acted: nothing is fetched before. */
  readonly mayFetch: boolean;
  /** Limits how often metadata is fetched. Undefined in an open interaction, which also accepts metadata of any age. */
  readonly requesterAddress: string | undefined;
}

export interface KnownResources {
  /** Rejects with `TooManyRequestsError`. */
  find(uri: string, lookup: ResourceLookup): Promise<FoundResource>;
}

export interface ResourceDocumentDeps {
  readonly issuer: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether to allow resources at `http://localhost:PORT`: only if the issuer is of that kind. */
  readonly allowLoopback: boolean;
  /** The scopes of the service, which no document can claim. */
  readonly reserved: readonly string[];
}

/** `documents` is null if only registered resources are known. */
export function knownResources(
  registered: RegisteredResources,
  documents: ResourceDocumentDeps | null,
): KnownResources {
  const findByDocument = documents && byDocument(documents, registered);
  return {
    async find(uri, lookup) {
      const problem = resourceUriProblem(uri);
      if (problem !== null) return { outcome: "unknown", problem };
      const resource = await registered.findByUri(uri);
      if (resource !== null) return { outcome: "found", resource, isRegistered: true };
      if (findByDocument === null) return { outcome: "unknown", problem: "is not registered" };
      return findByDocument(uri, lookup);
    },
  };
}

function byDocument(
  { issuer, fetch, clock, allowLoopback, reserved }: ResourceDocumentDeps,
  registered: RegisteredResources,
): KnownResources["find"] {
  const limits = {
    byAddress: limitKeys(FETCHES_PER_MINUTE_BY_ADDRESS, clock),
    byHost: limitKeys(FETCHES_PER_MINUTE_BY_HOST, clock),
  };
  // Loaded on demand: zod is only needed once there is a document.
  const documents = remoteJson({ fetch, clock, limits }, async (body, url) =>
    (await import("./resource-documents.ts")).readResourceDocument(body, url, issuer),
  );

  async function toResource({ resource, scopes }: ResourceDocument, uri: string) {
    if (resource !== uri) {
      const problem = "is not the resource in its metadata";
      return { outcome: "unknown", problem } as const;
    }
    const taken = await registered.scopes();
    const own = scopes.filter((name) => !reserved.includes(name) && !taken.has(name));
    const named = own.map((name) => ({ name, description: null }));
    const found: Resource = { uri, name: null, scopes: named };
    return { outcome: "found", resource: found, isRegistered: false } as const;
  }

  return async (uri, { mayFetch, requesterAddress }) => {
    const problem = documentProblem(uri, { issuer, allowLoopback });
    if (problem !== null) return { outcome: "unknown", problem };
    const url = metadataUrl(uri);
    const known = documents.peek(url);
    if (known !== null && (!mayFetch || requesterAddress === undefined)) {
      const found = await toResource(known, uri);
      // Otherwise the metadata may have been corrected since.
      if (found.outcome === "found") return found;
    }
    if (!mayFetch) return { outcome: "unread" };
    try {
      return await toResource(await documents.find(url, { requesterAddress }), uri);
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      const outcome = error.kind === "bad" ? "unknown" : "unreachable";
      return { outcome, problem: `has no usable metadata: ${error.message}` };
    }
  };
}

/** Returns why no metadata can make a URI known, as the end of a sentence; null if one can. */
function documentProblem(
  uri: string,
  { issuer, allowLoopback }: Pick<ResourceDocumentDeps, "issuer" | "allowLoopback">,
): string | null {
  const isUrl = uri.startsWith("https:") || (allowLoopback && uri.startsWith("http://localhost:"));
  if (!isUrl) return "is not registered";
  const { href, origin, port } = new URL(uri);
  const own = new URL(issuer);
  if (origin === own.origin) return "is not registered";
  // As for clients: prevents port scans of other hosts through this service.
  if (port !== "" && own.port === "") return "is not registered, and has a port";
  // Only normalized URLs, so that each has one form.
  return href === uri || href === `${uri}/` ? null : "is not registered, and not a normalized URL";
}
