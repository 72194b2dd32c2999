// Tests of what an external SP must be able to do.

import { expect, test } from "vitest";
import type { ProviderMetadata } from "./provider.ts";
import { type Allowance, asymmetricAlgs, requirementsOf, unmetOf } from "./provider.ts";

const ISSUER = "https://sp.example/tenant";
const good: ProviderMetadata = {
  issuer: ISSUER,
  authorization_endpoint: "https://sp.example/authorize",
  token_endpoint: "https://sp.example/token",
  jwks_uri: "https://sp.example/keys",
  response_types_supported: ["code", "id_token"],
  code_challenge_methods_supported: ["plain", "S256"],
  id_token_signing_alg_values_supported: ["HS256", "RS256"],
  authorization_response_iss_parameter_supported: true,
};

function unmet(change: object, allow: Allowance[] = [], allowLoopback = false): string[] {
  return requirementsOf(ISSUER, { ...good, ...change }, { allow, allowLoopback })
    .filter(({ met, needed }) => needed && !met)
    .map(({ name }) => name);
}

test("an SP that can do all is good enough", () => {
  expect(unmet({})).toEqual([]);
  expect(unmetOf(requirementsOf(ISSUER, good, { allow: [], allowLoopback: false }))).toBeNull();
});

const ISS = "iss in responses";
const CODE = "authorization code";
const SIGNED = "signed ID tokens";
const ORIGIN = "endpoints on its origin";
const algs = (...supported: string[]) => ({ id_token_signing_alg_values_supported: supported });

test.each<[string, object, string]>([
  ["another issuer", { issuer: `${ISSUER}/` }, "issuer"],
  ["no PKCE said", { code_challenge_methods_supported: undefined }, "PKCE"],
  ["PKCE in small letters", { code_challenge_methods_supported: ["s256"] }, "PKCE"],
  ["plain PKCE alone", { code_challenge_methods_supported: ["plain"] }, "PKCE"],
  ["no iss said", { authorization_response_iss_parameter_supported: undefined }, ISS],
  ["no iss", { authorization_response_iss_parameter_supported: false }, ISS],
  ["no code", { response_types_supported: ["id_token"] }, CODE],
  ["codes with tokens alone", { response_types_supported: ["code id_token"] }, CODE],
  ["no algorithm", algs(), SIGNED],
  ["an unknown algorithm", algs("RSA1_5"), SIGNED],
  ["shared secrets", algs("HS256"), SIGNED],
  ["no signature", algs("none"), SIGNED],
  ["an endpoint elsewhere", { token_endpoint: "https://b.example/" }, ORIGIN],
  [
    "a host that only begins like it",
    { authorization_endpoint: "https://sp.example.evil.example/" },
    ORIGIN,
  ],
  ["a private address", { token_endpoint: "https://169.254.169.254/" }, ORIGIN],
  ["another port", { jwks_uri: "https://sp.example:444/" }, ORIGIN],
  ["a subdomain", { registration_endpoint: "https://a.sp.example/" }, ORIGIN],
])("%s is not", (_, change, name) => {
  expect(unmet(change)).toEqual([name]);
});

test("plain http is not, wherever it leads, but for localhost where that is let in", () => {
  const plain = { jwks_uri: "http://sp.example/keys" };
  expect(unmet(plain, ["endpoints_elsewhere"])).toEqual(["https endpoints"]);
  expect(unmet(plain, ["endpoints_elsewhere"], true)).toEqual(["https endpoints"]);
  const loopback = { jwks_uri: "http://localhost:1/keys" };
  expect(unmet(loopback, ["endpoints_elsewhere"])).toEqual(["https endpoints"]);
  expect(unmet(loopback, ["endpoints_elsewhere"], true)).toEqual([]);
});

test.each<[Allowance, object]>([
  ["no_pkce", { code_challenge_methods_supported: undefined }],
  ["no_iss", { authorization_response_iss_parameter_supported: undefined }],
  ["endpoints_elsewhere", { jwks_uri: "https://keys.example/" }],
])("the operator may let it do without: %s, and without nothing else", (allowance, change) => {
  expect(unmet(change, [allowance])).toEqual([]);
  const all = ["no_pkce", "no_iss", "endpoints_elsewhere"] as const;
  const others = all.filter((other) => other !== allowance);
  expect(unmet(change, others)).toHaveLength(1);
});

test("all that is missing is said, and which endpoints are meant", () => {
  const bad = { ...good, token_endpoint: "https://b.example/", response_types_supported: [] };
  const words = unmetOf(requirementsOf(ISSUER, bad, { allow: [], allowLoopback: false }));
  expect(words).toBe(
    'token_endpoint must have the origin https://sp.example; response_types_supported must include "code"',
  );
});

test("RS256 is what a provider can do that says nothing, and only what it can do alone counts", () => {
  const { id_token_signing_alg_values_supported: _, ...silent } = good;
  expect(asymmetricAlgs(silent)).toEqual(["RS256"]);
  const all = ["none", "HS512", "EdDSA", "ES256", "RS1"];
  expect(asymmetricAlgs({ ...good, ...algs(...all) })).toEqual(["ES256", "EdDSA"]);
});
