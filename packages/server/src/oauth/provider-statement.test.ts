// Tests of provider statements: when one is made, and that it contains only validated members.

import { expect, test } from "vitest";
import type { Keyring } from "../keys/keyring.ts";
import { makeSigningKey, readSigningKey } from "../keys/signing-key.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { ControlEvidence } from "./control-evidence.ts";
import { createStatements } from "./statements.ts";

const NOW = 1_800_000_000;
const ISSUER = "https://sp.example.com";
const SERVICE = "https://broker.example.net";
const key = readSigningKey(await makeSigningKey("ES256"), 0);
const statementKeyFor: Keyring["statementKeyFor"] = (spk) => (spk.includes(key.kid) ? key : null);
const keyring = { statementKeyFor } as Keyring;
const { providerProof } = createStatements({
  issuer: ISSUER,
  keyring,
  clock: clockFrom(() => NOW * 1000),
  random: systemRandom,
});

const evidence: ControlEvidence = {
  v: 2,
  domain: "alice.test",
  domain_since: NOW - 9,
  sp: ISSUER,
  acct: "acct",
  redirect_uri: "https://broker.example.net/callback",
  nonce: null,
  dns: { status: "unknown", checked_at: NOW },
  dnssec: { chain: "AA", not_before: NOW - 9, not_after: NOW + 9 },
  spk: ["another", key.kid],
};
const request = { aud: "app", redirect_uri: "https://app.example.org/cb", nonce: "n" };
const { dnssec: _, ...unsigned } = evidence;
const { spk: __, ...keyless } = evidence;
const { nonce: ___, ...unbound } = request;

const read = (jws: string) =>
  jws.split(".", 2).map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));

test("it states which account signed in, for which request, and nothing else", () => {
  const proof = providerProof(evidence, request, SERVICE);
  const [header, claims] = read(proof?.statement ?? "");
  expect(header).toEqual({ alg: "ES256", typ: "domain-provider-statement+jwt", kid: key.kid });
  expect(claims).toEqual({
    typ: "domain-provider-statement",
    v: 1,
    domain: "alice.test",
    acct: "acct",
    aud: "app",
    redirect_uri: "https://app.example.org/cb",
    nonce: "n",
    svc: SERVICE,
    sp: ISSUER,
    iat: NOW,
    exp: NOW + 3600,
    jti: expect.stringMatching(/^[\w-]{22}$/),
  });
  expect(Object.keys(proof?.key ?? {}).sort()).toEqual(["crv", "kty", "x", "y"]);
});

test.each<[string, ControlEvidence, typeof unbound]>([
  ["the record lists no key", keyless, request],
  ["the record lists others", { ...evidence, spk: ["another"] }, request],
  ["the zone is not signed", unsigned, request],
  ["the account is another SP's", { ...evidence, sp: "https://other.example" }, request],
  ["the request has neither PKCE nor nonce", evidence, unbound],
])("it is not made where %s", (_, kept, asked) => {
  expect(providerProof(kept, asked, SERVICE)).toBeNull();
});

test("it is bound to the code_challenge where the app sent one", () => {
  const proof = providerProof(evidence, { ...unbound, cch: "c" }, SERVICE);
  const [, claims] = read(proof?.statement ?? "");
  expect(claims).toMatchObject({ cch: "c" });
  expect(claims).not.toHaveProperty("nonce");
});
