// oauth4webapi, whose functions each make one request or check one response.

import * as oauth from "oauth4webapi";
import { type Driver, notOffered } from "../driver.ts";

export const oauth4webapi: Driver = {
  name: "oauth4webapi",
  source: import.meta.url,
  lacks: notOffered("logout"),
  async signIn({ issuer, id, secret, redirectUri, visit }) {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    // configuration
    const client: oauth.Client = { client_id: id };
    const clientAuth = oauth.ClientSecretPost(secret);
    const found = await oauth.discoveryRequest(new URL(issuer));
    const server = await oauth.processDiscoveryResponse(new URL(issuer), found);
    // end of configuration
    const url = new URL(server.authorization_endpoint ?? "");
    const parameters = {
      ...{
        client_id: id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid",
        state,
      },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const back = await visit(url.href);
    const answer = oauth.validateAuthResponse(server, client, new URL(back.url), state);
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, clientAuth, answer, redirectUri, verifier] as const),
    );
    let tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response);
    const { access_token: accessToken } = tokens;
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    return {
      accessToken,
      ...(claims && { claims }),
      async userinfo() {
        const asked = await oauth.userInfoRequest(server, client, accessToken);
        return oauth.processUserInfoResponse(server, client, claims?.sub ?? "", asked);
      },
      async refresh() {
        const { refresh_token = "" } = tokens;
        const asked = await oauth.refreshTokenGrantRequest(
          server,
          client,
          clientAuth,
          refresh_token,
        );
        tokens = await oauth.processRefreshTokenResponse(server, client, asked);
        return tokens.access_token;
      },
      async revoke() {
        const { access_token } = tokens;
        const asked = await oauth.revocationRequest(server, client, clientAuth, access_token);
        await oauth.processRevocationResponse(asked);
      },
    };
  },
};
