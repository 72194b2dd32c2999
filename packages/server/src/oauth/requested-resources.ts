// The resources of an authorization request (RFC 8707 §2.1).

import { sanitizeDescription } from "../clients/client-errors.ts";
import type { KnownResources, ResourceLookup } from "../clients/known-resources.ts";
import type { RedirectTarget } from "../clients/redirect-target.ts";
import type { Resource } from "../clients/resource.ts";
import type { ShownResource } from "../pages/consent.ts";
import { AuthorizationError } from "./protocol-errors.ts";

/** More would not fit on a consent page that people read. */
const MAX_RESOURCES = 5;
/** With the scopes of the service, they fit into the scope mask of an access token. */
export const MAX_RESOURCE_SCOPES = 24;

export interface RequestedResources {
  /** In the order of the request. Without those that were not read. */
  readonly resources: readonly Resource[];
  readonly registered: ReadonlySet<string>;
  readonly hasUnread: boolean;
}

/** Throws `AuthorizationError` if any of them is not known. */
export async function findRequested(
  uris: readonly string[],
  lookup: ResourceLookup,
  { resources: known, target }: { resources: KnownResources; target: RedirectTarget },
): Promise<RequestedResources> {
  if (uris.length > MAX_RESOURCES) {
    const description = `more than ${MAX_RESOURCES} resources were requested`;
    throw new AuthorizationError(target, "invalid_target", description);
  }
  const resources: Resource[] = [];
  const registered = new Set<string>();
  let hasUnread = false;
  for (const uri of uris) {
    const found = await known.find(uri, lookup);
    if (found.outcome === "unread") {
      hasUnread = true;
    } else if (found.outcome === "found") {
      resources.push(found.resource);
      if (found.isRegistered) registered.add(uri);
    } else {
      const isKnown = found.outcome === "unreachable";
      const description = sanitizeDescription(`resource ${uri.slice(0, 100)} ${found.problem}`);
      const code = isKnown ? "temporarily_unavailable" : "invalid_target";
      throw new AuthorizationError(target, code, description);
    }
  }
  return { resources, registered, hasUnread };
}

/** Of the identifiers and scopes together: a row of `grants` keeps them as long as the app has access. */
const MAX_KEPT_CHARS = 2048;

/** Whether a grant can keep all of them. */
export function canBeGranted(resources: readonly ShownResource[]): boolean {
  const kept = resources.flatMap(({ uri, scopes }) => [uri, ...scopes.map(({ name }) => name)]);
  return kept.join(" ").length <= MAX_KEPT_CHARS;
}

/** A space separates a resource from its scope: neither contains one, and no scope of the service is a URI. */
export function permissionsOf({
  scopes,
  resources,
}: {
  readonly scopes: readonly string[];
  readonly resources: readonly ShownResource[];
}): string[] {
  const ofResources = resources.flatMap(({ uri, scopes: own }) => [
    uri,
    ...own.map(({ name }) => `${uri} ${name}`),
  ]);
  return [...scopes, ...ofResources];
}
