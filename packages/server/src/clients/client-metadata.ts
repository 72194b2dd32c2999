// The metadata of clients (RFC 7591 §2): the members that count, and which of their URIs can be used.

import { z } from "zod";
import {
  CLIENT_DEFAULTS,
  clientRegistration,
  displayName,
  type UriList,
} from "./client-registration.ts";
import { isClaimableByAnyone, redirectUriProblem, registrationProblem } from "./redirect-target.ts";
import { chooseScopes, spaceSeparated } from "./scopes.ts";

const MAX_URIS = 50;

const listWith = (required: string) =>
  z
    .array(z.string())
    .max(20)
    .refine((list) => list.includes(required), `must include ${required}`)
    .optional();

const { shape: registered } = clientRegistration;

/** Other members are dropped (RFC 7591 §2). */
export const clientMetadata = {
  client_name: displayName.optional(),
  application_type: z.enum(["web", "native"]).optional(),
  redirect_uris: z.array(z.string()).min(1, "must contain at least one entry").max(MAX_URIS),
  post_logout_redirect_uris: z.array(z.string()).max(MAX_URIS).default([]),
  backchannel_logout_uri: registered.backchannel_logout_uri,
  owner_proof: registered.owner_proof,
  grant_types: listWith("authorization_code"),
  response_types: listWith("code"),
  scope: z.string().max(1000).default("openid"),
  id_token_signed_response_alg: registered.id_token_signed_response_alg,
};

/** Replaces zod's messages about missing members and wrong types. */
export function messageOf({ code, input, expected }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "is missing" : `must be of type ${expected}`;
}

/** The first mistake, after the name of its member; `whole` names the object itself. */
export function mistakeOf({ issues: [issue] }: z.ZodError, whole: string): string {
  const where = issue === undefined || issue.path.length === 0 ? whole : issue.path.join(".");
  return `${where}: ${issue?.message}`;
}

/**
 * The type of a client that does not state it. Clients of devices leave it out, but the default "web" (OpenID Connect
 * Dynamic Client Registration §2) does not allow their redirect URIs.
 */
export function applicationTypeOf(redirectUris: readonly string[]): "web" | "native" {
  return redirectUris.some(isClaimableByAnyone) ? "native" : "web";
}

/** The URIs that can be used, and what is wrong with the others. `problemOf` is a further rule for valid URIs. */
export function checkUris(
  lists: Readonly<Record<UriList, string[]>>,
  type: "web" | "native",
  problemOf: (uri: string) => string | null = () => null,
) {
  const refused = new Map<string, string>();
  const usable = (name: UriList, kind: "response" | "logout") =>
    lists[name].filter((uri, index) => {
      const problem =
        redirectUriProblem(uri, type, "uncommon") ??
        problemOf(uri) ??
        registrationProblem(uri, kind);
      if (problem !== null) refused.set(uri, `${name}.${index}: ${problem}`);
      return problem === null;
    });
  return {
    redirect_uris: usable("redirect_uris", "response"),
    post_logout_redirect_uris: usable("post_logout_redirect_uris", "logout"),
    refused,
  };
}

/** What every client that nobody vetted has. Its user decides at each sign-in what it is granted. */
export function selfRegistered(scope: string) {
  const { granted } = chooseScopes(spaceSeparated(scope), CLIENT_DEFAULTS);
  return {
    scope: CLIENT_DEFAULTS.scope,
    default_scope: granted.join(" ") || "openid",
    consent: "always",
    require_pkce: true,
  } as const;
}
