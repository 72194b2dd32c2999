// Tests of the view through one resolver that lies about text, signatures, aliases and delegations.

import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { beforeEach, describe, expect, it, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import {
  aliasOf,
  type Lie,
  madeUpSignature,
  says,
  startLyingResolver,
  textOf,
  withoutDs,
  withoutSignatures,
} from "../../test/support/lying-resolvers.ts";
import { withoutTimeouts } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import { createResolver } from "./resolver.ts";
import { createValidator } from "./validator.ts";
import { type View, viewThrough } from "./view.ts";

const { TXT } = recordType;
const label = "_domain-signin";
const at = (domain: string) => `${label}.${domain}`;
const now = () => Math.floor(Date.now() / 1000);

/** `carol.test` is insecure, and so is the zone that `dora.test` has at the name of its record. */
const tree = [
  { name: "", algorithm: 13, signed: true },
  { name: "test", algorithm: 13, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
  { name: "bob.test", algorithm: 13, signed: true },
  { name: "carol.test", algorithm: 13, signed: false },
  { name: "dora.test", algorithm: 13, signed: true },
  { name: at("dora.test"), algorithm: 13, signed: false },
] as const;

const zone = [
  ...["alice.test", "bob.test", "carol.test", "shop.alice.test"].map((domain) => txt(at(domain))),
  cname(at("to-bob.alice.test"), at("bob.test")),
  cname(at("to-carol.alice.test"), at("carol.test")),
  cname(at("to-alice.carol.test"), at("alice.test")),
  cname(at("to-web.alice.test"), "www.bob.test"),
  txt("www.bob.test", "of a web host"),
  cname(at("to-web.carol.test"), "www.bob.test"),
  ...["alice.test", "carol.test"].flatMap((domain) => [
    cname(at(`loop.${domain}`), at(`back.${domain}`)),
    cname(at(`back.${domain}`), at(`loop.${domain}`)),
    ...Array.from({ length: 9 }, (_, hop) =>
      cname(at(`hop${hop}.${domain}`), at(`hop${hop + 1}.${domain}`)),
    ),
    txt(at(`hop9.${domain}`)),
  ]),
  txt("*.wild.alice.test"),
  txt(`below.${at("parts.alice.test")}`),
  ...Array.from({ length: 130 }, (_, index) => txt(at("many.alice.test"), `value ${index}`)),
  ...Array.from({ length: 130 }, (_, index) => txt(at("many.carol.test"), `value ${index}`)),
];

function txt(name: string, value = "true") {
  return { name, type: "TXT", value, ttl: 60 } as const;
}
function cname(name: string, value: string) {
  return { name, type: "CNAME", value, ttl: 60 } as const;
}

const zones = createSignedZones({ zones: tree, records: () => zone, now });
const dns = fixture(() => startLyingResolver(zones));
beforeEach(() => {
  dns.lie();
  dns.asked.length = 0;
});
withoutTimeouts();

/** The view of a validator that remembers nothing from before. */
async function viewOf(domain: string, ...lies: readonly Lie[]): Promise<View> {
  dns.lie(...lies);
  return viewThrough(freshValidator(), at(domain), label);
}

/** The same in a few words. */
async function view(domain: string, ...lies: readonly Lie[]): Promise<string> {
  const seen = await viewOf(domain, ...lies);
  if (!("found" in seen)) return seen.security;
  const { aliasTarget, values } = seen.found;
  if (aliasTarget !== null) return `${seen.security}: alias of ${aliasTarget}${values.join()}`;
  return `${seen.security}: ${values.length > 2 ? `${values.length} values` : values.join()}`;
}

const forged = (name: string) => textOf(name, "forged");
const signedBy = (signer: string, record: DnsRecord) => [
  record,
  madeUpSignature(record, signer, now()),
];

describe("a resolver that tells the truth", () => {
  test.each([
    ["alice.test", "secure: true"],
    ["carol.test", "insecure: true"],
    ["to-bob.alice.test", "secure: true"],
    ["to-carol.alice.test", "insecure: true"],
    // The alias itself is not signed: its author could have led anywhere.
    ["to-alice.carol.test", "insecure: true"],
    ["to-web.alice.test", "secure: alias of www.bob.test"],
    ["to-web.carol.test", "insecure: alias of www.bob.test"],
    ["loop.alice.test", `secure: alias of ${at("loop.alice.test")}`],
    ["loop.carol.test", `insecure: alias of ${at("loop.carol.test")}`],
    ["hop1.alice.test", "secure: true"],
    ["hop0.alice.test", `secure: alias of ${at("hop8.alice.test")}`],
    ["hop1.carol.test", "insecure: true"],
    ["hop0.carol.test", `insecure: alias of ${at("hop8.carol.test")}`],
    ["nothing.alice.test", "secure: "],
    ["parts.alice.test", "secure: "],
    ["nothing.carol.test", "insecure: "],
    ["many.alice.test", "bogus"],
    ["many.carol.test", "insecure: 130 values"],
  ])("about %s: %s", async (domain, words) => {
    expect(await view(domain)).toBe(words);
  });

  it("is asked for no keys of an insecure zone, and never for an SOA", async () => {
    await view("carol.test");
    expect(dns.asked[0]).toBe(`${TXT} ${at("carol.test")}`);
    expect(dns.asked).not.toContain(`${recordType.DNSKEY} carol.test`);
    await view("alice.test");
    expect(dns.asked.filter((question) => question.startsWith(`${recordType.SOA} `))).toEqual([]);
  });

  it("gives the chain that proves a secure answer, and none for an absence or a wildcard", async () => {
    const seen = await viewOf("to-bob.alice.test");
    if (seen.security !== "secure" || !seen.proof) throw new Error(seen.security);
    const { chain, notBefore, notAfter } = seen.proof;
    const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
    const request = { name: at("to-bob.alice.test"), type: TXT, now: now(), trustAnchors };
    const verified = await verifyChain(chain, request);
    expect(verified).toMatchObject({ name: at("bob.test"), notBefore, notAfter });
    expect(verified.aliases).toEqual([request.name]);
    expect(seen.found).toMatchObject({ isWildcard: false, aliasTarget: null, ttl: 60 });
    expect(now() - seen.inception).toBeGreaterThanOrEqual(3600);

    for (const domain of ["nothing.alice.test", "to-web.alice.test"]) {
      expect(await viewOf(domain)).toMatchObject({ security: "secure", proof: null });
    }
    const wild = { security: "secure", proof: null, found: { isWildcard: true, values: ["true"] } };
    expect(await viewThrough(freshValidator(), "any.wild.alice.test", "wild")).toMatchObject(wild);
  });

  it("leads to an insecure zone: the view names it, and the first name in it", async () => {
    const insecureZone = "carol.test";
    for (const [domain, first] of [
      ["carol.test", "carol.test"],
      ["to-carol.alice.test", "carol.test"],
      ["to-alice.carol.test", "to-alice.carol.test"],
    ] as const) {
      const insecureName = at(first);
      expect(await viewOf(domain)).toMatchObject({ insecureZone, insecureName });
    }
  });
});

function freshValidator() {
  const { query } = createResolver({ servers: [dns.server] });
  return createValidator({
    query,
    clock: clockFrom(() => now() * 1000),
    trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
  });
}

describe("in a secure zone, bogus is", () => {
  const name = at("alice.test");
  const carol = at("carol.test");
  const text = forged(name);
  const ofBob = madeUpSignature(forged(at("bob.test")), "bob.test", now());
  const alias = aliasOf(name, carol);
  const signedAlias = signedBy("alice.test", alias);
  const beside = textOf(name, "beside");

  test.each<[string, readonly DnsRecord[]]>([
    ["other text", [text]],
    ["other text under a signature that nobody made", signedBy("alice.test", text)],
    ["other text signed by a sibling", signedBy("bob.test", text)],
    ["other text signed by the zone above", signedBy("test", text)],
    ["other text with the signature of another name", [text, ofBob]],
    ["an alias without a signature to where nothing is signed", [alias, forged(carol)]],
    [
      "an alias under a made up signature to where nothing is signed",
      [...signedAlias, forged(carol)],
    ],
    ["such an alias beside other text at its name", [beside, ...signedAlias, forged(carol)]],
  ])("%s", async (_, records) => {
    expect(await view("alice.test", says(name, ...records))).toBe("bogus");
  });

  test.each([
    ["text", TXT],
    ["a delegation", recordType.DS],
  ])("%s without its signature", async (_, type) => {
    expect(await view("alice.test", withoutSignatures(type))).toBe("bogus");
  });
});

describe("an alias to a name without the label", () => {
  const name = at("to-web.alice.test");

  it("lets nobody in: its values are not shown, whatever the reply contains", async () => {
    const lies = [says("www.bob.test", forged("www.bob.test"))];
    expect(await view("to-web.alice.test", ...lies)).toBe("secure: alias of www.bob.test");
  });

  it("is secure whatever is at its end, which is not validated", async () => {
    zones.misbehave({ how: "expired", zone: "bob.test" });
    try {
      expect(await view("to-bob.alice.test")).toBe("bogus");
      expect(await view("to-web.alice.test")).toBe("secure: alias of www.bob.test");
    } finally {
      zones.misbehave(null);
    }
  });

  it("is bogus if it is not signed, or by nobody", async () => {
    const alias = aliasOf(name, "www.bob.test");
    expect(await view("to-web.alice.test", says(name, alias))).toBe("bogus");
    const signed = signedBy("alice.test", alias);
    expect(await view("to-web.alice.test", says(name, ...signed))).toBe("bogus");
  });
});

describe("an insecure zone that a resolver invents does not help", () => {
  const name = at("alice.test");
  const carol = at("carol.test");
  const bare = says(name, forged(name));
  const signed = (signer: string) => says(name, ...signedBy(signer, forged(name)));
  const alias = says(name, ...signedBy(name, aliasOf(name, carol)), forged(carol));
  test.each<[string, readonly Lie[]]>([
    ["at the record's own name", [bare, withoutDs(name)]],
    ["at the domain", [bare, withoutDs("alice.test")]],
    ["above the domain", [bare, withoutDs("test")]],
    ["everywhere", [bare, withoutDs(name), withoutDs("alice.test"), withoutDs("test")]],
    ["at the record's own name, which signs for itself", [signed(name), withoutDs(name)]],
    ["below the record's own name", [signed(`x.${name}`), withoutDs(`x.${name}`)]],
    ["at a sibling", [signed("carol.test")]],
    ["at a name that only ends alike", [signed("evilalice.test")]],
    ["at the root", [signed("")]],
    ["at an alias's own name, which signs for itself", [alias, withoutDs(name)]],
  ])("%s", async (_, lies) => {
    expect(await view("alice.test", ...lies)).toBe("bogus");
  });

  it("at a domain inside a secure zone", async () => {
    const shop = at("shop.alice.test");
    const lies = [says(shop, forged(shop)), withoutDs("shop.alice.test"), withoutDs(shop)];
    expect(await view("shop.alice.test", ...lies)).toBe("bogus");
    expect(await view("shop.alice.test")).toBe("secure: true");
  });
});

test("an insecure zone at the record's name is insecure, because the domain has signed that", async () => {
  const name = at("dora.test");
  // The zone has no keys, which is proven: nobody can check the signature.
  const text = forged(name);
  expect(await view("dora.test", says(name, ...signedBy(name, text)))).toBe("insecure: forged");
  expect(await view("dora.test", says(name, text))).toBe("insecure: forged");
  expect(await view("dora.test", says(name, ...signedBy("dora.test", text)))).toBe("bogus");
});

describe("an absence that a resolver invents is bogus", () => {
  test.each<[string, string, readonly Lie[]]>([
    ["of a record", "alice.test", [says(at("alice.test"))]],
    ["of the end of an alias", "to-bob.alice.test", [says(at("to-bob.alice.test"))]],
    ["of a name that is absent indeed", "nothing.alice.test", [says(at("nothing.alice.test"))]],
  ])("%s", async (_, domain, lies) => {
    expect(await view(domain, ...lies)).toBe("bogus");
  });
});

describe("an alias to a web host", () => {
  const web = "www.bob.test";
  const asked: Lie = (_, answer) => ({
    ...answer,
    answers: answer.answers.filter(({ name }) => name !== web),
  });

  it.each<[string, Lie]>([
    ["has text without signatures", says(web, textOf(web, "x"))],
    ["has an alias of itself", says(web, aliasOf(web, web))],
    ["has an unsigned alias", says(web, aliasOf(web, "cdn.carol.test"))],
    ["has a made-up signature", says(web, ...signedBy("bob.test", textOf(web, "x")))],
  ])("is secure, though the web host %s", async (_, lie) => {
    expect(await view("to-web.alice.test", asked, lie)).toMatch(
      /^secure: alias of (www\.bob|cdn\.carol)\.test$/,
    );
  });

  it("is bogus without a signature of its own", async () => {
    const name = at("to-web.alice.test");
    expect(await view("to-web.alice.test", says(name, aliasOf(name, web)))).toBe("bogus");
  });

  it("is proven up to the last name that is accepted", async () => {
    const lies = [asked, says(web, aliasOf(web, at("bob.test")))];
    expect(await view("to-web.alice.test", ...lies)).toBe("bogus");
  });
});

describe("an alias that is followed over several replies", () => {
  const [a = "", b = "", c = ""] = ["alice.test", "bob.test", "carol.test"].map(at);

  it("counts as it was followed, whatever other replies say about the same names", async () => {
    const [x = "", y = "", z = "", w = ""] = ["x", "y", "z", "w"].map((sub) =>
      at(`${sub}.carol.test`),
    );
    // The way ends in bob's signed zone; but an earlier reply leads from one of its names elsewhere.
    const lies = [
      says(x, aliasOf(x, y), aliasOf(z, w)),
      says(y, aliasOf(y, z), aliasOf(z, b), forged(b)),
    ];
    expect(await view("x.carol.test", ...lies)).toBe("bogus");
  });

  it("ends, though the replies together lead in a circle", async () => {
    const lies = [says(a, aliasOf(a, b), aliasOf(c, a)), says(b, aliasOf(b, c), forged(c))];
    expect(await view("alice.test", ...lies)).toBe("bogus");
    const insecure = [at("x.carol.test"), at("y.carol.test"), at("z.carol.test")];
    const [x = "", y = "", z = ""] = insecure;
    const circle = [says(x, aliasOf(x, y), aliasOf(z, x)), says(y, aliasOf(y, z), forged(z))];
    expect(await view("x.carol.test", ...circle)).toBe("insecure: forged");
    const closed = [says(x, aliasOf(x, y)), says(y, aliasOf(y, x))];
    expect(await view("x.carol.test", ...closed)).toBe(`insecure: alias of ${x}`);
    const inSigned = [says(a, aliasOf(a, b)), says(b, aliasOf(b, a))];
    expect(await view("alice.test", ...inSigned)).toBe("bogus");
  });
});

test.each(["alice.test", "carol.test"])(
  "text that cannot be read is indeterminate in %s",
  async (domain) => {
    const short = { ...textOf(at(domain), "x"), rdata: Uint8Array.of(2, 97) };
    expect(await view(domain, says(at(domain), short))).toBe("indeterminate");
  },
);
