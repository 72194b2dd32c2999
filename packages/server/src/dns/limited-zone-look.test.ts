// Test of a look at a zone in whose middle a limit of questions is reached.

import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { expect, it, onTestFinished } from "vitest";
import { record, serveDns } from "../../test/support/dns-server.ts";
import { clockFrom } from "../lib/clock.ts";
import { createNameServers } from "./name-servers.ts";
import { createQueryLimits, QUERY_LIMITS } from "./query-limits.ts";
import type { Resolver } from "./resolver.ts";
import { createZoneLook } from "./zone-look.ts";

const { A, NS } = recordType;
const clock = clockFrom(() => 0);
const apex = "shop.alice.test";

/** The name server of alice.test has the address 8.8.8.8. */
const resolver: Pick<Resolver, "query"> = {
  async query(name, type) {
    const none = { outcome: "answer", records: [], authorities: [] } as const;
    if (type === NS) return { ...none, records: [record(name, NS, encodeName("a.test"))] };
    return { ...none, records: type === A ? [record(name, A, Uint8Array.of(8, 8, 8, 8))] : [] };
  },
};

it("a limit that is reached on the way to a deeper zone is no silence of its servers", async () => {
  // A referral without an address, so that the second question is for the address of the deeper zone's server.
  const authorities = [record(apex, NS, encodeName(`ns.${apex}`))];
  const referral = () => ({ authoritative: false, rcode: 0, answers: [], authorities });
  const parent = await serveDns("alice.test", () => [], referral);
  onTestFinished(parent.close);
  const reach = () => parent.server;
  const ownAddresses = async () => [];
  const nameServers = createNameServers({ resolvers: [resolver], reach, clock, ownAddresses });
  const domain = { perMinute: 1, inFlight: 1 };
  const limits = createQueryLimits(clock, { ...QUERY_LIMITS, domain });
  const lookAt = createZoneLook({ nameServers, limits });
  const evidence = await lookAt("alice.test", `_domain-signin.${apex}`);
  expect(evidence).toEqual({ apex, answers: [], misplaced: [], isBusy: true });
  expect(parent.queries).toHaveLength(1);
});
