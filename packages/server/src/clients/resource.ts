// Resources (RFC 8707): the APIs that access tokens are made for, and how the registered ones are stored.

import type { SigningAlg } from "../keys/signing-key.ts";
import type { ClientRow } from "../store/clients.ts";
import { type Secret, secretsOf } from "./client-row.ts";
import { LOOPBACK_HOSTS } from "./redirect-target.ts";

export interface ResourceScope {
  readonly name: string;
  /** Tells the scope from one of the same name that was removed. Absent for scopes of documents and former versions. */
  readonly id?: string;
  /** What the scope allows, in the operator's words; null if only a document names it. */
  readonly description: string | null;
}

export interface Resource {
  /** The identifier: an absolute URI without a fragment, compared exactly. */
  readonly uri: string;
  /** Null if only its document is known. */
  readonly name: string | null;
  readonly scopes: readonly ResourceScope[];
}

/** As stored in the `registration` of its row. */
export interface ResourceRegistration {
  readonly name: string;
  readonly scopes: readonly (ResourceScope & { readonly description: string })[];
  /** Signs its access tokens. */
  readonly signing_alg: SigningAlg;
}

export interface RegisteredResource extends ResourceRegistration {
  readonly uri: string;
  readonly client_id: string;
  readonly secrets: readonly Secret[];
}

export function readResource(row: ClientRow): RegisteredResource {
  const registration: ResourceRegistration = JSON.parse(row.registration);
  const { id: client_id, resource: uri } = row;
  if (uri === null) throw new Error(`${client_id} is a client, not a resource`);
  return { ...registration, uri, client_id, secrets: secretsOf(row) };
}

/** With the scopes of the service, the scopes of a resource fit into the scope mask of an access token. */
export const MAX_RESOURCE_SCOPES = 24;
const MAX_URI_CHARS = 500;

/** Returns why a URI cannot identify a resource, as the end of a sentence; null if it can (RFC 8707 §2). */
export function resourceUriProblem(uri: string): string | null {
  if (uri.length > MAX_URI_CHARS) return `is longer than ${MAX_URI_CHARS} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}*]/.test(uri)) {
    return "contains a space or a character that is not allowed in a URI";
  }
  if (uri.includes("#")) return "has a fragment";
  if (!URL.canParse(uri)) return "is not an absolute URI";
  const { protocol, hostname } = new URL(uri);
  if (/^[a-z]+:\/\/[^/?]*@/i.test(uri)) return "contains a user name or password";
  if (!/^https?:\/\/[^/?]/.test(uri)) return "must be an https URI with a host";
  if (protocol === "http:" && !LOOPBACK_HOSTS.has(hostname)) {
    return "uses http for a host that is not loopback";
  }
  return null;
}

/** Where the metadata of a resource is: the path follows the well-known one (RFC 9728 §3.1). */
export function metadataUrl(uri: string): string {
  const { origin, pathname, search } = new URL(uri);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}${search}`;
}
