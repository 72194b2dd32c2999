// The settings of a client and of a resource: their defaults, and the checks of what an operator registers.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newSecret, type Random } from "../lib/random.ts";
import type { ClientRow } from "../store/clients.ts";
import { newClientRow } from "./client-row.ts";
import {
  logoutUriProblem,
  originOf,
  redirectUriProblem,
  registrationProblem,
} from "./redirect-target.ts";
import { MAX_RESOURCE_SCOPES, type ResourceRegistration, resourceUriProblem } from "./resource.ts";
import { SERVICE_SCOPES, spaceSeparated } from "./scopes.ts";

const DAY_S = 86_400;

/** Lifetimes are in seconds. */
export const CLIENT_DEFAULTS = {
  application_type: "web",
  scope: SERVICE_SCOPES.join(" "),
  consent: "first",
  require_pkce: false,
  refresh_client_auth: "required",
  subject_type: "account",
  validation_data: true,
  owner_proof: "when_available",
  /** The default of OpenID Connect Dynamic Client Registration §2. */
  id_token_signed_response_alg: "RS256",
  refresh_idle_lifetime: 30 * DAY_S,
  refresh_absolute_lifetime: 365 * DAY_S,
  refresh_retry_window: 30,
} as const;

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

const URI_LISTS = ["redirect_uris", "post_logout_redirect_uris"] as const;
export type UriList = (typeof URI_LISTS)[number];

export const clientRegistration = z
  .strictObject({
    name: z.string().trim().min(1, "is empty").max(100, "is longer than 100 characters"),
    type: z.enum(["confidential", "public"]).default("confidential"),
    application_type: z.enum(["web", "native"]).default(CLIENT_DEFAULTS.application_type),
    redirect_uris: z.array(z.string()).min(1, "must contain at least one entry").max(50),
    /** Where an app may send people after a sign-out. Compared like `redirect_uris`. */
    post_logout_redirect_uris: z.array(z.string()).max(50).default([]),
    /** Receives a notification when a session ends; empty if the app does not want one. */
    backchannel_logout_uri: z.string().default(""),
    /** A space-separated list. */
    scope: scopeList.default(CLIENT_DEFAULTS.scope),
    /** What a request without `scope` asks for; empty if it is refused. A space-separated list, within `scope`. */
    default_scope: z.string().default(""),
    /** The default is "always" for a native app whose redirect_uri other apps can claim. */
    consent: z.enum(["never", "first", "always"]).optional(),
    /** Always true for a public client. */
    require_pkce: z.boolean().optional(),
    refresh_client_auth: z
      .enum(["required", "optional"])
      .default(CLIENT_DEFAULTS.refresh_client_auth),
    /** What `sub` identifies. A domain may get a new owner, an account does not. */
    subject_type: z.enum(["account", "domain"]).default(CLIENT_DEFAULTS.subject_type),
    /** Whether its token responses contain `validation_data`. */
    validation_data: z.boolean().default(CLIENT_DEFAULTS.validation_data),
    /** Whether `validation_data` contains the owner's approval of the request, by a passkey in the record. */
    owner_proof: z
      .enum(["none", "when_available", "required"])
      .default(CLIENT_DEFAULTS.owner_proof),
    id_token_signed_response_alg: z
      .enum(["RS256", "ES256", "EdDSA"])
      .default(CLIENT_DEFAULTS.id_token_signed_response_alg),
    /** Counts from the last rotation of the refresh token. */
    refresh_idle_lifetime: z.int().min(60).default(CLIENT_DEFAULTS.refresh_idle_lifetime),
    /** Counts from the sign-in. */
    refresh_absolute_lifetime: z.int().min(60).default(CLIENT_DEFAULTS.refresh_absolute_lifetime),
    /** How long a retry of a refresh gets the same refresh token; 0 disables retries. */
    refresh_retry_window: z.int().min(0).max(600).default(CLIENT_DEFAULTS.refresh_retry_window),
  })
  .superRefine(
    ({ application_type, ...lists }, context) => {
      for (const name of URI_LISTS) {
        const uris = lists[name];
        for (const [index, uri] of Array.isArray(uris) ? uris.entries() : []) {
          const message = redirectUriProblem(String(uri), application_type);
          if (message !== null) context.addIssue({ code: "custom", path: [name, index], message });
        }
      }
      const { backchannel_logout_uri: uri, redirect_uris, owner_proof, validation_data } = lists;
      const allowed = spaceSeparated(String(lists.scope));
      for (const name of spaceSeparated(String(lists.default_scope))) {
        if (allowed.includes(name)) continue;
        const message = `contains ${name}, which is not in scope`;
        context.addIssue({ code: "custom", path: ["default_scope"], message });
      }
      if (owner_proof === "required" && validation_data === false) {
        const message = 'cannot be "required" if validation_data is false';
        context.addIssue({ code: "custom", path: ["owner_proof"], message });
      }
      const origins = Array.isArray(redirect_uris) ? redirect_uris.map(originOf) : [];
      const message = typeof uri === "string" ? logoutUriProblem(uri, origins) : null;
      if (message !== null) {
        context.addIssue({ code: "custom", path: ["backchannel_logout_uri"], message });
      }
    },
    // Runs even if other members are invalid, so that all mistakes are reported at once.
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

export type ClientRegistrationInput = z.input<typeof clientRegistration>;

/** The stored form. A setting that is undefined follows its default. */
export type ClientRegistration = z.output<typeof clientRegistration>;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Names of settings that do not exist. */
  readonly keys?: readonly string[];
}

/** The URIs and scopes of `former` stay valid. Throws an `OperatorError` that lists all mistakes. */
export function readRegistration(
  input: ClientRegistrationInput,
  former: ClientRegistrationInput | null = null,
): ClientRegistration {
  const { success, data, error } = clientRegistration.safeParse(input);
  const issues: Issue[] = [
    ...(error?.issues ?? []),
    ...ambiguousUris(input, former),
    ...unknownScopes(input, former),
  ];
  if (success && issues.length === 0) return data;
  const mistakes = issues.flatMap(({ path: [field, index], message, keys }) => {
    if (field === undefined) {
      return keys?.map((key) => `${key} is not a setting of a client`) ?? [message];
    }
    const value = input[field as keyof ClientRegistrationInput];
    const entry = Array.isArray(value) && typeof index === "number" ? ` ${value[index]}` : "";
    return `${optionOf(field)}${entry} ${message}`;
  });
  throw new OperatorError(mistakes.join("\n"));
}

/** A setting with its option of `clients` or `resources`. A list has one option for each entry. */
function optionOf(field: PropertyKey | undefined): string {
  const name = String(field);
  return `${name} (--${name.replace(/s$/, "").replaceAll("_", "-")})`;
}

function ambiguousUris(
  input: ClientRegistrationInput,
  former: ClientRegistrationInput | null,
): Issue[] {
  return URI_LISTS.flatMap((name) => {
    const kind = name === "redirect_uris" ? "response" : "logout";
    return [input[name] ?? []].flat().flatMap((uri, index) => {
      // An entry that is not a URI was reported already.
      if (typeof uri !== "string" || !URL.canParse(uri) || former?.[name]?.includes(uri)) return [];
      const message = registrationProblem(uri, kind);
      return message === null ? [] : [{ path: [name, index], message }];
    });
  });
}

function unknownScopes(
  { scope }: ClientRegistrationInput,
  former: ClientRegistrationInput | null,
): Issue[] {
  if (typeof scope !== "string") return [];
  const known = [...SERVICE_SCOPES, ...spaceSeparated(former?.scope)];
  const unknown = spaceSeparated(scope).filter((name) => !known.includes(name));
  const message = `contains ${unknown.join(" ")}, but the scopes are ${SERVICE_SCOPES.join(", ")}`;
  return unknown.length === 0 ? [] : [{ path: ["scope"], message }];
}

/** Creates a client. The secret is null for a public client. Throws an `OperatorError`. */
export function makeClient(
  input: ClientRegistrationInput,
  deps: { random: Random; clock: Clock },
): { row: ClientRow; secret: string | null } {
  const registration = readRegistration(input);
  const secret = registration.type === "confidential" ? newSecret(deps.random) : null;
  return { row: newClientRow(registration, { secret }, deps), secret };
}

/** The name of a resource, or of a client that nobody vetted. */
export const displayName = z
  .string()
  .trim()
  .max(100, "is longer than 100 characters")
  .regex(/^\P{C}*$/u, "contains a control character");

export const RESOURCE_DEFAULTS = { signing_alg: "ES256" } as const;

const resourceScope = z.strictObject({
  name: z
    .string()
    .max(64, "is longer than 64 characters")
    .regex(/^[\x21\x23-\x3c\x3e-\x5b\x5d-\x7e]+$/, "is not the name of a scope"),
  description: z
    .string()
    .trim()
    .min(1, "has no description: write NAME=WHAT IT ALLOWS")
    .max(200, "has a description of more than 200 characters")
    .regex(/^\P{C}*$/u, "has a control character in its description"),
});

const resourceRegistration = z.strictObject({
  name: displayName.min(1, "is empty"),
  scopes: z
    .array(resourceScope)
    .max(MAX_RESOURCE_SCOPES, `has more than ${MAX_RESOURCE_SCOPES} entries`)
    .default([]),
  signing_alg: z.enum(["ES256", "RS256", "EdDSA"]).default(RESOURCE_DEFAULTS.signing_alg),
});

export type ResourceInput = z.input<typeof resourceRegistration>;

/** Returns the validated settings. Throws an `OperatorError` that lists all mistakes. */
export function readResourceRegistration(uri: string, input: ResourceInput): ResourceRegistration {
  const { success, data, error } = resourceRegistration.safeParse(input);
  const names = (input.scopes ?? []).map(({ name }) => name);
  const uriProblem = resourceUriProblem(uri);
  const mistakes = [
    ...(uriProblem === null ? [] : [`the resource ${uri} ${uriProblem}`]),
    ...(error?.issues ?? []).map(({ path: [field, index], message }) => {
      const entry = typeof index === "number" ? ` ${names[index] || "(no name)"}` : "";
      return `${optionOf(field)}${entry} ${message}`;
    }),
    ...names
      .filter((name) => SERVICE_SCOPES.includes(name))
      .map((name) => `scopes (--scope) ${name} is a scope of this service`),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `scopes (--scope) ${name} is given twice`),
  ];
  if (success && mistakes.length === 0) return data;
  throw new OperatorError(mistakes.join("\n"));
}
