// @badgateway/oauth2-client.

import { generateCodeVerifier, OAuth2Client } from "@badgateway/oauth2-client";
import { randomState } from "openid-client";
import { type Driver, notOffered } from "../driver.ts";

export const badgatewayOauth2Client: Driver = {
  name: "@badgateway/oauth2-client",
  source: import.meta.url,
  lacks: notOffered("ID token", "userinfo", "logout"),
  async signIn({ issuer, id, secret, redirectUri, visit }) {
    const state = randomState();
    const codeVerifier = await generateCodeVerifier();
    // configuration
    const client = new OAuth2Client({ server: issuer, clientId: id, clientSecret: secret });
    const asked = { redirectUri, state, codeVerifier, scope: ["openid"] };
    const url = await client.authorizationCode.getAuthorizeUri(asked);
    // end of configuration
    const back = await visit(url);
    let token = await client.authorizationCode.getTokenFromCodeRedirect(back.url, asked);
    return {
      accessToken: token.accessToken,
      async refresh() {
        token = await client.refreshToken(token);
        return token.accessToken;
      },
      revoke: () => client.revoke(token),
    };
  },
};
