// Clients whose client_id is the URL of their metadata document, beside those that are registered.

import type { JSONWebKeySet } from "jose";
import { limitKeys } from "../http/rate-limit.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { Client, Clients } from "./client.ts";
import { ClientDocumentError, type RemoteLimits, remoteJson } from "./remote-json.ts";

/**
 * What one address may have us ask for in a minute, and what one host is asked for: much more, or a
 * single address could keep a host's own clients from being met.
 */
const BY_ADDRESS = 30;
const BY_HOST = 150;
const LONGEST_URL = 2000;

/** The keys that a client signs assertions with; `isAgain` when the remembered ones lack one. */
export type ClientKeys = (
  client: Client,
  asked: { requesterAddress: string; isAgain: boolean },
) => Promise<JSONWebKeySet>;

export interface DocumentParts {
  /** Our own: what we show to SPs is no client of ours. */
  readonly issuer: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether clients at `http://localhost:PORT` are let in: only beside an issuer of that kind. */
  readonly allowLoopback: boolean;
}

/** Registered clients and those by document. */
export function withDocuments(
  registered: Clients,
  parts: DocumentParts,
): { clients: Clients; clientKeys: ClientKeys } {
  const limits: RemoteLimits = {
    byAddress: limitKeys(BY_ADDRESS, parts.clock),
    byHost: limitKeys(BY_HOST, parts.clock),
  };
  const documents = remoteJson({
    ...parts,
    limits,
    read: async (body, url) => (await reader()).readClientDocument(body, url),
  });
  const keys = remoteJson({
    ...parts,
    limits,
    read: async (body, url) => (await reader()).readClientKeys(body, url),
  });
  const isDocument = (id: string) => isDocumentUrl(id, parts);
  const sound = (id: string) => {
    const problem = documentUrlProblem(id, parts);
    if (problem === null) return id;
    const host = URL.canParse(id) ? new URL(id).host : id.slice(0, 100);
    throw new ClientDocumentError("bad", host, `client_id: ${problem}`);
  };
  return {
    clients: {
      find: async (id, requesterAddress = MACHINE) =>
        isDocument(id) ? documents.find(sound(id), requesterAddress) : registered.find(id),
      findAgain: async (id) =>
        isDocument(id) ? documents.findNewer(sound(id), MACHINE) : registered.findAgain(id),
    },
    async clientKeys({ client_id, jwks, jwks_uri }, { requesterAddress, isAgain }) {
      if (jwks_uri !== undefined) {
        return isAgain
          ? keys.findNewer(jwks_uri, requesterAddress)
          : keys.find(jwks_uri, requesterAddress);
      }
      const newer = isAgain ? (await documents.findNewer(client_id, requesterAddress)).jwks : jwks;
      return newer ?? { keys: [] };
    },
  };
}

/** Of requests that a token or an open sign-in has let in before: nobody is counted for them. */
const MACHINE = "::1";

/** Loaded with the first document: most services start, and some live, without one. */
const reader = () => import("./client-document.ts");

function isDocumentUrl(id: string, { allowLoopback }: { allowLoopback: boolean }): boolean {
  return id.startsWith("https:") || (allowLoopback && id.startsWith("http://localhost:"));
}

/** What makes a URL no client_id by document, or null. Only the one spelling of a URL is one. */
function documentUrlProblem(id: string, { issuer }: Pick<DocumentParts, "issuer">): string | null {
  if (id.length > LONGEST_URL) return `is longer than ${LONGEST_URL} characters`;
  if (!URL.canParse(id)) return "is not a URL";
  if (id.includes("#")) return "has a fragment";
  const { href, origin, port, username, password } = new URL(id);
  if (username !== "" || password !== "" || /^[a-z]+:\/\/[^/?]*@/.test(id)) {
    return "contains a user name or password";
  }
  if (id === origin) return "has no path";
  const own = new URL(issuer);
  if (origin === own.origin) return "must not be a URL of this service";
  // As with records: strangers must not have us try the ports of others.
  if (port !== "" && own.port === "") return "must not contain a port";
  // Dot segments, capitals in the host, the default port, letters that would be escaped.
  return href === id ? null : "is not a normalized URL";
}
