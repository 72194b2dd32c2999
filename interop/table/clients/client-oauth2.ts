// client-oauth2.

import ClientOAuth2 from "client-oauth2";
import { randomState } from "openid-client";
import { type Driver, notOffered } from "../driver.ts";

export const clientOauth2: Driver = {
  name: "client-oauth2",
  source: import.meta.url,
  lacks: notOffered("discovery", "PKCE", "ID token", "userinfo", "revocation", "logout"),
  async signIn({ endpoints, id, secret, redirectUri, visit }) {
    const state = randomState();
    // configuration
    const client = new ClientOAuth2({
      authorizationUri: endpoints.authorization,
      accessTokenUri: endpoints.token,
      clientId: id,
      clientSecret: secret,
      redirectUri,
      scopes: ["openid"],
      state,
    });
    // end of configuration
    const back = await visit(client.code.getUri());
    const token = await client.code.getToken(back.url);
    return {
      accessToken: token.accessToken,
      refresh: async () => (await token.refresh()).accessToken,
    };
  },
};
