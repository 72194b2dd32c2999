// @fastify/oauth2, as a plugin of a Fastify app.

import oauthPlugin, { type OAuth2Namespace, type Token } from "@fastify/oauth2";
import fastify from "fastify";
import { type Claims, type Driver, notOffered } from "../driver.ts";
import { NOWHERE } from "../world.ts";

export const fastifyOauth2: Driver = {
  name: "@fastify/oauth2",
  source: import.meta.url,
  lacks: notOffered("ID token", "logout"),
  async signIn({ issuer, id, secret, redirectUri, app, serve, visit }) {
    const routes = fastify();
    // configuration
    await routes.register(oauthPlugin, {
      name: "domain",
      discovery: { issuer },
      credentials: { client: { id, secret } },
      callbackUri: redirectUri,
      scope: ["openid"],
      startRedirectPath: "/login",
    });
    // end of configuration
    const { domain } = routes as unknown as { domain: OAuth2Namespace };
    let token: Token | undefined;
    routes.get("/callback", async (request) => {
      ({ token } = await domain.getAccessTokenFromAuthorizationCodeFlow(request));
      return "home";
    });
    await routes.ready();
    serve(routes.routing);
    const home = await visit(`${app}/login`, NOWHERE);
    if (token === undefined) throw new Error(`not signed in: ${home.html}`);
    let latest: Token = token;
    return {
      accessToken: latest.access_token,
      userinfo: async () => (await domain.userinfo(latest)) as Claims,
      async refresh() {
        ({ token: latest } = await domain.getNewAccessTokenUsingRefreshToken(latest, {}));
        return latest.access_token;
      },
      revoke: () => domain.revokeToken(latest, "access_token", {}),
      close: () => routes.close(),
    };
  },
};
