// Grant, as middleware of an Express app.

import { createRequire } from "node:module";
import express, { type RequestHandler } from "express";
import session from "express-session";

import { type Driver, notOffered } from "../driver.ts";
import { APP_SECRET, NOWHERE } from "../world.ts";

// Its types do not declare the handlers.
const grant: { express(config: object): RequestHandler } = createRequire(import.meta.url)("grant");

export const grantClient: Driver = {
  name: "grant",
  source: import.meta.url,
  callbackPath: "/connect/domain/callback",
  knobs: {
    PKCE: "`pkce: true`",
    "ID token": '`response: ["tokens", "jwt"]`',
    userinfo: '`response: ["tokens", "profile"]`, `profile_url`',
  },
  lacks: notOffered("discovery", "refresh", "revocation", "logout"),
  notes: { "ID token": "only the audience is checked" },
  async signIn({ endpoints, id, secret, app, serve, visit }, turned) {
    const knobs = turned
      ? { pkce: true, response: ["tokens", "jwt", "profile"], profile_url: endpoints.userinfo }
      : {};
    // configuration
    const config = {
      defaults: { origin: app },
      domain: {
        oauth: 2,
        authorize_url: endpoints.authorization,
        access_url: endpoints.token,
        key: id,
        secret,
        scope: ["openid"],
        callback: "/done",
        ...knobs,
      },
    };
    // end of configuration
    const routes = express();
    routes.set("query parser", "extended");
    routes.use(session({ secret: APP_SECRET, resave: false, saveUninitialized: true }));
    routes.use(grant.express(config));
    routes.get("/done", ({ query }, response) => {
      response.json(query);
    });
    serve(routes);
    const { access_token, jwt, profile } = JSON.parse(
      (await visit(`${app}/connect/domain`, NOWHERE)).html,
    );
    return {
      accessToken: String(access_token),
      ...(jwt && { claims: jwt.id_token.payload }),
      ...(profile && { userinfo: async () => profile }),
    };
  },
};
