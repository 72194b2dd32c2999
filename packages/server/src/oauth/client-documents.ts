// Looks up clients: registered ones, and those whose client_id is the URL of a metadata document.

import type { JSONWebKeySet } from "jose";
import { limitKeys } from "../http/rate-limit.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { Client, Clients } from "./client.ts";
import { ClientDocumentError, remoteJson } from "./remote-json.ts";

/**
 * Limits on fetches, by the address that causes them and by the host that serves them. The second is
 * much higher, so that one address cannot block the clients of a host.
 */
const FETCHES_PER_MINUTE_BY_ADDRESS = 30;
const FETCHES_PER_MINUTE_BY_HOST = 150;
const MAX_URL_CHARS = 2000;

/** The keys for a client's assertions. `forceRefresh` accepts only recently fetched keys. */
export type ClientKeys = (
  client: Client,
  options: { requesterAddress: string; forceRefresh: boolean },
) => Promise<JSONWebKeySet>;

interface DocumentDeps {
  /** Our own issuer. The documents that we publish for SPs are not clients of this service. */
  readonly issuer: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether to allow clients at `http://localhost:PORT`: only if the issuer is of that kind. */
  readonly allowLoopback: boolean;
}

/** Adds clients with metadata documents to the registered ones. */
export function withDocuments(
  registered: Clients,
  deps: DocumentDeps,
): { clients: Clients; clientKeys: ClientKeys } {
  const limits = {
    byAddress: limitKeys(FETCHES_PER_MINUTE_BY_ADDRESS, deps.clock),
    byHost: limitKeys(FETCHES_PER_MINUTE_BY_HOST, deps.clock),
  };
  // Loaded on demand: zod is only needed once there is a document.
  const reader = () => import("./client-document.ts");
  const documents = remoteJson({
    ...deps,
    limits,
    read: async (body, url) => (await reader()).readClientDocument(body, url),
  });
  const keys = remoteJson({
    ...deps,
    limits,
    read: async (body, url) => (await reader()).readClientKeys(body, url),
  });
  const isDocument = (id: string) =>
    id.startsWith("https:") || (deps.allowLoopback && id.startsWith("http://localhost:"));
  const checkUrl = (id: string) => {
    const problem = documentUrlProblem(id, deps.issuer);
    if (problem === null) return id;
    const host = URL.canParse(id) ? new URL(id).host : id.slice(0, 100);
    throw new ClientDocumentError("bad", host, `client_id: ${problem}`);
  };
  return {
    clients: {
      find: async (id, requesterAddress = UNLIMITED_ADDRESS) =>
        isDocument(id) ? documents.find(checkUrl(id), requesterAddress) : registered.find(id),
      findFresh: async (id) =>
        isDocument(id)
          ? documents.findFresh(checkUrl(id), UNLIMITED_ADDRESS)
          : registered.findFresh(id),
    },
    async clientKeys({ client_id, jwks, jwks_uri }, { requesterAddress, forceRefresh }) {
      const find = forceRefresh ? "findFresh" : "find";
      if (jwks_uri !== undefined) return keys[find](jwks_uri, requesterAddress);
      const newer = forceRefresh
        ? await documents.findFresh(client_id, requesterAddress)
        : { jwks };
      return newer.jwks ?? { keys: [] };
    },
  };
}

/** A loopback address, which is not limited, for requests with a token or of an open interaction. */
const UNLIMITED_ADDRESS = "::1";

/** Why a URL cannot be a client_id, or null. Only normalized URLs can, so that each has one form. */
function documentUrlProblem(id: string, issuer: string): string | null {
  if (id.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(id)) return "is not a URL";
  if (id.includes("#")) return "has a fragment";
  const { href, origin, port, username, password } = new URL(id);
  if (username !== "" || password !== "" || /^[a-z]+:\/\/[^/?]*@/.test(id)) {
    return "contains a user name or password";
  }
  if (id === origin) return "has no path";
  const own = new URL(issuer);
  if (origin === own.origin) return "must not be a URL of this service";
  // As in SP records: prevents port scans of other hosts through this service.
  if (port !== "" && own.port === "") return "must not contain a port";
  // Refuses dot segments, an upper-case host, the default port and characters that need escapes.
  return href === id ? null : "is not a normalized URL";
}
