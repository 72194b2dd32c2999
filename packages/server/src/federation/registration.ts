// Dynamic client registration at an SP (RFC 7591), and whether the registration still exists.

import {
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
import { requestAs, requestOptions, UnknownClientError } from "./client-authentication.ts";
import { clientMetadata } from "./client-document.ts";
import type { Deps, RequestDeps } from "./deps.ts";
import { ALLOWANCES, type Allowance, asymmetricAlgs, type ProviderMetadata } from "./provider.ts";
import { isUnavailable, SpFailure, shownError } from "./sp-problem.ts";

/** What an operator sets for an SP, in addition to client_id and secret. */
const operatorSettings = z.strictObject({
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
  const json: unknown = JSON.parse(settings);
  if (source === "operator") {
    return { id, source, method: operatorSettings.parse(json).token_endpoint_auth_method };
  }
  const read = registeredSettings.parse(json);
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = read;
  return { id, source, method, alg };
}

/** The requirements that the operator waived for this SP. */
export function allowancesOf({ source, settings }: SpClientRow): readonly Allowance[] {
  return source === "operator" ? operatorSettings.parse(JSON.parse(settings)).allow : [];
}

/** Whether the client secret has expired. */
export function isExpired({ settings }: SpClientRow, now: number): boolean {
  const { client_secret_expires_at: end } = registeredSettings.parse(JSON.parse(settings));
  return end !== 0 && end <= now;
}

export function usesSecret(method: AuthMethod): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

/**
 * Of a client_id or secret (RFC 6749 §A.1, §A.2). A database could change other characters. The length is
 * limited because any SP can make us store them.
 */
export const PRINTABLE = /^[\x20-\x7e]{1,2000}$/;

const registrationResponse = registeredSettings
  .extend({
    client_id: z.string().regex(PRINTABLE),
    client_secret: z.string().regex(PRINTABLE).optional(),
  })
  .refine(
    ({ token_endpoint_auth_method: method, client_secret }) =>
      !usesSecret(method) || client_secret !== undefined,
  );

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
  if (row.sealedSecret === null) return null;
  const opened = seal.open(labelOf(row), row.sealedSecret);
  if (opened !== null) return opened.plain.toString();
  throw new SpFailure("no_client", "the stored client secret cannot be decrypted");
}

/** Re-encrypts the client secrets that only the previous secret opens. Skips those that neither opens. */
export async function resealSpSecrets({ store, seal }: Pick<Deps, "store" | "seal">) {
  for (const row of await store.listSpClients()) {
    const label = labelOf(row);
    const opened = row.sealedSecret === null ? null : seal.open(label, row.sealedSecret);
    if (!opened?.isPrevious) continue;
    const changed = { ...row, sealedSecret: seal.close(label, opened.plain) };
    await store.replaceSpClient(changed, row.clientId);
  }
}

/** The preferred method that the SP supports: key, then secret, then none. */
export function registrationMethod(metadata: ProviderMetadata): AuthMethod | undefined {
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const canUse = (method: AuthMethod) => method !== "private_key_jwt" || takesEs256(metadata);
  return AUTH_METHODS.find((method) => offered.includes(method) && canUse(method));
}

export function takesEs256(metadata: ProviderMetadata): boolean {
  return metadata.token_endpoint_auth_signing_alg_values_supported?.includes("ES256") ?? true;
}

/** Registers a new client. Does not store the row. Throws `SpFailure`. */
export async function register(
  metadata: ProviderMetadata,
  deps: RequestDeps & Pick<Deps, "seal">,
  signal: AbortSignal,
): Promise<SpClientRow> {
  const { issuer: sp, registration_endpoint } = metadata;
  const method = registrationMethod(metadata);
  const [alg] = asymmetricAlgs(metadata);
  if (method === undefined || alg === undefined || registration_endpoint === undefined) {
    throw new SpFailure("no_client", "the SP offers no supported way to register a client");
  }
  const requested = {
    ...clientMetadata(deps.issuer, spKey(sp), method),
    id_token_signed_response_alg: alg,
  };
  const response = await dynamicClientRegistrationRequest(
    { issuer: sp, registration_endpoint },
    requested,
    requestOptions(deps, signal),
  );
  const body = await bodyOf(response);
  if (response.status !== 201) {
    throw new SpFailure("no_client", `the SP refused the registration: ${shownError(body.error)}`);
  }
  // RFC 7591 §3.2.1: the SP may register other values than requested.
  const read = registrationResponse.safeParse({ ...requested, ...body });
  if (!read.success || !asymmetricAlgs(metadata).includes(read.data.id_token_signed_response_alg)) {
    throw new SpFailure("no_client", "the registration response has unsupported values");
  }
  const { client_id, client_secret = null, ...settings } = read.data;
  const row = { issuer: sp, source: "registered" } as const;
  const secret = usesSecret(settings.token_endpoint_auth_method) ? client_secret : null;
  return {
    ...row,
    clientId: client_id,
    settings: JSON.stringify(settings),
    sealedSecret: sealSecret(row, secret, deps.seal),
    madeAt: deps.clock.seconds(),
  };
}

/** Without members if the body is not a JSON object. */
async function bodyOf(response: Response): Promise<{ readonly error?: unknown }> {
  return Object(await response.json().catch(() => undefined));
}

/** Sends an invalid code to see whether the SP knows the client. "unclear": no usable response. */
export async function probeClient(
  { issuer: sp, token_endpoint }: ProviderMetadata,
  row: SpClientRow,
  deps: RequestDeps & Pick<Deps, "seal">,
  signal: AbortSignal,
): Promise<"known" | "unknown" | "unclear"> {
  try {
    const secret = openSecret(row, deps.seal);
    const { client, authentication, options } = await requestAs(
      clientOf(row),
      secret,
      deps,
      signal,
    );
    const response = await genericTokenEndpointRequest(
      { issuer: sp, token_endpoint },
      client,
      authentication,
      "authorization_code",
      {
        code: generateRandomCodeVerifier(),
        redirect_uri: callbackUri(deps.issuer, sp),
        code_verifier: generateRandomCodeVerifier(),
      },
      options,
    );
    if (isUnavailable(response)) return "unclear";
    const { error } = await bodyOf(response);
    // The client is authenticated before the code is checked (RFC 6749 §5.2).
    return response.status === 401 || error === "invalid_client" ? "unknown" : "known";
  } catch (error) {
    if (error instanceof UnknownClientError) return "unknown";
    if (error instanceof GuardedFetchError || error instanceof TooManyRequestsError) {
      return "unclear";
    }
    throw error;
  }
}
