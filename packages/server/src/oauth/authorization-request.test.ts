// Tests of parsing authorization requests: the results, and where each error is sent.

import { describe, expect, it, test } from "vitest";
import { noResources } from "../../test/support/oauth-world.ts";
import { type Client, type Clients, readClient } from "../clients/client.ts";
import { makeClient } from "../clients/client-registration.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { systemRandom } from "../lib/random.ts";
import { createReadRequest } from "./authorization-request.ts";
import { AuthorizationError, UntrustedRequestError } from "./protocol-errors.ts";

const issuer = "https://auth.example.com";
const redirect_uri = "https://app.example.org/callback?tenant=1";
const code_challenge = "E9Melhoa2OwvFrEGTMguPAR4UzMtyKqgVvJxYVg_cwE";
const pkce = { code_challenge, code_challenge_method: "S256" };

function client(client_id: string, more: Partial<Client> = {}): Client {
  const registration = { name: "App", redirect_uris: [redirect_uri], scope: "openid profile" };
  const parts = { random: systemRandom, clock: clockFrom(() => 0) };
  return { ...readClient(makeClient(registration, parts).row), client_id, ...more };
}

const known = [
  client("app"),
  client("spa", { type: "public", secrets: [], require_pkce: true }),
  client("defaults", { default_scope: "openid profile" }),
  client("cli", { application_type: "native", redirect_uris: ["http://127.0.0.1/cb"] }),
];
const service = client("service", { issuer: "https://service.example" } as Partial<Client>);
known.push(service);
const find = async (id: string) => known.find((each) => each.client_id === id) ?? null;
const clients: Clients = { find };

type Changes = Record<string, string | undefined>;

/** A valid request with some parameters changed, or omitted if undefined. */
function queryOf(changes: Changes = {}): string {
  const parameters = { client_id: "app", redirect_uri, response_type: "code", scope: "openid" };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, state: "s", ...changes })) {
    if (value !== undefined) query.append(name, value);
  }
  return query.toString();
}

/** What a request without further parameters asks for. */
const NOTHING_MORE = { maxAge: undefined, codeChallenge: null, nonce: null, loginHint: undefined };

const OPEN = { from: SERVICE, hasActed: true, isOpen: true };

function read(query: string) {
  return createReadRequest({ clients, resources: noResources, issuer })(query, OPEN);
}

/** `page NAME` for an untrusted request; otherwise the code, `state` and description of the error. */
async function refusal(
  query: string,
): Promise<{ outcome: string; state?: string | undefined; words?: string }> {
  try {
    await read(query);
    return { outcome: "accepted" };
  } catch (error) {
    if (error instanceof UntrustedRequestError) return { outcome: `page ${error.problem}` };
    if (!(error instanceof AuthorizationError)) throw error;
    expect(error.target.uri).toBe(redirect_uri);
    return { outcome: error.code, state: error.target.state, words: error.message };
  }
}

/** The same for a valid request with these changes, or with more at its end. */
const refusalOf = (sent: string | Changes) =>
  refusal(typeof sent === "string" ? `${queryOf()}&${sent}` : queryOf(sent));

describe("a good request", () => {
  it("is read into what was checked, with the way back prepared", async () => {
    const more = { nonce: "n", max_age: "60", prompt: "login consent", login_hint: "alice.com" };
    const long = `id_token_hint=${"x".repeat(3000)}&unknown=${"y".repeat(9000)}`;
    const request = await read(`${queryOf({ ...pkce, ...more })}&${long}`);
    expect(await read(request.query)).toEqual({ ...request, idTokenHint: undefined });
    expect(request).toEqual({
      query: expect.not.stringMatching(/hint=x|unknown/),
      client: known[0],
      target: { uri: redirect_uri, state: "s", issuer, isSelfRegistered: false },
      ...{ clientId: "app", clientName: "App", clientHost: "app.example.org" },
      isSelfRegistered: false,
      mayFederate: true,
      statementFor: null,
      statementWanted: { aud: "app", redirect_uri, cch: code_challenge, nonce: "n" },
      ownerStatement: { aud: "app", redirect_uri, cch: code_challenge, nonce: "n", svc: null },
      ...{ consent: "first", ownerProof: "when_available" },
      ...{ claims: expect.objectContaining({ inIdToken: [] }), requiredAcr: null },
      ...{ scopes: ["openid"], ignoredScopes: [], permissions: ["openid"], resources: [] },
      hasUnreadResource: false,
      prompt: new Set(["login", "consent"]),
      maxAge: 60,
      codeChallenge: code_challenge,
      nonce: "n",
      loginHint: "alice.com",
      idTokenHint: "x".repeat(3000),
      backToApp: expect.stringMatching(
        /^https:\/\/app\.example\.org\/callback\?tenant=1&error=access_denied&error_description=the\+user\+canceled/,
      ),
    });
  });

  it("needs no more than the contract's table, and no PKCE from a confidential client", async () => {
    const target = { uri: redirect_uri, state: undefined };
    const expected = { target, prompt: new Set(), ...NOTHING_MORE };
    expect(await read(queryOf({ state: undefined }))).toMatchObject(expected);
  });

  it("may hold unknown parameters (RFC 6749 §3.1), and response_mode=query", async () => {
    const query = queryOf({ utm_source: "x", ui_locales: "de", response_mode: "query" });
    expect((await refusal(query)).outcome).toBe("accepted");
  });

  it("may name scopes in any order, twice and with spaces to spare", async () => {
    const { scopes } = await read(queryOf({ scope: " profile  openid profile " }));
    expect(scopes).toEqual(["profile", "openid"]);
  });

  it("is granted the scopes that there are, and the others are no error (RFC 6749 §3.3)", async () => {
    const request = await read(queryOf({ scope: "email openid user:email offline_access" }));
    expect(request.scopes).toEqual(["openid"]);
    expect(request.ignoredScopes).toEqual(["email", "user:email", "offline_access"]);
  });

  it("without scope asks for the client's default, if it has one", async () => {
    for (const scope of [undefined, "", " "]) {
      const request = await read(queryOf({ client_id: "defaults", scope }));
      expect(request.scopes).toEqual(["openid", "profile"]);
    }
    expect((await refusal(queryOf({ scope: undefined }))).words).toBe("scope is missing");
  });

  it("of a native client may come with any loopback port (RFC 8252 §7.3)", async () => {
    const uri = "http://127.0.0.1:51234/cb";
    expect((await read(queryOf({ client_id: "cli", redirect_uri: uri }))).target.uri).toBe(uri);
  });

  it("may have max_age=0", async () => {
    expect((await read(queryOf({ max_age: "0" }))).maxAge).toBe(0);
  });

  test.each(["/ + = & %", "ünï 🔑", "%2B", "a".repeat(2048), "ü".repeat(1024)])(
    "keeps its state %j unchanged",
    async (state) => {
      expect((await read(queryOf({ state }))).target.state).toBe(state);
    },
  );
});

describe("before the redirect_uri is proven a mistake is a page, never a redirect (RFC 6749 §4.1.2.1)", () => {
  test.each<[string, string | Changes, string]>([
    ["no client_id", { client_id: undefined }, "missingClientId"],
    ["an empty client_id", { client_id: "" }, "missingClientId"],
    ["an unknown client", { client_id: "nobody" }, "unknownClient"],
    ["another case of the client_id", { client_id: "APP" }, "unknownClient"],
    ["no redirect_uri", { redirect_uri: undefined }, "missingRedirectUri"],
    ["an empty redirect_uri", { redirect_uri: "" }, "missingRedirectUri"],
    ["another redirect_uri", { redirect_uri: `${redirect_uri}&x` }, "redirectUriNotRegistered"],
    ["another client's redirect_uri", { client_id: "cli" }, "redirectUriNotRegistered"],
    ["two client_ids", "client_id=app", "repeatedParameter"],
    ["two redirect_uris", "redirect_uri=https://evil.example", "repeatedParameter"],
    ["a second redirect_uri with its name escaped", "redirect%5furi=x", "repeatedParameter"],
    ["a bad escape", "x=%zz", "malformedRequest"],
    ["bad UTF-8", "x=%ff", "malformedRequest"],
    ["a NUL", "x=%00", "malformedRequest"],
    ["several mistakes", { client_id: "nobody", response_type: "x", scope: "" }, "unknownClient"],
  ])("%s", async (_, sent, problem) => {
    expect(await refusalOf(sent)).toEqual({ outcome: `page ${problem}` });
  });

  test("nothing", async () => {
    expect(await refusal("")).toEqual({ outcome: "page missingClientId" });
  });
});

describe("once it is proven a mistake goes back to the client with its state (RFC 6749 §4.1.2.1)", () => {
  test.each<[string, string | Changes, string?]>([
    ["no response_type", { response_type: undefined }],
    ["an empty response_type", { response_type: "" }],
    ["response_type=token", { response_type: "token" }, "unsupported_response_type"],
    [
      "response_type=code id_token",
      { response_type: "code id_token" },
      "unsupported_response_type",
    ],
    ["response_type=CODE", { response_type: "CODE" }, "unsupported_response_type"],
    ["no scope (RFC 6749 §3.3)", { scope: undefined }, "invalid_scope"],
    ["an empty scope", { scope: "" }, "invalid_scope"],
    ["a scope of spaces", { scope: "  " }, "invalid_scope"],
    [
      "only scopes that there are not, or that are not the client's",
      { scope: "admin offline_access" },
      "invalid_scope",
    ],
    ["another case of a scope", { scope: "OpenID" }, "invalid_scope"],
    ["a repeated scope", "scope=profile"],
    ["a repeated parameter that we do not know", "x=1&x=1"],
    ["response_mode=fragment", { response_mode: "fragment" }],
    ["response_mode=form_post", { response_mode: "form_post" }],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a request_uri", { request_uri: "https://a.example/r" }, "request_uri_not_supported"],
    ["an unknown prompt", { prompt: "maybe" }],
    ["prompt=none with another (OIDC Core §3.1.2.1)", { prompt: "none login" }],
    ["max_age with a sign", { max_age: "-1" }],
    ["max_age with a fraction", { max_age: "1.5" }],
    ["max_age in words", { max_age: "an hour" }],
    ["max_age beyond reason", { max_age: "9".repeat(20) }],
    ["a nonce over 2,048 octets", { nonce: "n".repeat(2049) }],
    ["a challenge without a method, which is plain (RFC 7636 §4.3)", { code_challenge }],
    ["the method plain", { ...pkce, code_challenge_method: "plain" }],
    ["another case of S256", { ...pkce, code_challenge_method: "s256" }],
    ["a method without a challenge", { code_challenge_method: "S256" }],
    ["an empty challenge with a method", { ...pkce, code_challenge: "" }],
    ["a challenge with padding", { ...pkce, code_challenge: `${code_challenge}=` }],
    ["a challenge that is too short", { ...pkce, code_challenge: code_challenge.slice(1) }],
    [
      "a challenge in standard base64",
      { ...pkce, code_challenge: code_challenge.replace("_", "/") },
    ],
    ["no PKCE from a public client (RFC 9700 §2.1.1)", { client_id: "spa" }],
  ])("%s", async (_, sent, code = "invalid_request") => {
    const { outcome, state, words } = await refusalOf(sent);
    expect([outcome, state]).toEqual([code, "s"]);
    // RFC 6749 §4.1.2.1 allows these characters in a description.
    expect(words).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test.each([
    [`${queryOf()}&x=1&x=2`, "duplicate parameter: x"],
    [`${queryOf()}&%22%0a/=1&%22%0a/=2`, "duplicate parameter: ???"],
    [
      queryOf({ scope: "email user:email" }),
      "scope: none of 'email user:email' can be granted to this client",
    ],
    [queryOf({ prompt: "login maybe" }), "prompt 'maybe' is not supported"],
  ])("%s is described by its name or value", async (query, description) => {
    expect((await refusal(query)).words).toBe(description);
  });

  it("a public client with PKCE is welcome", async () => {
    expect((await refusal(queryOf({ client_id: "spa", ...pkce }))).outcome).toBe("accepted");
  });

  test.each(["none", "login", "consent", "select_account", "login consent", "", " "])(
    "prompt=%s is welcome",
    async (prompt) => {
      expect([...(await read(queryOf({ prompt }))).prompt]).toEqual(
        prompt.split(" ").filter(Boolean),
      );
    },
  );
});

describe("a state that cannot be given back unchanged is not given back at all", () => {
  test.each<[string, string | Changes]>([
    ["over 2,048 octets", { state: "s".repeat(2049) }],
    ["over 2,048 octets in fewer characters", { state: "ü".repeat(1025) }],
    ["repeated", "state=t"],
    ["repeated alike", "state=s"],
  ])("%s", async (_, sent) => {
    const told = /^(state is longer than 2,048 bytes|duplicate parameter: state)$/;
    const words = expect.stringMatching(told);
    const expected = { outcome: "invalid_request", state: undefined, words };
    expect(await refusalOf(sent)).toMatchObject(expected);
  });
});

describe("a parameter without a value counts as absent (RFC 6749 §3.1)", () => {
  it("for each that may be absent", async () => {
    const empty = { nonce: "", max_age: "", prompt: "", login_hint: "", state: "" };
    const more = { response_mode: "", request: "", request_uri: "" };
    const query = queryOf({ ...empty, ...more, code_challenge: "", code_challenge_method: "" });
    expect(await read(query)).toMatchObject({ target: { state: undefined }, ...NOTHING_MORE });
  });
});

describe("the parameters ds_*", () => {
  const wanted = { ds_aud: "app", ds_redirect_uri: "https://its.app.example/cb", ds_nonce: "n" };

  it("say for which request of its app a service wants a statement", async () => {
    const { statementFor, finalHost } = await read(queryOf({ client_id: "service", ...wanted }));
    expect(statementFor).toEqual({
      ...{ aud: "app", redirect_uri: "https://its.app.example/cb", nonce: "n" },
    });
    expect(finalHost).toBe("its.app.example");
    expect(await read(queryOf({ client_id: "service" }))).toMatchObject({ statementFor: null });
  });

  it("go back to a service that makes a mistake in them, and are unknown to any other client", async () => {
    const wrong = { ...wanted, ds_redirect_uri: "http://its.app.example/" };
    expect(await refusal(queryOf({ client_id: "service", ...wrong }))).toEqual({
      ...{ outcome: "invalid_request", state: "s" },
      words: "ds_redirect_uri uses http for a host that is not loopback",
    });
    expect((await read(queryOf(wrong))).statementFor).toBeNull();
  });

  it("mark a request that must not be handed over again", async () => {
    expect((await read(queryOf({ ds_hop: "1" }))).mayFederate).toBe(false);
  });
});

describe("a statement of the owner", () => {
  it("is wanted for a request that it can be bound to, by a client that wants proofs", async () => {
    const wantedBy = async (changes: Record<string, string>) =>
      (await read(queryOf(changes))).statementWanted;
    const bound = { aud: "app", redirect_uri };
    expect(await wantedBy(pkce)).toEqual({ ...bound, cch: code_challenge, nonce: null });
    expect(await wantedBy({ nonce: "n" })).toEqual({ ...bound, cch: null, nonce: "n" });
    expect(await wantedBy({})).toBeNull();
    known.push(client("plain", { validation_data: false }));
    expect(await wantedBy({ client_id: "plain", nonce: "n" })).toBeNull();
  });
});

it("a nonce may be 2,048 octets long", async () => {
  expect((await read(queryOf({ nonce: "ü".repeat(1024) }))).nonce).toHaveLength(1024);
  expect((await refusal(queryOf({ nonce: "ü".repeat(1025) }))).outcome).toBe("invalid_request");
});

it("an outage while the client is looked for leaves the request as it is", async () => {
  const outage = new Error("away");
  const away = () => Promise.reject(outage);
  const parts = { clients: { find: away }, resources: noResources, issuer };
  await expect(createReadRequest(parts)(queryOf(), OPEN)).rejects.toBe(outage);
});

it("what only the log says of a request that proves no client is what was sent, and by whom", async () => {
  const untrusted = (query: string) => read(query).catch((cause: unknown) => cause);
  const other = "https://evil.example/";
  expect(await untrusted(queryOf({ redirect_uri: other }))).toMatchObject({
    ...{ clientId: "app", found: other },
  });
  expect(await untrusted(queryOf({ client_id: "nobody" }))).toMatchObject({ clientId: "nobody" });
  expect(await untrusted(queryOf({ redirect_uri: undefined }))).toMatchObject({ clientId: "app" });
  expect(await untrusted(`${queryOf()}&redirect_uri=x`)).toMatchObject({
    problem: "repeatedParameter",
    parameter: "redirect_uri",
  });
});
