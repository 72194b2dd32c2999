// The OAuth client of the demo's app, built with `oauth4webapi`.

import * as oauth from "oauth4webapi";
import type { DemoClient } from "../description.ts";
import { createPatience, waitAskedBy } from "../patience.ts";

/** What the app must keep until the authorization response arrives. */
export interface StartedSignIn {
  readonly location: string;
  readonly state: string;
  readonly verifier: string;
}

export interface SignedIn {
  readonly sub: string;
  readonly domain: string;
  readonly tokens: oauth.TokenEndpointResponse;
}

export interface AppClient {
  start(): Promise<StartedSignIn>;
  /** `callback` is the full URL of the authorization response. */
  finish(callback: URL, started: Pick<StartedSignIn, "state" | "verifier">): Promise<SignedIn>;
  /** Returns two new tokens. */
  refresh(tokens: oauth.TokenEndpointResponse): Promise<oauth.TokenEndpointResponse>;
  userinfo(tokens: oauth.TokenEndpointResponse): Promise<oauth.UserInfoResponse>;
}

const patiently = createPatience();

const how = {
  /** The demo's issuer is on loopback, where http is safe. */
  [oauth.allowInsecureRequests]: true,
  /** Sends the request again while the service asks for it. */
  [oauth.customFetch]: (url: string, init: unknown) =>
    patiently(async (previous?: Response) => {
      await previous?.body?.cancel();
      return fetch(url, init as RequestInit);
    }, waitAskedBy),
};

export function createAppClient(issuer: string, registration: DemoClient): AppClient {
  const { client_id, client_secret, redirect_uris, scope } = registration;
  const client: oauth.Client = { client_id };
  const authentication =
    client_secret === null ? oauth.None() : oauth.ClientSecretBasic(client_secret);
  const redirectUri = redirect_uris[0] ?? "";
  let metadata: Promise<oauth.AuthorizationServer> | undefined;

  /** Fetches the metadata once; a failure is not cached. */
  async function server(): Promise<oauth.AuthorizationServer> {
    metadata ??= discover(new URL(issuer)).catch((error: unknown) => {
      metadata = undefined;
      throw error;
    });
    return metadata;
  }

  async function userinfo(tokens: oauth.TokenEndpointResponse): Promise<oauth.UserInfoResponse> {
    const as = await server();
    const response = await oauth.userInfoRequest(as, client, tokens.access_token, how);
    return oauth.processUserInfoResponse(as, client, oauth.skipSubjectCheck, response);
  }

  return {
    userinfo,

    async start() {
      const { authorization_endpoint } = await server();
      if (authorization_endpoint === undefined) {
        throw new Error("the metadata has no authorization_endpoint");
      }
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(authorization_endpoint);
      url.search = new URLSearchParams({
        client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }).toString();
      return { location: url.href, state, verifier };
    },

    async finish(callback, { state, verifier }) {
      const as = await server();
      const parameters = oauth.validateAuthResponse(as, client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        how,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
      const { sub, domain } = await userinfo(tokens);
      return { sub, domain: String(domain), tokens };
    },

    async refresh({ refresh_token = "" }) {
      const as = await server();
      const response = await oauth.refreshTokenGrantRequest(
        as,
        client,
        authentication,
        refresh_token,
        how,
      );
      return oauth.processRefreshTokenResponse(as, client, response);
    },
  };
}

/** Prefers the OAuth error code and description, if there are any. */
export function explainFailure(error: unknown): string {
  if (
    error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError
  ) {
    return error.error_description === undefined
      ? error.error
      : `${error.error}: ${error.error_description}`;
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const [challenge] = error.cause;
    const { error: code = "no error code", error_description: text } = challenge?.parameters ?? {};
    return text === undefined ? code : `${code}: ${text}`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...how });
  return oauth.processDiscoveryResponse(issuer, response);
}
