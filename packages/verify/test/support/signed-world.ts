// Five zones signed by other programs, and chains built from their files.

import { parseTrustAnchor, type TrustAnchor } from "../../src/dnssec/trust-anchors.ts";
import { join, type Octets, record, type } from "./signer.ts";
import { readZoneFile, type ZoneRecord } from "./zone-file.ts";
import { type SignerName, signZone, type ZoneAlgorithm } from "./zone-signers.ts";

export interface SignedWorld {
  readonly trustAnchors: readonly TrustAnchor[];
  /** The record sets of this type at these names, and everything above them, as octets. */
  chain(...sets: readonly (readonly [name: string, recordType: number])[]): Octets;
}

export interface WorldPlan {
  /** Signs the root and `test`. */
  readonly above: SignerName;
  /** Signs the zones of the owners. */
  readonly below: SignerName;
  readonly denial: "NSEC" | "NSEC3";
  /** Of the root, `test`, `alice.test`, `other.test` and `shop.market.test`. */
  readonly algorithms: readonly [
    ...[ZoneAlgorithm, ZoneAlgorithm, ZoneAlgorithm],
    ...[ZoneAlgorithm, ZoneAlgorithm],
  ];
}

export const aliasName = "_domain-signin.alice.test";
export const targetName = "_domain-signin.x.other.test";
/** Its zone lies two labels below `test`, which delegates to it. */
export const deepName = "_domain-signin.shop.market.test";

/** The TXT record of each, with its strings joined; for the alias, that of its target. */
export const values = {
  [targetName]: 'v=dsi1 sp=https://auth.example.com acct=other x="\\\u00e9',
  [deepName]: `v=dsi1 sp=none x=${"long".repeat(100)}`,
};

const texts = {
  [targetName]: String.raw`"v=dsi1 sp=https://auth.example.com acct=other" " x=\"\\\233"`,
  [deepName]: `"v=dsi1 sp=none x=" "${"long".repeat(50)}" "${"long".repeat(50)}"`,
};

export async function signWorld(plan: WorldPlan, folder: string): Promise<SignedWorld> {
  const [root, test, alice, other, shop] = plan.algorithms;
  const below = (name: string, algorithm: ZoneAlgorithm, ...lines: string[]) =>
    signZone({ ...plan, name, algorithm, lines, signer: plan.below }, folder);
  const above = (name: string, algorithm: ZoneAlgorithm, ...lines: string[]) =>
    signZone({ ...plan, name, algorithm, lines, signer: plan.above }, folder);

  const leaves = await Promise.all([
    below("alice.test", alice, `${aliasName}. 300 IN CNAME _Domain-SignIn.X.other.test.`),
    below("other.test", other, `${targetName}. 300 IN TXT ${texts[targetName]}`),
    below("shop.market.test", shop, `${deepName}. 300 IN TXT ${texts[deepName]}`),
  ]);
  const cuts = ["alice", "other", "shop.market"].map(
    (cut) => `${cut}.test. 3600 IN NS ns.invalid.`,
  );
  const testZone = await above("test", test, ...cuts, ...leaves.map(({ ds }) => ds.trim()));
  const rootZone = await above("", root, "test. 3600 IN NS ns.invalid.", testZone.ds.trim());

  const files = [...leaves, testZone, rootZone].map(({ text }) => readZoneFile(text));
  return {
    trustAnchors: [parseTrustAnchor(rootZone.ds.replaceAll(/\s+/g, " "))],
    chain: (...sets) => chainOf(files, sets),
  };
}

type Asked = readonly [name: string, recordType: number];

/** Follows the signers up to the root, and includes each set once. */
function chainOf(files: readonly ZoneRecord[][], asked: readonly Asked[]): Octets {
  const waiting = [...asked];
  const taken = new Map<string, ZoneRecord[]>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [name, recordType] = next;
    if (taken.has(`${name} ${recordType}`)) continue;
    const set = recordsOf(files, name, recordType);
    taken.set(`${name} ${recordType}`, set);
    for (const signer of new Set(set.flatMap((one) => one.signer ?? []))) {
      waiting.push([signer, type.DNSKEY]);
      if (signer !== "") waiting.push([signer, type.DS]);
    }
  }
  const records = [...taken.values()].flat();
  return join(...records.map((one) => record(one.owner, one.type, one.rdata, one.ttl)));
}

/** The set from the file that has it signed: a parent has the unsigned NS set of its child. */
function recordsOf(files: readonly ZoneRecord[][], name: string, recordType: number): ZoneRecord[] {
  const found = files
    .map((file) => file.filter((one) => one.name === name))
    .map((here) => here.filter((one) => one.type === recordType || one.covers === recordType))
    .filter((here) => here.some(({ covers }) => covers === recordType));
  const [set, second] = found;
  if (!set || second) throw new Error(`${name} has no one set of type ${recordType}`);
  return set;
}
