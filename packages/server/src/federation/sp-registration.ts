// Dynamic registration of this service as a client of an SP (RFC 7591).

import { dynamicClientRegistrationRequest } from "oauth4webapi";
import { z } from "zod";
import { clientMetadata } from "./own-documents.ts";
import { asymmetricAlgs, type ProviderMetadata } from "./provider.ts";
import { AUTH_METHODS, type AuthMethod, type SpClient, spKey } from "./sp-authorization.ts";
import { answerOf, SpFailure, shownError } from "./sp-problem.ts";
import { PRINTABLE, registeredSettings, usesSecret } from "./stored-client.ts";
import { jsonOf, requestOptions, type SpRequester } from "./token-endpoint.ts";

/** A registration that the SP has made. */
export interface SpRegistration {
  readonly client: SpClient;
  readonly secret: string | null;
  readonly settings: z.infer<typeof registeredSettings>;
}

/** Where a registration can be removed (RFC 7592). The token is a secret. */
export type RegistrationManagement = NonNullable<ReturnType<typeof managementOf>>;

interface RegistrationAnswer {
  readonly status: number;
  readonly body: Awaited<ReturnType<typeof jsonOf>>;
}

const registrationResponse = registeredSettings
  .extend({
    client_id: z.string().regex(PRINTABLE),
    client_secret: z.string().regex(PRINTABLE).optional(),
  })
  .refine(
    ({ token_endpoint_auth_method: method, client_secret }) =>
      !usesSecret(method) || client_secret !== undefined,
    { path: ["client_secret"] },
  );

const managementResponse = z.object({
  registration_client_uri: z.string(),
  registration_access_token: z.string().regex(PRINTABLE),
});

/** The preferred method that the SP supports: key, then secret, then none. */
export function registrationMethod(metadata: ProviderMetadata): AuthMethod | undefined {
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const canUse = (method: AuthMethod) => method !== "private_key_jwt" || takesEs256(metadata);
  return AUTH_METHODS.find((method) => offered.includes(method) && canUse(method));
}

export function takesEs256(metadata: ProviderMetadata): boolean {
  return metadata.token_endpoint_auth_signing_alg_values_supported?.includes("ES256") ?? true;
}

/** The client metadata to register. `issuer` is ours. Throws `SpFailure` if there is none that the SP supports. */
export function registrationRequest(metadata: ProviderMetadata, issuer: string) {
  const method = registrationMethod(metadata);
  const [alg] = asymmetricAlgs(metadata);
  const hasEndpoint = metadata.registration_endpoint !== undefined;
  if (method === undefined || alg === undefined || !hasEndpoint) {
    throw new SpFailure("no_client", "the SP offers no supported way to register a client");
  }
  const client = clientMetadata(issuer, spKey(metadata.issuer), method);
  return { ...client, id_token_signed_response_alg: alg };
}

/** Registers a new client and stores nothing. Throws `SpFailure`, with the answer of the SP if it sent one. */
export async function register(
  metadata: ProviderMetadata,
  deps: SpRequester,
  signal: AbortSignal,
): Promise<SpRegistration> {
  return readRegistration(metadata, deps.issuer, await requestRegistration(metadata, deps, signal));
}

export async function requestRegistration(
  metadata: ProviderMetadata,
  deps: SpRequester,
  signal: AbortSignal,
): Promise<RegistrationAnswer> {
  const { issuer: sp, registration_endpoint = "" } = metadata;
  const response = await dynamicClientRegistrationRequest(
    { issuer: sp, registration_endpoint },
    registrationRequest(metadata, deps.issuer),
    requestOptions(deps, signal),
  );
  return { status: response.status, body: await jsonOf(response) };
}

/** The client that the SP has registered. Throws `SpFailure`. A pure function. */
export function readRegistration(
  metadata: ProviderMetadata,
  issuer: string,
  { status, body }: RegistrationAnswer,
): SpRegistration {
  if (status !== 201) {
    const detail = `the SP refused the registration with status ${status}: ${shownError(body.error)}`;
    throw new SpFailure("no_client", detail, answerOf(status, body));
  }
  // RFC 7591 §3.2.1: the SP may register other values than requested.
  const requested = registrationRequest(metadata, issuer);
  const read = registrationResponse.safeParse({ ...requested, ...body });
  const algs = asymmetricAlgs(metadata);
  if (!read.success || !algs.includes(read.data.id_token_signed_response_alg)) {
    const paths = read.error?.issues.map(({ path: [name] }) => String(name));
    const names = [...new Set(paths ?? ["id_token_signed_response_alg"])].join(", ");
    const detail = `the registration response has missing or unsupported values: ${names}`;
    throw new SpFailure("no_client", detail, answerOf(status));
  }
  const { client_id: id, client_secret = null, ...settings } = read.data;
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = settings;
  const secret = usesSecret(method) ? client_secret : null;
  return { client: { id, source: "registered", method, alg }, secret, settings };
}

/** Null if the SP does not offer the removal of the registration. */
export function managementOf(body: object) {
  const { data } = managementResponse.safeParse(body);
  if (data === undefined) return null;
  return { uri: data.registration_client_uri, token: data.registration_access_token };
}
