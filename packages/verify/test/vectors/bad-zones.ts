// Vectors of chains in which a key set or delegation on the way to the root is invalid.

import type { VerificationErrorCode } from "../../src/errors.ts";
import { makeLargeRsaKey } from "../support/large-rsa.ts";
import {
  dsRdata,
  dsSet,
  type Key,
  keySet,
  makeKey,
  makeZone,
  now,
  type SetToSign,
  type SignatureOptions,
  signedSet,
  type,
  upwards,
  withHead,
  type Zone,
} from "../support/signer.ts";
import { bad, chainInput, chainOptions, type Kit } from "./kit.ts";
import type { Vector } from "./vector.ts";

type Code = VerificationErrorCode;

export async function badZoneVectors(kit: Kit): Promise<Vector[]> {
  return [...(await leafZones(kit)), ...(await delegations(kit)), ...(await roots(kit))];
}

/** The leaf zone or its delegation is replaced. */
async function leafZones({ scene, anchors }: Kit): Promise<Vector[]> {
  const { root, tld, alice, answer } = scene.world;
  const options = chainOptions(anchors);
  const up = await upwards(tld, root);
  type Lies = { zone?: Zone; ds?: SetToSign; keys?: SignatureOptions };
  const chain = async (title: string, lies: Lies, code: Code, reason: string) => {
    const { zone = alice, keys = {} } = lies;
    const parts = [await signedSet(zone, answer), await signedSet(zone, keySet(zone), keys)];
    const ds = await signedSet(tld, lies.ds ?? (await dsSet(zone)));
    return bad(title, chainInput([...parts, ds, ...up]), options, code, reason);
  };
  const withKsk = (ksk: Key) => ({ ...alice, ksk, keys: [ksk.rdata, alice.zsk.rdata] });
  const withZsk = (zsk: Key) => ({ ...alice, zsk, keys: [alice.ksk.rdata, zsk.rdata] });
  const foreign = { name: "alice.test", type: type.DS };
  const ofBob = { ...foreign, rdatas: [await dsRdata("bob.test", alice.ksk)] };
  const cut = { ...foreign, rdatas: [(await dsRdata("alice.test", alice.ksk)).slice(0, 6)] };
  const old = await dsRdata("alice.test", alice.ksk);
  old[2] = 5;
  const ofOther = await dsSet(alice, { key: await makeKey(13) });
  const revoked = withHead(alice.ksk, 257 | 128);
  const delegated = "A key set counts by a signature of a key that a DS means.";
  const notDelegated = "key_not_delegated";
  return [
    await chain("a DS of another key", { ds: ofOther }, notDelegated, delegated),
    await chain(
      "a key set signed by no delegated key",
      { keys: { key: alice.zsk } },
      notDelegated,
      delegated,
    ),
    await chain(
      "a DS made for another name",
      { ds: ofBob },
      notDelegated,
      "The digest takes the name in.",
    ),
    await chain(
      "a DS with a part of the digest",
      { ds: cut },
      notDelegated,
      "Digests are compared whole.",
    ),
    await chain(
      "a DS of SHA-1 alone",
      { ds: await dsSet(alice, { hash: "SHA-1" }) },
      "unsupported_digest",
      "What rests on SHA-1 proves nothing any more.",
    ),
    await chain(
      "a DS of algorithm 5 alone",
      { ds: { ...foreign, rdatas: [old] } },
      "unsupported_algorithm",
      "What rests on SHA-1 proves nothing any more.",
    ),
    await chain(
      "a revoked key",
      { zone: withKsk(revoked) },
      notDelegated,
      "REVOKE (RFC 5011 §2.1).",
    ),
    await chain(
      "a key that is no zone key",
      { zone: withKsk(withHead(alice.ksk, 1)) },
      notDelegated,
      "ZONE is 0 (RFC 4034 §2.1.1).",
    ),
    await chain(
      "a key of protocol 2",
      { zone: withKsk(withHead(alice.ksk, 257, 2)) },
      notDelegated,
      "The protocol is 3 (RFC 4034 §2.1.2).",
    ),
    await chain(
      "an answer signed by a revoked key",
      { zone: withZsk(withHead(alice.zsk, 256 | 128)) },
      "no_such_key",
      "REVOKE (RFC 5011 §2.1).",
    ),
    await chain(
      "a key set signed by the parent",
      { keys: { signer: "test" } },
      "foreign_signer",
      "A zone signs its own keys.",
    ),
    await chain(
      "a key set that is over",
      { keys: { expiration: now - 301 } },
      "expired",
      "Over for 301 seconds.",
    ),
    // Both signatures are valid: only the key size is wrong.
    await chain(
      "RSA of 1016 bits",
      { zone: withKsk(await makeKey(8, { rsaBits: 1016 })) },
      "unsuitable_key",
      "1024 to 4096 bits.",
    ),
    await chain(
      "RSA of 4104 bits",
      { zone: withKsk(makeLargeRsaKey(4104)) },
      "unsuitable_key",
      "1024 to 4096 bits.",
    ),
  ];
}

async function delegations({ scene, anchors }: Kit): Promise<Vector[]> {
  const { root, tld, alice, answer } = scene.world;
  const options = chainOptions(anchors);
  const keys = await signedSet(alice, keySet(alice));
  const up = await upwards(tld, root);
  const chain = async (
    title: string,
    zone: Zone,
    lies: SignatureOptions,
    code: Code,
    reason: string,
  ) => {
    const parts = [await signedSet(alice, answer), keys];
    const ds = await signedSet(zone, await dsSet(alice), lies);
    return bad(title, chainInput([...parts, ds, ...up]), options, code, reason);
  };
  return [
    await chain("a DS signed by the child", alice, {}, "foreign_signer", "The parent signs it."),
    await chain(
      "a DS signed from above the parent",
      root,
      {},
      "foreign_signer",
      "The parent signs it.",
    ),
    await chain(
      "a DS signed by a zone beside",
      tld,
      { signer: "est" },
      "foreign_signer",
      "est is not above alice.test.",
    ),
    await chain(
      "a DS that is over",
      tld,
      { expiration: now - 301 },
      "expired",
      "Over for 301 seconds.",
    ),
  ];
}

async function roots({ scene, anchors }: Kit): Promise<Vector[]> {
  const { world } = scene;
  const { root, tld, alice, answer, up } = world;
  const leaf = await signedSet(alice, answer);
  const otherRoot = await makeZone("", 13);
  const forged = [leaf, ...(await upwards(alice, tld, otherRoot))];
  const byZsk = await signedSet(root, keySet(root), { key: root.zsk });
  const answerOfRoot = await signedSet(root, { ...answer, name: "x" });
  const untrusted = "untrusted_root";
  const missing = [
    "the leaf's key set",
    "the leaf's DS",
    "the parent's key set",
    "the parent's DS",
    "the root's key set",
  ];
  return [
    bad(
      "another root",
      chainInput(forged),
      chainOptions(anchors),
      untrusted,
      "No trust anchor names its key.",
    ),
    bad(
      "the root of today",
      chainInput([leaf, ...up]),
      { now },
      untrusted,
      "Without trust anchors of its own, a client trusts IANA's alone.",
    ),
    bad(
      "a root key set signed by another key of it",
      chainInput([answerOfRoot, byZsk], "x."),
      chainOptions(anchors),
      untrusted,
      "The key that the anchor means signs.",
    ),
    ...up.map((part, index) => {
      const rest = up.filter((other) => other !== part);
      const title = `without ${missing[index]}`;
      return bad(
        title,
        chainInput([leaf, ...rest]),
        chainOptions(anchors),
        "incomplete_chain",
        "The way to the root is broken.",
      );
    }),
  ];
}
