// Tests of how this service becomes the client of an external SP.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { noSigningKeys } from "../../test/support/test-keys.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { ProviderMetadata } from "./provider.ts";
import { spKey } from "./sp-authorization.ts";
import { createSpClients, wayToBecomeClient } from "./sp-client.ts";
import { sealSecret } from "./sp-registry.ts";

const SP = "https://sp.example";
const seal = sealWith("a secret", systemRandom);
const plain: ProviderMetadata = {
  issuer: SP,
  authorization_endpoint: `${SP}/authorize`,
  token_endpoint: `${SP}/token`,
  jwks_uri: `${SP}/keys`,
};
const documents = { ...plain, client_id_metadata_document_supported: true };
const registers = { ...plain, registration_endpoint: `${SP}/register` };
const call = { signal: new AbortController().signal };

const store = fixture(openMemoryStore, "test");
let clients: ReturnType<typeof createSpClients>;
let now: number;
/** What comes of a made-up code, and the codes that were. */
let respond: () => Response | Promise<Response>;
let codes: URLSearchParams[];
/** What was asked for at each registration, and what is answered. */
let asked: Record<string, unknown>[];
let answer: (request: Record<string, unknown>) => Response;
beforeEach(() => {
  now = 1_700_000_000;
  [asked, codes] = [[], []];
  respond = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  answer = registering();
  clients = createSpClients({
    issuer: "https://auth.example",
    ...store,
    ...{ seal, clock: clockFrom(() => now * 1000), allowLoopback: false },
    assertionKey: noSigningKeys.signingKeyAt,
    async fetch(url, init) {
      if (url === plain.token_endpoint) {
        codes.push(new URLSearchParams(String(init?.body)));
        return respond();
      }
      asked.push(JSON.parse(String(init?.body)));
      return answer(asked.at(-1) ?? {});
    },
  });
});

/** Registers what was asked for, with these changes. */
const registering =
  (changes: object = {}, status = 201): typeof answer =>
  (request) => {
    const nth = asked.length;
    const secret = { client_secret: `secret ${nth}`, client_secret_expires_at: 0 };
    return Response.json(
      { ...request, client_id: `client ${nth}`, ...secret, ...changes },
      { status },
    );
  };

const withMethods = (...methods: string[]) => ({ token_endpoint_auth_methods_supported: methods });
const byKey = { ...documents, ...withMethods("none", "private_key_jwt") };
const withoutES256 = { ...byKey, token_endpoint_auth_signing_alg_values_supported: ["RS256"] };
const both = { ...documents, ...registers };
const byTls = { ...registers, ...withMethods("tls_client_auth") };

test.each<[string, ProviderMetadata, ReturnType<typeof wayToBecomeClient>]>([
  ["a document with our key", byKey, "document"],
  ["a public document where it does not take ES256", withoutES256, "public_document"],
  [
    "a public document where it knows no keys",
    { ...documents, ...withMethods("none") },
    "public_document",
  ],
  ["a registration", registers, "registration"],
  ["a registration where a document could not authenticate", both, "registration"],
  ["none", plain, null],
  ["none of documents alone without a way to authenticate", documents, null],
  ["none where we cannot authenticate", byTls, null],
])("the first way that applies: %s", (_, metadata, way) => {
  expect(wayToBecomeClient(metadata)).toBe(way);
});

test("our document is named for the SP, so that its answers have an address of their own", async () => {
  const metadata = { ...documents, ...withMethods("private_key_jwt") };
  expect(await clients.clientFor(metadata, call)).toEqual({
    id: `https://auth.example/federation/client/${spKey(SP)}`,
    ...{ source: "document", method: "private_key_jwt" },
  });
  expect(asked).toEqual([]);
});

test("a registration is remembered, its secret sealed", async () => {
  const first = await clients.clientFor(registers, call);
  const second = await clients.clientFor(registers, call);
  expect(second).toEqual(first);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    redirect_uris: [`https://auth.example/federation/callback/${spKey(SP)}`],
    ...{ token_endpoint_auth_method: "client_secret_basic", scope: "openid" },
    id_token_signed_response_alg: "RS256",
  });
  expect(await clients.secretOf(SP, first)).toBe("secret 1");
  expect(JSON.stringify(await store.spClients.listSpClients())).not.toContain("secret 1");
});

test("the operator's entry comes first, with its secret and what it lets the SP do without", async () => {
  const row = { issuer: SP, source: "operator" } as const;
  const settings = { token_endpoint_auth_method: "client_secret_post", allow: ["no_iss"] };
  await store.spClients.putSpClient({
    ...row,
    clientId: "by hand",
    settings: JSON.stringify(settings),
    sealedSecret: sealSecret(row, "entered by hand", seal),
    madeAt: now,
  });
  const client = await clients.clientFor({ ...documents, ...registers }, call);
  expect(client).toEqual({ id: "by hand", source: "operator", method: "client_secret_post" });
  expect(await clients.secretOf(SP, client)).toBe("entered by hand");
  expect(await clients.allowancesOf(SP)).toEqual(["no_iss"]);
  expect(await clients.allowancesOf("https://other.example")).toEqual([]);
  expect(await clients.renew(registers, client, call)).toBe(false);
  expect(asked).toEqual([]);
});

test("a client that the SP has forgotten is registered again, but not with every sign-in", async () => {
  const first = await clients.clientFor(registers, call);
  expect(await clients.renew(registers, first, call)).toBe(false);
  now += 61;
  expect(await clients.renew(registers, first, call)).toBe(true);
  const second = await clients.clientFor(registers, call);
  expect(second.id).toBe("client 2");
  expect(await clients.secretOf(SP, second)).toBe("secret 2");
  // A sign-in that began with the former one: there is nothing more to do.
  expect(await clients.secretOf(SP, first)).toBeNull();
  expect(await clients.renew(registers, first, call)).toBe(true);
  expect(asked).toHaveLength(2);
});

describe("an SP where we registered is asked whether it knows us,", () => {
  const become = async () => (await clients.clientFor(registers, call)).id;
  const no = (status: number, error?: string) => () => Response.json({ error }, { status });

  test("at most once an hour, and not while people come back from it", async () => {
    const first = await clients.clientFor(registers, call);
    now += 3599;
    await become();
    expect(codes).toEqual([]);
    now += 1;
    // At once, and one after the other.
    expect(await Promise.all([become(), become()])).toEqual([first.id, first.id]);
    now += 3599;
    expect(await become()).toBe(first.id);
    expect(codes).toHaveLength(1);
    await clients.noteSuccess(SP, first);
    now += 3599;
    await become();
    expect(codes).toHaveLength(1);
    now += 1;
    await become();
    expect([codes.length, asked.length]).toEqual([2, 1]);
    expect(codes[0]?.get("grant_type")).toBe("authorization_code");
    expect(codes[0]?.get("code")).not.toBe(codes[1]?.get("code"));
  });

  test.each([
    [400, "invalid_client"],
    [401, "invalid_client"],
    [401, undefined],
  ])("and has forgotten us: %i %s", async (status, error) => {
    await become();
    now += 3600;
    respond = no(status, error);
    expect(await Promise.all([become(), become()])).toEqual(["client 2", "client 2"]);
    // What is new is not doubted.
    expect(await become()).toBe("client 2");
    expect([codes.length, asked.length]).toEqual([1, 2]);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ["503", no(503, "invalid_client")],
    ["429", no(429)],
    ["no answer", () => Promise.reject(new GuardedFetchError("timeout", "sp.example"))],
    ["too much asked of it", () => Promise.reject(new GuardedFetchError("busy", "sp.example"))],
  ])("and says nothing of it (%s): it is asked again in a minute", async (_, reply) => {
    await become();
    now += 3600;
    respond = reply;
    for (const seconds of [0, 59, 1]) {
      now += seconds;
      expect(await become()).toBe("client 1");
    }
    expect([codes.length, asked.length]).toEqual([2, 1]);
  });

  test("and has forgotten us, and takes no clients any more: that is reported, and no user is sent there", async () => {
    await become();
    now += 3600;
    respond = no(401);
    answer = () => Response.json({ error: "access_denied" }, { status: 403 });
    await expect(become()).rejects.toMatchObject({ kind: "no_client" });
  });
});

test("a secret that has ended is not used any more", async () => {
  answer = registering({ client_secret_expires_at: now + 10 });
  expect((await clients.clientFor(registers, call)).id).toBe("client 1");
  now += 11;
  expect((await clients.clientFor(registers, call)).id).toBe("client 2");
});

test.each<[string, object, number]>([
  ["a shared key for ID tokens", { id_token_signed_response_alg: "HS256" }, 201],
  ["ID tokens without a signature", { id_token_signed_response_alg: "none" }, 201],
  ["another algorithm than it can do", { id_token_signed_response_alg: "ES512" }, 201],
  ["a way that we do not know", { token_endpoint_auth_method: "client_secret_jwt" }, 201],
  ["status 200", {}, 200],
  ["status 500", {}, 500],
  ["an empty client_id", { client_id: "" }, 201],
  ["no secret", { client_secret: undefined }, 201],
  ["a client_id with a NUL", { client_id: "a\0b" }, 201],
  ["a client_id that is a number", { client_id: 7 }, 201],
  ["no client_id", { client_id: undefined }, 201],
  ["a secret that fills the database", { client_secret: "s".repeat(2001) }, 201],
  ["a secret with a NUL", { client_secret: "a\0b" }, 201],
  ["an error", { error: "access_denied" }, 403],
])("a registration that comes back with %s is refused, and not kept", async (_, change, status) => {
  answer = registering(change, status);
  await expect(clients.clientFor(registers, call)).rejects.toMatchObject({ kind: "no_client" });
  expect(await store.spClients.listSpClients()).toEqual([]);
});

test.each(["<p>", "[]", '"client"', "null"])(
  "a registration that is answered with %s is refused, and not kept",
  async (body) => {
    answer = () => new Response(body, { status: 201 });
    await expect(clients.clientFor(registers, call)).rejects.toMatchObject({ kind: "no_client" });
    expect(await store.spClients.listSpClients()).toEqual([]);
  },
);
