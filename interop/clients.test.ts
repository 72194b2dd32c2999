// Third-party clients that require an ID token, each with a complete flow against the real service.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { Auth } from "@auth/core";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { listenForWeb, type WebListener } from "domain-signin-demo/web-listener";
import express, { type Express } from "express";
import { auth } from "express-openid-connect";
import session from "express-session";
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from "oidc-client-ts";
import passport from "passport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteSecret } from "../packages/server/test/support/log-run.ts";
import {
  startTestService,
  type TestClient,
  type TestService,
} from "../packages/server/test/support/service.ts";
import { answerPage } from "../packages/server/test/support/sign-in.ts";

/** Of the sessions that the apps keep themselves. */
const APP_SECRET = "a secret of these apps, and of nobody else";

let at: TestService;
let agent: UserAgent;
beforeAll(async () => {
  noteSecret("app's secret", APP_SECRET);
  at = await startTestService();
  agent = createUserAgent();
});
afterAll(() => at.close());

/** The user's steps until the browser is back at the app. */
async function signInFrom(page: Page, stopAt = "nowhere"): Promise<Page> {
  let shown = page;
  while (!shown.stopped && shown.step !== undefined) {
    shown = await answerPage(at, agent, shown, { domain: "alice.test", stopAt });
  }
  return shown;
}

async function addClient(redirectUri: string, more: object = {}): Promise<TestClient> {
  return at.addClient({ redirect_uris: [redirectUri], ...more });
}

/** An Express app on loopback; `build` receives its origin. */
async function startApp(
  build: (app: Express, address: string) => Promise<void>,
): Promise<{ address: string; close: () => Promise<unknown> }> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the app has no port");
  const address = `http://localhost:${bound.port}`;
  await build(app, address);
  return {
    address,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

test("Auth.js signs in with discovery, PKCE, nonce and the ID token's claims", async () => {
  let config: Parameters<typeof Auth>[1] | undefined;
  const app: WebListener = await listenForWeb(
    (request) => {
      const isAuth = new URL(request.url).pathname.startsWith("/auth/");
      return config && isAuth ? Auth(request, config) : new Response("home");
    },
    { host: "127.0.0.1", port: 0 },
  );
  const address = `http://localhost:${app.port}`;
  const client = await addClient(`${address}/auth/callback/domain-signin`);
  const claims: Record<string, unknown> = {};
  config = {
    secret: APP_SECRET,
    trustHost: true,
    basePath: "/auth",
    logger: { error: (error: unknown) => Object.assign(claims, { error }) },
    providers: [
      {
        ...{ id: "domain-signin", name: "Domain", type: "oidc", issuer: at.issuer },
        ...{ clientId: client.id, clientSecret: client.secret ?? "" },
        authorization: { params: { scope: "openid" } },
        checks: ["pkce", "state", "nonce"],
        profile(profile: Record<string, unknown>) {
          Object.assign(claims, profile);
          return { id: String(profile.sub), name: String(profile.domain) };
        },
      },
    ],
  };

  const asked = await fetch(`${address}/auth/csrf`);
  agent.cookies.store(address, asked.headers.getSetCookie());
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const begun = await fetch(`${address}/auth/signin/domain-signin`, {
    method: "POST",
    headers: { cookie: agent.cookies.header(address) ?? "" },
    body: new URLSearchParams({ csrfToken, callbackUrl: `${address}/home` }),
    redirect: "manual",
  });
  agent.cookies.store(address, begun.headers.getSetCookie());
  const home = await signInFrom(await agent.open(begun.headers.get("location") ?? ""));
  expect({ url: home.url, error: claims.error }).toEqual({ url: `${address}/home` });
  expect(claims).toMatchObject({ iss: at.issuer, aud: client.id, domain: "alice.test" });
  const kept = await fetch(`${address}/auth/session`, {
    headers: { cookie: agent.cookies.header(address) ?? "" },
  });
  expect(await kept.json()).toMatchObject({ user: { name: "alice.test" } });
  await app.close();
});

test("oidc-client-ts signs in as a public client, asks userinfo and refreshes", async () => {
  const redirectUri = "http://localhost/callback";
  const client = await addClient(redirectUri, { type: "public" });
  const oidc = new OidcClient({
    ...{ authority: at.issuer, client_id: client.id, redirect_uri: redirectUri, scope: "openid" },
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const nonce = "a nonce that no log may hold";
  const { url } = await oidc.createSigninRequest({ nonce });
  const done = await signInFrom(await agent.open(url, { stopAt: redirectUri }), redirectUri);
  const answer = await oidc.processSigninResponse(done.url);
  expect(answer.profile).toMatchObject({ iss: at.issuer, aud: client.id, domain: "alice.test" });
  expect(answer.isOpenId).toBe(true);
  const { id_token, profile, refresh_token = "", scope = "" } = answer;
  const state = { data: {}, refresh_token, scope, profile, session_state: null };
  const refreshed = await oidc.useRefreshToken({ state: { ...state, id_token: id_token ?? "" } });
  expect(refreshed.access_token).not.toBe(answer.access_token);
  expect(refreshed.profile.sub).toBe(profile.sub);
});

test("express-openid-connect signs in with code and PKCE, and returns the claims of the ID token", async () => {
  let client: TestClient | undefined;
  const app = await startApp(async (routes, address) => {
    client = await addClient(`${address}/callback`);
    routes.use(
      auth({
        ...{ issuerBaseURL: at.issuer, baseURL: address, secret: APP_SECRET },
        ...{ clientID: client.id, clientSecret: client.secret ?? "" },
        authorizationParams: { response_type: "code", response_mode: "query", scope: "openid" },
        authRequired: true,
      }),
    );
    routes.get("/", (request, response) => {
      response.json(request.oidc.idTokenClaims);
    });
  });
  const home = await signInFrom(await agent.open(`${app.address}/`));
  expect(home.status).toBe(200);
  expect(JSON.parse(home.html)).toMatchObject({
    ...{ iss: at.issuer, aud: client?.id, domain: "alice.test", amr: ["dns"] },
  });
  await app.close();
});

test("passport-openidconnect signs in with a nonce and max_age, and asks userinfo", async () => {
  let found: unknown;
  const app = await startApp(async (routes, address) => {
    const callbackURL = `${address}/callback`;
    const client = await addClient(callbackURL);
    const authenticator = new passport.Passport();
    authenticator.use(
      passportStrategy(
        {
          ...{ issuer: at.issuer, clientID: client.id, clientSecret: client.secret, callbackURL },
          authorizationURL: `${at.issuer}/oauth/authorize`,
          tokenURL: `${at.issuer}/oauth/token`,
          userInfoURL: `${at.issuer}/oauth/userinfo`,
          ...{ nonce: true, maxAge: 600, skipUserProfile: false },
        },
        (issuer, userinfo, ofIdToken, _context, _id, _access, _refresh, _parameters, done) => {
          found = { userinfo: userinfo._json, id: ofIdToken.id };
          done(null, { issuer });
        },
      ),
    );
    routes.use(session({ secret: APP_SECRET, resave: false, saveUninitialized: true }));
    const signIn = authenticator.authenticate("openidconnect", { session: false });
    routes.get("/login", signIn);
    routes.get("/callback", signIn, (request, response) => {
      response.json(request.user);
    });
  });
  const home = await signInFrom(await agent.open(`${app.address}/login`));
  expect([home.status, home.html]).toEqual([200, JSON.stringify({ issuer: at.issuer })]);
  const sub = expect.stringMatching(/^sub_/);
  expect(found).toMatchObject({ id: sub, userinfo: { sub, domain: "alice.test" } });
  await app.close();
});

/** Called with as many arguments as it names: with nine it gets what userinfo said by itself. */
type Verify = (
  issuer: string,
  userinfo: { _json?: unknown },
  ofIdToken: { id?: unknown },
  context: object,
  idToken: string,
  accessToken: string,
  refreshToken: string,
  parameters: object,
  done: (error: unknown, user: object) => void,
) => void;

/** The package has no types. */
function passportStrategy(options: object, verify: Verify): passport.Strategy {
  const { Strategy }: { Strategy: new (o: object, v: Verify) => passport.Strategy } = createRequire(
    import.meta.url,
  )("passport-openidconnect");
  return new Strategy(options, verify);
}
