// The app's side of the walk, request by request, so that each can be shown and sent again.

import { createHash, randomBytes } from "node:crypto";
import type { Page } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import { shortened } from "../shortened.ts";
import { expectEqual, expectThat, type Narrate } from "./steps.ts";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** The proof, in the answer to a code. */
  readonly validation_data?: unknown;
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TxtRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
}

export interface WalkClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Reads the service's metadata, and checks what the walk relies on. */
  discover(): Promise<void>;
  /** The service's public keys, from where its metadata says. */
  keys(): Promise<{ keys: readonly object[] }>;
  /** An authorization request with fresh state and PKCE. */
  begin(): { url: string; state: string; verifier: string };
  /** The code of an authorization response whose state and issuer are right. */
  readCode(end: Page, state: string): string;
  exchange(code: string, verifier: string): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  expectInvalidGrant(refreshToken: string): Promise<void>;
  userinfo(accessToken: string): Promise<JsonAnswer>;
  publish(record: TxtRecord): Promise<void>;
  withdraw(record: TxtRecord): Promise<void>;
}

const patienceMs = 15_000;
const tokenNames = new Set(["code", "access_token", "refresh_token"]);

/** Signs in through the demo's first client: confidential, and consent is asked once. */
export function createWalkClient(demo: DemoDescription, narrate: Narrate): WalkClient {
  const { issuer, zone_editor } = demo;
  const [client] = demo.clients;
  const redirectUri = client?.redirect_uris[0];
  if (client === undefined || redirectUri === undefined) throw new Error("the demo has no client");
  const { client_id, client_secret, scope } = client;
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString("base64");

  async function ask(who: string, url: string, init: RequestInit = {}): Promise<JsonAnswer> {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const text = await response.text();
    const { status } = response;
    narrate(`   ${who.padEnd(7)}  ${init.method ?? "GET"} ${new URL(url).pathname} → ${status}`);
    return { status, body: text === "" ? {} : readObject(text) };
  }

  async function askForTokens(parameters: Readonly<Record<string, string>>): Promise<JsonAnswer> {
    const answer = await ask("app", `${issuer}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams(parameters),
    });
    narrateFields("sends", parameters, ["grant_type", "code", "refresh_token"]);
    narrateFields("gets", answer.body, ["error", "access_token", "refresh_token"]);
    return answer;
  }

  function narrateFields(
    verb: string,
    fields: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ): void {
    const shown = names
      .filter((name) => fields[name] !== undefined)
      .map(
        (name) => `${name}=${tokenNames.has(name) ? shortened(`${fields[name]}`) : fields[name]}`,
      );
    narrate(`            ${verb.padEnd(5)} ${shown.join(" ")}`);
  }

  function refreshParameters(refresh_token: string) {
    return { grant_type: "refresh_token", refresh_token, client_id };
  }

  async function edit(method: "POST" | "DELETE", record: TxtRecord, status: number) {
    const answer = await ask("owner", `${zone_editor}/records`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(record),
    });
    expectEqual("the status of the zone editor", answer.status, status);
  }

  async function readMetadata() {
    const url = `${issuer}/.well-known/oauth-authorization-server`;
    const { status, body } = await ask("app", url);
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
      const { status, body } = await ask("app", String(jwks_uri));
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
      const where = end.stopped ? end.url.split("?", 1)[0] : `the page ${end.step ?? end.status}`;
      expectEqual("the end of the sign-in", where, redirectUri);
      const answer = new URL(end.url).searchParams;
      expectEqual("error in the answer", answer.get("error") ?? "none", "none");
      expectEqual("state in the answer", answer.get("state"), state);
      expectEqual("iss in the answer", answer.get("iss"), issuer);
      const code = answer.get("code") ?? "";
      expectThat("the answer has a code", code !== "", "none");
      narrate(`   app      code ${shortened(code)}, state and iss as they should be`);
      return code;
    },

    async exchange(code, verifier) {
      const parameters = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      };
      return readTokens(await askForTokens(parameters), scope);
    },

    async refresh(refreshToken) {
      return readTokens(await askForTokens(refreshParameters(refreshToken)), scope);
    },

    async expectInvalidGrant(refreshToken) {
      const { status, body } = await askForTokens(refreshParameters(refreshToken));
      expectEqual("the status of the token endpoint", status, 400);
      expectEqual("the error", body.error, "invalid_grant");
    },

    userinfo(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return ask("app", `${issuer}/oauth/userinfo`, { headers });
    },

    publish: (record) => edit("POST", record, 201),
    withdraw: (record) => edit("DELETE", record, 204),
  };
}

function readTokens({ status, body }: JsonAnswer, scope: string): Tokens {
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
