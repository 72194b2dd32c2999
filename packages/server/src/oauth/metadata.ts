// What the service publishes: metadata (RFC 8414, OIDC Discovery), public keys, security.txt.

import type { RegistrationMode } from "../clients/registration-mode.ts";
import { SERVICE_SCOPES } from "../clients/scopes.ts";
import type { HttpResponse } from "../http/message.ts";
import { JSON_HEADERS, json } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { isoTime } from "../lib/iso-time.ts";
import { LANGUAGES } from "../pages/languages.ts";
import { ACR_VALUES } from "../sessions/acr.ts";

const CONFIDENTIAL_AUTHENTICATION = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
];
const CLIENT_AUTHENTICATION = [...CONFIDENTIAL_AUTHENTICATION, "none"];
const CLAIMS = [
  "iss",
  "sub",
  "aud",
  "exp",
  "iat",
  "auth_time",
  "nonce",
  "at_hash",
  "acr",
  "amr",
  "domain",
  "domain_since",
  "acct",
  "sid",
  "name",
  "preferred_username",
  "website",
];
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];

/** Keys are published a day before and after their use, so a copy of an hour has all keys in use. */
const JWKS_CACHE_CONTROL = "public, max-age=3600";

/** Less than a year, which RFC 9116 §2.5.5 recommends, and counted anew in each answer. */
const CONTACT_EXPIRES_S = 180 * 86_400;

function metadataOf(issuer: string, registration: RegistrationMode) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(registration !== "off" && { registration_endpoint: `${issuer}/oauth/register` }),
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    scopes_supported: SERVICE_SCOPES,
    subject_types_supported: ["public"],
    acr_values_supported: ACR_VALUES,
    id_token_signing_alg_values_supported: ALGORITHMS,
    claims_supported: CLAIMS,
    claims_parameter_supported: true,
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    // The default is true (OIDC Discovery §3).
    request_uri_parameter_supported: false,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
    introspection_endpoint_auth_methods_supported: CONFIDENTIAL_AUTHENTICATION,
    introspection_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    domain_signin_version: 1,
    ui_locales_supported: [...LANGUAGES.values()].map(({ lang }) => lang),
  };
}

interface Deps {
  readonly issuer: string;
  readonly registration: RegistrationMode;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** A URI; null if there is no security.txt. */
  readonly securityContact: string | null;
}

export function createMetadataEndpoints(deps: Deps) {
  const { issuer, registration, keyring, clock, securityContact } = deps;
  const body = JSON.stringify(metadataOf(issuer, registration));
  const headers = { ...JSON_HEADERS, "cache-control": "public, max-age=300" };
  return { metadataEndpoint, jwksEndpoint, securityTxt };

  /** GET /.well-known/openid-configuration (OIDC Discovery §4) and /.well-known/oauth-authorization-server */
  function metadataEndpoint(): HttpResponse {
    return { status: 200, headers, body };
  }

  /** GET /.well-known/jwks.json */
  function jwksEndpoint(): HttpResponse {
    const keys = keyring.publicKeys(clock.seconds());
    return json(200, { keys }, { "cache-control": JWKS_CACHE_CONTROL });
  }

  /** GET /.well-known/security.txt (RFC 9116) */
  function securityTxt(): HttpResponse {
    if (securityContact === null) {
      const description = "this service names no security contact";
      return json(404, { error: "not_found", error_description: description });
    }
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${isoTime(clock.seconds() + CONTACT_EXPIRES_S)}`,
      `Canonical: ${issuer}/.well-known/security.txt`,
    ];
    const type = { "content-type": "text/plain; charset=utf-8" };
    return { status: 200, headers: { ...headers, ...type }, body: `${lines.join("\n")}\n` };
  }
}
