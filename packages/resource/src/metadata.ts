// The document with which clients find the issuer of a resource (RFC 9728).

import type { ResourceOptions } from "./options.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** RFC 9728 §2. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name?: string;
}

/** Where the document is: between the host and the path of the resource (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): URL {
  const { origin, pathname, search } = new URL(resource);
  return new URL(`${origin}${WELL_KNOWN}${pathname === "/" ? "" : pathname}${search}`);
}

export function metadataOf({ resource, issuer, scopes, name }: ResourceOptions): ResourceMetadata {
  return {
    resource,
    authorization_servers: [issuer],
    ...(scopes && { scopes_supported: [...scopes] }),
    bearer_methods_supported: ["header"],
    ...(name !== undefined && { resource_name: name }),
  };
}
