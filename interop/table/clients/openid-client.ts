// openid-client, driven as its documentation does.

import * as client from "openid-client";
import type { Driver } from "../driver.ts";

export const openidClient: Driver = {
  name: "openid-client",
  source: import.meta.url,
  async signIn({ issuer, id, secret, redirectUri, goodbye, visit }) {
    const code_verifier = client.randomPKCECodeVerifier();
    const code_challenge = await client.calculatePKCECodeChallenge(code_verifier);
    const state = client.randomState();
    // configuration
    const config = await client.discovery(new URL(issuer), id, secret);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge,
      code_challenge_method: "S256",
      state,
    });
    // end of configuration
    const back = await visit(url.href);
    const tokens = await client.authorizationCodeGrant(config, new URL(back.url), {
      pkceCodeVerifier: code_verifier,
      expectedState: state,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const { access_token: accessToken, id_token = "", refresh_token = "" } = tokens;
    let latest = accessToken;
    return {
      accessToken,
      ...(claims && { claims }),
      userinfo: () => client.fetchUserInfo(config, accessToken, claims?.sub ?? ""),
      async refresh() {
        latest = (await client.refreshTokenGrant(config, refresh_token)).access_token;
        return latest;
      },
      revoke: () => client.tokenRevocation(config, latest),
      async logout() {
        const parameters = { id_token_hint: id_token, post_logout_redirect_uri: goodbye };
        const { href } = client.buildEndSessionUrl(config, parameters);
        return (await visit(href, goodbye)).url;
      },
    };
  },
};
