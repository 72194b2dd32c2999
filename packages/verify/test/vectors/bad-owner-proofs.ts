// Vectors of owner proofs that must be refused, by passkey and by JWS.

import type { VerificationErrorCode } from "../../src/errors.ts";
import { base64url, derSignature, type Json, makeSigningKey, utf8 } from "../support/jose.ts";
import {
  type AssertionLies,
  chainOf,
  dnssecPart,
  goodData,
  goodStatement,
  jwsProof,
  webauthnProof,
} from "../support/sign-in.ts";
import { asking, bad, type Kit } from "./kit.ts";
import { STATEMENTS } from "./statements.ts";
import type { Vector } from "./vector.ts";

type Refused = (name: string, proof: Json, code: VerificationErrorCode, reason: string) => Vector;

type AssertionRow = readonly [string, AssertionLies, VerificationErrorCode, string];

const origin = "The key's owner was at another page than the service provider's.";
const frame = "In a foreign frame the person cannot see who asks.";

const assertions: readonly AssertionRow[] = [
  [
    "of a registration",
    { clientData: { type: "webauthn.create" } },
    "wrong_type",
    "Only webauthn.get is an assertion.",
  ],
  [
    "over another challenge",
    { clientData: { challenge: "AAAA" } },
    "wrong_challenge",
    "The challenge is the SHA-256 of the statement.",
  ],
  ["at a foreign origin", { clientData: { origin: "https://evil.test" } }, "wrong_origin", origin],
  [
    "at an origin that begins alike",
    { clientData: { origin: "https://auth.example.com.evil.test" } },
    "wrong_origin",
    origin,
  ],
  [
    "at another port",
    { clientData: { origin: "https://auth.example.com:8443" } },
    "wrong_origin",
    origin,
  ],
  ["with crossOrigin true", { clientData: { crossOrigin: true } }, "wrong_origin", frame],
  ["with a topOrigin", { clientData: { topOrigin: "https://evil.test" } }, "wrong_origin", frame],
  ["for a foreign RP ID", { rpId: "evil.test" }, "wrong_rp_id", "The RP ID is the host in sp."],
  [
    "for the parent domain as RP ID",
    { rpId: "example.com" },
    "wrong_rp_id",
    "The RP ID is the host in sp: its neighbours could use the passkey too.",
  ],
  ["without user presence", { flags: 0x04 }, "user_not_verified", "UP is 0: nobody was there."],
  [
    "without user verification",
    { flags: 0x01 },
    "user_not_verified",
    "UV is 0: anybody was there.",
  ],
];

export async function badOwnerProofVectors(kit: Kit): Promise<Vector[]> {
  const { scene, options } = kit;
  const { owner_proof: _, ...data } = await goodData(scene);
  const asked = asking("owner_proof", options);
  const refused: Refused = (name, owner_proof, code, reason) =>
    bad(name, { ...data, attestation: "not looked at", owner_proof }, asked, code, reason);

  const vectors: Vector[] = [];
  for (const [name, statement, code, reason] of STATEMENTS) {
    const proof = await webauthnProof(scene, { statement });
    vectors.push(refused(`a statement ${name}`, proof, code, reason));
  }
  const [anotherClient] = STATEMENTS.slice(5, 6);
  if (anotherClient) {
    const [name, statement, code, reason] = anotherClient;
    const proof = await jwsProof(scene, statement);
    vectors.push(refused(`a statement ${name}, by JWS`, proof, code, reason));
  }
  for (const [name, lies, code, reason] of assertions) {
    const proof = await webauthnProof(scene, lies);
    vectors.push(refused(`an assertion ${name}`, proof, code, reason));
  }
  return [
    ...vectors,
    ...(await texts(kit, refused)),
    ...(await keys(kit, refused)),
    ...(await signatures(kit, refused)),
    ...(await records(kit, asked)),
  ];
}

async function texts({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const proof = await webauthnProof(scene);
  const other = base64url(utf8(JSON.stringify({ ...goodStatement(), jti: "s2" })));
  const twice = JSON.stringify(goodStatement()).replace("{", '{"aud":"x",');
  const inTwoWays = await webauthnProof(scene, { statementText: twice });
  const noJson = await webauthnProof(scene, { statementText: "hello" });
  const short = { ...proof, authenticator_data: String(proof.authenticator_data).slice(0, 48) };
  const code = "malformed_owner_proof";
  const hashed = "Its hash was not the challenge that the key signed.";
  return [
    refused("another statement", { ...proof, statement: other }, "wrong_challenge", hashed),
    refused("a statement with a member twice", inTwoWays, "malformed_claims", "Readers differ."),
    refused("a statement that is no JSON", noJson, "malformed_claims", "It says nothing."),
    refused("authenticator data of 36 octets", short, code, "It has 37 octets or more."),
    refused(
      "client data that is no JSON",
      { ...proof, client_data_json: "AAAA" },
      code,
      "It says neither challenge nor origin.",
    ),
  ];
}

async function keys({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const other = await makeSigningKey();
  const byOther = await webauthnProof(scene, { key: other });
  const proof = await webauthnProof(scene);
  const wrongCurve = { ...scene.owner.jwk, crv: "P-384" };
  const small = { kty: "RSA", e: "AQAB", n: base64url(new Uint8Array(128).fill(0xff)) };
  const kinds = "P-256, Ed25519, and RSA of 2048 to 4096 bits, nothing else.";
  const brought = await jwsProof({ ...scene, owner: other }, {}, { jwk: other.jwk });
  return [
    refused(
      "a key that the record does not list",
      byOther,
      "key_not_in_record",
      "Anybody has a key: the zone says which are the owner's.",
    ),
    refused(
      "a listed key that did not sign",
      { ...byOther, key: scene.owner.jwk },
      "bad_signature",
      "Another key made the signature.",
    ),
    refused(
      "a JWS with a key in its header",
      { ...brought, key: scene.owner.jwk },
      "bad_signature",
      "jwk in the header is not looked at.",
    ),
    refused("a key of another curve", { ...proof, key: wrongCurve }, "unsuitable_key", kinds),
    refused("a key of RSA with 1024 bits", { ...proof, key: small }, "unsuitable_key", kinds),
  ];
}

async function signatures({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const proof = await webauthnProof(scene);
  const otherFlags = await webauthnProof(scene, { flags: 0x1d });
  const { authenticator_data } = otherFlags;
  const der = [...Buffer.from(String(proof.signature), "base64url")];
  const plain = base64url(new Uint8Array(64).fill(1));
  const longer = base64url(Uint8Array.from([...der, 0]));
  const jws = await jwsProof(scene);
  const cut = String(jws.jws).lastIndexOf(".") + 1;
  const signature = new Uint8Array(Buffer.from(String(jws.jws).slice(cut), "base64url"));
  const jwsByDer = String(jws.jws).slice(0, cut) + base64url(derSignature(signature));
  const strict = "Authenticators sign in DER, which has one spelling.";
  const form = "A JWS of ES256 is signed by two numbers of 32 octets, not in DER.";
  const alg = await jwsProof(scene, {}, { alg: "none" });
  const hmac = await jwsProof(scene, {}, { alg: "HS256" });
  const typ = await jwsProof(scene, {}, { typ: "JWT" });
  const ed = await jwsProof(scene, {}, { alg: "Ed25519" });
  const crit = await jwsProof(scene, {}, { crit: ["x"] });
  return [
    refused(
      "authenticator data of another assertion",
      { ...proof, authenticator_data },
      "bad_signature",
      "Not what the key signed.",
    ),
    refused("no DER", { ...proof, signature: plain }, "malformed_owner_proof", strict),
    refused(
      "DER with more behind",
      { ...proof, signature: longer },
      "malformed_owner_proof",
      strict,
    ),
    refused("a JWS signed in DER", { ...jws, jws: jwsByDer }, "bad_signature", form),
    refused("a JWS with alg none", alg, "wrong_algorithm", "The key's type says the algorithm."),
    refused("a JWS with alg HS256", hmac, "wrong_algorithm", "The key's type says the algorithm."),
    refused("a JWS of P-256 with alg Ed25519", ed, "wrong_algorithm", "The key is of P-256."),
    refused("a JWS of another type", typ, "wrong_type", "typ is domain-owner-statement+jwt."),
    refused("a JWS with crit", crit, "critical_header", "RFC 7515 §4.1.11."),
  ];
}

async function records({ scene }: Kit, asked: Json): Promise<Vector[]> {
  const keyless = "v=dsi1 sp=https://auth.example.com acct=m3Zk0bq2vS1nF9o7b0uHqg";
  const dnssec = dnssecPart(await chainOf(scene, keyless));
  const data = { ...(await goodData(scene, { dnssec })), attestation: "not looked at" };
  const reason = "The zone lists no key at all, so that no key is the owner's.";
  return [bad("a record without keys", data, asked, "key_not_in_record", reason)];
}
