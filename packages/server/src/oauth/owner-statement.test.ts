// Tests of owner statements: when one is issued, and that it contains only validated members.

import { expect, test } from "vitest";
import type { Keyring } from "../keys/keyring.ts";
import { makeSigningKey, readSigningKey } from "../keys/signing-key.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { ControlEvidence } from "./evidence.ts";
import { ownerStatement } from "./owner-statement.ts";

const NOW = 1_800_000_000;
const ISSUER = "https://sp.example.com";
const SERVICE = { issuer: "https://broker.example.net" };
const key = readSigningKey(await makeSigningKey("ES256"), 0);
const keyring = {
  statementKeyFor: (jkts: readonly string[]) => (jkts.includes(key.kid) ? key : null),
} as Keyring;
const parts = { issuer: ISSUER, keyring, clock: clockFrom(() => NOW * 1000), random: systemRandom };

const evidence: ControlEvidence = {
  ...{ v: 1, domain: "alice.test", domain_since: NOW - 9, sp: ISSUER, acct: "acct" },
  redirect_uri: "https://broker.example.net/callback",
  dns: { status: "unknown", checked_at: NOW },
  statement_for: { aud: "app", redirect_uri: "https://app.example.org/cb", nonce: "n" },
  jkt: ["another", key.kid],
};
const { statement_for: _, ...unasked } = evidence;
const { jkt: __, ...keyless } = evidence;

test("it is made where a service asked and the record lists the key", () => {
  const proof = ownerStatement(evidence, SERVICE, parts);
  if (proof?.kind !== "jws") throw new Error("no statement");
  const [header, claims] = proof.jws
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(header).toEqual({ alg: "ES256", typ: "domain-owner-statement+jwt", kid: key.kid });
  expect(claims).toEqual({
    ...{ typ: "domain-owner-statement", v: 1, domain: "alice.test", aud: "app", nonce: "n" },
    ...{ redirect_uri: "https://app.example.org/cb", svc: SERVICE.issuer, sp: ISSUER },
    ...{ iat: NOW, exp: NOW + 3600, jti: expect.stringMatching(/^[\w-]{22}$/) },
  });
  expect(Object.keys(proof.key).sort()).toEqual(["crv", "kty", "x", "y"]);
});

test.each<[string, ControlEvidence, { issuer?: string }]>([
  ["nobody asked for one", unasked, SERVICE],
  ["the client is no service", evidence, {}],
  ["the record lists no key", keyless, SERVICE],
  ["the record lists others", { ...evidence, jkt: ["another"] }, SERVICE],
  ["the account is another SP's", { ...evidence, sp: "https://other.example" }, SERVICE],
])("it is not made where %s", (_, kept, client) => {
  expect(ownerStatement(kept, client, parts)).toBeNull();
});

test("it is bound to the code_challenge where the app sent one", () => {
  const statement_for = { aud: "app", redirect_uri: "https://app.example.org/cb", cch: "c" };
  const proof = ownerStatement({ ...evidence, statement_for }, SERVICE, parts);
  const [, payload = ""] = proof?.kind === "jws" ? proof.jws.split(".") : [];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  expect(claims).toMatchObject({ cch: "c" });
  expect(claims).not.toHaveProperty("nonce");
});
