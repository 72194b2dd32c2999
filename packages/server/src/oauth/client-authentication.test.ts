// Tests of client authentication at the token endpoint.

import { describe, expect, it, test } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { type Client, type Clients, readClient } from "../clients/client.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import { makeClient } from "../clients/client-registration.ts";
import { createRegisteredClients } from "../clients/registered-clients.ts";
import { parseParameters } from "../http/form.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import type { GrantStore } from "../store/grants.ts";
import { createClientAuthentication } from "./client-authentication.ts";
import { TokenError, type TokenErrorCode } from "./protocol-errors.ts";

const parts = { random: systemRandom, clock: clockFrom(() => 1_700_000_000_000) };
const registration = { name: "App", redirect_uris: ["https://app.example.org/callback"] };

/** A secret whose form-encoded, raw and base64 forms all differ. */
const SECRET = "s+e/c r:e%41t&ü";

const current = (secret: string) => ({ hash: sha256(secret), expiresAt: null });

function client(id: string, secret: string | null, more: Partial<Client> = {}): Client {
  const type = secret === null ? "public" : "confidential";
  const { row } = makeClient({ ...registration, type }, parts);
  const secrets = secret === null ? [] : [current(secret)];
  return { ...readClient(row), client_id: id, secrets, ...more };
}

const rotated = (id: string, expiresAt: number) =>
  client(id, SECRET, { secrets: [current(SECRET), { hash: sha256("former"), expiresAt }] });
const known = [
  client("app", SECRET),
  client("spa", null),
  client("bare", SECRET, { refresh_client_auth: "optional" }),
  client("a b:c", SECRET),
  rotated("rotated", 1_700_000_001),
  rotated("rotated long ago", 1_700_000_000),
];
const find = async (id: string) => known.find(({ client_id }) => client_id === id) ?? null;
const clients: Clients = { find };

type GrantType = "authorization_code" | "refresh_token";

/** Without the dependencies that only assertions need. */
const none = () => Promise.reject(new Error("not asked for here"));
const clientAuthentication = createClientAuthentication({
  ...{ clock: parts.clock, issuer: "https://auth.example.com", clientKeys: none },
  attempts: { countAttempt: none, useOnce: none },
  grants: {} as GrantStore,
  assertionLimit: { take: () => {} },
});

function sentWith(authorization: string | null) {
  const headers = authorization === null ? {} : { authorization };
  const request = new Request("https://auth.example.com/oauth/token", { headers });
  return httpRequest(request, { clientAddress: "192.0.2.7" });
}

/** `find` replaces the clients. */
function authenticated(
  authorization: string | null,
  body: Record<string, string> = {},
  grantType: GrantType = "authorization_code",
  { find } = clients,
) {
  const form = parseParameters(new URLSearchParams(body).toString()).values;
  const method = { find, isRefresh: grantType === "refresh_token" };
  return clientAuthentication.authenticate(sentWith(authorization), form, method);
}

async function authenticate(...request: Parameters<typeof authenticated>): Promise<string> {
  return (await authenticated(...request)).client.client_id;
}

/** The error code, and the scheme in `WWW-Authenticate` if there is one. */
async function refusal(...request: Parameters<typeof authenticate>): Promise<string> {
  try {
    return `accepted as ${await authenticate(...request)}`;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    expect(error.message).toMatch(/^[a-z_]+ [\w ,'-]+/i);
    if (error.detail !== undefined) expect(error.detail).toMatch(/^[a-z ]+$/);
    expect(error.message).not.toContain(SECRET);
    expect(error.detail ?? "").not.toContain(SECRET);
    return error.challenge ? `${error.code} Basic` : error.code;
  }
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

/** RFC 6749 Appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

const invalidRequest: TokenErrorCode = "invalid_request";
const invalidClient: TokenErrorCode = "invalid_client";

describe("a secret that was replaced", () => {
  it("is good beside its successor until it expires", async () => {
    expect(await authenticate(basic("rotated", "former"))).toBe("rotated");
    expect(await authenticate(basic("rotated", SECRET))).toBe("rotated");
    expect(await refusal(basic("rotated", "neither"))).toBe("invalid_client Basic");
  });

  it("is refused from then on", async () => {
    expect(await refusal(basic("rotated long ago", "former"))).toBe("invalid_client Basic");
    expect(await authenticate(basic("rotated long ago", SECRET))).toBe("rotated long ago");
  });
});

describe("a client with a secret is let in", () => {
  it("with HTTP Basic, id and secret form-encoded (RFC 6749 §2.3.1)", async () => {
    expect(await authenticate(basic("app", formEncoded(SECRET)))).toBe("app");
    expect(await authenticate(basic(formEncoded("a b:c"), formEncoded(SECRET)))).toBe("a b:c");
  });

  it("with HTTP Basic and the raw secret, as many clients send it", async () => {
    expect(await authenticate(basic("app", SECRET))).toBe("app");
  });

  it("with a raw secret that cannot be form-decoded at all", async () => {
    known.push(client("percent", "100%"));
    expect(await authenticate(basic("percent", "100%"))).toBe("percent");
  });

  it("with body parameters (RFC 6749 §2.3.1)", async () => {
    expect(await authenticate(null, { client_id: "app", client_secret: SECRET })).toBe("app");
  });

  it("with Basic and its client_id once more in the body, if both agree", async () => {
    expect(await authenticate(basic("app", SECRET), { client_id: "app" })).toBe("app");
  });

  it("with more than one space behind the scheme", async () => {
    expect(await authenticate(basic("app", SECRET).replace(" ", "   "))).toBe("app");
  });

  it("whatever the case of the scheme (RFC 9110 §11.1)", async () => {
    for (const scheme of ["basic", "BASIC", "bAsIc"]) {
      const header = basic("app", SECRET).replace("Basic", scheme);
      expect(await authenticate(header)).toBe("app");
    }
  });

  it("at the refresh grant as well, in both styles", async () => {
    const body = { client_id: "app", client_secret: SECRET };
    expect(await authenticate(basic("app", SECRET), {}, "refresh_token")).toBe("app");
    expect(await authenticate(null, body, "refresh_token")).toBe("app");
  });
});

describe("a client with a secret that does not show it is refused", () => {
  test.each<[string, string | null, Record<string, string>, string]>([
    ["no secret", null, { client_id: "app" }, "invalid_client"],
    ["an empty secret", null, { client_id: "app", client_secret: "" }, "invalid_client"],
    ["an empty secret in Basic", basic("app", ""), {}, "invalid_client Basic"],
    ["a wrong secret", null, { client_id: "app", client_secret: "x" }, "invalid_client"],
    ["a wrong secret in Basic", basic("app", "x"), {}, "invalid_client Basic"],
    ["the secret's hash", basic("app", sha256(SECRET)), {}, "invalid_client Basic"],
    ["the secret and more", basic("app", `${SECRET}x`), {}, "invalid_client Basic"],
    [
      "an encoded secret in the body",
      null,
      { client_id: "app", client_secret: formEncoded(SECRET) },
      "invalid_client",
    ],
    ["an unknown id", null, { client_id: "nobody", client_secret: SECRET }, "invalid_client"],
    ["an unknown id in Basic", basic("nobody", SECRET), {}, "invalid_client Basic"],
    ["another case of the id", basic("APP", SECRET), {}, "invalid_client Basic"],
  ])("%s", async (_, authorization, body, expected) => {
    expect(await refusal(authorization, body)).toBe(expected);
    expect(await refusal(authorization, body, "refresh_token")).toBe(expected);
  });
});

describe("a public client", () => {
  it("has only its client_id to show, at both grants", async () => {
    expect(await authenticate(null, { client_id: "spa" })).toBe("spa");
    expect(await authenticate(null, { client_id: "spa" }, "refresh_token")).toBe("spa");
  });

  it("may send an empty secret, as some libraries do", async () => {
    expect(await authenticate(null, { client_id: "spa", client_secret: "" })).toBe("spa");
    expect(await authenticate(basic("spa", ""))).toBe("spa");
  });

  it("may not send any other", async () => {
    expect(await refusal(null, { client_id: "spa", client_secret: "x" })).toBe(invalidClient);
    expect(await refusal(basic("spa", "x"))).toBe("invalid_client Basic");
  });
});

describe("a client registered with refresh_client_auth optional", () => {
  it("refreshes with its client_id alone, as the contract shows the request", async () => {
    expect(await authenticate(null, { client_id: "bare" }, "refresh_token")).toBe("bare");
  });

  it("must still authenticate for a code", async () => {
    expect(await refusal(null, { client_id: "bare" })).toBe(invalidClient);
  });

  it("is refused with a wrong secret: optional is not ignored", async () => {
    const body = { client_id: "bare", client_secret: "x" };
    expect(await refusal(null, body, "refresh_token")).toBe(invalidClient);
    expect(await refusal(basic("bare", "x"), {}, "refresh_token")).toBe("invalid_client Basic");
  });
});

describe("a request that does not say clearly who speaks is invalid", () => {
  test.each<[string, string | null, Record<string, string>]>([
    ["no client identification at all", null, {}],
    ["an empty client_id", null, { client_id: "" }],
    ["a secret without an id", null, { client_secret: SECRET }],
    [
      "both styles at once (RFC 6749 §2.3)",
      basic("app", SECRET),
      { client_id: "app", client_secret: SECRET },
    ],
    ["both styles at once, without the id", basic("app", SECRET), { client_secret: SECRET }],
    ["both styles at once, for a public client", basic("spa", ""), { client_secret: "x" }],
    ["an id that differs from that of Basic", basic("app", SECRET), { client_id: "spa" }],
    ["two headers, joined by a comma", `${basic("app", SECRET)}, ${basic("app", SECRET)}`, {}],
    ["two headers of another scheme", "Bearer abc, Bearer def", {}],
    ["a comma behind", `${basic("app", SECRET)},`, {}],
    ["Basic alone", "Basic", {}],
    ["Basic with nothing", "Basic ", {}],
    ["Basic without base64", `Basic app:${SECRET}`, {}],
    ["Basic with a stray character", "Basic YXBw*OnM=", {}],
    ["Basic with two words", "Basic YXBw OnM=", {}],
    ["Basic with a word behind", `${basic("app", SECRET)} x`, {}],
    ["Basic without a colon", `Basic ${Buffer.from("app").toString("base64")}`, {}],
    ["Basic without an id", basic("", SECRET), {}],
    ["Basic with a NUL", basic("app\0", SECRET), {}],
  ])("%s", async (_, authorization, body) => {
    const without = (answer: string) => answer.replace(" Basic", "");
    expect(without(await refusal(authorization, body))).toBe(invalidRequest);
    expect(without(await refusal(authorization, body, "refresh_token"))).toBe(invalidRequest);
  });

  test.each([
    "Bearer abc",
    `x ${basic("app", SECRET)}`,
    "x basic",
    `Digest username="app"`,
    "Negotiate abc",
    "Basically YTpi",
  ])(
    "%s is no way to authenticate, and the answer does not speak of Basic",
    async (authorization) => {
      expect(await refusal(authorization)).toBe(invalidClient);
    },
  );
});

describe("a client id that no database can hold", () => {
  test.each(["a%00", "%00", "%2500"])("%j in Basic is a protocol error, not ours", async (id) => {
    const { clients } = createRegisteredClients(
      (await openMemoryStore()).registrations,
      parts.clock,
    );
    const request = authenticated(basic(id, "x"), {}, "authorization_code", clients);
    await expect(request).rejects.toBeInstanceOf(TokenError);
  });
});

test("a client is proven by its secret, and by nothing less", async () => {
  const proven = async (body: Record<string, string>, grantType: GrantType) =>
    (await authenticated(null, body, grantType)).isProven;
  expect(await proven({ client_id: "app", client_secret: SECRET }, "refresh_token")).toBe(true);
  expect(await proven({ client_id: "spa" }, "authorization_code")).toBe(false);
  expect(await proven({ client_id: "bare" }, "refresh_token")).toBe(false);
});

test("a client that was removed since it was remembered is refused with any other secret", async () => {
  const request = authenticated(basic("app", "x"), {}, "authorization_code", {
    find: async (id, lookup) => (lookup?.forceRefresh ? null : find(id)),
  });
  await expect(request).rejects.toMatchObject({ message: "client_secret is wrong" });
});

describe("a client whose document cannot be used", () => {
  const byDocument = (kind: "bad" | "unreachable") => {
    const words = `app.example said "no" to ${"x".repeat(300)}`;
    const error = new ClientDocumentError(kind, "app.example", words);
    const body = { client_id: "https://app.example/client" };
    const find = () => Promise.reject(error);
    const request = authenticated(null, body, "authorization_code", { find });
    return request.then(
      () => Promise.reject(new Error("authenticated")),
      (cause: unknown) => ({ cause, error }),
    );
  };

  test("is refused if the mistake is its own, in characters that a description may hold", async () => {
    const { cause } = await byDocument("bad");
    const start = "the metadata document of client_id is invalid: app.example said no to x";
    const message = expect.stringContaining(start);
    expect(cause).toBeInstanceOf(TokenError);
    expect(cause).toMatchObject({ code: "invalid_client", message });
    expect(String(cause).length).toBeLessThan(300);
  });

  test("is not spoken of if it cannot be had now", async () => {
    const { cause, error } = await byDocument("unreachable");
    expect(cause).toBe(error);
  });
});

test("a secret that is newer than what is remembered of the client is good", async () => {
  const [former, newer] = [client("app", "former"), client("app", SECRET)];
  const header = basic("app", formEncoded(SECRET));
  const id = await authenticate(header, {}, "authorization_code", {
    find: async (_, lookup) => (lookup?.forceRefresh ? newer : former),
  });
  expect(id).toBe("app");
});
