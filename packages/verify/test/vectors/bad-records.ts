// Vectors of good chains that prove a record which nobody may sign in by.

import type { VerificationErrorCode } from "../../src/errors.ts";
import {
  acct,
  attest,
  chainOf,
  dnssecPart,
  domain,
  goodData,
  recordOf,
  sp,
} from "../support/sign-in.ts";
import { join, makeZone, signedSet, txt, type, upwards, wireName } from "../support/signer.ts";
import { asking, bad, type Kit } from "./kit.ts";
import type { Vector } from "./vector.ts";

type Row = readonly [
  name: string,
  records: readonly string[],
  code: VerificationErrorCode,
  reason: string,
];

const KEY = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const invalid = "A record that begins v=dsi1 and breaks a rule is no record, and hides no other.";

function rows(good: string): readonly Row[] {
  return [
    ["no SP record among others", ["v=spf1 -all"], "no_record", "None begins v=dsi1."],
    ["sp=none", ["v=dsi1 sp=none"], "disabled", "Nobody may sign in as this domain."],
    [
      "two records",
      [good, "v=dsi1 sp=none"],
      "ambiguous_record",
      "Exactly one record may begin v=dsi1: which of them the owner means is not known.",
    ],
    [
      "a good record and an invalid one",
      [good, "v=dsi1 sp"],
      "ambiguous_record",
      "An invalid record counts.",
    ],
    ["a record without acct", [`v=dsi1 sp=${sp}`], "invalid_record", invalid],
    ["a record with a tag twice", [`${good} sp=${sp}`], "invalid_record", invalid],
    ["a record whose sp is http", [good.replace("https:", "http:")], "invalid_record", invalid],
    [
      "a record whose sp is on loopback",
      [good.replace(sp, "http://localhost:8080")],
      "invalid_record",
      "http://localhost is good only where the expected issuer is there too.",
    ],
    ["a record with a bad jkt", [`v=dsi1 sp=${sp} acct=${acct} jkt=x`], "invalid_record", invalid],
    ["a record with a bad spk", [`v=dsi1 sp=${sp} acct=${acct} spk=x`], "invalid_record", invalid],
    [
      "a record with a key in both tags",
      [`v=dsi1 sp=${sp} acct=${acct} spk=${KEY} jkt=${KEY}`],
      "invalid_record",
      "Nobody speaks for both: such a record lets the provider sign as the owner.",
    ],
    [
      "a record of a later version alone",
      [good.replace("dsi1", "dsi2")],
      "unsupported_record",
      "What it says is not known.",
    ],
  ];
}

export async function badRecordVectors(kit: Kit): Promise<Vector[]> {
  const { scene } = kit;
  const options = asking("attestation_and_dnssec", kit.options);
  const { owner_proof: _, ...data } = await goodData(scene);
  const vectors: Vector[] = [];
  for (const [name, records, code, reason] of rows(recordOf(scene))) {
    const dnssec = dnssecPart(await chainOf(scene, ...records));
    vectors.push(bad(name, { ...data, dnssec }, options, code, reason));
  }

  const tampered = await chainOf(scene);
  tampered[Buffer.from(tampered).indexOf("acct=") + 5] = "x".charCodeAt(0);
  const about = dnssecPart(await chainOf(scene));
  const evil = "evilalice.test";
  const evilData = { ...data, domain: evil, attestation: await attest(scene, { domain: evil }) };
  const evilName = `_domain-signin.${evil}`;
  const evilSet = {
    ...{ name: evilName, type: type.TXT },
    rdatas: [txt(recordOf(scene))],
  };
  const evilChain = join(await signedSet(scene.world.alice, evilSet), ...scene.world.up);
  const evilPart = { ...dnssecPart(evilChain), name: `${evilName}.` };
  const renamed = { ...about, name: `${evilName}.` };
  return [
    ...vectors,
    bad(
      "a tampered record",
      { ...data, dnssec: dnssecPart(tampered) },
      options,
      "bad_signature",
      "The first letter of acct is not what the zone signed.",
    ),
    bad(
      "another name's chain",
      { ...evilData, dnssec: about },
      options,
      "wrong_domain",
      "The part says itself that it is about another domain.",
    ),
    bad(
      "another name's chain, renamed",
      { ...evilData, dnssec: renamed },
      options,
      "no_answer",
      "What the part calls itself is not what its records are about.",
    ),
    bad(
      "evilalice.test signed by alice.test",
      { ...evilData, dnssec: evilPart },
      options,
      "foreign_signer",
      "Names are compared label by label: alice.test is no ancestor of evilalice.test.",
    ),
    await aliasVector(kit),
  ];
}

async function aliasVector({ scene, options }: Kit): Promise<Vector> {
  const { world } = scene;
  const host = await makeZone("host.test", 13);
  const [hostKeys, hostDs] = await upwards(host, world.tld);
  const target = "x_domain-signin.host.test";
  const alias = { ...world.answer, type: type.CNAME, rdatas: [wireName(target)] };
  const answer = { name: target, type: type.TXT, rdatas: [txt(recordOf(scene))] };
  const chain = join(
    await signedSet(world.alice, alias),
    await signedSet(host, answer),
    ...(hostKeys && hostDs ? [hostKeys, hostDs] : []),
    ...world.up,
  );
  const data = { v: 1, domain, attestation: await attest(scene), dnssec: dnssecPart(chain) };
  return bad(
    "an alias to a name without the label",
    data,
    asking("attestation_and_dnssec", options),
    "foreign_alias",
    "A wildcard alias to a web host would hand over every name below it: the last name must have a label _domain-signin.",
  );
}
