// Tests of what proves a client, of what is known of it that is old, and of documents that cannot be had.

import { describe, expect, test } from "vitest";
import { parseParameters } from "../http/form.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import type { Store } from "../store/store.ts";
import type { Client, Clients } from "./client.ts";
import { authenticateClient } from "./client-authentication.ts";
import { makeClient } from "./client-registration.ts";
import { TokenError } from "./errors.ts";
import { ClientDocumentError } from "./remote-json.ts";

const parts = { random: systemRandom, clock: clockFrom(() => 1_700_000_000_000) };
const registration = { name: "App", redirect_uris: ["https://app.example.org/callback"] };

/** A secret in which form-encoding, raw and base64 all look different. */
const SECRET = "s+e/c r:e%41t&ü";

const current = (secret: string) => ({ hash: sha256(secret), expiresAt: null });

function client(id: string, secret: string | null, more: Partial<Client> = {}): Client {
  const made = makeClient(
    { ...registration, type: secret === null ? "public" : "confidential" },
    parts,
  );
  return {
    ...made.client,
    client_id: id,
    secrets: secret === null ? [] : [current(secret)],
    ...more,
  };
}

const known = [
  client("app", SECRET),
  client("spa", null),
  client("bare", SECRET, { refresh_client_auth: "optional" }),
  client("a b:c", SECRET),
  client("rotated", SECRET, {
    secrets: [current(SECRET), { hash: sha256("former"), expiresAt: 1_700_000_001 }],
  }),
  client("rotated long ago", SECRET, {
    secrets: [current(SECRET), { hash: sha256("former"), expiresAt: 1_700_000_000 }],
  }),
];
const find = async (id: string) => known.find(({ client_id }) => client_id === id) ?? null;
const clients: Clients = { find, findAgain: find };

type GrantType = "authorization_code" | "refresh_token";

/** What only assertions need is not there. */
const none = () => Promise.reject(new Error("not asked for here"));
const world = {
  ...{ clients, clock: parts.clock, issuer: "https://auth.example.com", clientKeys: none },
  store: { countAttempt: none } as unknown as Store,
};

function sentWith(authorization: string | null) {
  const headers = authorization === null ? {} : { authorization };
  const request = new Request("https://auth.example.com/oauth/token", { headers });
  return { request, clientAddress: "192.0.2.7" };
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

/** RFC 6749 Appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

test("a client is proven by its secret, and by nothing less", async () => {
  const proven = async (sent: string, grantType: GrantType) => {
    const form = parseParameters(sent);
    return (await authenticateClient(world, sentWith(null), form, grantType)).isProven;
  };
  const secret = formEncoded(SECRET);
  expect(await proven(`client_id=app&client_secret=${secret}`, "refresh_token")).toBe(true);
  expect(await proven("client_id=spa", "authorization_code")).toBe(false);
  expect(await proven("client_id=bare", "refresh_token")).toBe(false);
});

test("a client that was removed since it was remembered is refused with any other secret", async () => {
  const request = authenticateClient(
    { ...world, clients: { find, findAgain: async () => null } },
    sentWith(basic("app", "x")),
    parseParameters(""),
    "authorization_code",
  );
  await expect(request).rejects.toMatchObject({ message: "the client secret is wrong" });
});

describe("a client whose document cannot be used", () => {
  const byDocument = (kind: "bad" | "unreachable") => {
    const words = `app.example said "no" to ${"x".repeat(300)}`;
    const error = new ClientDocumentError(kind, "app.example", words);
    const find = () => Promise.reject(error);
    const request = authenticateClient(
      { ...world, clients: { find, findAgain: find } },
      sentWith(null),
      parseParameters("client_id=https%3A%2F%2Fapp.example%2Fclient"),
      "authorization_code",
    );
    return request.catch((cause: unknown) => ({ cause, error }));
  };

  test("is refused if the mistake is its own, in characters that a description may hold", async () => {
    const { cause } = (await byDocument("bad")) as { cause: unknown };
    const start = "the client's document is bad: app.example said no to x";
    expect(cause).toBeInstanceOf(TokenError);
    expect(cause).toMatchObject({
      code: "invalid_client",
      message: expect.stringContaining(start),
    });
    expect(String(cause).length).toBeLessThan(300);
  });

  test("is not spoken of if it cannot be had now", async () => {
    const { cause, error } = (await byDocument("unreachable")) as {
      cause: unknown;
      error: unknown;
    };
    expect(cause).toBe(error);
  });
});

test("a secret that is newer than what is remembered of the client is good", async () => {
  const [former, newer] = [client("app", "former"), client("app", SECRET)];
  const { client: found } = await authenticateClient(
    { ...world, clients: { find: async () => former, findAgain: async () => newer } },
    sentWith(basic("app", formEncoded(SECRET))),
    parseParameters(""),
    "authorization_code",
  );
  expect(found.client_id).toBe("app");
});
