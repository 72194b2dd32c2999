// passport-oauth2, as a strategy of Passport in an Express app.

import { createRequire } from "node:module";
import express from "express";
import session from "express-session";
import passport from "passport";
import { type Driver, notOffered } from "../driver.ts";
import { APP_SECRET, NOWHERE } from "../world.ts";

type Done = (error: unknown, user: object) => void;
type Verify = (accessToken: string, refreshToken: string, profile: object, done: Done) => void;
// The package has no types.
const OAuth2Strategy: new (options: object, verify: Verify) => passport.Strategy = createRequire(
  import.meta.url,
)("passport-oauth2");

export const passportOauth2: Driver = {
  name: "passport-oauth2",
  source: import.meta.url,
  knobs: { PKCE: "`pkce: true`, `state: true`" },
  lacks: notOffered("discovery", "ID token", "userinfo", "refresh", "revocation", "logout"),
  async signIn({ endpoints, id, secret, redirectUri, app, serve, visit }, turned) {
    const knobs = turned ? { pkce: true, state: true } : {};
    const authenticator = new passport.Passport();
    authenticator.use(
      new OAuth2Strategy(
        // configuration
        {
          authorizationURL: endpoints.authorization,
          tokenURL: endpoints.token,
          clientID: id,
          clientSecret: secret,
          callbackURL: redirectUri,
          scope: "openid",
          ...knobs,
        },
        // end of configuration
        (accessToken, _refreshToken, _profile, done) => done(null, { accessToken }),
      ),
    );
    const routes = express();
    routes.use(session({ secret: APP_SECRET, resave: false, saveUninitialized: true }));
    const authenticate = authenticator.authenticate("oauth2", { session: false });
    routes.get("/login", authenticate);
    routes.get("/callback", authenticate, ({ user }, response) => {
      response.json(user);
    });
    serve(routes);
    const { html } = await visit(`${app}/login`, NOWHERE);
    return { accessToken: String(JSON.parse(html).accessToken) };
  },
};
