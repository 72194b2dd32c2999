// Vectors of attestations that must be refused.

import { createHmac } from "node:crypto";
import type { VerificationErrorCode } from "../../src/errors.ts";
import {
  type Bytes,
  base64url,
  compactJws,
  derSignature,
  type Json,
  makeSigningKey,
} from "../support/jose.ts";
import { attest, clientId, goodClaims, issuer } from "../support/sign-in.ts";
import { now } from "../support/signer.ts";
import { asking, attested, bad, type Kit } from "./kit.ts";
import type { Vector } from "./vector.ts";

type Row = readonly [name: string, lies: Json, code: VerificationErrorCode, reason: string];

const facts = "A claim is missing or of another type than it should be.";

const claims: readonly Row[] = [
  ["by another issuer", { iss: "https://evil.example.com" }, "wrong_issuer", "iss is not it."],
  ["for another client", { aud: "https://evil.test" }, "wrong_audience", "aud is another client."],
  [
    "for several clients",
    { aud: [clientId, "https://evil.test"] },
    "wrong_audience",
    "aud is one text: what is for others too could be passed on by them.",
  ],
  [
    "for another redirect_uri",
    { redirect_uri: "https://app.example.net/" },
    "wrong_redirect_uri",
    "The code went to another address of the client.",
  ],
  ["of another request", { cch: "x".repeat(43) }, "wrong_request", "cch is another challenge."],
  ["of no request", { cch: undefined }, "wrong_request", "Nothing binds it to this sign-in."],
  [
    "with a nonce in the place of cch",
    { cch: undefined, nonce: "n-1" },
    "wrong_request",
    "The client gives its code_verifier, and cch is not there.",
  ],
  ["about another domain", { domain: "evilalice.test" }, "wrong_domain", "domain is another."],
  ["about the parent domain", { domain: "test" }, "wrong_domain", "domain is another."],
  ["that is over", { iat: now - 660, exp: now - 60 }, "expired", "exp is 60 seconds ago."],
  [
    "that is to come",
    { iat: now + 61, exp: now + 99 },
    "not_yet_valid",
    "iat is 61 seconds ahead.",
  ],
  ["that lasts too long", { exp: now + 601 }, "malformed_claims", "600 seconds is the most."],
  ["that ends before it begins", { exp: now - 1 }, "malformed_claims", "exp is before iat."],
  ["with a time as text", { exp: `${now + 600}` }, "malformed_claims", facts],
  ["with a time in fractions", { exp: now + 0.5 }, "malformed_claims", facts],
  ["without sub", { sub: undefined }, "malformed_claims", facts],
  ["with an empty acct", { acct: "" }, "malformed_claims", facts],
  ["without sp", { sp: undefined }, "malformed_claims", facts],
  ["without jti", { jti: undefined }, "malformed_claims", facts],
  ["with amr that is no list", { amr: "hwk" }, "malformed_claims", facts],
  ["with amr that lists a number", { amr: ["hwk", 1] }, "malformed_claims", facts],
  ["without method", { method: undefined }, "malformed_claims", facts],
  ["without domain_since", { domain_since: undefined }, "malformed_claims", facts],
  ["with auth_time as text", { auth_time: `${now}` }, "malformed_claims", facts],
  ["without dns", { dns: undefined }, "malformed_claims", facts],
  ["of an assurance that is none", { dns: { status: "certain" } }, "malformed_claims", facts],
];

const headers: readonly Row[] = [
  [
    "of another type",
    { typ: "JWT" },
    "wrong_type",
    "The same key may sign other things, which are no attestation.",
  ],
  ["of no type", { typ: undefined }, "wrong_type", "typ is domain-attestation+jwt."],
  ["with alg RS256", { alg: "RS256" }, "wrong_algorithm", "The key's type says ES256."],
  ["with alg es256", { alg: "es256" }, "wrong_algorithm", "Names of algorithms have one spelling."],
  [
    "with crit",
    { crit: ["b64"], b64: false },
    "critical_header",
    "RFC 7515 §4.1.11: what is critical and not understood is refused.",
  ],
  ["with an empty crit", { crit: [] }, "critical_header", "RFC 7515 §4.1.11 forbids it."],
  ["with an unknown kid", { kid: "k2" }, "no_such_key", "The key set has no such kid."],
  ["without kid", { kid: undefined }, "no_such_key", "No key is tried that is not named."],
];

export async function badAttestationVectors(kit: Kit): Promise<Vector[]> {
  const { scene } = kit;
  const vectors: Vector[] = [];
  for (const [name, lies, code, reason] of claims) {
    vectors.push(refused(kit, name, await attest(scene, lies), code, reason));
  }
  for (const [name, lies, code, reason] of headers) {
    vectors.push(refused(kit, name, await attest(scene, {}, lies), code, reason));
  }
  return [
    ...vectors,
    ...(await assurances(kit)),
    ...(await forgeries(kit)),
    ...(await signatures(kit)),
    ...(await keys(kit)),
  ];
}

async function assurances(kit: Kit): Promise<Vector[]> {
  const reason = "The client requires more than the service could say.";
  const rows = [
    ["unknown", "single"],
    ["unknown", "corroborated"],
    ["unknown", "secure"],
    ["single", "corroborated"],
    ["corroborated", "secure"],
  ] as const;
  return Promise.all(
    rows.map(async ([status, min_assurance]) => {
      const name = `of assurance ${status} where ${min_assurance} is required`;
      const attestation = await attest(kit.scene, { dns: { status } });
      return refused(kit, name, attestation, "assurance_too_low", reason, { min_assurance });
    }),
  );
}

function refused(
  { options }: Kit,
  name: string,
  attestation: string,
  code: VerificationErrorCode,
  reason: string,
  more: Json = {},
): Vector {
  const asked = { ...asking("attestation", options), ...more };
  return bad(`an attestation ${name}`, attested(attestation), asked, code, reason);
}

async function forgeries(kit: Kit): Promise<Vector[]> {
  const { scene } = kit;
  const header = { typ: "domain-attestation+jwt", alg: "ES256", kid: "k1" };
  const unsigned = await attest(scene, {}, { alg: "none" });
  const bare = unsigned.slice(0, unsigned.lastIndexOf(".") + 1);
  const secret = JSON.stringify(scene.service.jwk);
  const sign = async (data: Bytes) =>
    new Uint8Array(createHmac("sha256", secret).update(data).digest());
  const hmac = { ...scene.service, sign };
  const byHmac = await compactJws(hmac, { ...header, alg: "HS256" }, goodClaims());
  const evil = await makeSigningKey();
  const brought = { jwk: evil.jwk, jku: "https://evil.test/jwks" };
  const byBrought = await attest({ ...scene, service: evil }, {}, brought);
  const text = JSON.stringify(goodClaims());
  const twice = await compactJws(scene.service, header, text.replace("{", '{"sub":"acc_2",'));
  const hidden = await compactJws(scene.service, header, text.replace("{", '{"s\\u0075b":"b",'));
  const list = await compactJws(scene.service, header, [goodClaims()]);
  return [
    refused(kit, "with alg none", bare, "wrong_algorithm", "Nobody signed it."),
    refused(
      kit,
      "with alg HS256, its secret the public key",
      byHmac,
      "wrong_algorithm",
      "The key's type says the algorithm, never the header: everybody has a public key.",
    ),
    refused(
      kit,
      "by a key in its own header",
      byBrought,
      "bad_signature",
      "jwk, jku and x5c are not looked at: the key of that kid in the key set did not sign it.",
    ),
    refused(
      kit,
      "with a claim twice",
      twice,
      "malformed_claims",
      "RFC 8725 §2.4: readers differ in which of the two they take.",
    ),
    refused(
      kit,
      "with a claim twice, once with an escape in its name",
      hidden,
      "malformed_claims",
      "RFC 8725 §2.4: readers differ in which of the two they take.",
    ),
    refused(
      kit,
      "whose payload is a list",
      list,
      "malformed_claims",
      "Claims are one JSON object.",
    ),
  ];
}

async function signatures(kit: Kit): Promise<Vector[]> {
  const { scene } = kit;
  const good = await attest(scene);
  const [head = "", claimsPart = "", signature = ""] = good.split(".");
  const octets = new Uint8Array(Buffer.from(signature, "base64url"));
  const signedBy = (other: Uint8Array) => `${head}.${claimsPart}.${base64url(other)}`;
  const changed = octets.slice();
  changed[40] = (changed[40] ?? 0) ^ 1;
  const otherClaims = base64url(Buffer.from(JSON.stringify({ ...goodClaims(), sub: "acc_2" })));
  const form = "ES256 is two numbers of 32 octets (RFC 7518 §3.4), in no other form.";
  const length = (name: string, other: Uint8Array) =>
    refused(kit, name, signedBy(other), "bad_signature", form);
  return [
    length("signed in DER", derSignature(octets)),
    length("whose signature is an octet short", octets.slice(0, 63)),
    length("whose signature is an octet long", Uint8Array.from([...octets, 0])),
    length("whose signature is empty", new Uint8Array()),
    length("whose signature is zeros", new Uint8Array(64)),
    refused(
      kit,
      "with one changed bit",
      signedBy(changed),
      "bad_signature",
      "Not what was signed.",
    ),
    refused(
      kit,
      "with other claims behind its signature",
      `${head}.${otherClaims}.${signature}`,
      "bad_signature",
      "Not what was signed.",
    ),
    refused(kit, "with padding", `${good}==`, "malformed_jws", "base64url without padding."),
    refused(kit, "of four parts", `${good}.AA`, "malformed_jws", "A compact JWS has three parts."),
  ];
}

async function keys(kit: Kit): Promise<Vector[]> {
  const { scene } = kit;
  const good = await attest(scene);
  const key = { ...scene.service.jwk, kid: "k1" };
  const other = { ...(await makeSigningKey()).jwk, kid: "k1" };
  const rsa = await makeSigningKey("RSA");
  const byRsa = await attest({ ...scene, service: rsa }, {}, { alg: "RS256" });
  const within = (...list: object[]) => ({ jwks: { keys: list } });
  const kid = "no_such_key" as const;
  return [
    refused(kit, "of a kid of two keys", good, kid, "Which of them?", within(key, other)),
    refused(
      kit,
      "by a key for encryption",
      good,
      kid,
      "use says what a key is for.",
      within({ ...key, use: "enc" }),
    ),
    refused(
      kit,
      "by a key of RSA",
      byRsa,
      kid,
      "Attestations are ES256, whatever else the key set holds.",
      within({ ...rsa.jwk, kid: "k1" }),
    ),
    refused(
      kit,
      "by a key of the wrong size",
      good,
      "unsuitable_key",
      "A coordinate of P-256 has 32 octets.",
      within({ ...key, x: "AA" }),
    ),
    refused(kit, "with no keys", good, kid, "The key set is empty.", within()),
    refused(
      kit,
      "from another service",
      good,
      "wrong_issuer",
      "The client did not send its person there.",
      { issuer: `${issuer}.evil.test` },
    ),
  ];
}
