// Validates client registrations and creates clients.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow } from "../store/clients.ts";
import {
  CLIENT_DEFAULTS,
  type Client,
  type GivenSettings,
  newSecret,
  readClient,
} from "./client.ts";
import { redirectUriProblem } from "./redirect-target.ts";

/** RFC 6749 §3.3. The scope mask of an access token has 31 bits. */
const scopeList = z
  .string()
  .transform((text) => text.split(" ").filter((scope) => scope !== ""))
  .refine((scopes) => scopes.length > 0 && scopes.length <= 31, "must contain 1 to 31 scopes")
  .refine((scopes) => new Set(scopes).size === scopes.length, "contains a duplicate scope")
  .refine((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), {
    error: "contains a character that is not allowed in a scope",
  })
  .transform((scopes) => scopes.join(" "));

export const clientRegistration = z
  .strictObject({
    name: z.string().trim().min(1, "is empty").max(100, "is longer than 100 characters"),
    type: z.enum(["confidential", "public"]).default("confidential"),
    application_type: z.enum(["web", "native"]).default(CLIENT_DEFAULTS.application_type),
    redirect_uris: z.array(z.string()).min(1, "must contain at least one entry").max(50),
    scope: scopeList.default(CLIENT_DEFAULTS.scope),
    consent: z.enum(["never", "first", "always"]).optional(),
    require_pkce: z.boolean().optional(),
    refresh_client_auth: z
      .enum(["required", "optional"])
      .default(CLIENT_DEFAULTS.refresh_client_auth),
    subject_type: z.enum(["account", "domain"]).default(CLIENT_DEFAULTS.subject_type),
    validation_data: z.boolean().default(CLIENT_DEFAULTS.validation_data),
    id_token_signed_response_alg: z
      .enum(["RS256", "ES256", "EdDSA"])
      .default(CLIENT_DEFAULTS.id_token_signed_response_alg),
    refresh_idle_lifetime: z.int().min(60).default(CLIENT_DEFAULTS.refresh_idle_lifetime),
    refresh_absolute_lifetime: z.int().min(60).default(CLIENT_DEFAULTS.refresh_absolute_lifetime),
    refresh_retry_window: z.int().min(0).max(600).default(CLIENT_DEFAULTS.refresh_retry_window),
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
    // Runs even if other members are invalid, so that all mistakes are reported at once.
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

export type ClientRegistrationInput = z.input<typeof clientRegistration>;

/** Creates a client. The secret is null for a public client. Throws a `ZodError`. */
export function makeClient(
  input: ClientRegistrationInput,
  { random, clock }: { random: Random; clock: Clock },
): { row: ClientRow; client: Client; secret: string | null } {
  const registration: GivenSettings = clientRegistration.parse(input);
  const secret = registration.type === "confidential" ? newSecret(random) : null;
  const row: ClientRow = {
    id: `dsid_${randomText(random, 16)}`,
    registration: JSON.stringify(registration),
    secretHash: secret === null ? null : sha256(secret),
    formerSecretHash: null,
    formerSecretExpiresAt: null,
    createdAt: clock.seconds(),
  };
  return { row, client: readClient(row), secret };
}
