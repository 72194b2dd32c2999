// Tests of client assertions: the required claims and signature, and attempts at forgery.

import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { badClaims } from "../../test/support/bad-assertions.ts";
import {
  ASSERTION_TYPE,
  type AssertionKey,
  makeAssertionKey,
} from "../../test/support/document-client.ts";
import { fixture } from "../../test/support/fixture.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import type { Client, Lookup } from "../clients/client.ts";
import { readClientDocument } from "../clients/document-reader.ts";
import { parseParameters } from "../http/form.ts";
import { requesterAt } from "../http/requester.ts";
import { clockFrom } from "../lib/clock.ts";
import { createClientAuthentication } from "./client-authentication.ts";
import { TokenError } from "./protocol-errors.ts";

const NOW = 1_700_000_000;
const ISSUER = "https://auth.example.com";
const ID = "https://app.example.org/client";
const PUBLIC_ID = "https://app.example.org/public";
const about = { clientId: ID, issuer: ISSUER, now: NOW };
const KINDS = ["ES256", "RS256", "EdDSA"] as const;

const store = fixture(openMemoryStore);
let own: Record<(typeof KINDS)[number], AssertionKey>;
let key: AssertionKey;
let stranger: AssertionKey;
beforeAll(async () => {
  const [ES256, RS256, EdDSA] = await Promise.all(KINDS.map((alg) => makeAssertionKey(alg, alg)));
  if (!ES256 || !RS256 || !EdDSA) throw new Error("no keys");
  own = { ES256, RS256, EdDSA };
  key = ES256;
  stranger = await makeAssertionKey("ES256");
});

/** The registrants whose clients have stored an assertion. */
const stored: string[] = [];
const assertionLimit = { take: (registrant: string) => void stored.push(registrant) };

function clientOf(id: string, more: object): Client {
  const document = { client_id: id, redirect_uris: ["https://app.example.org/cb"], ...more };
  return readClientDocument(document, id);
}

type Parts = Parameters<typeof createClientAuthentication>[0];

/** Authenticates one of these clients, which has the keys in its document unless the parts have others. */
function authenticated(
  form: Record<string, string>,
  known: readonly Client[],
  { authorization, ...parts }: Partial<Parts> & { authorization?: string | undefined } = {},
) {
  const find = async (id: string) => known.find(({ client_id }) => client_id === id) ?? null;
  const headers = authorization === undefined ? {} : { authorization };
  const request = new Request(`${ISSUER}/oauth/token`, { headers });
  const http = httpRequest(request, { clientAddress: "192.0.2.1" });
  const { values } = parseParameters(new URLSearchParams(form).toString());
  const used = {
    ...store,
    ...{ issuer: ISSUER, assertionLimit },
    clientKeys: async ({ jwks = { keys: [] } }: Pick<Client, "jwks">) => jwks,
    ...{ clock: clockFrom(() => NOW * 1000), ...parts },
  };
  return createClientAuthentication(used).authenticate(http, values, { find });
}

async function authenticate(form: Record<string, string>, authorization?: string): Promise<string> {
  const keys = Object.values(own).map(({ jwk }) => jwk);
  const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys } };
  const known = [clientOf(ID, signing), clientOf(PUBLIC_ID, {})];
  try {
    const { client, isProven } = await authenticated(form, known, { authorization });
    return `${isProven ? "proven" : "not proven"} ${client.client_id}`;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    expect(error.message).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    return `${error.code}: ${error.message}`;
  }
}

describe("an assertion that the client signed", () => {
  test.each(KINDS)("with %s proves it, with or without client_id beside it", async (alg) => {
    expect(await authenticate(await own[alg].assert(about))).toBe(`proven ${ID}`);
    const form = { client_id: ID, ...(await own[alg].assert(about)) };
    expect(await authenticate(form)).toBe(`proven ${ID}`);
  });

  test("may end within a second", async () => {
    const form = await key.assert(about, { exp: NOW + 60.5 });
    expect(await authenticate(form)).toBe(`proven ${ID}`);
    expect(await authenticate(form)).toMatch(/jti was already used/);
  });

  test("may name us alone in an array, and leave iat out", async () => {
    const form = await key.assert(about, { aud: [ISSUER], iat: undefined });
    expect(await authenticate(form)).toBe(`proven ${ID}`);
  });

  test("may come from a clock that is half a minute off", async () => {
    for (const off of [-30, 30]) {
      const form = await key.assert({ ...about, now: NOW + off }, { exp: NOW + off + 30 });
      expect(await authenticate(form)).toBe(`proven ${ID}`);
    }
  });
});

describe("an assertion is refused", () => {
  test.each(badClaims(about))("%s", async (_, claims, words) => {
    const answer = await authenticate({ client_id: ID, ...(await key.assert(about, claims)) });
    expect(answer).toMatch(new RegExp(`^invalid_client: client_assertion is invalid: .*${words}`));
  });

  test.each<[string, Record<string, unknown>]>([
    ["about another subject", { sub: PUBLIC_ID }],
    ["without a subject", { sub: undefined }],
  ])("also where its issuer is the client: %s", async (_, claims) => {
    const form = await key.assert(about, claims);
    expect(await authenticate({ client_id: ID, ...form })).toMatch(/^invalid_client: .*sub/);
    expect(await authenticate(form)).toMatch(/^invalid_client/);
  });

  test("signed by another key, also one that it brings along", async () => {
    const evil = "https://evil.example";
    const embedded = { jwk: stranger.jwk, jku: `${evil}/jwks`, x5u: evil };
    for (const header of [{}, { kid: undefined }, { kid: "other" }, embedded]) {
      const answer = await authenticate(await stranger.assert(about, {}, header));
      expect(answer).toMatch(/^invalid_client/);
    }
  });

  test("without a signature, and with one made of the public key", async () => {
    const { client_assertion } = await key.assert(about);
    const [, payload = ""] = client_assertion.split(".");
    const headed = (header: object) =>
      `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
    const none = headed({ alg: "none" });
    const shared = headed({ alg: "HS256", kid: "ES256" });
    const mac = createHmac("sha256", JSON.stringify(key.jwk)).update(shared).digest("base64url");
    for (const jws of [`${none}.`, `${none}.AAAA`, `${shared}.${mac}`]) {
      const form = { client_assertion_type: ASSERTION_TYPE, client_assertion: jws };
      expect(await authenticate(form)).toMatch(/^invalid_client: .*alg/);
    }
  });

  test.each(["", "x", "a.b", "a.b.c", "e30.e30.", "..", "{}", "é.é.é", "e30.e30.e30.e30.e30"])(
    "that is the text %j",
    async (client_assertion) => {
      const form = { client_assertion_type: ASSERTION_TYPE, client_assertion };
      expect(await authenticate({ client_id: ID, ...form })).toMatch(/^invalid_(client|request)/);
      expect(await authenticate(form)).toMatch(/^invalid_(client|request)/);
    },
  );

  test("counts for its registrant before it is stored, and a forgery does not", async () => {
    stored.length = 0;
    await authenticate(await stranger.assert(about));
    expect(stored).toEqual([]);
    await authenticate(await key.assert(about));
    expect(stored).toEqual(["example.org"]);
  });

  test("a second time, and a stranger's forgery does not use it up", async () => {
    const form = await key.assert(about, { jti: "once" });
    await authenticate(await stranger.assert(about, { jti: "once" }));
    expect(await authenticate(form)).toBe(`proven ${ID}`);
    expect(await authenticate(form)).toMatch(/^invalid_client: .*jti was already used/);
    const other = await key.assert(about, { jti: "once", exp: NOW + 200 });
    expect(await authenticate(other)).toMatch(/jti was already used/);
  });

  test("beside any other way to authenticate", async () => {
    const form = await key.assert(about);
    const basic = `Basic ${Buffer.from("app:secret").toString("base64")}`;
    expect(await authenticate(form, basic)).toMatch(/^invalid_request/);
    expect(await authenticate({ ...form, client_secret: "s" })).toMatch(/^invalid_request/);
    const { client_assertion } = form;
    expect(await authenticate({ client_assertion })).toMatch(/^invalid_request/);
    const typed = { client_id: ID, client_assertion_type: ASSERTION_TYPE };
    expect(await authenticate(typed)).toMatch(/^invalid_request/);
    const saml = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer";
    const asSaml = { client_assertion, client_assertion_type: saml };
    expect(await authenticate(asSaml)).toMatch(/^invalid_request/);
  });

  test("from a client that has none, or is not known", async () => {
    const publicly = await key.assert({ ...about, clientId: PUBLIC_ID });
    expect(await authenticate(publicly)).toMatch(/is not registered for private_key_jwt/);
    const unknown = await key.assert({ ...about, clientId: "https://app.example.org/none" });
    expect(await authenticate(unknown)).toBe("invalid_client: client_id is unknown");
  });
});

test("one that names an algorithm signs with no other", async () => {
  const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } };
  const client = clientOf(ID, { ...signing, token_endpoint_auth_signing_alg: "EdDSA" });
  expect(client.token_endpoint_auth_signing_alg).toBe("EdDSA");
  const keys = Object.values(own).map(({ jwk }) => jwk);
  const clientKeys = async () => ({ keys });
  const signedBy = async (by: AssertionKey) =>
    authenticated(await by.assert(about), [client], { clientKeys });
  expect((await signedBy(own.EdDSA)).isProven).toBe(true);
  await expect(signedBy(own.ES256)).rejects.toThrow(TokenError);
});

test("keys that do not have the one that is named are asked for again, and no others", async () => {
  const signing = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${ID}/keys` };
  const client = clientOf(ID, signing);
  const asked: boolean[] = [];
  const presented = async (
    form: ReturnType<AssertionKey["assert"]>,
    before: AssertionKey,
    after: AssertionKey,
  ) => {
    asked.splice(0);
    const clientKeys = async (_: object, { from, forceRefresh }: Lookup) => {
      expect(from).toEqual(requesterAt("192.0.2.1"));
      asked.push(forceRefresh === true);
      return { keys: [(forceRefresh ? after : before).jwk] };
    };
    return authenticated(await form, [client], { clientKeys });
  };
  const [mine, next] = [own.ES256, own.EdDSA];
  expect((await presented(mine.assert(about), mine, next)).isProven).toBe(true);
  expect(asked).toEqual([false]);
  expect((await presented(next.assert(about), mine, next)).isProven).toBe(true);
  expect(asked).toEqual([false, true]);
  const unknown = presented(next.assert(about), mine, mine);
  await expect(unknown).rejects.toThrow("client_assertion is invalid");
  // A wrong signature by a known key does not cause another fetch of the keys.
  const forged = presented(stranger.assert(about, {}, { kid: "ES256" }), mine, mine);
  await expect(forged).rejects.toThrow("client_assertion is invalid");
  expect(asked).toEqual([false]);
});

test("how long an assertion may last, and how long its jti may be", async () => {
  const withClaims = async (claims: object) => authenticate(await key.assert(about, { ...claims }));
  expect(await withClaims({ exp: NOW + 300 })).toBe(`proven ${ID}`);
  const tooLong = /exp is more than 300 seconds in the future/;
  expect(await withClaims({ exp: NOW + 301 })).toMatch(tooLong);
  const unique = `${Date.now()}-${Math.random()}-`;
  expect(await withClaims({ jti: unique.padEnd(512, "j") })).toBe(`proven ${ID}`);
  const refusal = /jti must be a string of 1 to 512 characters|missing required jti claim/;
  for (const jti of [unique.padEnd(513, "j"), "", 7]) {
    expect(await withClaims({ jti })).toMatch(refusal);
  }
});

test("a client that signs cannot leave it out", async () => {
  expect(await authenticate({ client_id: ID })).toMatch(/^invalid_client: .*private_key_jwt/);
});
