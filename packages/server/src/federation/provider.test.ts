// Tests of how the metadata of an external SP is found, read and remembered.

import { expect, test } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { createProviders } from "./provider.ts";
import { SpFailure } from "./sp-problem.ts";

const ISSUER = "https://sp.example/tenant";
const good = {
  issuer: ISSUER,
  authorization_endpoint: "https://sp.example/authorize",
  token_endpoint: "https://sp.example/token",
  jwks_uri: "https://sp.example/keys",
};

function world(answer: (url: string) => Response | Promise<Response>) {
  let now = 1_700_000_000_000;
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return answer(url);
  };
  const { find } = createProviders(
    fetch,
    clockFrom(() => now),
  );
  const providers = {
    find: (issuer: string) =>
      find(issuer).then(
        () => ({ outcome: "provider" }) as const,
        (error: unknown) => {
          if (!(error instanceof SpFailure)) throw error;
          const { kind, message: detail } = error;
          return { outcome: "problem", problem: { kind, detail } } as const;
        },
      ),
  };
  const advance = (seconds: number) => {
    now += seconds * 1000;
  };
  return { providers, asked, advance };
}

test("it is asked for below the issuer, and by RFC 8414 where there is nothing", async () => {
  const { providers, asked } = world((url) =>
    url.endsWith("openid-configuration") ? new Response("", { status: 404 }) : Response.json(good),
  );
  expect((await providers.find(ISSUER)).outcome).toBe("provider");
  expect(asked).toEqual([
    "https://sp.example/tenant/.well-known/openid-configuration",
    "https://sp.example/.well-known/oauth-authorization-server/tenant",
  ]);
});

test("it is asked for once by all who ask meanwhile, and again after an hour", async () => {
  const { providers, asked, advance } = world(() => Response.json(good));
  await Promise.all([1, 2, 3].map(() => providers.find(ISSUER)));
  advance(3599);
  await providers.find(ISSUER);
  expect(asked).toHaveLength(1);
  advance(2);
  await providers.find(ISSUER);
  expect(asked).toHaveLength(2);
});

test("the cache is bounded, and removes the least recently used issuers first", async () => {
  const { providers, asked } = world(() => Response.json(good));
  await providers.find(ISSUER);
  for (let index = 0; index < 1000; index++) {
    await providers.find(`https://sp${index}.example`);
    if (index % 100 === 0) await providers.find(ISSUER);
  }
  const before = asked.length;
  await providers.find(ISSUER);
  expect(asked).toHaveLength(before);
});

test("a failure is remembered for seconds", async () => {
  let isUp = false;
  const { providers, asked, advance } = world(() => {
    if (!isUp) throw new GuardedFetchError("unreachable", "sp.example");
    return Response.json(good);
  });
  expect(await providers.find(ISSUER)).toMatchObject({ problem: { kind: "unreachable" } });
  isUp = true;
  expect((await providers.find(ISSUER)).outcome).toBe("problem");
  expect(asked).toHaveLength(1);
  advance(6);
  expect((await providers.find(ISSUER)).outcome).toBe("provider");
});

test("an error that is not the SP's is thrown, and not cached", async () => {
  let isOurs = true;
  const { providers } = world(() => {
    if (isOurs) throw new Error("ours");
    return Response.json(good);
  });
  await expect(providers.find(ISSUER)).rejects.toThrow("ours");
  isOurs = false;
  expect((await providers.find(ISSUER)).outcome).toBe("provider");
});

const ENDPOINTS = [
  ...["authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"],
];
/** None of them is a URL that can be asked. */
const NOT_ENDPOINTS = [
  ...["javascript:alert(1)", "data:application/json,{}", "file:///etc/passwd", "/token", "", 1, {}],
  ...["https://user@sp.example/", "https://sp.example@evil.example/", "https://sp.example/#a"],
  `https://sp.example/${"a".repeat(3000)}`,
];
const WRONG_KINDS: readonly [string, unknown][] = [
  ["code_challenge_methods_supported", "S256"],
  ["authorization_response_iss_parameter_supported", "true"],
  ["authorization_response_iss_parameter_supported", 1],
  ["response_types_supported", "code"],
  ["id_token_signing_alg_values_supported", [null]],
  ["client_id_metadata_document_supported", "yes"],
  ["domain_signin_version", "1"],
  ["domain_signin_version", 1.5],
];

type BadMetadata = [what: string, body: unknown, words: string];
function withMember(name: string, value: unknown, words = `member: ${name}`): BadMetadata {
  const what = `${name} ${JSON.stringify(value)?.slice(0, 60)}`;
  return [what, { ...good, [name]: value }, words];
}

test.each<BadMetadata>([
  ["another issuer", { ...good, issuer: `${ISSUER}/` }, "different issuer, with a trailing slash"],
  ...[
    ...["https://stranger.example", "https://sp.example:444/tenant", "https://sp.example", ""],
    ...["https://sp.example/TENANT", "https://SP.example/tenant", `${ISSUER}?`, `${ISSUER} `],
  ].map((issuer) => withMember("issuer", issuer, "has a different issuer")),
  ...[undefined, null, [ISSUER], 1].map((issuer) => withMember("issuer", issuer)),
  ...ENDPOINTS.flatMap((name) => NOT_ENDPOINTS.map((url) => withMember(name, url))),
  ...WRONG_KINDS.map(([name, value]) => withMember(name, value)),
  ["no authorization endpoint", { ...good, authorization_endpoint: undefined }, "authorization_"],
  ["no keys", { ...good, jwks_uri: undefined }, "member: jwks_uri"],
  ["a string", "issuer", "not a JSON object"],
  ["no token endpoint", { ...good, token_endpoint: undefined }, "member: token_endpoint"],
  ["keys that are no URL", { ...good, jwks_uri: "/keys" }, "member: jwks_uri"],
  ["a script", { ...good, authorization_endpoint: "javascript:x" }, "authorization_endpoint"],
  ["a user name", { ...good, jwks_uri: "https://a@sp.example/" }, "member: jwks_uri"],
  ["a fragment", { ...good, authorization_endpoint: "https://sp.example/#a" }, "authorization_"],
  ["a text for a list", { ...good, code_challenge_methods_supported: "S256" }, "code_challenge"],
  ["a text for a truth", { ...good, client_id_metadata_document_supported: "true" }, "client_id_"],
  ["a list", [good], "not a JSON object"],
  ["null", null, "not a JSON object"],
])("bad metadata, %s, is reported as such", async (_, body, words) => {
  const { providers } = world(() => Response.json(body));
  const found = await providers.find(ISSUER);
  expect(found).toMatchObject({ outcome: "problem", problem: { kind: "bad_metadata" } });
  expect(found.outcome === "problem" && found.problem.detail).toContain(words);
});

test("what is no JSON is bad metadata, too", async () => {
  const { providers } = world(() => new Response("{"));
  expect(await providers.find(ISSUER)).toMatchObject({ problem: { kind: "bad_metadata" } });
});

test.each([
  [204, "bad_metadata"],
  [206, "bad_metadata"],
  [401, "bad_metadata"],
  [403, "bad_metadata"],
  [404, "bad_metadata"],
  [410, "bad_metadata"],
  [429, "unreachable"],
  [500, "unreachable"],
  [503, "unreachable"],
])("status %i is %s", async (status, kind) => {
  // Response allows no body with 204.
  const body = status === 204 ? null : JSON.stringify(good);
  const { providers } = world(() => new Response(body, { status }));
  expect(await providers.find(ISSUER)).toMatchObject({ problem: { kind } });
});
