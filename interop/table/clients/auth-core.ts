// Auth.js (@auth/core), with a provider of type "oidc".

import { Auth, type AuthConfig } from "@auth/core";
import { getRequestListener } from "@hono/node-server";
import { type Claims, type Driver, notOffered } from "../driver.ts";
import { APP_SECRET, NOWHERE } from "../world.ts";

export const authCore: Driver = {
  name: "@auth/core",
  source: import.meta.url,
  about: "With `trustHost`, and a secret for its own cookies, as Auth.js wants them in any app.",
  callbackPath: "/auth/callback/domain-signin",
  knobs: { userinfo: "`idToken: false`" },
  lacks: notOffered("refresh", "revocation", "logout"),
  async signIn({ issuer, id, secret, app, serve, visit, post }, turned) {
    const seen: { accessToken?: string; profile?: Claims } = {};
    const knobs = turned ? { idToken: false } : {};
    // configuration
    const provider = {
      id: "domain-signin",
      name: "Domain",
      type: "oidc" as const,
      issuer,
      clientId: id,
      clientSecret: secret,
      ...knobs,
    };
    // end of configuration
    const config: AuthConfig = {
      secret: APP_SECRET,
      trustHost: true,
      basePath: "/auth",
      providers: [provider],
      events: {
        signIn({ account, profile }) {
          Object.assign(seen, { accessToken: account?.access_token, profile });
        },
      },
    };
    serve(
      getRequestListener((request) =>
        new URL(request.url).pathname.startsWith("/auth/")
          ? Auth(request, config)
          : new Response("home"),
      ),
    );
    const { html } = await visit(`${app}/auth/csrf`, NOWHERE);
    const form = { csrfToken: String(JSON.parse(html).csrfToken), callbackUrl: `${app}/home` };
    const home = await post(`${app}/auth/signin/domain-signin`, form);
    if (home.html !== "home") throw new Error(`not signed in: ${home.html}`);
    const { accessToken = "", profile = {} } = seen;
    // With `idToken: false`, the profile is the response of userinfo.
    return turned
      ? { accessToken, userinfo: async () => profile }
      : { accessToken, claims: profile };
  },
};
