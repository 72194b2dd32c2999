// Random small trees of zones that dnssec-signzone and ldns-signzone sign; some are spoilt after that.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import {
  type SignerName,
  signZone,
  type ZoneAlgorithm,
} from "../../../verify/test/support/zone-signers.ts";

const cuts = ["a.test", "b.test", "c.test", "x.a.test", "y.x.a.test", "d.e.test", "z.d.e.test"];
const owners = [...cuts, "test", "e.test", "n.a.test", "n.b.test", "m.n.a.test"];
/** `e.test` is an empty non-terminal, where no zone or record has that name. */
const names = [
  ...owners.flatMap((owner) => [`_x.${owner}`, `_x.w.${owner}`]),
  ...[
    "_x.nothing",
    "_x.nothing.test",
    "a.test",
    "e.test",
    "w.b.test",
    "u._x.a.test",
    "_x._x.b.test",
  ],
];
const wildcards = owners.flatMap((owner) => [`*.w.${owner}`, `*.${owner}`]);

const signing = {
  signer: fc.constantFrom<SignerName[]>("bind", "ldns"),
  algorithm: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<ZoneAlgorithm[]>(13, 15) },
    fc.constant<ZoneAlgorithm>(8),
  ),
  denial: fc.constantFrom("NSEC", "NSEC3", "NSEC3 with opt-out"),
};
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false));
const below = fc.record({
  ...signing,
  name: fc.constantFrom(...cuts),
  isSigned: mostly,
  hasDs: mostly,
});
const above = (name: string) =>
  fc.record({
    ...{ ...signing, name: fc.constant(name) },
    ...{ isSigned: fc.constant<boolean>(true), hasDs: fc.constant<boolean>(true) },
  });

const given = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      owner: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...names) },
        fc.constantFrom(...wildcards),
      ),
      type: fc.constant("TXT" as const),
      value: fc.constantFrom("v", "w"),
    }),
  },
  fc.record({
    owner: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...names) },
      fc.constantFrom(...wildcards),
    ),
    type: fc.constant("CNAME" as const),
    value: fc.constantFrom(...names),
  }),
);

/** What happens to a zone, or to its DS record; `zone` chooses one and `at` a record of it. */
export const faults = [
  "changed signature",
  "no signature",
  "no signature in the zone",
  "no denial",
  "expired",
  "not yet valid",
  "DS of no key",
  "DS of an unknown algorithm",
] as const;
export type FaultName = (typeof faults)[number];
const fault = fc.record({
  what: fc.constantFrom(...faults),
  zone: fc.nat({ max: 50 }),
  at: fc.nat(),
});

export const foreignWorlds = fc.record({
  root: above(""),
  test: above("test"),
  zones: fc.uniqueArray(below, {
    selector: ({ name }) => name,
    minLength: 3,
    maxLength: cuts.length,
  }),
  records: fc.array(given, { minLength: 4, maxLength: 24 }),
  faults: fc.oneof(
    fc.array(fault, { maxLength: 0 }),
    fc.array(fault, { minLength: 1, maxLength: 3 }),
  ),
  asked: fc.uniqueArray(fc.constantFrom(...names), { minLength: 8, maxLength: 8 }),
});

type Sampled<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type ForeignWorld = Sampled<typeof foreignWorlds>;
type ForeignZone = ForeignWorld["root"];

export interface SignedFiles {
  readonly zones: readonly { readonly name: string; readonly file: string }[];
  readonly trustAnchors: readonly string[];
}

/** Signs the zones from below, so that each parent has the DS records of its children. */
export async function signForeignWorld(world: ForeignWorld, folder: string): Promise<SignedFiles> {
  const zones = [world.root, world.test, ...world.zones];
  const deepestFirst = zones.toSorted((one, other) => depthOf(other.name) - depthOf(one.name));
  const delegations = new Map<string, string[]>(zones.map(({ name }) => [name, []]));
  const zoneOf = (name: string) =>
    deepestFirst.find((zone) => isBelow(name, zone.name))?.name ?? "";
  const records = recordsOf(world);
  const files: { name: string; file: string }[] = [];
  let anchor = "";
  for (const zone of deepestFirst) {
    const lines = [
      ...records.filter(({ owner }) => zoneOf(owner) === zone.name).map(lineOf),
      ...(delegations.get(zone.name) ?? []),
    ];
    const { text, ds } = await textOf(world, zone, lines, folder);
    const file = join(folder, `served-${zone.name}`);
    await writeFile(file, text);
    files.push({ name: zone.name, file });
    if (zone.name === "") anchor = ds;
    const parent = zoneOf(zone.name.replace(/^[^.]+\.?/, ""));
    const delegation = [`${zone.name}. 60 IN NS ns.invalid.`, ...(zone.hasDs && ds ? [ds] : [])];
    if (zone.name !== "") delegations.get(parent)?.push(...delegation);
  }
  return { zones: files, trustAnchors: [anchor] };
}

/** A name with an alias has no other records, and a record is there once. */
function recordsOf({ records, zones }: ForeignWorld): ForeignWorld["records"] {
  const isApex = (name: string) => zones.some((zone) => zone.name === name);
  return records.filter(({ owner, type, value }, index) => {
    const earlier = records.slice(0, index).filter((other) => other.owner === owner);
    return type === "CNAME"
      ? earlier.length === 0 && !isApex(owner)
      : !earlier.some((other) => other.type === "CNAME" || other.value === value);
  });
}

function lineOf({ owner, type, value }: ForeignWorld["records"][number]): string {
  return `${owner}. 60 IN ${type} ${type === "CNAME" ? `${value}.` : `"${value}"`}`;
}

async function textOf(
  { faults: all, zones }: ForeignWorld,
  zone: ForeignZone,
  lines: readonly string[],
  folder: string,
): Promise<{ text: string; ds: string }> {
  const { name, isSigned, denial } = zone;
  if (!isSigned) return { text: unsignedText(name, lines), ds: "" };
  const order = ["", "test", ...zones.map((one) => one.name)];
  const here = all.filter((one) => order[one.zone % order.length] === name);
  const has = (what: FaultName) => here.some((one) => one.what === what);
  const day = 86_400;
  const signed = await signZone(
    {
      ...zone,
      lines,
      denial: denial === "NSEC" ? "NSEC" : "NSEC3",
      isOptOut: denial === "NSEC3 with opt-out",
      ...(has("expired") && { validity: [-10 * day, -5 * day] }),
      ...(has("not yet valid") && { validity: [5 * day, 10 * day] }),
    },
    folder,
  );
  // owner, TTL, class, DS, key tag, algorithm, digest type, digest in groups
  const [, , , , tag = "", algorithm = "", digestType = "", ...digest] = signed.ds
    .replace(/^(\S+)\s+(?:3600\s+)?IN/, "$1 3600 IN")
    .trim()
    .split(/\s+/);
  const shownDigest = digest.join("");
  const isOther = has("DS of no key") && name !== "";
  const isUnknown = has("DS of an unknown algorithm") && name !== "";
  const ds = [
    ...[`${name}.`, "3600", "IN", "DS", tag, isUnknown ? "200" : algorithm, digestType],
    isOther ? shownDigest.replace(/./, (digit) => (digit === "0" ? "1" : "0")) : shownDigest,
  ].join(" ");
  return { text: here.reduce(spoilt, signed.text), ds };
}

function unsignedText(name: string, lines: readonly string[]): string {
  const soa = `${name}. 3600 IN SOA ns.invalid. hostmaster.invalid. 1 3600 600 86400 60`;
  return `${[soa, `${name}. 3600 IN NS ns.invalid.`, ...lines].join("\n")}\n`;
}

function spoilt(text: string, { what, at }: ForeignWorld["faults"][number]): string {
  const lines = text.split("\n");
  const isSignature = (line: string) => /\sIN\s+RRSIG\s/.test(line);
  const isDenial = (line: string) => /\sIN\s+NSEC3?\s/.test(line);
  const chosen = (test: (line: string) => boolean) => {
    const found = lines.filter(test);
    return found[at % found.length] ?? "";
  };
  switch (what) {
    case "changed signature": {
      const one = chosen(isSignature);
      return text.replace(one, changedSignature(one));
    }
    case "no signature": {
      const one = chosen(isSignature);
      return lines.filter((line) => line !== one).join("\n");
    }
    case "no signature in the zone":
      return lines.filter((line) => !isSignature(line)).join("\n");
    case "no denial": {
      const [owner = ""] = chosen(isDenial).split(/\s/);
      const isOfIt = (line: string) =>
        line.split(/\s/)[0] === owner && (isDenial(line) || /\sIN\s+RRSIG\s+NSEC3?\s/.test(line));
      return lines.filter((line) => !isOfIt(line)).join("\n");
    }
    default:
      return text;
  }
}

/** Fields: owner, TTL, class, RRSIG, eight more, and then its octets in base64. */
function changedSignature(line: string): string {
  const fields = line.split(/\s+/);
  const signature = fields[12] ?? "";
  const other = signature[9] === "A" ? "B" : "A";
  return [
    ...fields.slice(0, 12),
    signature.slice(0, 9) + other + signature.slice(10),
    ...fields.slice(13),
  ].join(" ");
}

function depthOf(name: string): number {
  return name === "" ? 0 : name.split(".").length;
}

function isBelow(name: string, zone: string): boolean {
  return zone === "" || name === zone || name.endsWith(`.${zone}`);
}
