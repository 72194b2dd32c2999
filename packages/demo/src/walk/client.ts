// The app's side of the walk: OAuth requests without a client library, so that each can be shown and repeated.

import { createHash, randomBytes } from "node:crypto";
import type { Page } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import { createPatience, waitAskedBy } from "../patience.ts";
import { shortenToken } from "../shorten.ts";
import { expectEqual, expectThat, type Narrate, narrateWait } from "./steps.ts";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Present in the response to an authorization code only. */
  readonly validation_data?: unknown;
}

export interface JsonResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TxtRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
}

/** Where the browser has arrived. */
type Arrived = Pick<Page, "url" | "stopped"> & Partial<Pick<Page, "step" | "status">>;

export interface WalkClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Fetches the service's metadata and checks its issuer. */
  discover(): Promise<void>;
  /** Fetches the service's public keys from the `jwks_uri` of its metadata. */
  keys(): Promise<{ keys: readonly object[] }>;
  /** Makes an authorization request with a new state and PKCE verifier. */
  begin(): { url: string; state: string; verifier: string };
  /** Checks state and issuer of an authorization response, and returns its code. */
  readCode(end: Arrived, state: string): string;
  exchange(code: string, verifier: string): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  expectInvalidGrant(refreshToken: string): Promise<void>;
  userinfo(accessToken: string): Promise<JsonResponse>;
  publish(record: TxtRecord): Promise<void>;
  withdraw(record: TxtRecord): Promise<void>;
}

const SECRET_FIELDS = new Set(["code", "access_token", "refresh_token"]);

/** Uses the demo's first client: it is confidential, and the service asks for consent once. */
export function createWalkClient(
  demo: Pick<DemoDescription, "issuer" | "zone_editor" | "clients">,
  narrate: Narrate,
): WalkClient {
  const { issuer, zone_editor } = demo;
  const [client] = demo.clients;
  const redirectUri = client?.redirect_uris[0];
  if (client === undefined || redirectUri === undefined) throw new Error("the demo has no client");
  const { client_id, client_secret, scope } = client;
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString("base64");

  const patiently = createPatience(narrateWait(narrate));

  /** Sends the request again while the service asks for it. */
  async function send(sender: string, url: string, init: RequestInit = {}): Promise<JsonResponse> {
    const sendOnce = async () => {
      const response = await fetched(url, init);
      const request = `${init.method ?? "GET"} ${new URL(url).pathname}`;
      narrate(`   ${sender.padEnd(7)}  ${request} → ${response.status}`);
      return response;
    };
    const { status, text } = await patiently(sendOnce, waitAskedBy);
    return { status, body: text === "" ? {} : readObject(text) };
  }

  async function requestTokens(
    parameters: Readonly<Record<string, string>>,
  ): Promise<JsonResponse> {
    const response = await send("app", `${issuer}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams(parameters),
    });
    printFields("sends", parameters, ["grant_type", "code", "refresh_token"]);
    printFields("gets", response.body, ["error", "access_token", "refresh_token"]);
    return response;
  }

  function printFields(
    verb: string,
    fields: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ): void {
    const shown = names
      .filter((name) => fields[name] !== undefined)
      .map(
        (name) =>
          `${name}=${SECRET_FIELDS.has(name) ? shortenToken(`${fields[name]}`) : fields[name]}`,
      );
    narrate(`            ${verb.padEnd(5)} ${shown.join(" ")}`);
  }

  function refreshParameters(refresh_token: string) {
    return { grant_type: "refresh_token", refresh_token, client_id };
  }

  async function edit(method: "POST" | "DELETE", record: TxtRecord, status: number) {
    const response = await send("owner", `${zone_editor}/records`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(record),
    });
    expectEqual("the status of the zone editor", response.status, status);
  }

  async function readMetadata() {
    const url = `${issuer}/.well-known/oauth-authorization-server`;
    const { status, body } = await send("app", url);
    expectEqual("the status of the metadata", status, 200);
    expectEqual("the issuer in the metadata", body.issuer, issuer);
    return body;
  }

  return {
    clientId: client_id,
    redirectUri,

    async discover() {
      await readMetadata();
    },

    async keys() {
      const { jwks_uri } = await readMetadata();
      const { status, body } = await send("app", String(jwks_uri));
      expectEqual("the status of the key set", status, 200);
      const { keys } = body;
      if (!Array.isArray(keys)) throw new Error("the key set has no keys");
      return { keys };
    },

    begin() {
      const state = randomBytes(16).toString("base64url");
      const verifier = randomBytes(32).toString("base64url");
      const query = new URLSearchParams({
        client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope,
        state,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      });
      return { url: `${issuer}/oauth/authorize?${query}`, state, verifier };
    },

    readCode(end, state) {
      const found = end.stopped ? end.url.split("?", 1)[0] : `the page ${end.step ?? end.status}`;
      expectEqual("the last redirect", found, redirectUri);
      const parameters = new URL(end.url).searchParams;
      expectEqual("error in the response", parameters.get("error") ?? "none", "none");
      expectEqual("state in the response", parameters.get("state"), state);
      expectEqual("iss in the response", parameters.get("iss"), issuer);
      const code = parameters.get("code") ?? "";
      expectThat("the response has a code", code !== "", "none");
      narrate(`   app      code ${shortenToken(code)}; state and iss are correct`);
      return code;
    },

    async exchange(code, verifier) {
      const parameters = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      };
      return readTokens(await requestTokens(parameters), scope);
    },

    async refresh(refreshToken) {
      return readTokens(await requestTokens(refreshParameters(refreshToken)), scope);
    },

    async expectInvalidGrant(refreshToken) {
      const { status, body } = await requestTokens(refreshParameters(refreshToken));
      expectEqual("the status of the token endpoint", status, 400);
      expectEqual("the error", body.error, "invalid_grant");
    },

    userinfo(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return send("app", `${issuer}/oauth/userinfo`, { headers });
    },

    publish: (record) => edit("POST", record, 201),
    withdraw: (record) => edit("DELETE", record, 204),
  };
}

/** Without a time limit of its own: `fetch` ends by itself if there is no answer for five minutes. */
async function fetched(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

function readTokens({ status, body }: JsonResponse, scope: string): Tokens {
  const { error = "no error", access_token, refresh_token, validation_data } = body;
  expectEqual(`the status of the token endpoint (${String(error)})`, status, 200);
  expectEqual("token_type", body.token_type, "bearer");
  expectEqual("expires_in", body.expires_in, 3600);
  expectEqual("scope", body.scope, scope);
  if (typeof access_token !== "string" || typeof refresh_token !== "string") {
    throw new Error("the token response lacks a token");
  }
  return { access_token, refresh_token, validation_data };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error(`not a JSON object: ${text}`);
  return value as Readonly<Record<string, unknown>>;
}
