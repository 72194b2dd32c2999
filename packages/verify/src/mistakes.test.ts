// Tests of callers' mistakes: each is rejected with a message that names it.

import { describe, expect, it, vi } from "vitest";
import {
  attest,
  chainOf,
  codeVerifier,
  dnssecPart,
  goodData,
  jwsProof,
  makeScene,
} from "../test/support/sign-in.ts";
import { anchorText, now } from "../test/support/signer.ts";
import { parseTrustAnchor } from "./dnssec/trust-anchors.ts";
import { VerificationError } from "./errors.ts";
import type { VerificationOptions } from "./expectations.ts";
import { verifyValidationData } from "./verify.ts";

const scene = await makeScene();

/** `code: message` of the error. Rethrows any other error. */
async function refusal(data: unknown, options: unknown): Promise<string> {
  try {
    await verifyValidationData(data, options as VerificationOptions);
    return "good";
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const withOptions = async (more: object) =>
  refusal(await goodData(scene), { ...scene.options, ...more });

it("the clock of the platform is taken where no time is given", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: now * 1000 });
  try {
    expect(await withOptions({ now: undefined })).toBe("good");
    vi.setSystemTime((now + 3 * 86_400) * 1000);
    expect(await withOptions({ now: undefined })).toMatch(/^expired: /);
  } finally {
    vi.useRealTimers();
  }
});

it.each<[string, object | string]>([
  ["validation_data", "a text"],
  ["dnssec", { dnssec: "a chain" }],
  ["dnssec", { dnssec: { type: "TXT", name: "a.", chain: "AA", not_before: -1, not_after: 1 } }],
  ["provider_proof", { provider_proof: "a.b.c" }],
  ["provider_proof", { provider_proof: { statement: "a.b.c" } }],
  ["provider_proof", { provider_proof: { statement: "a.b.c", key: "a" } }],
  ["statement", { provider_proof: { key: {} } }],
  ["owner_proof", { owner_proof: { kind: "jws", jws: "a.b.c" } }],
  ["owner_proof", { owner_proof: { kind: "pgp", key: {} } }],
  ["statement", { owner_proof: { kind: "webauthn", key: {}, statement: "A" } }],
  ["domain", { domain: "alice" }],
])("the message names the malformed member %s", async (member, change) => {
  const data = typeof change === "string" ? change : { ...(await goodData(scene)), ...change };
  const message = `malformed_data: ${member} is missing or malformed`;
  expect(await refusal(data, scene.options)).toBe(message);
});

describe("options", () => {
  it.each([[undefined], [null], [5], ["attestation"], [[]]])("are no %j", async (options) => {
    const message = "malformed_options: options must be an object";
    expect(await refusal(await goodData(scene), options)).toBe(message);
  });

  const text = (name: string) => `malformed_options: ${name} must be a non-empty string`;
  const wrong: [string, unknown[], string][] = [
    ["clientId", [undefined, null, "", 5, {}], text("clientId")],
    ["redirectUri", [undefined, null, "", 5, {}], text("redirectUri")],
    ["issuer", [undefined, null, "", 5, {}], text("issuer")],
    ["nonce", [null, "", 5, {}], text("nonce")],
    ["accessToken", [null, "", 5, {}], text("accessToken")],
    [
      "codeVerifier",
      [null, "", 5, "x".repeat(42), "x".repeat(129), `${codeVerifier}=`, [codeVerifier]],
      "malformed_options: codeVerifier must be 43 to 128 unreserved characters (RFC 7636)",
    ],
    [
      "jwks",
      [undefined, null, "https://auth.example.com/.well-known/jwks.json", [], {}, { keys: {} }],
      "malformed_options: jwks must be a JWK Set: { keys: […] }",
    ],
    [
      "require",
      [undefined, null, "dnssec", "Both", ["both"]],
      "malformed_options: require must be one of attestation, attestation_and_dnssec, provider_proof, owner_proof, both",
    ],
    [
      "maxSignatureAge",
      [-1, Number.NaN, Number.POSITIVE_INFINITY, null, "x", "86400", {}],
      "malformed_options: maxSignatureAge must be a number of seconds",
    ],
    [
      "now",
      [-1, Number.NaN, Number.POSITIVE_INFINITY, null, String(now), new Date(), now * 1000],
      "malformed_time: now must be seconds since 1970",
    ],
  ];
  it.each(wrong)("that are wrong are named: %s", async (name, values, message) => {
    expect(await withOptions({})).toBe("good");
    for (const value of values) {
      expect([value, await withOptions({ [name]: value })]).toEqual([value, message]);
    }
  });

  it("take trust anchors as a list of what was read, and of nothing else", async () => {
    const text = await anchorText(scene.world.root);
    const anchor = parseTrustAnchor(text);
    const { digest: _, ...without } = anchor;
    expect(await withOptions({ trustAnchors: [anchor] })).toBe("good");
    const message = "trustAnchors must be a non-empty array of results of parseTrustAnchor";
    for (const trustAnchors of [
      ...[anchor, text, [text], [null], [anchor, text], [], {}, null],
      ...[[without], [{ ...anchor, keyTag: "1" }], [{ ...anchor, digest: [...anchor.digest] }]],
    ]) {
      expect(await withOptions({ trustAnchors })).toBe(`malformed_options: ${message}`);
    }
    expect(await withOptions({ trustAnchors: undefined })).toMatch(/^untrusted_root: /);
  });
});

describe("data", () => {
  it("is the member, not the token response around it", async () => {
    const validation_data = await goodData(scene);
    const response = { access_token: "x", token_type: "bearer", validation_data };
    expect(await refusal(response, scene.options)).toBe(
      "malformed_data: v is missing: pass the member validation_data, not the token response",
    );
    expect(await refusal(validation_data, scene.options)).toBe("good");
  });
});

describe("the message names what does not match", () => {
  it("the request", async () => {
    const otherVerifier = "x".repeat(43);
    const nonce = { codeVerifier: undefined, nonce: "n-1" };
    for (const [options, message] of [
      [{ codeVerifier: otherVerifier }, "wrong_request: cch does not match codeVerifier"],
      [nonce, "wrong_request: nonce does not match the request"],
      [{ clientId: "x" }, "wrong_audience: aud does not match clientId"],
      [{ redirectUri: "x" }, "wrong_redirect_uri: redirect_uri does not match redirectUri"],
      [{ issuer: "x" }, "wrong_issuer: iss does not match issuer"],
      [{ accessToken: "x" }, "wrong_access_token: at_hash does not match accessToken"],
    ] as const) {
      expect(await withOptions(options)).toBe(message);
    }
  });

  it("the time, in the attestation and in the statement", async () => {
    const owner_proof = await jwsProof(scene, { iat: now - 3700, exp: now - 120 });
    const ended = await goodData(scene, { owner_proof });
    expect(await refusal(ended, scene.options)).toBe("expired: the statement expired 120 s ago");
    const later = { ...scene.options, now: now + 720 };
    expect(await refusal(ended, later)).toBe("expired: the attestation expired 120 s ago");
    const times = { iat: now + 90, exp: now + 600 };
    const attestation = await attest(scene, times);
    expect(await refusal(await goodData(scene, { attestation }), scene.options)).toBe(
      "not_yet_valid: iat of the attestation is 90 s ahead",
    );
  });

  it("the records of a chain, by the names of their types", async () => {
    const chain = await chainOf(scene);
    const at = Buffer.from(chain).indexOf("acct=") + 5;
    chain[at] = "x".charCodeAt(0);
    const data = await goodData(scene, { dnssec: dnssecPart(chain) });
    expect(await refusal(data, scene.options)).toBe(
      "bad_signature: the TXT records of _domain-signin.alice.test. have an invalid signature",
    );
    const { trustAnchors: _, ...options } = scene.options;
    expect(await refusal(await goodData(scene), options)).toMatch(
      /^untrusted_root: the DNSKEY records of \. are /,
    );
  });
});
