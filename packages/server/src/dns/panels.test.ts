// Tests of which DNS provider is recognized by a zone's name servers, and of each entry of the data file.

import { describe, expect, it } from "vitest";
import { createPanelOf, type PanelEntry, type PanelFlaw, readPanelEntries } from "./panels.ts";

const panelOf = createPanelOf();
const nameOf = (...nameServers: string[]) => panelOf(nameServers)?.name ?? null;

describe("the panel of a zone", () => {
  it.each<[string, ...string[]]>([
    ["Cloudflare", "ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
    ["GoDaddy", "ns51.domaincontrol.com", "ns52.domaincontrol.com"],
    [
      ...(["Amazon Route 53", "ns-1234.awsdns-26.org", "ns-1937.awsdns-50.co.uk"] as const),
      ...["ns-421.awsdns-52.com", "ns-709.awsdns-24.net"],
    ],
    ["Squarespace or Google Cloud DNS", "ns-cloud-a1.googledomains.com"],
    ["IONOS", "ns1045.ui-dns.biz", "ns1045.ui-dns.com", "ns1045.ui-dns.de", "ns1045.ui-dns.org"],
    ["Hetzner", "helium.ns.hetzner.de", "hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com"],
    ["STRATO", "docks10.rzone.de", "shades11.rzone.de"],
    ["one.com", "ns01.one.com", "ns02.one.com"],
    ["Registro.br", "a.auto.dns.br", "b.auto.dns.br"],
    ["Netlify or NS1", "dns1.p01.nsone.net", "dns2.p01.nsone.net"],
    // Squarespace uses servers of NS1 beside its own.
    ["Squarespace", "dns1.p01.nsone.net", "ns01.squarespacedns.com"],
  ])("is that of %s, to which all of its name servers belong", (name, ...nameServers) => {
    expect(nameOf(...nameServers)).toBe(name);
  });

  it.each<[string, ...string[]]>([
    ["no name server is known"],
    ["nobody knows the provider", "ns1.alice.test"],
    ["two providers serve the zone", "ada.ns.cloudflare.com", "ns51.domaincontrol.com"],
    ["one of the servers is of somebody else", "ada.ns.cloudflare.com", "ns1.alice.test"],
    ["the suffix begins within a label", "ns1.someone.com", "ns2.someone.com"],
    ["the suffix ends within a label", "ns1.hover.community"],
    ["the suffix is not at the end", "ada.ns.cloudflare.com.alice.test"],
    ["the name is the suffix", "ns.cloudflare.com"],
    ["a number is missing", "ns-1234.awsdns-.org", "ns-1.awsdns.com"],
    ["a number is no number", "ns-1234.awsdns-2x.org"],
    ["a dot of a suffix is another character", "ns1.hoverxcom"],
    [
      "a server that a provider borrows stands alone beside a stranger's",
      "dns1.p01.nsone.net",
      "a.b",
    ],
  ])("is unknown if %s", (_, ...nameServers) => {
    expect(nameOf(...nameServers)).toBeNull();
  });

  it("has what the page shows, without what recognizes it", () => {
    expect(panelOf(["ns1.desec.io", "ns2.desec.org"])).toEqual({
      ...{ name: "deSEC", link: "https://desec.io/domains", hostField: "Subname" },
      ...{ addsZone: true, wantsQuotes: true, flaws: [] },
    });
  });
});

describe("the data file", () => {
  const entries = readPanelEntries();
  const flaws: Record<PanelFlaw, true> = {
    ...{ splits_at_space: true, refuses_over_255: true, slow: true },
  };
  const label = /^(?!-)[a-z\d#-]+(?<!-)$/;
  const isSuffix = (text: string) =>
    text.split(".").length >= 2 && text.split(".").every((one) => label.test(one));
  const suffixes = entries.flatMap((entry) => entry.suffixes);

  it("knows at least 50 providers, each of another name, in the order of their names", () => {
    expect(entries.length).toBeGreaterThanOrEqual(50);
    const names = entries.map(({ name }) => name);
    const inOrder = [...new Set(names)].sort((one, other) =>
      one.toLowerCase().localeCompare(other.toLowerCase(), "en"),
    );
    expect(names).toEqual(inOrder);
  });

  it.each(entries.map((entry) => [entry.name, entry] as const))("describes %s", (_, entry) => {
    const { name, suffixes, alsoUses, link, hostField, addsZone, wantsQuotes, ...more } = entry;
    const { flaws: known, ...unknown } = more;
    expect(unknown).toEqual({});
    expect([name, hostField].every((text) => text.trim() === text && text !== "")).toBe(true);
    expect(hostField.length).toBeLessThanOrEqual(20);
    expect([typeof addsZone, typeof wantsQuotes]).toEqual(["boolean", "boolean"]);
    expect(suffixes.length).toBeGreaterThan(0);
    expect([...suffixes, ...(alsoUses ?? [])].filter((one) => !isSuffix(one))).toEqual([]);
    const { protocol, username, port, href } = new URL(link);
    expect([protocol, username, port, href]).toEqual(["https:", "", "", link]);
    expect(known.filter((flaw) => !(flaw in flaws))).toEqual([]);
  });

  it("has every suffix once, and none that is within another", () => {
    const within = suffixes.filter((one, index) =>
      suffixes.some((other, at) => at !== index && (one === other || one.endsWith(`.${other}`))),
    );
    expect(within).toEqual([]);
  });

  it("names no flaw that no provider has", () => {
    const named = new Set(entries.flatMap((entry) => entry.flaws));
    expect([...named].sort()).toEqual(Object.keys(flaws).sort());
  });

  it("leads every provider's name servers to that provider", () => {
    const found = suffixes.map((suffix) => nameOf(`ns1.${suffix.replaceAll("#", "07")}`));
    const expected = entries.flatMap((entry) => entry.suffixes.map(() => entry.name));
    expect(found).toEqual(expected);
  });

  it("is not needed where the entries are given", () => {
    const entry: PanelEntry = {
      ...{ name: "Alice", suffixes: ["alice.test"], link: "https://panel.alice.test/" },
      ...{ hostField: "Name", addsZone: true, wantsQuotes: false, flaws: [] },
    };
    const ofAlice = createPanelOf([entry]);
    expect(ofAlice(["ns.alice.test"])?.name).toBe("Alice");
    expect(ofAlice(["ada.ns.cloudflare.com"])).toBeNull();
  });
});
