// Which resources a request may name: those that an operator has added, and those whose metadata names this issuer.

import type { Requester } from "../lib/fair-queue.ts";
import { ClientDocumentError } from "./client-errors.ts";
import type { ResourceDocument } from "./document-reader.ts";
import type { RegisteredResources } from "./registered-clients.ts";
import { createRemoteJson, type DocumentDeps, isDocumentUrl } from "./remote-json.ts";
import { metadataUrl, type Resource, resourceUriProblem } from "./resource.ts";
import { SERVICE_SCOPES } from "./scopes.ts";

export type FoundResource =
  | { readonly outcome: "found"; readonly resource: Resource; readonly isRegistered: boolean }
  /** Nobody has read its metadata yet, and `mayFetch` is false. */
  | { readonly outcome: "unread" }
  /** `problem` is the end of a sentence about the resource. */
  | { readonly outcome: "unknown" | "unreachable"; readonly problem: string };

export interface ResourceLookup {
  /** Whether the person has acted: nothing is fetched before. */
  readonly mayFetch: boolean;
  /** Whether metadata of any age will do: in an open interaction, which it has begun. */
  readonly acceptsOld: boolean;
  /** Who causes a fetch. */
  readonly from: Requester;
}

export type KnownResources = ReturnType<typeof knownResources>;

/** `documents` is null if only registered resources are known. */
export function knownResources(registered: RegisteredResources, documents: DocumentDeps | null) {
  const findByDocument = documents && byDocument(documents, registered);
  return { find };

  /** Rejects with `BusyError`. */
  async function find(uri: string, lookup: ResourceLookup): Promise<FoundResource> {
    const problem = resourceUriProblem(uri);
    if (problem !== null) return unknown(problem);
    const resource = await registered.findByUri(uri);
    if (resource !== null) return { outcome: "found", resource, isRegistered: true };
    return findByDocument === null ? unknown("is not registered") : findByDocument(uri, lookup);
  }
}

function byDocument(
  deps: DocumentDeps,
  registered: RegisteredResources,
): (uri: string, lookup: ResourceLookup) => Promise<FoundResource> {
  const { issuer, allowLoopback } = deps;
  // Loaded on demand: zod is only needed once there is a document.
  const documents = createRemoteJson(deps)(async (body, url) =>
    (await import("./document-reader.ts")).readResourceDocument(body, url, issuer),
  );

  async function toResource({ resource, scopes }: ResourceDocument, uri: string) {
    if (resource !== uri) return unknown("is not the resource in its metadata");
    const taken = await registered.scopes();
    // No document can claim a scope of the service or of a registered resource.
    const own = scopes.filter((name) => !SERVICE_SCOPES.includes(name) && !taken.has(name));
    const named = own.map((name) => ({ name, description: null }));
    const described: Resource = { uri, name: null, scopes: named };
    return { outcome: "found", resource: described, isRegistered: false } as const;
  }

  return async (uri, { mayFetch, acceptsOld, from }) => {
    const problem = isDocumentUrl(uri, allowLoopback)
      ? documentProblem(uri, issuer)
      : "is not registered";
    if (problem !== null) return unknown(problem);
    const url = metadataUrl(uri);
    const known = documents.peek(url);
    if (known !== null && (!mayFetch || acceptsOld)) {
      const found = await toResource(known, uri);
      // A problem may have been corrected since, so the metadata is read again.
      if (found.outcome === "found") return found;
    }
    if (!mayFetch) return { outcome: "unread" };
    try {
      return await toResource(await documents.find(url, { from }), uri);
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      const outcome = error.kind === "bad" ? "unknown" : "unreachable";
      return { outcome, problem: `has no usable metadata: ${error.message}` };
    }
  };
}

function unknown(problem: string) {
  return { outcome: "unknown", problem } as const;
}

/** Returns why no metadata can make a URI known, as the end of a sentence; null if one can. */
function documentProblem(uri: string, issuer: string): string | null {
  const { href, origin, port } = new URL(uri);
  const own = new URL(issuer);
  if (origin === own.origin) return "is not registered";
  // As for clients: prevents port scans of other hosts through this service.
  if (port !== "" && own.port === "") return "is not registered, and has a port";
  // Only normalized URLs, so that each has one form.
  return href === uri || href === `${uri}/` ? null : "is not registered, and not a normalized URL";
}
