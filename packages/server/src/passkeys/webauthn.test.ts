// Tests of passkeys: what a software authenticator makes is accepted, and every spoiled form is refused.

import { randomBytes } from "node:crypto";
import { readPublicJwk, thumbprintOf } from "domain-signin-verify/jwk";
import { describe, expect, test } from "vitest";
import {
  type CborMap,
  cbor,
  coseKeyOf,
  createAuthenticator,
  type KeyKind,
  type SoftPasskey,
  type Spoiled,
} from "../../test/support/authenticator.ts";
import { makeKeyPair } from "../../test/support/key-pair.ts";
import type { Passkey } from "../store/passkeys.ts";
import { assertionOptions } from "./challenge.ts";
import { readAssertion } from "./credential.ts";
import { registrationOptions, verifyAssertion, verifyRegistration } from "./webauthn.ts";

const issuer = "https://auth.example.com";
const challenge = randomBytes(32).toString("base64url");
const userHandle = randomBytes(16).toString("base64url");
const creation = registrationOptions({ issuer, challenge, userHandle, domain: "alice.test" });
const request = assertionOptions({ issuer, challenge });
const authenticator = createAuthenticator(issuer);

const hex = (text: string) => Buffer.from(text, "hex");
/** In DER, of two numbers that sign nothing. */
const FALSE_SIGNATURE = "3006020101020101";

/** What a registration with these changes leads to. */
async function register(spoiled: Spoiled & { kind?: KeyKind } = {}) {
  return verifyRegistration(authenticator.create(creation, spoiled).json, { issuer, challenge });
}

async function problemOf(result: object): Promise<unknown> {
  return "problem" in (await result) ? ((await result) as { problem: unknown }).problem : "none";
}

/** A registered passkey, in the browser and in the store. */
async function registered(kind: KeyKind = "ec", counter = 0) {
  const { passkey: soft, json } = authenticator.create(creation, { kind, counter });
  const result = await verifyRegistration(json, { issuer, challenge });
  if (result.outcome === "refused") throw new Error(result.problem);
  const owner = { accountId: "sub_1", userHandle, name: "x" };
  const stored: Passkey = {
    ...result.passkey,
    ...owner,
    createdAt: 1,
    lastUsedAt: null,
    unconfirmed: 0,
  };
  return { soft, stored };
}

function verify(json: string, stored: Passkey) {
  const read = readAssertion(json);
  if (read.outcome === "refused") return read;
  return verifyAssertion(read, stored, { issuer, challenge });
}

async function assert(
  { soft, stored }: { soft: SoftPasskey; stored: Passkey },
  spoiled: Spoiled = {},
): Promise<unknown> {
  return problemOf(verify(authenticator.get(soft, request, spoiled), stored));
}

describe.each(["ec", "ed25519", "rsa"] as const)("a passkey with a key of type %s", (kind) => {
  test("is registered with the thumbprint of its key (RFC 7638), and signs in", async () => {
    const { soft, stored } = await registered(kind);
    const { kty, crv, x, y, e, n } = soft.publicKey.export({ format: "jwk" });
    const jwk = JSON.parse(JSON.stringify({ kty, crv, x, y, e, n }));
    expect(stored.credentialId).toBe(soft.credentialId);
    expect(stored.thumbprint).toBe(await thumbprintOf(readPublicJwk(jwk)));
    const asserted = verify(authenticator.get(soft, request), stored);
    expect(asserted).toEqual({ outcome: "asserted", counter: 0, backedUp: 0, jwk });
  });
});

test("the options ask for a discoverable passkey, a verified user and no attestation", () => {
  expect(creation).toMatchObject({
    rp: { id: "auth.example.com" },
    user: { id: userHandle, name: "alice.test" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    timeout: 300_000,
  });
  expect(creation.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
  const exclude = [{ credentialId: "AAAA", accountId: "sub" }];
  const second = registrationOptions({ issuer, challenge, userHandle, domain: "a.test", exclude });
  expect(second.excludeCredentials).toEqual([{ type: "public-key", id: "AAAA" }]);
  expect(request).toMatchObject({ challenge, allowCredentials: [], userVerification: "required" });
});

test("a synced passkey is recorded as backed up", async () => {
  expect(await register({ flags: 0x5d })).toMatchObject({ passkey: { backedUp: 1 } });
  const { soft, stored } = await registered();
  const used = verify(authenticator.get(soft, request, { flags: 0x1d }), stored);
  expect(used).toMatchObject({ outcome: "asserted", backedUp: 1 });
});

const OF_BOTH: [string, Spoiled, string][] = [
  ["with the challenge of another interaction", { challenge: "A".repeat(43) }, "wrong_challenge"],
  ["at a foreign origin", { origin: "https://evil.test" }, "wrong_origin"],
  ["at an origin that begins alike", { origin: `${issuer}.evil.test` }, "wrong_origin"],
  ["at another port", { origin: `${issuer}:8443` }, "wrong_origin"],
  ["in a frame of another site", { clientData: { crossOrigin: true } }, "cross_origin"],
  ["whose crossOrigin is no boolean", { clientData: { crossOrigin: "false" } }, "cross_origin"],
  ["below another page", { clientData: { topOrigin: "https://evil.test" } }, "cross_origin"],
  ["for a foreign RP ID", { rpId: "evil.test" }, "wrong_rp_id"],
  ["for the parent domain as RP ID", { rpId: "example.com" }, "wrong_rp_id"],
  ["whose client data has no challenge", { clientData: { challenge: undefined } }, "malformed"],
  ["whose type is no text", { clientData: { type: 1 } }, "malformed"],
  ["with two different ids", { outer: { rawId: "AAAA" } }, "malformed"],
  ["of another type of credential", { outer: { type: "password" } }, "malformed"],
  ["with an id in another encoding", { outer: { id: "A+/=", rawId: "A+/=" } }, "malformed"],
  ["without a response", { outer: { response: null } }, "malformed"],
  ["with an id of over 1,023 octets", { outer: longId() }, "malformed"],
  ["of over 8 KiB", { outer: { padding: "x".repeat(8192) } }, "too_large"],
];

function longId() {
  const id = Buffer.alloc(1024).toString("base64url");
  return { id, rawId: id };
}

describe("a registration is refused", () => {
  test.each<[string, Spoiled, string]>([
    ...OF_BOTH,
    ["that is an assertion", { type: "webauthn.get" }, "wrong_type"],
    ["of nobody", { flags: 0x44 }, "user_not_present"],
    ["without user verification", { flags: 0x41 }, "user_not_verified"],
    ["without a key", { flags: 0x05 }, "malformed"],
    ["whose extensions are missing", { flags: 0xc5 }, "malformed"],
    ["with an attestation of a vendor", { format: "tpm" }, "unsupported_attestation"],
    [
      "with certificates, whose addresses nobody may ask",
      { format: "packed", statement: [["x5c", "x"]] },
      "unsupported_attestation",
    ],
    ["with a statement where there is none", { statement: [["alg", -7]] }, "malformed"],
    ["of an attestation by itself that is false", selfAttestation(), "bad_signature"],
    ["that names another credential", { outer: { id: "AAAA", rawId: "AAAA" } }, "wrong_credential"],
    ["that is no CBOR", { attestationObject: hex("ffffff") }, "malformed"],
    ["that is CBOR of a number", { attestationObject: cbor(7) }, "malformed"],
    ["that is cut off", { attestationObject: cbor([["fmt", "none"]]) }, "malformed"],
    ["that announces 4 GiB", { attestationObject: hex("5affffffff00") }, "malformed"],
    ["that is nested 5,000 times", { attestationObject: Buffer.alloc(5000, 0x81) }, "malformed"],
  ])("%s", async (_, spoiled, problem) => {
    expect(await problemOf(register(spoiled))).toBe(problem);
  });

  const { publicKey } = makeKeyPair("ec");
  const ec = coseKeyOf("ec", publicKey);
  const without = (label: number) => ec.filter(([key]) => key !== label);
  const modulus = (octets: number) => Buffer.alloc(octets, 0xff);
  const rsa = (n: Buffer, e: Buffer): CborMap => [
    [1, 3],
    [3, -257],
    [-1, n],
    [-2, e],
  ];
  test.each<[string, CborMap]>([
    ["ES384", [...without(3), [3, -35]]],
    ["RS1", [...without(3), [3, -65535]]],
    ["P-384 with ES256", [...without(-1), [-1, 2]]],
    ["ES256 of another key type", [...without(1), [1, 1]]],
    ["a point with half a coordinate", [...without(-3), [-3, Buffer.alloc(16, 1)]]],
    ["a point off the curve", [...without(-3), [-3, Buffer.alloc(32, 1)]]],
    ["a point without y", without(-3)],
    ["no algorithm", without(3)],
    ["RSA of 1,024 bits", rsa(modulus(128), Buffer.of(1, 0, 1))],
    ["RSA with the exponent 1", rsa(modulus(256), Buffer.of(1))],
    ["text where octets belong", [...without(-2), [-2, "x".repeat(32)]]],
  ])("with a key of %s", async (_, coseKey) => {
    expect(await problemOf(register({ coseKey }))).toBe("unsuitable_key");
  });

  test.each(["", "null", "[]", '"x"', "{", '{"x":1}'])("that is %s", async (json) => {
    expect(await problemOf(verifyRegistration(json, { issuer, challenge }))).toBe("malformed");
    expect(readAssertion(json)).toEqual({ outcome: "refused", problem: "malformed" });
  });
});

/** As some security keys return, though nobody asked for it. */
function selfAttestation(): Spoiled {
  const statement = Object.entries({ alg: -7, sig: hex(FALSE_SIGNATURE) });
  return { format: "packed", statement };
}

describe("an assertion is refused", () => {
  test.each<[string, Spoiled, string]>([
    ...OF_BOTH,
    ["that is a registration", { type: "webauthn.create" }, "wrong_type"],
    ["of nobody", { flags: 0x04 }, "user_not_present"],
    ["without user verification", { flags: 0x01 }, "user_not_verified"],
    ["for another user", { userHandle: "AAAA" }, "wrong_user"],
    ["for no user", { userHandle: null }, "wrong_user"],
    ["for a user of over 64 octets", { userHandle: "A".repeat(88) }, "malformed"],
    ["of another credential", { outer: { id: "AAAA", rawId: "AAAA" } }, "wrong_credential"],
    ["whose signature is no DER", { signature: Buffer.of(1, 2, 3) }, "bad_signature"],
    ["whose signature is empty", { signature: Buffer.of() }, "malformed"],
    ["whose signature is of other numbers", { signature: hex(FALSE_SIGNATURE) }, "bad_signature"],
  ])("%s", async (_, spoiled, problem) => {
    expect(await assert(await registered(), spoiled)).toBe(problem);
  });

  test.each(["ec", "ed25519", "rsa"] as const)("by another key of type %s", async (kind) => {
    const passkey = await registered(kind);
    const { privateKey: key } = makeKeyPair(kind);
    expect(await assert({ ...passkey, soft: { ...passkey.soft, key } })).toBe("bad_signature");
    expect(await assert(passkey)).toBe("none");
  });

  test("whose authenticator data or client data was changed after the signature", async () => {
    const { soft, stored } = await registered();
    const good = JSON.parse(authenticator.get(soft, request));
    const other = JSON.parse(authenticator.get(soft, request, { flags: 0x1d }));
    const { authenticatorData } = other.response;
    const mixed = { ...good, response: { ...good.response, authenticatorData } };
    expect(await problemOf(verify(JSON.stringify(mixed), stored))).toBe("bad_signature");
    const cut = String(good.response.authenticatorData).slice(0, 48);
    const short = { ...good, response: { ...good.response, authenticatorData: cut } };
    expect(await problemOf(verify(JSON.stringify(short), stored))).toBe("malformed");
  });

  test("with a counter that did not rise, as that of a copy", async () => {
    const passkey = await registered("ec", 5);
    for (const counter of [5, 4, 0]) expect(await assert(passkey, { counter })).toBe("cloned");
    expect(await assert(passkey, { counter: 6 })).toBe("none");
  });
});
