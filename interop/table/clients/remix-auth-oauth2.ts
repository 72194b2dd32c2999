// remix-auth-oauth2, as a strategy of Remix Auth.

import { getRequestListener } from "@hono/node-server";
import { Authenticator } from "remix-auth";
import { OAuth2Strategy } from "remix-auth-oauth2";
import { type Driver, notOffered } from "../driver.ts";
import { NOWHERE } from "../world.ts";

type Tokens = Awaited<ReturnType<OAuth2Strategy<unknown>["refreshToken"]>>;

export const remixAuthOauth2: Driver = {
  name: "remix-auth-oauth2",
  source: import.meta.url,
  lacks: notOffered("ID token", "userinfo", "logout"),
  async signIn({ issuer, id, secret, redirectUri, app, serve, visit }) {
    // configuration
    const strategy = await OAuth2Strategy.discover<Tokens>(
      issuer,
      { clientId: id, clientSecret: secret, redirectURI: redirectUri, scopes: ["openid"] },
      async ({ tokens }) => tokens,
    );
    // end of configuration
    const authenticator = new Authenticator<Tokens>().use(strategy, "domain");
    let tokens: Tokens | undefined;
    serve(
      getRequestListener(async (request) => {
        try {
          tokens = await authenticator.authenticate("domain", request);
          return new Response("home");
        } catch (error) {
          // Remix Auth throws its redirects.
          if (error instanceof Response) return error;
          return new Response(String(error), { status: 500 });
        }
      }),
    );
    const home = await visit(`${app}/login`, NOWHERE);
    if (tokens === undefined) throw new Error(`not signed in: ${home.html}`);
    let latest = tokens;
    return {
      accessToken: latest.accessToken(),
      async refresh() {
        latest = await strategy.refreshToken(latest.refreshToken());
        return latest.accessToken();
      },
      revoke: () => strategy.revokeToken(latest.accessToken()),
    };
  },
};
