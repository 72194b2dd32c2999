// Tests of what an authorization request says for a service, for statements of the owner, and for the log.

import { describe, expect, it } from "vitest";
import { UntrustedRequestError } from "../interaction/page-error.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import type { Client, Clients } from "./client.ts";
import { makeClient } from "./client-registration.ts";
import { AuthorizationError } from "./errors.ts";

const issuer = "https://auth.example.com";
const redirect_uri = "https://app.example.org/callback?tenant=1";
const code_challenge = "E9Melhoa2OwvFrEGTMguPAR4UzMtyKqgVvJxYVg_cwE";
const pkce = { code_challenge, code_challenge_method: "S256" };

function client(client_id: string, more: Partial<Client> = {}): Client {
  const registration = { name: "App", redirect_uris: [redirect_uri], scope: "openid read write" };
  const parts = { random: systemRandom, clock: clockFrom(() => 0) };
  return { ...makeClient(registration, parts).client, client_id, ...more };
}

const known = [
  client("app"),
  client("spa", { type: "public", secrets: [], require_pkce: true }),
  client("cli", { application_type: "native", redirect_uris: ["http://127.0.0.1/cb"] }),
];
const service = client("service", { issuer: "https://service.example" } as Partial<Client>);
known.push(service);
const find = async (id: string) => known.find((each) => each.client_id === id) ?? null;
const clients: Clients = { find, findAgain: find };

/** A good request with some parameters changed, or left out where undefined. */
function queryOf(changes: Record<string, string | undefined> = {}): string {
  const parameters = {
    client_id: "app",
    redirect_uri,
    response_type: "code",
    scope: "openid",
    state: "s",
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...changes })) {
    if (value !== undefined) query.append(name, value);
  }
  return query.toString();
}

function read(query: string) {
  return readAuthorizationRequest(query, { clients, issuer });
}

/** `page NAME` before the target is proven; afterwards the code, the state given back, the words. */
async function refusal(
  query: string,
): Promise<{ told: string; state?: string | undefined; words?: string }> {
  try {
    await read(query);
    return { told: "accepted" };
  } catch (error) {
    if (error instanceof UntrustedRequestError) return { told: `page ${error.problem.name}` };
    if (!(error instanceof AuthorizationError)) throw error;
    expect(error.target.uri).toBe(redirect_uri);
    return { told: error.code, state: error.target.state, words: error.message };
  }
}

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
      ...{ told: "invalid_request", state: "s" },
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
  expect((await refusal(queryOf({ nonce: "ü".repeat(1025) }))).told).toBe("invalid_request");
});

it("an outage while the client is looked for leaves the request as it is", async () => {
  const outage = new Error("away");
  const away = () => Promise.reject(outage);
  const parts = { clients: { find: away, findAgain: away }, issuer };
  await expect(readAuthorizationRequest(queryOf(), parts)).rejects.toBe(outage);
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
    problem: { name: "repeatedParameter", parameter: "redirect_uri" },
  });
});

it("a request without scope is told that it is missing", async () => {
  expect((await refusal(queryOf({ scope: undefined }))).words).toBe("scope is missing");
});
