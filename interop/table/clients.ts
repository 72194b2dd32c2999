// The client libraries of the table, in its order.

import { arcticClient } from "./clients/arctic.ts";
import { authCore } from "./clients/auth-core.ts";
import { authlib } from "./clients/authlib.ts";
import { badgatewayOauth2Client } from "./clients/badgateway-oauth2-client.ts";
import { clientOauth2 } from "./clients/client-oauth2.ts";
import { expressOpenidConnect } from "./clients/express-openid-connect.ts";
import { fastifyOauth2 } from "./clients/fastify-oauth2.ts";
import { goOidc } from "./clients/go-oidc.ts";
import { grantClient } from "./clients/grant.ts";
import { mcpSdk } from "./clients/mcp-sdk.ts";
import { modAuthOpenidc } from "./clients/mod-auth-openidc.ts";
import { oauth4webapi } from "./clients/oauth4webapi.ts";
import { oidcClientTs } from "./clients/oidc-client-ts.ts";
import { openidClient } from "./clients/openid-client.ts";
import { passportOauth2 } from "./clients/passport-oauth2.ts";
import { passportOpenidconnect } from "./clients/passport-openidconnect.ts";
import { remixAuthOauth2 } from "./clients/remix-auth-oauth2.ts";
import { requestsOauthlib } from "./clients/requests-oauthlib.ts";
import { simpleOauth2 } from "./clients/simple-oauth2.ts";
import type { Driver } from "./driver.ts";

export const DRIVERS: readonly Driver[] = [
  ...[openidClient, oauth4webapi, authCore, oidcClientTs, expressOpenidConnect],
  ...[passportOauth2, passportOpenidconnect, simpleOauth2, arcticClient, grantClient],
  ...[badgatewayOauth2Client, fastifyOauth2, remixAuthOauth2, clientOauth2, mcpSdk],
  // From Debian packages, which .ci/full installs.
  ...[authlib, requestsOauthlib, goOidc, modAuthOpenidc],
];
