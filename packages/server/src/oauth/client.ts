// Clients: what a registration holds, how one is made, found and shown.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/store.ts";
import { isClaimableByAnyone, redirectUriProblem } from "./redirect-target.ts";

/** RFC 6749 §3.3; the access token's mask has room for 31 scopes. */
const scopeList = z
  .string()
  .transform((text) => text.split(" ").filter((scope) => scope !== ""))
  .refine((scopes) => scopes.length > 0 && scopes.length <= 31, "needs 1 to 31 scopes")
  .refine((scopes) => new Set(scopes).size === scopes.length, "names a scope twice")
  .refine((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), {
    error: "holds a character that a scope may not hold",
  })
  .transform((scopes) => scopes.join(" "));

const DAY = 86400;

export const clientRegistration = z
  .strictObject({
    name: z.string().trim().min(1, "is empty").max(100, "is longer than 100 characters"),
    type: z.enum(["confidential", "public"]).default("confidential"),
    application_type: z.enum(["web", "native"]).default("web"),
    redirect_uris: z.array(z.string()).min(1, "needs at least one").max(50),
    scope: scopeList.default("openid"),
    consent: z.enum(["never", "first", "always"]).optional(),
    require_pkce: z.boolean().optional(),
    refresh_client_auth: z.enum(["required", "optional"]).default("required"),
    /** Seconds after its last rotation at which a refresh token dies. */
    refresh_idle_lifetime: z
      .int()
      .min(60)
      .default(30 * DAY),
    /** Seconds after the sign-in at which it dies in any case. */
    refresh_absolute_lifetime: z
      .int()
      .min(60)
      .default(365 * DAY),
    /** Seconds in which an identical retry of a refresh gets the identical answer; 0 for never. */
    refresh_retry_window: z.int().min(0).max(600).default(30),
  })
  .superRefine(
    ({ redirect_uris, application_type }, context) => {
      if (!Array.isArray(redirect_uris)) return;
      for (const [index, uri] of redirect_uris.entries()) {
        const problem = redirectUriProblem(String(uri), application_type);
        if (problem === null) continue;
        context.addIssue({ code: "custom", path: ["redirect_uris", index], message: problem });
      }
    },
    // Also beside other mistakes: all are told at once.
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .transform((client) => ({
    ...client,
    // Anyone can claim the id of an app on the person's own device: it asks each time.
    consent:
      client.consent ??
      (client.application_type === "native" && client.redirect_uris.some(isClaimableByAnyone)
        ? ("always" as const)
        : ("first" as const)),
    require_pkce: client.type === "public" ? true : (client.require_pkce ?? false),
  }));

export type ClientRegistrationInput = z.input<typeof clientRegistration>;

export type Client = Readonly<z.output<typeof clientRegistration>> & {
  readonly client_id: string;
  readonly secretHash: string | null;
};

/** A new client and, this once, its secret. Throws zod's error with every mistake in the input. */
export function makeClient(
  input: ClientRegistrationInput,
  parts: { random: Random; clock: Clock },
): { row: ClientRow; client: Client; secret: string | null } {
  const registration = clientRegistration.parse(input);
  const secret =
    registration.type === "confidential" ? `dss_${randomText(parts.random, 32)}` : null;
  const row: ClientRow = {
    id: `dsid_${randomText(parts.random, 16)}`,
    registration: JSON.stringify(registration),
    secretHash: secret === null ? null : sha256(secret),
    createdAt: parts.clock.seconds(),
  };
  return { row, client: readClient(row), secret };
}

export function readClient(row: ClientRow): Client {
  return {
    ...clientRegistration.parse(JSON.parse(row.registration)),
    client_id: row.id,
    secretHash: row.secretHash,
  };
}

/** A client as the operator sees it: never with its secret. */
export function clientView(client: Client): Omit<Client, "secretHash"> {
  const { secretHash: _, client_id, ...registration } = client;
  return { client_id, ...registration };
}

export interface Clients {
  find(id: string): Promise<Client | null>;
}

const CACHE_MILLISECONDS = 5000;
const CACHE_ENTRIES = 10_000;

/**
 * Clients by id, remembered for five seconds: a guessed token then costs the store nothing. Absence
 * is not remembered, so a client works as soon as it is added.
 */
export function cachedClients(store: ClientStore, clock: Clock): Clients {
  const cache = new Map<string, { client: Client; until: number }>();
  return {
    async find(id) {
      const now = clock.milliseconds();
      const cached = cache.get(id);
      if (cached !== undefined && cached.until > now) return cached.client;
      const row = await store.findClient(id);
      if (row === null) {
        cache.delete(id);
        return null;
      }
      const client = readClient(row);
      if (cache.size >= CACHE_ENTRIES) cache.clear();
      cache.set(id, { client, until: now + CACHE_MILLISECONDS });
      return client;
    },
  };
}
