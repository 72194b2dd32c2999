// Tests of whether a diagnosis names the provider at which a zone is edited.

import { describe, expect, it, onTestFinished } from "vitest";
import { startDiagnosedZone, type ZoneOptions } from "../../test/support/diagnosed-zone.ts";
import { createPanelOf } from "./panels.ts";

const cloudflare = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"];
const wanted = `v=dsi1; sp=https://auth.example.com; acct=${"a".repeat(22)}`;

async function start(options: ZoneOptions) {
  const zone = await startDiagnosedZone(options);
  onTestFinished(zone.close);
  return zone;
}

describe("the panel in a diagnosis", () => {
  it("is that of the zone's name servers, for which nobody is asked more", async () => {
    const known = await start({ hosts: cloudflare });
    const unknown = await start({ hosts: ["ada.alice.test", "bob.alice.test"] });
    const [diagnosis, other] = await Promise.all(
      [known, unknown].map(({ look }) => look("alice.test", wanted)),
    );
    expect(diagnosis?.panel).toMatchObject({ name: "Cloudflare", hostField: "Name" });
    expect(other?.panel).toBeNull();
    const [ofKnown, ofUnknown] = [known.asked(), unknown.asked()];
    expect(ofKnown.own).toEqual(ofUnknown.own);
    expect(ofKnown.resolver).toHaveLength(ofUnknown.resolver.length);
  });

  it("is known for a demo's zone by the entries that are passed", async () => {
    const entry = { name: "Demo", suffixes: ["alice.test"], link: "https://panel.alice.test/" };
    const more = { hostField: "Host", addsZone: false, wantsQuotes: false, flaws: [] };
    const { look } = await start({ panelOf: createPanelOf([{ ...entry, ...more }]) });
    const { panel } = await look("alice.test", wanted);
    expect(panel).toEqual({ name: "Demo", link: entry.link, ...more });
  });

  it("counts all name servers, also those that are not asked", async () => {
    // Only the first four by name are asked.
    const hosts = ["a", "b", "c", "d"].map((label) => `${label}.ns.cloudflare.com`);
    const { look } = await start({ hosts: [...hosts, "ns1.desec.io"] });
    expect((await look("alice.test", wanted)).panel).toBeNull();
  });

  it("is that of the deeper zone which has the name", async () => {
    const shop = await start({ apex: "shop.alice.test" });
    const alice = await start({
      ...{ hosts: cloudflare, deeper: { apex: "shop.alice.test", host: "ns1.desec.io" } },
      reach: (address) => (address === "8.8.4.4" ? shop.server : alice.server),
    });
    const panels = await Promise.all(
      ["alice.test", "shop.alice.test"].map(async (one) => (await alice.look(one, wanted)).panel),
    );
    expect(panels.map((panel) => panel?.name)).toEqual(["Cloudflare", "deSEC"]);
  });

  it.each<[string, ZoneOptions]>([
    ["name servers are not used", { isUsed: false }],
    ["nothing may be sent to the name servers", { reach: () => null }],
  ])("is unknown if %s", async (_, options) => {
    const { look } = await start({ hosts: cloudflare, ...options });
    const diagnosis = await look("alice.test", wanted);
    expect(diagnosis.panel).toBeNull();
    expect(diagnosis.zone).toBe("unreachable");
  });
});
