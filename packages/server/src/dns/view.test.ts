// Tests of what is believed of one resolver that lies: about text, signatures, delegations and where zones begin.

import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import {
  aliasOf,
  cut,
  type Lie,
  type LyingResolver,
  madeUpSignature,
  says,
  startLyingResolver,
  textOf,
  withoutDs,
  withoutSignatures,
} from "../../test/support/lying-resolvers.ts";
import { type ChainOutcome, createChains } from "./chain.ts";
import { createResolver } from "./resolver.ts";
import { viewThrough } from "./view.ts";

const { TXT } = recordType;
const label = "_domain-signin";
const at = (domain: string) => `${label}.${domain}`;
const now = () => Math.floor(Date.now() / 1000);

/** `carol.test` is unsigned, and so is the zone that `dora.test` has at the name of its record. */
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
  ...Array.from({ length: 130 }, (_, index) => txt(at("many.alice.test"), `value ${index}`)),
  ...Array.from({ length: 130 }, (_, index) => txt(at("many.carol.test"), `value ${index}`)),
];

function txt(name: string, value = "true") {
  return { name, type: "TXT", value, ttl: 60 } as const;
}
function cname(name: string, value: string) {
  return { name, type: "CNAME", value, ttl: 60 } as const;
}

let zones: SignedZones;
let dns: LyingResolver;

beforeAll(async () => {
  zones = createSignedZones({ zones: tree, records: () => zone, now });
  dns = await startLyingResolver(zones);
});
beforeEach(() => {
  dns.lie();
  dns.asked.length = 0;
});
afterAll(() => dns.close());

/** What is believed of the resolver, in a few words; it remembers nothing from before. */
async function view(domain: string, ...lies: readonly Lie[]): Promise<string> {
  dns.lie(...lies);
  const resolver = createResolver({ servers: [dns.text] });
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const chains = createChains({ query: resolver.query, now, trustAnchors });
  const seen = await viewThrough(resolver, { name: at(domain), label }, chains);
  if (seen.kind === "failed") return seen.txt.outcome;
  if (seen.txt.outcome === "alias_invalid") return `${seen.kind}: alias of ${seen.txt.target}`;
  const { values } = seen.txt;
  return `${seen.kind}: ${values.length > 2 ? `${values.length} values` : values.join()}`;
}

const forged = (name: string) => textOf(name, "forged");
const signedBy = (signer: string, record: DnsRecord) => [
  record,
  madeUpSignature(record, signer, now()),
];

describe("a resolver that tells the truth", () => {
  test.each([
    ["alice.test", "secure: true"],
    ["carol.test", "unsigned: true"],
    ["to-bob.alice.test", "secure: true"],
    ["to-carol.alice.test", "unsigned: true"],
    // The alias itself is unsigned: whoever wrote it could have led anywhere.
    ["to-alice.carol.test", "unsigned: true"],
    ["to-web.alice.test", "unsigned: alias of www.bob.test"],
    ["nothing.alice.test", "unsigned: "],
    ["many.alice.test", "bogus"],
    ["many.carol.test", "unsigned: 130 values"],
  ])("about %s: %s", async (domain, words) => {
    expect(await view(domain)).toBe(words);
  });

  it("is asked for no key where no signature is, and for one set of a signed zone's own", async () => {
    await view("carol.test");
    expect(dns.asked.slice(0, 3)).toEqual([
      `${TXT} ${at("carol.test")}`,
      `${recordType.SOA} carol.test`,
      `${recordType.DS} carol.test`,
    ]);
    dns.asked.length = 0;
    await view("alice.test");
    expect(dns.asked).not.toContain(`${recordType.SOA} alice.test`);
  });
});

describe("in a signed zone is bogus", () => {
  const name = at("alice.test");
  test.each<[string, readonly Lie[]]>([
    ["text without its signature", [withoutSignatures(TXT)]],
    ["other text", [says(name, forged(name))]],
    [
      "other text under a signature that nobody made",
      [says(name, ...signedBy("alice.test", forged(name)))],
    ],
    ["other text signed by a sibling", [says(name, ...signedBy("bob.test", forged(name)))]],
    ["other text signed by the zone above", [says(name, ...signedBy("test", forged(name)))]],
    [
      "other text with the signature of another name",
      [says(name, forged(name), madeUpSignature(forged(at("bob.test")), "bob.test", now()))],
    ],
    ["a delegation without its signature", [withoutSignatures(recordType.DS)]],
    [
      "an alias without a signature to where nothing is signed",
      [says(name, aliasOf(name, at("carol.test")), textOf(at("carol.test"), "forged"))],
    ],
    [
      "an alias under a made up signature to where nothing is signed",
      [
        says(
          name,
          ...signedBy("alice.test", aliasOf(name, at("carol.test"))),
          textOf(at("carol.test"), "forged"),
        ),
      ],
    ],
    [
      "such an alias beside other text at its name",
      [
        says(
          name,
          textOf(name, "beside"),
          ...signedBy("alice.test", aliasOf(name, at("carol.test"))),
          textOf(at("carol.test"), "forged"),
        ),
      ],
    ],
  ])("%s", async (_, lies) => {
    expect(await view("alice.test", ...lies)).toBe("bogus");
  });
});

test("a proof that ends at a name without the label lets nobody in, whatever led there", async () => {
  const verified = { name: "www.bob.test", aliases: [at("alice.test")], values: [], ttl: 60 };
  const times = { notBefore: now() - 60, notAfter: now() + 60 };
  const chains = {
    prove: async (): Promise<ChainOutcome> => ({
      outcome: "secure",
      chain: new Uint8Array(),
      verified: { ...verified, ...times },
    }),
    delegation: async () => ({ outcome: "signed" }) as const,
  };
  const resolver = createResolver({ servers: [dns.text] });
  const seen = await viewThrough(resolver, { name: at("alice.test"), label }, chains);
  expect(seen).toMatchObject({ kind: "unsigned", txt: { outcome: "alias_invalid" } });
});

describe("that a zone begins elsewhere does not help", () => {
  const name = at("alice.test");
  const bare = says(name, forged(name));
  test.each<[string, string, readonly Lie[]]>([
    ["at the record's own name", "bogus", [bare, cut(name, name)]],
    ["at the record's own name, for whoever asks", "bogus", [bare, cut("alice.test", name)]],
    ["below the record's own name", "bogus", [bare, cut("alice.test", `x.${name}`)]],
    ["at a sibling", "bogus", [bare, cut("alice.test", "carol.test")]],
    ["at a name that only ends alike", "bogus", [bare, cut("alice.test", "evilalice.test")]],
    ["further up", "bogus", [bare, cut("alice.test", "test")]],
    ["at the root", "bogus", [bare, cut("alice.test", "")]],
    ["nowhere", "unavailable", [bare, cut("", null)]],
    [
      "at the record's own name, which signs for itself",
      "bogus",
      [says(name, ...signedBy(name, forged(name))), cut(name, name)],
    ],
    [
      "at an alias's own name, which signs for itself",
      "bogus",
      [
        says(
          name,
          ...signedBy(name, aliasOf(name, at("carol.test"))),
          textOf(at("carol.test"), "forged"),
        ),
        cut(name, name),
      ],
    ],
  ])("%s: %s", async (_, words, lies) => {
    expect(await view("alice.test", ...lies)).toBe(words);
  });
});

describe("that nothing is signed is not believed without a proof of the zone above", () => {
  test("a signed zone whose delegation is hidden is bogus", async () => {
    const name = at("alice.test");
    const lies = [says(name, forged(name)), withoutDs("alice.test")];
    expect(await view("alice.test", ...lies)).toBe("bogus");
  });

  test("a signature by an unsigned zone below a signed domain stands for no signature of the domain", async () => {
    const name = at("dora.test");
    // The zone at the record's name has no keys, which is proven: nobody can check the signature.
    expect(await view("dora.test", says(name, ...signedBy(name, forged(name))))).toBe("bogus");
    expect(await view("dora.test", says(name, forged(name)))).toBe("bogus");
  });

  test("a domain inside a signed zone that is said to be a zone of its own is bogus", async () => {
    const name = at("shop.alice.test");
    const lies = [says(name, forged(name)), cut("shop.alice.test", "shop.alice.test")];
    expect(await view("shop.alice.test", ...lies)).toBe("bogus");
    expect(await view("shop.alice.test")).toBe("secure: true");
  });
});

describe("an alias that is followed over several replies", () => {
  const [a = "", b = "", c = ""] = ["alice.test", "bob.test", "carol.test"].map(at);

  it("counts as it was followed, whatever other replies say of the same names", async () => {
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
    const unsigned = [at("x.carol.test"), at("y.carol.test"), at("z.carol.test")];
    const [x = "", y = "", z = ""] = unsigned;
    const circle = [says(x, aliasOf(x, y), aliasOf(z, x)), says(y, aliasOf(y, z), forged(z))];
    expect(await view("x.carol.test", ...circle)).toBe("unsigned: forged");
    const closed = [says(x, aliasOf(x, y)), says(y, aliasOf(y, x))];
    expect(await view("x.carol.test", ...closed)).toBe(`unsigned: alias of ${x}`);
  });
});
