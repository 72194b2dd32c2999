// Vectors of chains that are malformed, truncated, too long or too costly.

import type { VerificationErrorCode } from "../../src/errors.ts";
import {
  anchorText,
  collidingKey,
  join,
  keySet,
  makeKey,
  now,
  type Octets,
  octets,
  record,
  signatureRecord,
  signedSet,
  type,
  upwards,
  wireName,
} from "../support/signer.ts";
import { leafName } from "../support/world.ts";
import { bad, chainInput, chainOptions, type Kit, partsOf } from "./kit.ts";
import type { Vector } from "./vector.ts";

export async function badOctetVectors(kit: Kit): Promise<Vector[]> {
  return [
    ...(await misshapen(kit)),
    ...(await cuts(kit)),
    ...(await tooMany(kit)),
    ...(await collisions(kit)),
    ...(await aliases(kit)),
  ];
}

async function misshapen({ scene, anchors }: Kit): Promise<Vector[]> {
  const { alice, answer, up } = scene.world;
  const good = await partsOf(scene.world);
  const chain = (
    title: string,
    parts: readonly Octets[],
    reason: string,
    code: VerificationErrorCode = "malformed_chain",
  ) => bad(title, chainInput(parts), chainOptions(anchors), code, reason);
  const tail = record("", 99, octets(1)).slice(1);
  const chaos = record("x", 99, octets(1));
  chaos[6] = 3;
  const { length } = join(...good);
  const pointer = "No name in a chain is compressed, so that none can point around in a circle.";
  const extra = "Everything in a chain is needed, so that nothing rides along unseen.";
  const bob = await signedSet(alice, { ...answer, name: "_domain-signin.bob.test" });
  const strayName = "_domain-signin.eve.test";
  const stray = await signatureRecord(alice, { ...answer, name: strayName });
  const looped = record(leafName, type.CNAME, octets(0xc0, 0));
  const twoAliases = { name: leafName, type: type.CNAME, rdatas: [wireName("x"), wireName("y")] };
  const unsigned = record(leafName, type.CNAME, wireName("x.alice.test"));
  const unneeded = "unneeded_record";
  return [
    chain("a name that points to itself", [join(octets(0xc0, 0), tail)], pointer),
    chain("a name that points to the beginning", [...good, join(octets(0xc0, 0), tail)], pointer),
    chain(
      "a name that points to itself behind a good chain",
      [...good, join(octets(0xc0 + (length >> 8), length & 0xff), tail)],
      pointer,
    ),
    chain(
      "a name with a pointer after a label",
      [...good, join(octets(1, 97, 0xc0, 0), tail)],
      pointer,
    ),
    chain("an alias whose target is compressed", [looped, ...up], pointer),
    chain("a label of unknown kind", [...good, join(octets(0x40), tail)], "0x40 is no length."),
    chain("a record of class CH", [...good, chaos], "Class IN alone is signed here."),
    chain(
      "a text of no strings",
      [record(leafName, type.TXT, octets()), ...up],
      "It has one or more.",
    ),
    chain(
      "a string beyond its record",
      [record(leafName, type.TXT, octets(2, 97)), ...up],
      "It ends early.",
    ),
    chain(
      "a signature of no octets",
      [record(leafName, type.RRSIG, new Uint8Array(19)), ...up],
      "It has some.",
    ),
    chain("two aliases at one name", [await signedSet(alice, twoAliases), ...up], "Which of them?"),
    chain("an alias without signature", [unsigned, ...up], "Anybody can write one.", "no_answer"),
    chain(
      "an unsigned record more",
      [...good, record("x.test", 1, octets(1, 2, 3, 4))],
      extra,
      unneeded,
    ),
    chain("a signed record more", [...good, bob], extra, unneeded),
    chain("a signature of nothing", [...good, stray], extra, unneeded),
    chain("an alias beside the answer", [...good, unsigned], extra, unneeded),
  ];
}

/** A truncated chain. It is always rejected, but the code depends on the position of the cut. */
async function cuts({ scene, anchors }: Kit): Promise<Vector[]> {
  const parts = await partsOf(scene.world);
  const chain = join(...parts);
  const [answer = new Uint8Array(), keys = new Uint8Array()] = parts;
  const [inside, whole] = ["A record is cut.", "Records are missing."];
  const places: [number, VerificationErrorCode, string][] = [
    [1, "malformed_chain", inside],
    [answer.length - 1, "malformed_chain", inside],
    [answer.length, "incomplete_chain", whole],
    [answer.length + keys.length, "incomplete_chain", whole],
    [Math.floor(chain.length / 2), "malformed_chain", inside],
    [chain.length - 1, "malformed_chain", inside],
  ];
  return places.map(([length, code, reason]) => {
    const input = chainInput([chain.slice(0, length)]);
    return bad(`a chain cut at octet ${length}`, input, chainOptions(anchors), code, reason);
  });
}

async function tooMany({ scene, anchors }: Kit): Promise<Vector[]> {
  const { root, tld, alice, answer } = scene.world;
  const good = await partsOf(scene.world);
  const options = chainOptions(anchors);
  const spare = await Promise.all(Array.from({ length: 11 }, () => makeKey(13)));
  const crowd = { ...alice, keys: [...alice.keys, ...spare.map(({ rdata }) => rdata)] };
  const crowded = [await signedSet(crowd, answer), ...(await upwards(crowd, tld, root))];
  const some = await signatureRecord(alice, answer);
  // Most of their octets are omitted, because the verifier never reads them.
  const shape = some.slice(0, some.length - 60);
  const lengthAt = wireName(leafName).length + 9;
  shape[lengthAt] = (shape[lengthAt] ?? 0) - 60;
  const signatures = Array.from({ length: 200 }, (_, index) =>
    join(shape.slice(0, -1), octets(index)),
  );
  const distinct = Array.from({ length: 19 }, (_, index) =>
    signatureRecord(alice, answer, { expiration: now + 1000 + index }),
  );
  const filler = Array<Octets>(114).fill(record("", 99, octets(1)));
  return [
    bad(
      "129 records",
      chainInput([...good, ...filler]),
      options,
      "too_many_records",
      "128 is the most, the same one counted each time.",
    ),
    bad("13 keys in a zone", chainInput(crowded), options, "too_many_keys", "12 is the most."),
    bad(
      "200 signatures",
      chainInput([...good, ...signatures]),
      options,
      "too_many_records",
      "A signature is a record: 128 is the most.",
    ),
    bad(
      "100 signatures",
      chainInput([...good, ...signatures.slice(0, 94)]),
      options,
      "too_many_signatures",
      "24 is the most; they are counted before the first is checked.",
    ),
    bad(
      "25 good signatures",
      chainInput([...good, ...(await Promise.all(distinct))]),
      options,
      "too_many_signatures",
      "24 is the most.",
    ),
    bad(
      "over 65,535 octets",
      { ...chainInput(good), zeros: 0xffff },
      options,
      "chain_too_long",
      "65,535 octets is the most.",
    ),
  ];
}

/** KeyTrap: each signature could be by any of the keys, and each check costs time. */
async function collisions({ scene }: Kit): Promise<Vector[]> {
  const { answer } = scene.world;
  const key = await makeKey(15);
  const keys = [key.rdata, ...Array.from({ length: 11 }, (_, index) => collidingKey(key, index))];
  const root = { name: "", ksk: key, zsk: key, keys };
  const another = await signatureRecord(root, answer, { expiration: now + 1000 });
  const parts = [await signedSet(root, answer), await signedSet(root, keySet(root)), another];
  const options = chainOptions([await anchorText(root)]);
  const reason = "24 checks is the most, and twelve keys of one tag make more of three signatures.";
  return [bad("a flood of key tags", chainInput(parts), options, "too_many_signatures", reason)];
}

async function aliases({ scene, anchors }: Kit): Promise<Vector[]> {
  const { alice, answer, up } = scene.world;
  const names = Array.from({ length: 10 }, (_, index) => `a${index}.alice.test`);
  const alias = (name: string, to: string) =>
    signedSet(alice, { name, type: type.CNAME, rdatas: [wireName(to)] });
  const nine = await Promise.all(
    names.slice(0, 9).map((name, index) => alias(name, names[index + 1] ?? "")),
  );
  const end = await signedSet(alice, { ...answer, name: "a9.alice.test" });
  const loop = [await alias("x.test", "y.test"), await alias("y.test", "x.test")];
  const options = chainOptions(anchors);
  return [
    bad(
      "nine aliases",
      chainInput([...nine, end, ...up], "a0.alice.test."),
      options,
      "too_many_aliases",
      "8 is the most.",
    ),
    bad(
      "aliases in a circle",
      chainInput([...loop, ...up], "x.test."),
      options,
      "alias_loop",
      "It never ends.",
    ),
    bad(
      "an alias to itself",
      chainInput([await alias("x.test", "x.test"), ...up], "x.test."),
      options,
      "alias_loop",
      "It never ends.",
    ),
    bad(
      "an alias to nothing",
      chainInput([await alias("x.alice.test", "y.alice.test"), ...up], "x.alice.test."),
      options,
      "no_answer",
      "The records at its end are not there.",
    ),
  ];
}
