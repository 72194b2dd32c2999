// Test of a look at a zone in whose middle there is no turn for a further question.

import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { expect, it, onTestFinished } from "vitest";
import { record, serveDns } from "../../test/support/dns-server.ts";
import { questions } from "../../test/support/looks-for.ts";
import { requesterAt } from "../http/requester.ts";
import { clockFrom } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createRateGate, createReservedQueue } from "../lib/fair-queue.ts";
import { createNameServers } from "./name-servers.ts";
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

it("a question without a turn on the way to a deeper zone is no silence of its servers", async () => {
  // A referral without an address, so that the second question is for the address of the deeper zone's server.
  const authorities = [record(apex, NS, encodeName(`ns.${apex}`))];
  const referral = () => ({ authoritative: false, rcode: 0, answers: [], authorities });
  const parent = await serveDns("alice.test", () => [], referral);
  onTestFinished(parent.close);
  const reach = () => parent.server;
  const ownAddresses = async () => [];
  const setup = { resolvers: [resolver], reach, clock, ownAddresses, questions };
  const gate = () => createRateGate(1, 1, clock);
  const oneQuestion = createReservedQueue({ gate, capacity: 9 }, clock);
  const nameServers = createNameServers(setup);
  const lookAt = createZoneLook({ clock, nameServers, questions: oneQuestion });
  const from = requesterAt("192.0.2.1");
  const looking = lookAt("alice.test", `_domain-signin.${apex}`, from);
  await expect(looking).rejects.toThrow(BusyError);
  expect(parent.queries).toHaveLength(1);
});
