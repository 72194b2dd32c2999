// What an external SP must be able to do: the one list of sign-in, of `check` and of `check-sp`.

import type { ProviderMetadata } from "./provider-metadata.ts";

/** What an operator may let one SP do without. */
export const ALLOWANCES = ["endpoints_elsewhere", "no_iss", "no_pkce"] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export interface Requirement {
  readonly name: string;
  readonly met: boolean;
  /** False where the operator let this SP do without. */
  readonly needed: boolean;
  /** English; why it is asked for, or what is there instead. */
  readonly reason: string;
}

/** Signatures that the SP alone can make. */
const ASYMMETRIC = [
  ...["RS256", "PS256", "ES256", "EdDSA", "Ed25519"],
  ...["RS384", "RS512", "PS384", "PS512", "ES384", "ES512"],
];

/** OpenID Connect Discovery §3: every provider can do RS256. */
export function asymmetricAlgs(metadata: ProviderMetadata): string[] {
  const offered = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  return ASYMMETRIC.filter((alg) => offered.includes(alg));
}

/** In the order in which they matter. A pure function. */
export function requirementsOf(
  issuer: string,
  metadata: ProviderMetadata,
  { allow, allowLoopback }: { allow: readonly Allowance[]; allowLoopback: boolean },
): Requirement[] {
  const { response_types_supported: types = ["code"] } = metadata;
  const methods = metadata.code_challenge_methods_supported ?? [];
  const isLoopback = (url: URL) =>
    allowLoopback && url.protocol === "http:" && url.hostname === "localhost";
  const endpoints = endpointsOf(metadata);
  const insecure = endpoints.filter(([, url]) => url.protocol !== "https:" && !isLoopback(url));
  const elsewhere = endpoints.filter(([, url]) => url.origin !== new URL(issuer).origin);
  const need = (
    name: string,
    met: boolean,
    reason: string,
    allowance?: Allowance,
  ): Requirement => ({
    ...{ name, met, reason },
    needed: allowance === undefined || !allow.includes(allowance),
  });
  return [
    need(
      "issuer",
      metadata.issuer === issuer,
      "issuer in its metadata must be the identical string",
    ),
    need("https endpoints", insecure.length === 0, listed("must begin with https:", insecure)),
    need(
      "endpoints of its own",
      elsewhere.length === 0,
      listed(`must be on ${new URL(issuer).origin}`, elsewhere),
      "endpoints_elsewhere",
    ),
    need(
      "authorization code",
      types.some((type) => type === "code"),
      'response_types_supported must hold "code"',
    ),
    need(
      "PKCE",
      methods.includes("S256"),
      'code_challenge_methods_supported must hold "S256"',
      "no_pkce",
    ),
    need(
      "signed ID tokens",
      asymmetricAlgs(metadata).length > 0,
      "id_token_signing_alg_values_supported must hold an asymmetric algorithm",
    ),
    need(
      "answers with iss",
      metadata.authorization_response_iss_parameter_supported === true,
      "authorization_response_iss_parameter_supported must be true (RFC 9207)",
      "no_iss",
    ),
  ];
}

/** What is missing, in one sentence; null if nothing is. */
export function unmetOf(requirements: readonly Requirement[]): string | null {
  const unmet = requirements.filter(({ met, needed }) => needed && !met);
  return unmet.length === 0 ? null : unmet.map(({ reason }) => reason).join("; ");
}

function endpointsOf(metadata: ProviderMetadata): [string, URL][] {
  const { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = metadata;
  const all = { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint };
  return Object.entries(all).flatMap(([name, url]) =>
    url === undefined ? [] : [[name, new URL(url)] satisfies [string, URL]],
  );
}

function listed(rule: string, broken: readonly [string, URL][]): string {
  return `${broken.length === 0 ? "every endpoint" : broken.map(([name]) => name).join(", ")} ${rule}`;
}
