// The resources of a grant: how its row keeps them, and which of them an access token is made for.

import type { RegisteredResources } from "../clients/resource.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

export interface GrantResource {
  readonly uri: string;
  /** Its scopes that were granted, separated by spaces; may be empty. */
  readonly scope: string;
  /** Otherwise its document was known, which may be gone since. */
  readonly registered: boolean;
}

/** As in the row. The domain of an account never changes, so that a token for a resource needs no further read. */
interface StoredResources {
  readonly domain: string;
  readonly domain_since: number;
  readonly list: readonly GrantResource[];
}

/** The JSON for the row of a grant; null if the request names no resource. */
export function storedResources(
  { resources, registeredResources }: AuthorizationRequest,
  { domain, createdAt }: Pick<Account, "domain" | "createdAt">,
): string | null {
  if (resources.length === 0) return null;
  const list = resources.map(({ uri, scopes }) => ({
    uri,
    scope: scopes.map(({ name }) => name).join(" "),
    registered: registeredResources.has(uri),
  }));
  const stored: StoredResources = { domain, domain_since: createdAt, list };
  return JSON.stringify(stored);
}

/** The owner that the row of a grant with resources names. */
export function ownerInRow({ resources }: Pick<Grant, "resources">): {
  domain: string;
  createdAt: number;
} {
  const { domain, domain_since }: StoredResources = JSON.parse(resources ?? "");
  return { domain, createdAt: domain_since };
}

/** All that the owner allowed, for display: scopes of the service, and each resource with its scopes. */
export function permissionsOfGrant(grant: Pick<Grant, "scope" | "resources">): string[] {
  const ofResources = resourcesOf(grant).flatMap(({ uri, scope }) =>
    [uri, scope.split(" ")].flat(),
  );
  return [...grant.scope.split(" "), ...ofResources].filter((name) => name !== "");
}

export function resourcesOf({ resources }: Pick<Grant, "resources">): readonly GrantResource[] {
  return resources === null ? [] : (JSON.parse(resources) as StoredResources).list;
}

/** The scopes that an access token can have, in the order of its scope mask: those of the service, then of the resource. */
export function scopesFor(grant: Pick<Grant, "scope">, resource: GrantResource | null): string[] {
  const own = grant.scope === "" ? [] : grant.scope.split(" ");
  if (resource === null || resource.scope === "") return own;
  return [...own, ...resource.scope.split(" ")];
}

/**
 * The resource of the next access token: the named one, or the first if none is named (undefined). Null for an opaque
 * token, if the grant has none that is still known. "refused" if the grant does not have the named one, or the operator
 * has removed it. Never fetches anything.
 */
export function resourceFor(
  grant: Pick<Grant, "resources">,
  named: string | undefined,
  registered: Pick<RegisteredResources, "findByUri">,
): ResourceFor | Promise<ResourceFor> {
  if (grant.resources !== null) return firstKnown(grant, named, registered);
  return named === undefined ? null : "refused";
}

type ResourceFor = GrantResource | null | "refused";

async function firstKnown(
  grant: Pick<Grant, "resources">,
  named: string | undefined,
  registered: Pick<RegisteredResources, "findByUri">,
): Promise<ResourceFor> {
  for (const resource of resourcesOf(grant)) {
    if (named !== undefined && resource.uri !== named) continue;
    const isKnown = !resource.registered || (await registered.findByUri(resource.uri)) !== null;
    if (isKnown) return resource;
  }
  return named === undefined ? null : "refused";
}
