// arctic, with its client for providers that it has no class for.

import * as arctic from "arctic";
import { type Driver, notOffered } from "../driver.ts";

export const arcticClient: Driver = {
  name: "arctic",
  source: import.meta.url,
  lacks: notOffered("discovery", "userinfo", "logout"),
  notes: { "ID token": "decoded, not checked" },
  async signIn({ endpoints, id, secret, redirectUri, visit }) {
    const state = arctic.generateState();
    const verifier = arctic.generateCodeVerifier();
    // configuration
    const client = new arctic.OAuth2Client(id, secret, redirectUri);
    const url = client.createAuthorizationURLWithPKCE(
      endpoints.authorization,
      state,
      arctic.CodeChallengeMethod.S256,
      verifier,
      ["openid"],
    );
    // end of configuration
    const code = new URL((await visit(url.href)).url).searchParams.get("code") ?? "";
    let tokens = await client.validateAuthorizationCode(endpoints.token, code, verifier);
    return {
      accessToken: tokens.accessToken(),
      claims: { ...arctic.decodeIdToken(tokens.idToken()) },
      async refresh() {
        const refreshToken = tokens.refreshToken();
        tokens = await client.refreshAccessToken(endpoints.token, refreshToken, ["openid"]);
        return tokens.accessToken();
      },
      revoke: () => client.revokeToken(endpoints.revocation, tokens.accessToken()),
    };
  },
};
