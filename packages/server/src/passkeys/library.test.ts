// Credentials one by one, beside a library that others use: where we differ, we are the stricter.

import { describe, expect, test } from "vitest";
import { type CborMap, type CborValue, cbor, coseKeyOf } from "../../test/support/authenticator.ts";
import {
  assertionOf,
  attestationOf,
  CEREMONY,
  clientDataOf,
  coseKeyIn,
  dataOf,
  makeKeys,
  registrationOf,
  selfStatement,
  signedBy,
  storedWith,
} from "../../test/support/made-credentials.ts";
import { assertedByLibrary, registeredByLibrary } from "../../test/support/webauthn-library.ts";
import { readAssertion } from "./credential.ts";
import { verifyAssertion, verifyRegistration } from "./webauthn.ts";

const { ec, ed25519, rsa } = makeKeys();
const KEYS = [
  ["ES256", ec],
  ["EdDSA", ed25519],
  ["RS256", rsa],
] as const;
const hex = (text: string) => Buffer.from(text, "hex");
const coseKey = coseKeyIn(ec);
const registration = dataOf({ coseKey });
const stored = storedWith(coseKey);

/** Our outcome, and whether the library accepts it. */
async function verdictsOnRegistration(attestation: Buffer, clientData = clientDataOf("create")) {
  const json = registrationOf(attestation, { clientData });
  const result = await verifyRegistration(json, CEREMONY);
  const read = await registeredByLibrary(json, CEREMONY);
  return [result.outcome === "refused" ? result.problem : "accepted", read !== null];
}

async function verdictsOnAssertion(json: string, passkey = stored) {
  const read = readAssertion(json);
  const result = read.outcome === "read" ? verifyAssertion(read, passkey, CEREMONY) : read;
  const byLibrary = await assertedByLibrary(json, passkey, CEREMONY);
  return [result.outcome === "refused" ? result.problem : "accepted", byLibrary !== null];
}

const none = attestationOf(registration);

describe("what real authenticators send is accepted by both", () => {
  test.each(KEYS)("a passkey with %s", async (_, key) => {
    const publicKey = coseKeyIn(key);
    const data = dataOf({ coseKey: publicKey });
    expect(await verdictsOnRegistration(attestationOf(data))).toEqual(["accepted", true]);
    const self = selfStatement(key, data, clientDataOf("create"));
    expect(await verdictsOnRegistration(attestationOf(data, self))).toEqual(["accepted", true]);
    const json = assertionOf(key, dataOf({}));
    expect(await verdictsOnAssertion(json, storedWith(publicKey))).toEqual(["accepted", true]);
  });

  test.each([
    ["credProtect", cbor([["credProtect", 3]])],
    [
      "hmac-secret and credBlob",
      cbor([
        ["hmac-secret", true],
        ["credBlob", false],
      ]),
    ],
    ["an encrypted secret", cbor([["hmac-secret", Buffer.alloc(80, 1)]])],
    [
      "minPinLength and thirdPartyPayment",
      cbor([
        ["minPinLength", 8],
        ["thirdPartyPayment", true],
      ]),
    ],
    ["uvm, a list of lists", Buffer.concat([hex("a1"), cbor("uvm"), hex("82830204028302040a")])],
    ["no extension", cbor([])],
  ])("extensions: %s", async (_, extensions) => {
    const attestation = attestationOf(dataOf({ coseKey, extensions }));
    expect(await verdictsOnRegistration(attestation)).toEqual(["accepted", true]);
    const json = assertionOf(ec, dataOf({ extensions }));
    expect(await verdictsOnAssertion(json)).toEqual(["accepted", true]);
  });

  test.each<object>([
    {},
    { crossOrigin: false, other_keys_can_be_added_here: "do not compare" },
    { tokenBinding: { status: "supported" } },
  ])("client data with %j", async (members) => {
    const clientData = clientDataOf("create", members);
    expect(await verdictsOnRegistration(none, clientData)).toEqual(["accepted", true]);
    const json = assertionOf(ec, dataOf({}), { clientData: clientDataOf("get", members) });
    expect(await verdictsOnAssertion(json)).toEqual(["accepted", true]);
  });
});

/** The object with one part of it, in hex, as another. */
function spliced(octets: Buffer, from: string, to: string): Buffer {
  const text = octets.toString("hex");
  expect(text.split(from)).toHaveLength(2);
  return hex(text.replace(from, to));
}

/** The object with one more member, whose value is in hex. */
function withMember(value: string): Buffer {
  expect(none[0]).toBe(0xa3);
  return Buffer.concat([hex("a4"), none.subarray(1), cbor("x"), hex(value)]);
}

const lengthOfData = `58${registration.length.toString(16)}`;
const paddedLength = `00${registration.length.toString(16)}`;

describe("a registration that the library accepts is refused", () => {
  const self = (alg: number, more: CborMap = []) => {
    const sig = signedBy(ec, registration, clientDataOf("create"));
    return attestationOf(registration, [["alg", alg], ["sig", sig], ...more]);
  };
  test.each<[string, Buffer, string]>([
    ["with octets after its end", Buffer.concat([none, hex("00")]), "malformed"],
    [
      "with a length in too many octets",
      spliced(none, lengthOfData, `59${paddedLength}`),
      "malformed",
    ],
    [
      "with a length of 64 bits",
      spliced(none, lengthOfData, `5b000000000000${paddedLength}`),
      "malformed",
    ],
    ["that is cut off", none.subarray(0, -1), "malformed"],
    ["with a tag", withMember("c000"), "malformed"],
    ["with a float", withMember("fa00000000"), "malformed"],
    ["with undefined", withMember("f7"), "malformed"],
    ["with text beyond ASCII", withMember("62c3a4"), "malformed"],
    ["with five levels", withMember("8181818100"), "malformed"],
    ["whose statement is no map", spliced(none, "53746d74a0", "53746d7400"), "malformed"],
    [
      "whose extensions are no map",
      attestationOf(dataOf({ coseKey, extensions: hex("80") })),
      "malformed",
    ],
    [
      "whose key ends early",
      attestationOf(dataOf({ coseKey: coseKey.subarray(0, -1) })),
      "malformed",
    ],
    ["whose statement names another algorithm", self(-257), "unsupported_attestation"],
    ["with an empty list of certificates", self(-7, [["x5c", 0]]), "unsupported_attestation"],
  ])("%s", async (_, attestation, problem) => {
    expect(await verdictsOnRegistration(attestation)).toEqual([problem, true]);
  });

  const members = coseKeyOf("ec", ec.publicKey);
  const changed = (label: number, value: CborValue): CborMap =>
    members.map(([key, was]) => [key, key === label ? value : was]);
  test.each<[string, CborMap]>([
    ["of P-384 for ES256", changed(-1, 2)],
    ["of another type than its algorithm", changed(1, 3)],
    ["of another algorithm than its type", changed(3, -257)],
    ["off the curve", changed(-3, Buffer.alloc(32, 1))],
    ["without y", members.slice(0, 4)],
    [
      "of RSA of 1,024 bits",
      [
        [1, 3],
        [3, -257],
        [-1, Buffer.alloc(128, 0xff)],
        [-2, hex("010001")],
      ],
    ],
  ])("with a key %s", async (_, key) => {
    const attestation = attestationOf(dataOf({ coseKey: cbor(key) }));
    expect(await verdictsOnRegistration(attestation)).toEqual(["unsuitable_key", true]);
  });

  test("of another credential than it names", async () => {
    const attestation = attestationOf(dataOf({ coseKey, id: Buffer.alloc(32, 8) }));
    expect(await verdictsOnRegistration(attestation)).toEqual(["wrong_credential", true]);
  });
});

describe("what both refuse", () => {
  const flagged = (flags: number, rest: Buffer) =>
    Buffer.concat([dataOf({ flags: 0 }).subarray(0, 32), Buffer.of(flags), rest]);
  const after = registration.subarray(33);
  const twice = cbor([
    ["x", 1],
    ["x", 2],
  ]);
  test.each<[string, Buffer]>([
    ["a backup of a passkey that cannot have one", dataOf({ coseKey, flags: 0x15 })],
    ["no AT flag before a credential", flagged(0x05, after)],
    ["an AT flag before nothing", flagged(0x45, after.subarray(0, 4))],
    ["an AT flag before half a credential", flagged(0x45, after.subarray(0, 21))],
    ["an id that is longer than the data", flagged(0x45, spliced(after, "0020", "ffff"))],
    ["an ED flag before nothing", flagged(0xc5, after)],
    ["extensions without an ED flag", flagged(0x45, Buffer.concat([after, hex("a0")]))],
    ["octets after the extensions", dataOf({ coseKey, extensions: hex("a000") })],
    ["extensions with a name twice", dataOf({ coseKey, extensions: twice })],
    ["extensions of indefinite length", dataOf({ coseKey, extensions: hex("bfff") })],
    ["extensions that are a number", dataOf({ coseKey, extensions: hex("00") })],
    ["extensions of a list without end", dataOf({ coseKey, extensions: hex("a1617881ff") })],
    ["extensions with octets as a name", dataOf({ coseKey, extensions: hex("a1417800") })],
    ["extensions with text beyond ASCII", dataOf({ coseKey, extensions: hex("a2617861e4617900") })],
    [
      "a key with a length in too many octets",
      dataOf({ coseKey: spliced(coseKey, "215820", "21590020") }),
    ],
    [
      "a key whose algorithm takes too many octets",
      dataOf({ coseKey: spliced(coseKey, "0326", "033806") }),
    ],
    ["a key that is no map", dataOf({ coseKey: hex("8101") })],
    ["the key of Firefox 117", dataOf({ coseKey: hex("a301634f4b500327206745643235353139") })],
  ])("%s", async (_, data) => {
    const [problem, byLibrary] = await verdictsOnRegistration(attestationOf(data));
    expect([problem, byLibrary]).toEqual([expect.stringMatching("malformed|unsuitable"), false]);
  });

  test.each<[string, Buffer]>([
    ["a member twice", spliced(withMember("00"), "617800", "63666d7400")],
    ["a length of fewer octets than it needs", spliced(none, "63666d74", "7803666d74")],
    ["an indefinite length", Buffer.concat([hex("bf"), none.subarray(1), hex("ff")])],
    ["octets of indefinite length", withMember("5f4100ff")],
    ["more members than there are", Buffer.concat([hex("a4"), none.subarray(1)])],
    ["4 billion members", Buffer.concat([hex("baffffffff"), none.subarray(1)])],
    ["a simple value", withMember("f820")],
    ["a reserved length", withMember("1c")],
    [
      "the statement of packed in another format",
      spliced(
        attestationOf(registration, selfStatement(ec, registration, clientDataOf("create"))),
        cbor("packed").toString("hex"),
        cbor("tpm").toString("hex"),
      ),
    ],
    ["a statement for none", spliced(none, "53746d74a0", "53746d74a10000")],
    [
      "no authenticator data",
      cbor([
        ["fmt", "none"],
        ["attStmt", []],
      ]),
    ],
    [
      "no format",
      cbor([
        ["attStmt", []],
        ["authData", registration],
      ]),
    ],
  ])("an attestation object with %s", async (_, attestation) => {
    const [problem, byLibrary] = await verdictsOnRegistration(attestation);
    expect([problem, byLibrary]).toEqual([expect.stringMatching("malformed|attestation"), false]);
  });

  test.each(["present", { status: "bound" }, {}, 1])(
    "the token binding %j",
    async (tokenBinding) => {
      const clientData = clientDataOf("create", { tokenBinding });
      expect(await verdictsOnRegistration(none, clientData)).toEqual(["malformed", false]);
      const json = assertionOf(ec, dataOf({}), {
        clientData: clientDataOf("get", { tokenBinding }),
      });
      expect(await verdictsOnAssertion(json)).toEqual(["malformed", false]);
    },
  );

  test.each(KEYS)(
    "signatures with %s that are cut, longer, empty or of other data",
    async (_, key) => {
      const data = dataOf({ counter: 1 });
      const row = storedWith(coseKeyIn(key));
      const made = signedBy(key, data, clientDataOf("get"));
      const other = signedBy(key, dataOf({ counter: 2 }), clientDataOf("get"));
      for (const signature of [made.subarray(1), made.subarray(0, -1), Buffer.alloc(64), other]) {
        const json = assertionOf(key, data, { signature });
        expect(await verdictsOnAssertion(json, row)).toEqual(["bad_signature", false]);
      }
      expect(await verdictsOnAssertion(assertionOf(key, data), { ...row, counter: 1 })).toEqual([
        "cloned",
        false,
      ]);
    },
  );

  test("an assertion whose authenticator data goes on, or is backed up without being eligible", async () => {
    for (const data of [
      Buffer.concat([dataOf({}), hex("00")]),
      dataOf({ flags: 0x15 }),
      flagged(0x85, Buffer.alloc(4)),
      flagged(0x45, Buffer.alloc(4)),
    ]) {
      expect(await verdictsOnAssertion(assertionOf(ec, data))).toEqual(["malformed", false]);
    }
  });
});

describe("an assertion that the library accepts is refused", () => {
  const data = dataOf({});
  const signature = signedBy(ec, data, clientDataOf("get"));
  const length = Buffer.of(signature.length - 2).toString("hex");
  test.each<[string, Buffer]>([
    ["in a length of two octets", Buffer.concat([hex(`3081${length}`), signature.subarray(2)])],
    ["with octets after its end", Buffer.concat([signature, hex("00")])],
  ])("with a signature %s", async (_, spoiled) => {
    const json = assertionOf(ec, data, { signature: spoiled });
    expect(await verdictsOnAssertion(json)).toEqual(["bad_signature", true]);
  });

  test("by a key that names another algorithm than that of its type", async () => {
    const [type, , ...others] = coseKeyOf("ec", ec.publicKey);
    const key = cbor([type, [3, -257], ...others] as CborMap);
    const json = assertionOf(ec, data);
    expect(await verdictsOnAssertion(json, storedWith(key))).toEqual(["unsuitable_key", true]);
  });

  test("whose extensions are no map", async () => {
    const json = assertionOf(ec, dataOf({ extensions: hex("80") }));
    expect(await verdictsOnAssertion(json)).toEqual(["malformed", true]);
  });

  test("of another credential or user", async () => {
    const json = assertionOf(ec, data);
    const row = { ...stored, credentialId: "AAAA" };
    expect(await verdictsOnAssertion(json, row)).toEqual(["wrong_credential", true]);
    const other = { ...stored, userHandle: "AAAA" };
    expect(await verdictsOnAssertion(json, other)).toEqual(["wrong_user", true]);
  });
});

test.each<[object, string]>([
  [{ crossOrigin: true }, "cross_origin"],
  [{ tokenBinding: { status: "present", id: "x" } }, "malformed"],
])("client data with %j is refused, which the library accepts", async (members, problem) => {
  const clientData = clientDataOf("create", members);
  expect(await verdictsOnRegistration(none, clientData)).toEqual([problem, true]);
  const json = assertionOf(ec, dataOf({}), { clientData: clientDataOf("get", members) });
  expect(await verdictsOnAssertion(json)).toEqual([problem, true]);
});

test("client data after a byte order mark is refused, which the library accepts", async () => {
  const clientData = Buffer.concat([hex("efbbbf"), clientDataOf("create")]);
  expect(await verdictsOnRegistration(none, clientData)).toEqual(["malformed", true]);
});
