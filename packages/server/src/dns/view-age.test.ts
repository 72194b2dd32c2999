// Tests of how old a view is: the signature that counts, of a record and of an absence.

import { recordType } from "domain-signin-verify/dns/records";
import { expect, test } from "vitest";
import { nsecRdata } from "../../../verify/test/support/denials.ts";
import { now as signedNow, signedSet, wireName } from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import {
  answering,
  createScriptedDns,
  recordsOf,
  validatorIn,
} from "../../test/support/validator-world.ts";
import { viewThrough } from "./view.ts";

const { TXT } = recordType;
const label = "_domain-signin";

test("a view is as old as the oldest signature of the answer, and lives as long as the shortest TTL", async () => {
  const world = await makeWorld();
  const [name, end] = [leafName, `x.${leafName}`];
  const alias = { name, type: recordType.CNAME, rdatas: [wireName(end)] };
  const dns = createScriptedDns([
    await signedSet(world.alice, alias, { inception: signedNow - 600, originalTtl: 30 }),
    await signedSet(world.alice, { ...world.answer, name: end }, { inception: signedNow - 500 }),
    ...world.up,
  ]);
  const seen = await viewThrough(validatorIn(world, dns.query), name, label);
  const period = { inception: signedNow - 600, expiration: signedNow + 7 * 86_400 };
  expect(seen).toMatchObject({ ...period, found: { ttl: 30 } });
});

test("a view of an absence is as old as its newest denial: others stay when a record is removed", async () => {
  const world = await makeWorld();
  const nsec = async (name: string, next: string, age: number) => {
    const rdatas = [nsecRdata(next, ["A", "NSEC"])];
    const period = { inception: signedNow - age, expiration: signedNow + age };
    return recordsOf(await signedSet(world.alice, { name, type: recordType.NSEC, rdatas }, period));
  };
  const denials = [
    // Covers the wildcard.
    ...(await nsec("alice.test", "0.alice.test", 9000)),
    ...(await nsec("0.alice.test", "a.alice.test", 100)),
  ];
  const dns = createScriptedDns(world.up);
  const query = answering(dns.query, { name: leafName, type: TXT }, [], denials);
  const seen = await viewThrough(validatorIn(world, query), leafName, label);
  expect(seen).toMatchObject({ security: "secure", found: { values: [] } });
  expect(seen).toMatchObject({ inception: signedNow - 100, expiration: signedNow + 100 });
});
