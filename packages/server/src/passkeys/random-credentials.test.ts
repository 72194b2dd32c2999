// Random credentials, beside a library that others use: what it refuses is refused, and what an authenticator may send is accepted.

import fc from "fast-check";
import { expect, test } from "vitest";
import { tries } from "../../../verify/test/support/random-seed.ts";
import { cbor, coseKeyOf } from "../../test/support/authenticator.ts";
import { odditiesOf, odditiesOfData } from "../../test/support/cbor-oddities.ts";
import {
  assertionOf,
  attestationOf,
  CEREMONY,
  clientDataOf,
  coseKeyIn,
  dataOf,
  KINDS,
  makeKeys,
  registrationOf,
  selfStatement,
  signedBy,
  storedWith,
} from "../../test/support/made-credentials.ts";
import {
  assertedByLibrary,
  dataByLibrary,
  isDer,
  isOddKey,
  oddlyAttested,
  registeredByLibrary,
} from "../../test/support/webauthn-library.ts";
import { readAssertion } from "./credential.ts";
import { type AssertingPasskey, verifyAssertion, verifyRegistration } from "./webauthn.ts";

const keys = makeKeys();
const FLAGS_OFFSET = 32;
const ALGORITHM_OF = { ec: -7, ed25519: -8, rsa: -257 };

const kind = fc.constantFrom(...KINDS);
const counter = fc.nat({ max: 0xffffffff });
/** With a verified user: not backed up, able to be, or backed up. */
const flags = fc.constantFrom(0x05, 0x0d, 0x1d);

/** A value of an extension (§9, §10, and those of CTAP2), in CBOR. */
const { extension } = fc.letrec<{ extension: Buffer; leaf: Buffer; pair: Buffer }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(Buffer.of(0xf4), Buffer.of(0xf5), Buffer.of(0xf6)),
    fc.oneof(fc.integer({ min: -300, max: 300 }), fc.nat({ max: 0xffff })).map(cbor),
    fc.uint8Array({ maxLength: 300 }).map(cbor),
    fc.string({ unit: "grapheme-ascii", maxLength: 30 }).map(cbor),
  ),
  pair: fc.tuple(tie("leaf"), tie("leaf")).map((items) => Buffer.concat(items)),
  extension: fc.oneof(
    tie("leaf"),
    tie("pair").map((pair) => Buffer.concat([Buffer.of(0x82), pair])),
    tie("leaf").map((leaf) => Buffer.concat([Buffer.of(0xa1), cbor("nested"), leaf])),
    // A list of lists, as `uvm` has.
    tie("pair").map((pair) => Buffer.concat([Buffer.of(0x81, 0x82), pair])),
  ),
}));
const extensions = fc
  .dictionary(fc.constantFrom("credProtect", "hmac-secret", "credBlob", "uvm", "x"), extension)
  .map((map) => {
    const members = Object.entries(map).flatMap(([name, value]) => [cbor(name), value]);
    return Buffer.concat([Buffer.of(0xa0 | (members.length / 2)), ...members]);
  });

const made = fc.record({
  ...{ kind, flags, counter, extensions: fc.option(extensions, { nil: undefined }) },
  id: fc.oneof(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.constant(new Uint8Array(1023))),
  isSelf: fc.boolean(),
  /** The order of the members of maps, for which authenticators differ. */
  order: fc.integer(),
});
type Made = typeof made extends fc.Arbitrary<infer One> ? One : never;

function partsOf({ kind, flags, counter, extensions, id, order }: Made) {
  const key = keys[kind];
  const coseKey = cbor(shuffled(coseKeyOf(kind, key.publicKey), order));
  const optional = extensions === undefined ? {} : { extensions };
  const data = dataOf({ flags, counter, id: Buffer.from(id), coseKey, ...optional });
  return { key, coseKey, data, optional };
}

function attestationIn(one: Made): Buffer {
  const { key, data } = partsOf(one);
  const statement = one.isSelf ? selfStatement(key, data, clientDataOf("create")) : undefined;
  const members = [
    ["fmt", statement === undefined ? "none" : "packed"],
    ["attStmt", shuffled(statement ?? [], one.order)],
    ["authData", data],
  ] as const;
  return cbor(shuffled(members, one.order));
}

function shuffled<Item>(items: readonly Item[], order: number): readonly Item[] {
  const [one = items] = fc.sample(
    fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length }),
    { numRuns: 1, seed: order },
  );
  return one;
}

const one = fc.constant(1);
const octet = fc.nat({ max: 255 }).map((value) => Buffer.of(value));
/** Heads of CBOR: longer lengths, indefinite ones, tags, floats, simple values, arrays and maps. */
const head = fc
  .constantFrom(
    ...["5800", "590020", "5a00000020", "5b0000000000000020", "5f", "bf", "ff", "c0", "f7"],
    ...["f97e00", "fa00000000", "fb0000000000000000", "81818181", "a10000", "a1f500", "1817"],
  )
  .map((hex) => Buffer.from(hex, "hex"));
/** One or two octets of a buffer are others, or are missing, or more are added. */
const spoiling = fc.array(
  fc
    .oneof(
      { weight: 5, arbitrary: fc.record({ removed: one, added: octet }) },
      { weight: 2, arbitrary: fc.record({ removed: fc.constantFrom(0, 1), added: head }) },
      fc.record({ removed: fc.nat({ max: 40 }), added: fc.constant(Buffer.alloc(0)) }),
      fc.record({ removed: fc.constant(0), added: octet }),
    )
    // Half of them near the start, where lengths and flags are.
    .chain((change) =>
      fc.record({
        change: fc.constant(change),
        at: fc.nat({ max: 999 }).map((thousandths) => thousandths / 1000),
        isEarly: fc.boolean(),
      }),
    ),
  { minLength: 1, maxLength: 2 },
);
type Spoiling = typeof spoiling extends fc.Arbitrary<infer One> ? One : never;

function spoiled(octets: Buffer, changes: Spoiling, from = 0): Buffer {
  return changes.reduce((changed, { change: { removed, added }, at, isEarly }) => {
    const room = Math.max(1, isEarly ? Math.min(24, changed.length - from) : changed.length - from);
    const start = from + Math.floor(at * room);
    return Buffer.concat([changed.subarray(0, start), added, changed.subarray(start + removed)]);
  }, octets);
}

test("what authenticators may send is registered, as the library reads it", async () => {
  await fc.assert(
    fc.asyncProperty(made, async (one) => {
      const json = registrationOf(attestationIn(one), { id: Buffer.from(one.id) });
      const result = await verifyRegistration(json, CEREMONY);
      expect(result).toMatchObject({ outcome: "registered", passkey: { counter: one.counter } });
      const read = await registeredByLibrary(json, CEREMONY);
      expect(read).toMatchObject(valuesOf(result));
    }),
    { numRuns: tries({ sample: 100, full: 5_000 }) },
  );
});

test("what authenticators may send is accepted as an assertion, as the library reads it", async () => {
  await fc.assert(
    fc.asyncProperty(made, async (one) => {
      const { key, coseKey, optional } = partsOf(one);
      const { flags, counter } = one;
      const stored = storedWith(coseKey, Math.max(0, counter - 1));
      const json = assertionOf(key, dataOf({ flags, counter, ...optional }));
      const result = asserted(json, stored);
      expect(result).toMatchObject({ outcome: "asserted", counter });
      expect(await assertedByLibrary(json, stored, CEREMONY)).toEqual(valuesOf(result));
    }),
    { numRuns: tries({ sample: 100, full: 5_000 }) },
  );
});

test("a spoiled registration that the library refuses is refused; others only for a known reason", async () => {
  const verdicts = { both: 0, library: 0, none: 0 };
  const place = fc.constantFrom("object", "data", "key");
  await fc.assert(
    fc.asyncProperty(made, place, spoiling, async (one, where, changes) => {
      const object = spoiledRegistration(one, where, changes);
      const json = registrationOf(object, { id: Buffer.from(one.id) });
      const result = await verifyRegistration(json, CEREMONY);
      const read = await registeredByLibrary(json, CEREMONY);
      if (result.outcome === "registered") {
        verdicts.both++;
        expect(read).toMatchObject(valuesOf(result));
      } else if (read !== null) {
        verdicts.library++;
        expect(await reasonsAgainst(object, one, read)).not.toEqual([]);
      } else verdicts.none++;
    }),
    { numRuns: tries({ sample: 300, full: 30_000 }) },
  );
  // Otherwise nothing would have been compared.
  expect(Math.min(verdicts.both, verdicts.none)).toBeGreaterThan(0);
});

test("a spoiled assertion that the library refuses is refused; others only for a known reason", async () => {
  const verdicts = { both: 0, library: 0, none: 0 };
  const place = fc.constantFrom("data", "signature", "stored key");
  await fc.assert(
    fc.asyncProperty(made, place, spoiling, async (one, where, changes) => {
      const { json, stored, data, signature } = spoiledAssertion(one, where, changes);
      const result = asserted(json, stored);
      const read = await assertedByLibrary(json, stored, CEREMONY);
      if (result.outcome === "asserted") {
        verdicts.both++;
        expect(read).toEqual(valuesOf(result));
      } else if (read !== null) {
        verdicts.library++;
        const key = Buffer.from(stored.publicKey, "base64url");
        const odd = [...odditiesOfData(data), ...odditiesOf(key)];
        const isBer = one.kind === "ec" && !isDer(signature);
        const isOdd = odd.length > 0 || isBer || (await isOddKey(stored.publicKey));
        expect([result.problem, where, isOdd]).toEqual([result.problem, where, true]);
      } else verdicts.none++;
    }),
    { numRuns: tries({ sample: 300, full: 30_000 }) },
  );
  expect(Math.min(verdicts.both, verdicts.none)).toBeGreaterThan(0);
});

test("whatever is posted is an outcome", async () => {
  const { ec } = keys;
  const stored = storedWith(coseKeyIn(ec));
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.json(), async (octets, json) => {
      const random = Buffer.from(octets);
      const data = Buffer.concat([dataOf({}).subarray(0, FLAGS_OFFSET), random]);
      for (const posted of [
        ...[random, attestationOf(random), attestationOf(data)].map((o) => registrationOf(o)),
        json,
      ]) {
        expect(await verifyRegistration(posted, CEREMONY)).toHaveProperty("outcome", "refused");
      }
      for (const posted of [assertionOf(ec, random), json]) {
        expect(asserted(posted, stored)).toHaveProperty("outcome", "refused");
      }
      expect(asserted(assertionOf(ec, data), stored)).toHaveProperty("outcome");
      const corrupt = storedWith(random);
      const refusal = asserted(assertionOf(ec, dataOf({})), corrupt);
      expect(refusal).toEqual({ outcome: "refused", problem: "unsuitable_key" });
    }),
    { numRuns: tries({ sample: 100, full: 5_000 }) },
  );
});

function spoiledRegistration(one: Made, where: string, changes: Spoiling): Buffer {
  if (where === "object") return spoiled(attestationIn(one), changes);
  const { key, data, coseKey, optional } = partsOf(one);
  const { flags, counter } = one;
  const parts = { flags, counter, id: Buffer.from(one.id), ...optional };
  const authData =
    where === "data"
      ? spoiled(data, changes, FLAGS_OFFSET)
      : dataOf({ ...parts, coseKey: spoiled(coseKey, changes) });
  return attestationOf(
    authData,
    one.isSelf ? selfStatement(key, authData, clientDataOf("create")) : undefined,
  );
}

/** Signed after it was spoiled, so that the signature is not why it is refused. */
function spoiledAssertion(one: Made, where: string, changes: Spoiling) {
  const { key, coseKey, optional } = partsOf(one);
  const { flags, counter } = one;
  const good = dataOf({ flags, counter, ...optional });
  const data = where === "data" ? spoiled(good, changes, FLAGS_OFFSET) : good;
  const made = signedBy(key, data, clientDataOf("get"));
  const signature = where === "signature" ? spoiled(made, changes) : made;
  const stored = storedWith(where === "stored key" ? spoiled(coseKey, changes) : coseKey);
  return { json: assertionOf(key, data, { signature }), stored, data, signature };
}

/** Why we refuse a registration that the library accepts. */
async function reasonsAgainst(
  object: Buffer,
  { id, kind }: Made,
  read: { readonly credentialId: string; readonly publicKey: string },
): Promise<string[]> {
  const reasons = [
    ...odditiesOf(object),
    ...odditiesOfData(dataByLibrary(object)),
    ...oddlyAttested(object, ALGORITHM_OF[kind]),
  ];
  if (read.credentialId !== Buffer.from(id).toString("base64url")) reasons.push("another id");
  if (await isOddKey(read.publicKey)) reasons.push("a key");
  return reasons;
}

function asserted(json: string, stored: AssertingPasskey) {
  const read = readAssertion(json);
  return read.outcome === "refused" ? read : verifyAssertion(read, stored, CEREMONY);
}

/** What the library reads too. */
function valuesOf(result: object) {
  const { passkey = result } = result as { passkey?: object };
  const { credentialId, publicKey, counter, backedUp } = passkey as Record<string, unknown>;
  return JSON.parse(JSON.stringify({ credentialId, publicKey, counter, backedUp }));
}
