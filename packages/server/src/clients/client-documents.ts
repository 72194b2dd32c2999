// Clients whose client_id is the URL of a metadata document, and the keys that clients publish.

import type { JSONWebKeySet } from "jose";
import type { Clients, Lookup } from "./client.ts";
import { ClientDocumentError } from "./client-errors.ts";
import { hasUserInfo } from "./redirect-target.ts";
import { createRemoteJson, type DocumentDeps, isDocumentUrl } from "./remote-json.ts";

const MAX_URL_CHARS = 2000;

/** The keys for a client's assertions. */
export type ClientKeys = (client: ClientWithKeys, lookup: Lookup) => Promise<JSONWebKeySet>;

interface ClientWithKeys {
  readonly client_id: string;
  readonly jwks?: JSONWebKeySet | undefined;
  readonly jwks_uri?: string | undefined;
}

export function withDocuments(
  registered: Clients,
  deps: DocumentDeps,
): { clients: Clients; clientKeys: ClientKeys } {
  const { issuer, allowLoopback } = deps;
  // Loaded on demand: zod is only needed once there is a document.
  const reader = () => import("./document-reader.ts");
  const remote = createRemoteJson(deps);
  const documents = remote(async (body, url) => (await reader()).readClientDocument(body, url));
  const keys = remote(async (body, url) => (await reader()).readClientKeys(body, url));
  return { clients: { find }, clientKeys };

  function find(id: string, lookup: Lookup = {}) {
    return isDocumentUrl(id, allowLoopback)
      ? findDocument(id, lookup)
      : registered.find(id, lookup);
  }

  /** Rejects with `ClientDocumentError` for a URL that cannot be a client_id. */
  async function findDocument(id: string, lookup: Lookup) {
    const problem = documentUrlProblem(id, issuer);
    if (problem === null) return await documents.find(id, lookup);
    const host = URL.canParse(id) ? new URL(id).host : id.slice(0, 100);
    throw new ClientDocumentError("bad", host, `client_id: ${problem}`);
  }

  async function clientKeys({ client_id, jwks, jwks_uri }: ClientWithKeys, lookup: Lookup) {
    if (jwks_uri !== undefined) return keys.find(jwks_uri, lookup);
    const newer = lookup.forceRefresh ? await documents.find(client_id, lookup) : { jwks };
    return newer.jwks ?? { keys: [] };
  }
}

/** Why a URL cannot be a client_id, or null. Only normalized URLs can, so that each has one form. */
function documentUrlProblem(id: string, issuer: string): string | null {
  if (id.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(id)) return "is not a URL";
  if (id.includes("#")) return "has a fragment";
  if (hasUserInfo(id)) return "contains a user name or password";
  const { href, origin, port } = new URL(id);
  if (id === origin) return "has no path";
  const own = new URL(issuer);
  if (origin === own.origin) return "must not be a URL of this service";
  // As in SP records: prevents port scans of other hosts through this service.
  if (port !== "" && own.port === "") return "must not contain a port";
  // Refuses dot segments, an upper-case host, the default port and characters that need escapes.
  return href === id ? null : "is not a normalized URL";
}
