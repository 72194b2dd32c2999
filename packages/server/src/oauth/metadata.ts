// The authorization server's metadata (RFC 8414).

import { JSON_HEADERS } from "../http/headers.ts";
import { LANGUAGES } from "../pages/languages.ts";

/** GET /.well-known/oauth-authorization-server */
export function metadataEndpoint(issuer: string): () => Response {
  const body = JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    scopes_supported: ["openid"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    revocation_endpoint_auth_methods_supported: [
      "client_secret_basic",
      "client_secret_post",
      "none",
    ],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: [...LANGUAGES.values()].map(({ lang }) => lang),
  });
  const headers = { ...JSON_HEADERS, "cache-control": "public, max-age=300" };
  return () => new Response(body, { headers });
}
