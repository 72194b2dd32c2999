// External SPs with wrong metadata, or a bad registration: nobody is sent to them, and the page says why.

import { describe, expect, test } from "vitest";
import {
  html,
  type Json,
  jsonType,
  metadataOf,
  type Replying,
  startBentSp,
  withRegistration,
} from "../../support/bent-sp.ts";

import { codeOf, federation, textOf } from "../../support/federated.ts";
import { fixture } from "../../support/fixture.ts";

const world = federation();
/** Where others' endpoints would be: nothing may ever come here. */
const elsewhere = fixture(() => startBentSp());

/** Nobody is sent there, and it is asked for nothing but its metadata. */
async function refusedUnseen(metadata: (metadata: Json) => Json, says: RegExp): Promise<void> {
  const { sp } = await world.expectRefused({ metadata }, says);
  const paths = sp.requests.map(({ path }) => path);
  expect(paths.filter((path) => path !== "metadata" && path !== "oauth-metadata")).toEqual([]);
  expect(elsewhere.requests).toEqual([]);
}

test("an SP that does all as it should signs the owner in, so that the tests below speak of something", async () => {
  const sp = await world.sp();
  const done = await world.visit(world.domainAt(sp));
  expect(codeOf(done)).toMatch(/^dsc_/);
  expect(sp.requests.map(({ path }) => path)).toEqual(["metadata", "authorize", "token", "jwks"]);
});

// The tables are beside the code: `provider.test.ts`, `provider-requirements.test.ts`, `sp-client.test.ts`.
describe("metadata is refused", () => {
  test("with another issuer (OIDC Discovery §4.3)", async () => {
    await refusedUnseen((right) => ({ ...right, issuer: `${right.issuer}/` }), /issuer/);
  });

  test.each(["authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"])(
    "with %s on another origin",
    async (name) => {
      const there = `${elsewhere.issuer}/${name}`;
      await refusedUnseen(
        (metadata) => ({ ...withRegistration(metadata), [name]: there }),
        new RegExp(`${name} must have the origin http://localhost`),
      );
    },
  );

  test.each<[string, unknown, RegExp]>([
    ["token_endpoint", "javascript:alert(1)", /token_endpoint/],
    ["authorization_response_iss_parameter_supported", "true", /authorization_response_iss/],
    ["code_challenge_methods_supported", ["plain"], /S256/],
    ["token_endpoint_auth_methods_supported", ["tls_client_auth"], /registration/],
  ])("with %s: %j", async (name, value, says) => {
    await refusedUnseen((metadata) => ({ ...metadata, [name]: value }), says);
  });
});

describe("metadata that is answered in another way is refused:", () => {
  test.each<[string, number, Record<string, string>, string, RegExp]>([
    ["status 404 at both places", 404, jsonType, "{}", /status 404/],
    ["a page", 200, html, "<title>Welcome</title>", /JSON/],
    ["too much of it", 200, jsonType, `{"a":"${"x".repeat(70_000)}"}`, /too large/],
  ])("%s", async (_, status, headers, body, says) => {
    const reply = { status, headers, body };
    const replies = { metadata: () => reply, "oauth-metadata": () => reply };
    await world.expectRefused({ reply: replies }, says);
  });

  test("a redirect to another origin: the page names both URLs, and nothing is asked there", async () => {
    const path = "/.well-known/openid-configuration";
    const location = `${elsewhere.issuer}${path}`;
    const reply = { metadata: () => ({ status: 302, headers: { location } }) };
    const { sp, page } = await world.expectRefused({ reply }, /another origin/);
    expect(textOf(page)).toContain(`302 from ${sp.issuer}${path} to ${location}`);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe("metadata that the SP redirects to within its own origin", () => {
  /** Redirects so many times, by relative references, until it returns the metadata. */
  const after =
    (redirects: number, status: number): Replying =>
    ({ url }) => {
      const count = Number(url.searchParams.get("n") ?? 0);
      if (count === redirects) return { body: metadataOf(url.origin) };
      return { status, headers: { location: `${url.pathname}?n=${count + 1}` } };
    };

  test.each([301, 302, 307, 308])("signs the owner in (status %i)", async (status) => {
    const sp = await world.sp({ reply: { metadata: after(1, status) } });
    expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
    expect(sp.asked("metadata").map(({ url }) => url.search)).toEqual(["", "?n=1"]);
  });

  test("is that of RFC 8414 too", async () => {
    const replies = {
      metadata: () => ({ status: 404, body: {} }),
      "oauth-metadata": after(3, 301),
    };
    const sp = await world.sp({ reply: replies });
    expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
    expect(sp.asked("oauth-metadata")).toHaveLength(4);
  });

  test("must name the identical issuer all the same (OIDC Discovery §4.3)", async () => {
    const reply: Replying = ({ url }) =>
      url.search === ""
        ? { status: 301, headers: { location: "?moved" } }
        : { body: { ...metadataOf(url.origin), issuer: `${url.origin}/` } };
    await world.expectRefused({ reply: { metadata: reply } }, /different issuer/);
  });

  test("is refused after three redirects", async () => {
    const reply = { metadata: after(4, 302) };
    const { sp } = await world.expectRefused({ reply }, /after 3 others/);
    expect(sp.asked("metadata")).toHaveLength(4);
  });
});

describe("a registration that is answered badly is refused (RFC 7591 §3.2):", () => {
  test.each<[string, number, unknown, RegExp]>([
    ["refused", 400, { error: "invalid_client_metadata" }, /invalid_client_metadata/],
    ["refused with markup", 400, { error: "<script>alert(1)</script>" }, /refused|register/],
    ["no JSON", 201, "<p>", /JSON/],
    ["redirected, to the same place", 307, "", /redirect/],
  ])("%s", async (_, status, body, says) => {
    const headers = status === 307 ? { location: "/register?again" } : undefined;
    const reply = { register: () => ({ status, body, ...(headers && { headers }) }) };
    const { sp, page } = await world.expectRefused({ metadata: withRegistration, reply }, says);
    expect([sp.asked("register").length, sp.asked("authorize")]).toEqual([1, []]);
    expect(page.html).not.toContain("<script>alert");
    expect(await world.test.store.spClients.findSpClients(sp.issuer)).toEqual([]);
  });
});
