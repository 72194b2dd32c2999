// Dynamic client registration at an SP (RFC 7591), and whether the registration still exists.

import {
  allowInsecureRequests,
  clockSkew,
  customFetch,
  dynamicClientRegistrationRequest,
  generateRandomCodeVerifier,
  genericTokenEndpointRequest,
} from "oauth4webapi";
import { z } from "zod";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import type { Seal } from "../keys/seal.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { SpClientRow } from "../store/sp-clients.ts";
import {
  AUTH_METHODS,
  type AuthMethod,
  callbackUri,
  type SpClient,
  spKey,
} from "./authorization-request.ts";
import {
  authenticationOf,
  oauthFetch,
  type RequestDeps,
  UnknownClientError,
} from "./client-authentication.ts";
import { clientMetadata } from "./client-document.ts";
import type { ProviderMetadata } from "./provider.ts";
import { ALLOWANCES, asymmetricAlgs } from "./provider.ts";
import { SpFailure, shownError } from "./sp-problem.ts";

/** What an operator sets for an SP, in addition to client_id and secret. */
export const operatorSettings = z.strictObject({
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  allow: z.array(z.enum(ALLOWANCES)).default([]),
});
export type OperatorSettings = z.infer<typeof operatorSettings>;

const registeredSettings = z.object({
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  id_token_signed_response_alg: z.string(),
  /** Epoch seconds; 0 for never (RFC 7591 §3.2.1). */
  client_secret_expires_at: z.number().default(0),
});

export function clientOf({ source, clientId: id, settings }: SpClientRow): SpClient {
  if (source === "operator") {
    return {
      id,
      source,
      method: operatorSettings.parse(JSON.parse(settings)).token_endpoint_auth_method,
    };
  }
  const read = registeredSettings.parse(JSON.parse(settings));
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = read;
  return { id, source, method, alg };
}

/** Whether the client secret has expired. */
export function isExpired({ settings }: SpClientRow, now: number): boolean {
  const { client_secret_expires_at: end } = registeredSettings.parse(JSON.parse(settings));
  return end !== 0 && end <= now;
}

const usesSecret = ({
  token_endpoint_auth_method: method,
}: {
  token_endpoint_auth_method: AuthMethod;
}) => method === "client_secret_basic" || method === "client_secret_post";

const registrationResponse = registeredSettings
  .extend({
    // RFC 6749 §A.1. A database could change other characters.
    client_id: z.string().regex(/^[\x20-\x7e]{1,2000}$/),
    // RFC 6749 §A.2. The length is limited because any SP can make us store a secret.
    client_secret: z
      .string()
      .regex(/^[\x20-\x7e]{1,2000}$/)
      .optional(),
  })
  .refine((response) => !usesSecret(response) || response.client_secret !== undefined);

const labelOf = ({ source, issuer }: Pick<SpClientRow, "source" | "issuer">) =>
  `sp-client/${source}/${issuer}`;

export function sealSecret(
  row: Pick<SpClientRow, "source" | "issuer">,
  secret: string | null,
  seal: Seal,
): string | null {
  return secret === null ? null : seal.close(labelOf(row), Buffer.from(secret));
}

/** Null if the client has no secret. Throws `SpFailure` if the operator's secret does not open it. */
export function openSecret(row: SpClientRow, seal: Seal): string | null {
  const { sealedSecret } = row;
  if (sealedSecret === null) return null;
  const label = labelOf(row);
  const plain = seal.open(label, sealedSecret) ?? seal.openPrevious(label, sealedSecret);
  if (plain !== null) return plain.toString();
  throw new SpFailure("no_client", "the stored client secret cannot be decrypted");
}

/** The preferred method that the SP supports: key, then secret, then none. */
export function registrationMethod(metadata: ProviderMetadata): AuthMethod | null {
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return (
    AUTH_METHODS.find(
      (method) =>
        offered.includes(method) && (method !== "private_key_jwt" || takesEs256(metadata)),
    ) ?? null
  );
}

export function takesEs256(metadata: ProviderMetadata): boolean {
  return metadata.token_endpoint_auth_signing_alg_values_supported?.includes("ES256") ?? true;
}

export interface RegistrationDeps extends RequestDeps {
  readonly seal: Seal;
}

/** Registers a new client. Does not store the row. Throws `SpFailure`. */
export async function register(
  metadata: ProviderMetadata,
  deps: RegistrationDeps,
  signal: AbortSignal,
): Promise<SpClientRow> {
  const { issuer, seal, clock } = deps;
  const { issuer: sp, registration_endpoint } = metadata;
  const method = registrationMethod(metadata);
  const [alg] = asymmetricAlgs(metadata);
  if (method === null || alg === undefined || registration_endpoint === undefined) {
    throw new SpFailure("no_client", "the SP offers no supported way to register a client");
  }
  const requested = {
    ...clientMetadata(issuer, spKey(sp), method),
    id_token_signed_response_alg: alg,
  };
  const options = {
    [customFetch]: oauthFetch(deps.fetch),
    [allowInsecureRequests]: deps.allowLoopback,
    signal,
  };
  const endpoint = { issuer: sp, registration_endpoint };
  const response = await dynamicClientRegistrationRequest(endpoint, requested, options);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status !== 201) {
    const { error } = z.object({ error: z.unknown() }).safeParse(body).data ?? {};
    throw new SpFailure("no_client", `the SP refused the registration: ${shownError(error)}`);
  }
  // RFC 7591 §3.2.1: the SP may register other values than requested.
  const read = registrationResponse.safeParse({ ...requested, ...Object(body) });
  if (!read.success || !asymmetricAlgs(metadata).includes(read.data.id_token_signed_response_alg)) {
    throw new SpFailure("no_client", "the registration response has unsupported values");
  }
  const { client_id, client_secret = null, ...settings } = read.data;
  const row = { issuer: sp, source: "registered" } as const;
  return {
    ...row,
    clientId: client_id,
    settings: JSON.stringify(settings),
    sealedSecret: sealSecret(row, usesSecret(settings) ? client_secret : null, seal),
    madeAt: clock.seconds(),
  };
}

/** Sends an invalid code to see whether the SP knows the client. "unclear": no usable response. */
export async function probeClient(
  { issuer: sp, token_endpoint }: ProviderMetadata,
  client: SpClient & { readonly secret: string | null },
  deps: RequestDeps,
  signal: AbortSignal,
): Promise<"known" | "unknown" | "unclear"> {
  const { issuer, clock, allowLoopback } = deps;
  try {
    const response = await genericTokenEndpointRequest(
      { issuer: sp, token_endpoint },
      { client_id: client.id, [clockSkew]: clock.seconds() - Math.floor(Date.now() / 1000) },
      await authenticationOf(client, client.secret, deps),
      "authorization_code",
      {
        code: generateRandomCodeVerifier(),
        redirect_uri: callbackUri(issuer, sp),
        code_verifier: generateRandomCodeVerifier(),
      },
      {
        [customFetch]: oauthFetch(deps.fetch),
        [allowInsecureRequests]: allowLoopback,
        signal,
      },
    );
    if (response.status >= 500 || response.status === 429) return "unclear";
    const body: unknown = await response.json().catch(() => undefined);
    const { error } = z.object({ error: z.unknown() }).safeParse(body).data ?? {};
    // The client is authenticated before the code is checked (RFC 6749 §5.2).
    return response.status === 401 || error === "invalid_client" ? "unknown" : "known";
  } catch (error) {
    if (error instanceof UnknownClientError) return "unknown";
    const isUnclear = error instanceof GuardedFetchError || error instanceof TooManyRequestsError;
    if (isUnclear) return "unclear";
    throw error;
  }
}
