// Reads the metadata that an API publishes about itself (RFC 9728).

import { z } from "zod";
import { ClientDocumentError } from "./client-errors.ts";
import { metadataUrl } from "./resource.ts";

/** More are of no use: a request names a few of them. */
const MAX_SCOPES = 200;
const MAX_SCOPE_CHARS = 64;

/** Other members are dropped, because 64 KiB of JSON can become a megabyte of objects. */
const metadata = z.object({
  resource: z.string({ error: "is missing" }),
  authorization_servers: z
    .array(z.string(), { error: "must be a list of issuers" })
    .max(100, "has more than 100 entries"),
  scopes_supported: z.array(z.string(), { error: "must be a list of scopes" }).default([]),
});

export interface ResourceDocument {
  readonly resource: string;
  /** Those that can be requested here; a scope of the service or of a registered resource is not removed yet. */
  readonly scopes: readonly string[];
}

/** What the document at `url` says. Throws `ClientDocumentError` unless it names the issuer. */
export function readResourceDocument(body: unknown, url: string, issuer: string): ResourceDocument {
  const { host } = new URL(url);
  const bad = (problem: string) => new ClientDocumentError("bad", host, problem);
  const { success, data, error } = metadata.safeParse(body);
  if (!success) {
    const [issue] = error.issues;
    throw bad(`${issue?.path.join(".") || "document"}: ${issue?.message}`);
  }
  const { resource, authorization_servers: servers, scopes_supported: scopes } = data;
  // Also thrown for a value that is no URL, so that it is not remembered as long as good metadata.
  if (!URL.canParse(resource) || metadataUrl(resource) !== url) {
    throw bad(`resource: ${resource.slice(0, 100)} is not the resource at this address`);
  }
  if (!servers.includes(issuer)) throw bad(`authorization_servers: does not name ${issuer}`);
  return { resource, scopes: scopes.filter(isScopeOfDocument).slice(0, MAX_SCOPES) };
}

/** Shown to people as it is, so it must be short and cannot control the text around it. */
function isScopeOfDocument(name: string): boolean {
  return name.length <= MAX_SCOPE_CHARS && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name);
}
