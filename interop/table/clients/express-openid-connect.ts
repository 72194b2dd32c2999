// express-openid-connect, as middleware of an Express app.

import express from "express";
import { auth } from "express-openid-connect";
import type { Driver } from "../driver.ts";
import { APP_SECRET, NOWHERE } from "../world.ts";

const CODE = '`response_type: "code"`';

export const expressOpenidConnect: Driver = {
  name: "express-openid-connect",
  source: import.meta.url,
  about:
    "Its default asks for an ID token without a code (`response_type=id_token`), which this service does not issue. `secret` is for its own cookies.",
  goodbyePath: "",
  knobs: {
    ...{ code: CODE, PKCE: CODE, "ID token": CODE, userinfo: CODE, refresh: CODE },
    logout: `${CODE}, \`idpLogout: true\``,
    ES256: '`idTokenSigningAlg: "ES256"`',
  },
  lacks: { revocation: "not offered" },
  async signIn({ issuer, id, secret, alg, app, serve, visit, goodbye }, turned) {
    const knobs = {
      ...(turned && { authorizationParams: { response_type: "code" }, idpLogout: true }),
      ...(alg && { idTokenSigningAlg: alg }),
    };
    const routes = express();
    // configuration
    routes.use(
      auth({
        issuerBaseURL: issuer,
        clientID: id,
        clientSecret: secret,
        baseURL: app,
        secret: APP_SECRET,
        ...knobs,
      }),
    );
    // end of configuration
    routes.get("/", ({ oidc }, response) => {
      response.json({ claims: oidc.idTokenClaims, token: oidc.accessToken?.access_token });
    });
    routes.get("/userinfo", async ({ oidc }, response) => {
      response.json(await oidc.fetchUserInfo());
    });
    routes.get("/refresh", async ({ oidc }, response) => {
      response.json(await oidc.accessToken?.refresh());
    });
    serve(routes);
    const ask = async (path: string) => JSON.parse((await visit(`${app}${path}`, NOWHERE)).html);
    const { claims, token } = await ask("/");
    return {
      ...{ accessToken: String(token), claims, userinfo: () => ask("/userinfo") },
      refresh: async () => String((await ask("/refresh")).access_token),
      logout: async () => (await visit(`${app}/logout`, goodbye)).url,
    };
  },
};
