// Tests of the link that hands a set-up on: how long it is, and that only the very link that was made is read.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCookieSeal } from "../../keys/cookie-seal.ts";
import type { MacKeyring } from "../../keys/keyring.ts";
import { clockFrom } from "../../lib/clock.ts";
import { sha256, systemRandom } from "../../lib/random.ts";
import { createHandOnLinks, type HandedOn } from "./hand-on-link.ts";

const seed = Number(process.env.SEED);
const ISSUER = "https://auth.example.com";
const PURPOSE = "domain-signin set-up link v1";
/** The statement keys of the service: a retired one, the current one and its standby. */
const KIDS = ["retired", "current", "standby"].map(sha256);

const key = { id: 1, key: systemRandom(32), currentFrom: 0 };
const macKeys: MacKeyring = {
  currentAt: () => key,
  find: (_, id) => (id === key.id ? key : Promise.resolve(null)),
};
const clock = clockFrom(() => 1_700_000_000_000);

function linksOf({ issuer = ISSUER, purpose = PURPOSE, kids = KIDS } = {}) {
  const linkSeal = createCookieSeal(purpose, { keyring: macKeys, clock, random: systemRandom });
  const keyring = {
    findStatementKey: async (start: Buffer) =>
      kids.find((kid) => Buffer.from(kid, "base64url").indexOf(start) === 0) ?? null,
  };
  return createHandOnLinks({ issuer, linkSeal, keyring });
}

const links = linksOf();
const lengthOf = (link: string) => `${ISSUER}/set-up/${link}`.length;
const OF_20 = "alice-20.example.com";
const OF_253 = `${`${"a".repeat(61)}.`.repeat(4)}a.com`;

/** With a passkey and two keys of the service. */
function handedOn(changes: Partial<HandedOn> = {}) {
  return {
    domain: "alice.example.com",
    acct: "m3Zk0bq2vS1nF9o7b0uHqg",
    jkt: [sha256("passkey")],
    spk: KIDS.slice(1),
    startedAt: 1_700_000_000,
    app: { host: "app.example.com" },
    ...changes,
  } as HandedOn & { readonly spk: readonly string[] };
}

const registered = { clientId: `dsid_${sha256("client").slice(0, 21)}A` };

describe("the length of a link with a passkey and two keys", () => {
  test.each([
    ["an app of the operator", registered],
    ["a host of 20 characters", { host: OF_20 }],
  ])("is at most 180 characters for a domain of 20 characters and %s", (_, app) => {
    expect(OF_20).toHaveLength(20);
    expect(lengthOf(links.make(handedOn({ domain: OF_20, app })))).toBeLessThanOrEqual(180);
  });

  test("grows with the domain by one character for each", () => {
    expect(OF_253).toHaveLength(253);
    const [one, other] = [OF_20, OF_253].map((domain) =>
      lengthOf(links.make(handedOn({ domain, app: registered }))),
    );
    expect([one, other]).toEqual([179, 412]);
  });
});

describe("a link", () => {
  test("is read as it was made (property)", async () => {
    const thumbprint = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(text);
    const names = fc.constantFrom(OF_20, OF_253, "a.b", "xn--bcher-kva.example");
    const hosts = fc.constantFrom(OF_20, "localhost:8080", "[::1]:80", "com.app:", "a~b.test");
    const app = fc.oneof(
      hosts.map((host) => ({ host })),
      fc
        .uint8Array({ minLength: 16, maxLength: 16 })
        .map((id) => ({ clientId: `dsid_${text(id)}` })),
    );
    const content = fc.record({
      domain: names,
      acct: fc.uint8Array({ minLength: 16, maxLength: 16 }).map(text),
      jkt: fc.array(thumbprint, { maxLength: 4 }),
      spk: fc.subarray(KIDS),
      startedAt: fc.nat({ max: 2 ** 31 }),
      app,
    });
    await fc.assert(
      fc.asyncProperty(content, async (wanted) => {
        expect(await links.read(links.make(wanted))).toEqual(wanted);
      }),
      { seed },
    );
  });

  test("that lists a key which this service no longer has is read without any", async () => {
    const link = links.make(handedOn());
    const later = linksOf({ kids: KIDS.slice(0, 2) });
    expect(await later.read(link)).toEqual({ ...handedOn(), spk: null });
  });

  test("is refused with one bit changed, at any place", async () => {
    for (const app of [registered, { host: "app.example.com" }]) {
      const link = links.make(handedOn({ app }));
      const start = link.slice(0, link.lastIndexOf("~") + 1);
      const signed = Buffer.from(link.slice(start.length), "base64url");
      const changed = [
        ...bitFlips(signed).map((octets) => start + octets.toString("base64url")),
        ...bitFlips(Buffer.from(link)).map((octets) => octets.toString("latin1")),
      ];
      for (const other of changed) expect([other, await links.read(other)]).toEqual([other, null]);
    }
  });

  test("is refused if it is cut off, extended, or spelled otherwise", async () => {
    const link = links.make(handedOn());
    const [domain, host, signed] = link.split("~");
    const others = [
      ...Array.from({ length: link.length }, (_, end) => link.slice(0, end)),
      ...Array.from({ length: link.length }, (_, start) => link.slice(start + 1)),
      ...["A", "AA", "AAAA", "=", "==", "~", ".", " ", "%20", "/"].map((end) => link + end),
      ...["~", "A", " ", "."].map((start) => start + link),
      `${domain}~${signed}`,
      `${domain}~~${signed}`,
      `${domain}~~${host}~${signed}`,
      `${host}~${domain}~${signed}`,
      `${domain}~${host}~~${signed}`,
      `${domain}.~${host}~${signed}`,
      `${domain?.toUpperCase()}~${host}~${signed}`,
      `${domain}%7E${host}%7E${signed}`,
      `${signed}~${domain}~${host}`,
    ];
    for (const other of others) expect([other, await links.read(other)]).toEqual([other, null]);
  });

  test("of an app of the operator cannot get a host, nor the link of a host an app", async () => {
    const [domain, signed] = links.make(handedOn({ app: registered })).split("~");
    expect(await links.read(`${domain}~evil.example~${signed}`)).toBeNull();
    expect(await links.read(`${domain}~~${signed}`)).toBeNull();
  });

  test("is refused at another issuer, and by a key for another purpose", async () => {
    const link = links.make(handedOn());
    expect(await linksOf({ issuer: "https://auth.example.org" }).read(link)).toBeNull();
    expect(await linksOf({ purpose: "domain-signin set-up cookie v1" }).read(link)).toBeNull();
  });

  test("is refused if nobody made it: 10,000 random and changed ones", async () => {
    const made = links.make(handedOn());
    const pieces = [...made.split("~"), "~", "~", ".", "%7E", "alice.test", "\u{1F600}", "\0"];
    // Not of the seed: a link that is read is shown, and with the key it would be another one each time.
    const below = (end: number) => systemRandom(2).readUInt16BE() % end;
    const makers = [
      () => pieces[below(pieces.length)],
      () => made.slice(0, below(made.length)),
      () => made.slice(below(made.length) + 1),
      () => text(systemRandom(below(120))),
    ];
    for (let round = 0; round < 10_000; round++) {
      const parts = Array.from({ length: below(6) }, () => makers[below(makers.length)]?.());
      const invented = parts.join("");
      const read = invented === made ? null : await links.read(invented);
      if (read !== null) expect([invented, read]).toEqual([invented, null]);
    }
  });
});

function text(octets: Uint8Array): string {
  return Buffer.from(octets).toString("base64url");
}

function bitFlips(octets: Buffer): Buffer[] {
  return Array.from({ length: octets.length * 8 }, (_, bit) => {
    const changed = Buffer.from(octets);
    changed.writeUInt8(octets.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return changed;
  });
}
