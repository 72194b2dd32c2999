// passport-openidconnect, as a strategy of Passport in an Express app.

import { createRequire } from "node:module";
import express from "express";
import session from "express-session";
import passport from "passport";
import { type Claims, type Driver, notOffered } from "../driver.ts";
import { APP_SECRET, NOWHERE } from "../world.ts";

/** Called with as many arguments as it names: with nine it gets the response of userinfo by itself. */
type Verify = (
  issuer: string,
  userinfo: { _json?: Claims },
  ofIdToken: { id?: unknown },
  context: object,
  idToken: string,
  accessToken: string,
  refreshToken: string,
  parameters: object,
  done: (error: unknown, user: object) => void,
) => void;
// The package has no types.
const { Strategy }: { Strategy: new (options: object, verify: Verify) => passport.Strategy } =
  createRequire(import.meta.url)("passport-openidconnect");

export const passportOpenidconnect: Driver = {
  name: "passport-openidconnect",
  source: import.meta.url,
  about: "It asks userinfo if the app's `verify` function has nine parameters.",
  lacks: notOffered("discovery", "PKCE", "refresh", "revocation", "logout"),
  async signIn({ issuer, endpoints, id, secret, redirectUri, app, serve, visit }) {
    const authenticator = new passport.Passport();
    authenticator.use(
      new Strategy(
        // configuration
        {
          issuer,
          authorizationURL: endpoints.authorization,
          tokenURL: endpoints.token,
          userInfoURL: endpoints.userinfo,
          clientID: id,
          clientSecret: secret,
          callbackURL: redirectUri,
        },
        // end of configuration
        (_issuer, userinfo, ofIdToken, _context, _idToken, accessToken, _refresh, _more, done) =>
          done(null, { accessToken, userinfo: userinfo._json, claims: { sub: ofIdToken.id } }),
      ),
    );
    const routes = express();
    routes.use(session({ secret: APP_SECRET, resave: false, saveUninitialized: true }));
    const authenticate = authenticator.authenticate("openidconnect", { session: false });
    routes.get("/login", authenticate);
    routes.get("/callback", authenticate, ({ user }, response) => {
      response.json(user);
    });
    serve(routes);
    const { accessToken, userinfo, claims } = JSON.parse(
      (await visit(`${app}/login`, NOWHERE)).html,
    );
    return { accessToken, claims, userinfo: async () => userinfo };
  },
};
