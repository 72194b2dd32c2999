// The resources (RFC 8707) of an authorization request and its grant, and the resource of an access token.

import { sanitizeDescription } from "../clients/client-errors.ts";
import type { KnownResources, ResourceLookup } from "../clients/known-resources.ts";
import type { RedirectTarget } from "../clients/redirect-target.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import type { RegisteredResource, ResourceScope } from "../clients/resource.ts";
import type { ShownResource } from "../pages/consent.ts";
import { type Check, checkFor } from "./protocol-errors.ts";

/** More would not fit on a consent page that people read. */
const MAX_RESOURCES = 5;
/** The limit of all identifiers and scopes together: a row of `grants` keeps them as long as the app has access. */
const MAX_KEPT_CHARS = 2048;

export interface RequestedResource extends ShownResource {
  readonly scopes: readonly ResourceScope[];
  /** Whether an operator added the resource. Otherwise its document named it, and may be gone by now. */
  readonly isRegistered: boolean;
}

export interface GrantResource {
  readonly uri: string;
  /** Its scopes that were granted, separated by spaces; may be empty. */
  readonly scope: string;
  /** The ids of these scopes, in their order. Absent without a scope that has one. */
  readonly ids?: readonly string[];
  /** Whether an operator had added the resource at the request. */
  readonly registered: boolean;
}

/** The stored form. The domain of an account never changes, so a token for a resource needs no further read. */
interface StoredResources {
  readonly domain: string;
  readonly domain_since: number;
  readonly list: readonly GrantResource[];
}

/** In the order of `uris`; null for metadata that was not read. Throws `AuthorizationError` for an unknown resource. */
export async function findRequested(
  uris: readonly string[],
  lookup: ResourceLookup,
  { known, target }: { readonly known: KnownResources; readonly target: RedirectTarget },
): Promise<(RequestedResource | null)[]> {
  const check: Check = checkFor(target);
  const description = `more than ${MAX_RESOURCES} resources were requested`;
  check(uris.length <= MAX_RESOURCES, description, "invalid_target");
  const resources: (RequestedResource | null)[] = [];
  for (const uri of uris) {
    const result = await known.find(uri, lookup);
    if (result.outcome === "unread") {
      resources.push(null);
    } else if (result.outcome === "found") {
      const { resource, isRegistered } = result;
      resources.push({ ...resource, isRegistered });
    } else {
      const problem = sanitizeDescription(`resource ${uri.slice(0, 100)} ${result.problem}`);
      const isKnown = result.outcome === "unreachable";
      check(false, problem, isKnown ? "temporarily_unavailable" : "invalid_target");
    }
  }
  return resources;
}

export function canBeGranted(resources: readonly ShownResource[]): boolean {
  const kept = resources.flatMap(({ uri, scopes }) => [uri, ...scopes.map(({ name }) => name)]);
  return kept.join(" ").length <= MAX_KEPT_CHARS;
}

/** A space separates a resource from its scope: neither contains one, and no scope of the service is a URI. */
export function permissionsOf(
  scopes: readonly string[],
  resources: readonly ShownResource[],
): string[] {
  const ofResources = resources.flatMap(({ uri, scopes: own }) => [
    uri,
    ...own.map(({ name }) => `${uri} ${name}`),
  ]);
  return [...scopes, ...ofResources];
}

/** What a consent is to. A scope that is added again is another one, so the person is asked again. */
export function consentsOf(
  scopes: readonly string[],
  resources: readonly RequestedResource[],
): string[] {
  const withIds = resources.map((resource) => ({
    ...resource,
    scopes: resource.scopes.map(({ name, id, description }) => {
      return { name: id === undefined ? name : `${name} ${id}`, description };
    }),
  }));
  return permissionsOf(scopes, withIds);
}

/** The JSON for the row of a grant; null if the request names no resource. */
export function storedResources(
  resources: readonly RequestedResource[],
  { domain, createdAt }: { readonly domain: string; readonly createdAt: number },
): string | null {
  if (resources.length === 0) return null;
  const list = resources.map(({ uri, scopes, isRegistered }) => {
    const scope = scopes.map(({ name }) => name).join(" ");
    const ids = scopes.map(({ id = "" }) => id);
    return { uri, scope, registered: isRegistered, ...(ids.some((id) => id !== "") && { ids }) };
  });
  const stored: StoredResources = { domain, domain_since: createdAt, list };
  return JSON.stringify(stored);
}

/** The owner in the row of a grant, which must have resources. */
export function ownerInRow(stored: string | null): { domain: string; createdAt: number } {
  const { domain, domain_since }: StoredResources = JSON.parse(stored ?? "");
  return { domain, createdAt: domain_since };
}

/** For display: the scopes of the service, and each resource with its scopes. */
export function permissionsOfGrant(scope: string, stored: string | null): string[] {
  const ofResources = resourcesOf(stored).flatMap(({ uri, scope: own }) => [
    uri,
    ...own.split(" "),
  ]);
  return [...scope.split(" "), ...ofResources].filter((name) => name !== "");
}

export function resourcesOf(stored: string | null): readonly GrantResource[] {
  return stored === null ? [] : (JSON.parse(stored) as StoredResources).list;
}

/** The scopes that an access token can have, in the order of its mask: of the service, then of the resource. */
export function scopesFor(scope: string, resource: GrantResource | null): string[] {
  const own = scope === "" ? [] : scope.split(" ");
  if (resource === null || resource.scope === "") return own;
  return [...own, ...resource.scope.split(" ")];
}

/** Those scopes of the resource in a grant that it still has. Never fetches: those of a document stay. */
export async function standingScopes(
  resource: GrantResource,
  registered: RegisteredResources,
): Promise<string[]> {
  const known = resource.registered ? await registered.readByUri(resource.uri) : null;
  return standingIn(resource, known);
}

function standingIn(
  { scope, ids, registered }: GrantResource,
  known: RegisteredResource | null,
): string[] {
  const names = scope.split(" ").filter((name) => name !== "");
  if (!registered) return names;
  const isStanding = (name: string, index: number) =>
    known?.scopes.some((one) => one.name === name && (one.id ?? "") === (ids?.[index] ?? ""));
  return names.filter(isStanding);
}

/** A resource of a grant, with those of its scopes that the operator has not removed. */
interface StandingResource {
  readonly resource: GrantResource;
  readonly scopes: readonly string[];
}

/**
 * The resource of the next access token: the named one; without a name, the first that still has one of its scopes, or
 * null for an opaque token. "refused" if the grant lacks the named one, or the operator removed it; "emptied" if all of
 * its scopes were removed. Never fetches.
 */
export function resourceFor(
  stored: string | null,
  named: string | undefined,
  registered: RegisteredResources,
): ResourceFor | Promise<ResourceFor> {
  if (stored !== null) return firstKnown(stored, named, registered);
  return named === undefined ? null : "refused";
}

type ResourceFor = StandingResource | null | "refused" | "emptied";

async function firstKnown(
  stored: string,
  named: string | undefined,
  registered: RegisteredResources,
): Promise<ResourceFor> {
  for (const resource of resourcesOf(stored)) {
    if (named !== undefined && resource.uri !== named) continue;
    const known = resource.registered ? await registered.readByUri(resource.uri) : null;
    if (resource.registered && known === null) continue;
    const scopes = standingIn(resource, known);
    if (scopes.length > 0 || resource.scope === "") return { resource, scopes };
    if (named !== undefined) return "emptied";
  }
  return named === undefined ? null : "refused";
}
