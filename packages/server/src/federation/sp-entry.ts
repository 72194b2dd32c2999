// What an operator enters for an SP that is registered by hand, read with every mistake at once.

import type { IssuerOptions } from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import { AUTH_METHODS } from "./external-state.ts";
import type { OperatorSettings } from "./registration.ts";
import { ALLOWANCES } from "./requirements.ts";
import { issuerMistake } from "./sp-issuer.ts";

/** As typed. Without a method it is `client_secret_basic` with a secret, and `none` without. */
export interface SpEntryInput {
  readonly issuer: string;
  readonly client_id?: string | undefined;
  readonly client_secret: string | null;
  readonly token_endpoint_auth_method?: string | undefined;
  readonly allow: readonly string[];
}

export interface SpEntry {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string | null;
  readonly settings: OperatorSettings;
}

/** Throws `OperatorError`. */
export function readSpEntry(
  input: SpEntryInput,
  { ownIssuer, ...options }: IssuerOptions & { readonly ownIssuer: string | null },
): SpEntry {
  const { issuer, client_id: clientId = "", client_secret: secret } = input;
  const named = input.token_endpoint_auth_method ?? (secret === null ? "none" : AUTH_METHODS[1]);
  const method = AUTH_METHODS.find((one) => one === named);
  const allow = ALLOWANCES.filter((one) => input.allow.includes(one));
  const unknown = input.allow.filter((one) => !ALLOWANCES.some((known) => known === one));
  const wantsSecret = method?.startsWith("client_secret") ?? false;
  const mistakes = [
    issuerMistake(issuer, options),
    issuer === ownIssuer && `${issuer} is this service itself`,
    !isVisible(clientId) && "client_id (--client-id) must be what the SP calls us, in ASCII",
    secret !== null &&
      !isVisible(secret) &&
      "the client secret is empty, or holds what is not printable ASCII",
    method === undefined &&
      `token_endpoint_auth_method (--token-endpoint-auth-method) must be one of ${AUTH_METHODS.join(", ")}`,
    wantsSecret && secret === null && `${method} needs a secret: give --client-secret-file`,
    method !== undefined &&
      !wantsSecret &&
      secret !== null &&
      `${method} uses no secret: leave --client-secret-file out, or name another method`,
    unknown.length > 0 && `allow (--allow) knows ${ALLOWANCES.join(", ")}, not ${unknown.join()}`,
  ].filter((mistake) => typeof mistake === "string");
  if (mistakes.length > 0 || method === undefined) throw new OperatorError(mistakes.join("\n"));
  return { issuer, clientId, secret, settings: { token_endpoint_auth_method: method, allow } };
}

/** RFC 6749 appendix A.1, A.2. */
function isVisible(text: string): boolean {
  return /^[\x20-\x7e]{1,2000}$/.test(text) && text.trim() === text;
}
