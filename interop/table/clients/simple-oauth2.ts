// simple-oauth2, whose default paths are those of the service.

import { createRequire } from "node:module";
import { randomState } from "openid-client";
import { type Driver, notOffered } from "../driver.ts";

interface AccessToken {
  readonly token: Readonly<Record<string, unknown>>;
  refresh(): Promise<AccessToken>;
  revoke(type: "access_token" | "refresh_token"): Promise<void>;
}
interface Client {
  authorizeURL(parameters: object): string;
  getToken(parameters: object): Promise<AccessToken>;
}
// The package has no types.
const { AuthorizationCode }: { AuthorizationCode: new (options: object) => Client } = createRequire(
  import.meta.url,
)("simple-oauth2");

export const simpleOauth2: Driver = {
  name: "simple-oauth2",
  source: import.meta.url,
  about: "Its default paths are those of this service.",
  lacks: notOffered("discovery", "PKCE", "ID token", "userinfo", "logout"),
  async signIn({ issuer, id, secret, redirectUri, visit }) {
    const state = randomState();
    // configuration
    const client = new AuthorizationCode({ client: { id, secret }, auth: { tokenHost: issuer } });
    const url = client.authorizeURL({ redirect_uri: redirectUri, scope: "openid", state });
    // end of configuration
    const back = await visit(url);
    const code = new URL(back.url).searchParams.get("code");
    let latest = await client.getToken({ code, redirect_uri: redirectUri });
    return {
      accessToken: String(latest.token.access_token),
      async refresh() {
        latest = await latest.refresh();
        return String(latest.token.access_token);
      },
      revoke: () => latest.revoke("access_token"),
    };
  },
};
