// Vectors of chains whose answer was signed by the wrong zone or key, or at another time.

import type { VerificationErrorCode } from "../../src/errors.ts";
import type { Json } from "../support/jose.ts";
import {
  join,
  now,
  type Octets,
  octets,
  record,
  type SetToSign,
  type SignatureOptions,
  signatureRecord,
  signedSet,
  txt,
  type,
  wireName,
  type Zone,
} from "../support/signer.ts";
import { leafName } from "../support/world.ts";
import { badZoneVectors } from "./bad-zones.ts";
import { bad, chainInput, chainOptions, type Kit, partsOf } from "./kit.ts";
import type { Vector } from "./vector.ts";

type Code = VerificationErrorCode;

export async function badChainVectors(kit: Kit): Promise<Vector[]> {
  return [
    ...(await answers(kit)),
    await agedAlias(kit),
    ...(await names(kit)),
    ...(await badZoneVectors(kit)),
  ];
}

async function answers({ scene, anchors }: Kit): Promise<Vector[]> {
  const { root, tld, alice, answer, up } = scene.world;
  const options = chainOptions(anchors);
  const chain = (title: string, parts: Octets[], code: Code, reason: string, more: Json = {}) =>
    bad(title, chainInput([...parts, ...up]), { ...options, ...more }, code, reason);
  const signed = (lies: SignatureOptions, zone: Zone = alice) => signedSet(zone, answer, lies);
  const other = record(leafName, type.TXT, txt("v=dsi1 sp=nine"));
  const bare = record(leafName, type.TXT, txt("v=dsi1 sp=none"));
  const signature = await signatureRecord(alice, answer);
  const good = join(bare, signature);
  const second = await signatureRecord(alice, answer, { key: alice.ksk });
  second[second.length - 1] = (second.at(-1) ?? 0) ^ 1;
  const [wildcard, over] = [{ labels: 2, signedName: "*.alice.test" }, { expiration: now - 301 }];
  const [early, ages] = [{ inception: now + 301 }, { inception: now - 600 }];
  const asked = { signer: "alice.test" };
  const parent = "A zone signs for itself: the parent may not, once there is a DS.";
  const sha1 = "What rests on SHA-1 proves nothing any more.";
  return [
    chain("another text", [other, signature], "bad_signature", "Not what was signed."),
    chain("one more record in the set", [good, other], "bad_signature", "Not what was signed."),
    chain("no signature", [bare], "not_signed", "Anybody can write a record."),
    chain(
      "a bad signature beside a good one",
      [good, second],
      "bad_signature",
      "Everything in a chain is good: none of it may be changed unseen.",
    ),
    chain(
      "an answer from a wildcard",
      [await signed(wildcard)],
      "wildcard",
      "Nobody wrote this name, and that it is not there would need a proof of its own.",
    ),
    chain("too many labels signed", [await signed({ labels: 4 })], "wildcard", "The count is 3."),
    chain("over", [await signed(over)], "expired", "Over for 301 seconds; 300 are allowed for."),
    chain("to come", [await signed(early)], "not_yet_valid", "To come in 301 seconds."),
    chain(
      "over before it began",
      [await signed({ inception: now + 200, expiration: now - 200 })],
      "expired",
      "It was never valid.",
    ),
    chain("too old", [await signed(ages)], "signature_too_old", "Signed 600 seconds ago.", {
      max_signature_age: 599,
    }),
    chain("signed by the parent", [await signed({}, tld)], "foreign_signer", parent),
    chain("signed by the root", [await signed({}, root)], "foreign_signer", parent),
    chain(
      "signed by the parent in the child's name",
      [await signed(asked, tld)],
      "no_such_key",
      "The zone that is named has no such key.",
    ),
    chain(
      "signed by the parent in the child's name and by its key tag",
      [await signed({ ...asked, keyTag: alice.zsk.tag }, tld)],
      "bad_signature",
      "The zone's key of that tag did not sign.",
    ),
    chain(
      "signed by two zones",
      [good, await signatureRecord(tld, answer)],
      "foreign_signer",
      "One zone signs a set.",
    ),
    chain("algorithm 5", [await signed({ algorithm: 5 })], "unsupported_algorithm", sha1),
    chain("algorithm 7", [await signed({ algorithm: 7 })], "unsupported_algorithm", sha1),
    chain(
      "algorithm 253",
      [await signed({ algorithm: 253 })],
      "unsupported_algorithm",
      "Only 8, 10, 13, 14, 15 and 16 are read.",
    ),
    chain(
      "algorithm 14 by a key of 13",
      [await signed({ algorithm: 14 })],
      "no_such_key",
      "A key is found by its tag and its algorithm.",
    ),
  ];
}

/** The signature of the record is recent: only that of the alias is too old. */
async function agedAlias({ scene, anchors }: Kit): Promise<Vector> {
  const { alice, answer, up } = scene.world;
  const target = `x.${leafName}`;
  const alias = { name: leafName, type: type.CNAME, rdatas: [wireName(target)] };
  const parts = [
    await signedSet(alice, alias, { inception: now - 600 }),
    await signedSet(alice, { ...answer, name: target }, { inception: now - 599 }),
    ...up,
  ];
  return bad(
    "an alias that is too old, to a record that is not",
    chainInput(parts),
    chainOptions(anchors, { max_signature_age: 599 }),
    "signature_too_old",
    "The alias was signed 600 seconds ago.",
  );
}

async function names({ scene, anchors }: Kit): Promise<Vector[]> {
  const { world } = scene;
  const { alice, answer, up } = world;
  const options = chainOptions(anchors);
  const parts = await partsOf(world);
  const chain = (title: string, input: Json, code: Code, reason: string) =>
    bad(title, input, options, code, reason);
  const evil = "_domain-signin.evilalice.test";
  const byAlice = await signedSet(alice, { ...answer, name: evil });
  const below = { ...alice, name: "evil.alice.test" };
  const above = await signedSet(below, { ...answer, name: "alice.test" });
  // One label `x.alice`, not two, in front of `test`.
  const dotted = join(octets(7), new Uint8Array(Buffer.from("x.alice")), wireName("test"));
  const dottedRecord = join(dotted, record("", type.TXT, txt("v=dsi1 sp=none")).slice(1));
  const signature = await signatureRecord(alice, { ...answer, name: "x.alice.test" });
  const dname: SetToSign = { name: "alice.test", type: type.DNAME, rdatas: [wireName("b.test")] };
  const misread = [dottedRecord, signature, ...up];
  const withDname = [...parts, await signedSet(alice, dname)];
  return [
    chain("no records", chainInput([]), "no_answer", "Nothing is there."),
    chain(
      "a chain about another name",
      chainInput(parts, "_domain-signin.bob.test."),
      "no_answer",
      "The records that were asked for are not there.",
    ),
    chain(
      "a chain about another type",
      { ...chainInput(parts), type: 28 },
      "no_answer",
      "The records that were asked for are not there.",
    ),
    chain("a name that is none", chainInput(parts, "a..b."), "malformed_name", "A label is empty."),
    chain(
      "a name that only ends like its signer",
      chainInput([byAlice, ...up], `${evil}.`),
      "foreign_signer",
      "Names are compared label by label: alice.test is no ancestor of evilalice.test.",
    ),
    chain(
      "signed by a zone below",
      chainInput([above, ...up], "alice.test."),
      "foreign_signer",
      "A zone signs at its own name or below.",
    ),
    chain(
      "a dot within a label",
      chainInput(misread, "x.alice.test."),
      "unneeded_record",
      "The label `x.alice` is one, so that the signature is for a set that is not there.",
    ),
    chain("a DNAME", chainInput(withDname), "dname", "Aliases of whole zones are not followed."),
  ];
}
