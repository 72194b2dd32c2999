// Input that is made to be costly: what is read of it, and refused, costs no more than its length.

import { decodeMessage } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { expect, test } from "vitest";
import { readPublicJwk } from "../../../verify/src/jwk.ts";
import { verifyJws } from "../../../verify/src/jws.ts";
import { hashNear, nsec3Rdata } from "../../../verify/test/support/denials.ts";
import { join, now, record, signedSet, wireName } from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import { isOurs } from "../../src/dns/mistake.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { clientAddresses } from "../../src/http/client-address.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { chooseLanguage } from "../../src/pages/languages.ts";
import { fixture } from "../support/fixture.ts";
import { requestWithHeaders } from "../support/http-request.ts";
import { startRoundTrips } from "../support/round-trip.ts";
import { answering, createScriptedDns, recordsOf, verdictOf } from "../support/validator-world.ts";

const trips = fixture(startRoundTrips);

/** Gives what the task gives, which must not take longer than so many milliseconds. */
async function within<T>(milliseconds: number, task: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await task();
  expect(performance.now() - begun).toBeLessThan(trips.limit(milliseconds));
  return result;
}

test("a DNS message of 64 KiB whose names are as costly as can be", async () => {
  const head = Buffer.from("000080000001140000000000", "hex");
  // 127 labels of one octet, and behind them records that all point there.
  const name = encodeName(Array(127).fill("a").join("."));
  const pointer = Buffer.from("c00c00010001000000000000", "hex");
  const rest = [Buffer.from("00010001", "hex"), ...Array<Uint8Array>(0x1400).fill(pointer)];
  const hostile = new Uint8Array(Buffer.concat([head, name, ...rest]));
  await within(100, () => expect(() => decodeMessage(hostile)).toThrow("too many labels"));
});

test("a chain of 4,000 aliases, and records that are too many or too long", async () => {
  const names = Array.from({ length: 4000 }, (_, index) => `_x.a${index}.test`);
  const aliases = names.map((name, index) =>
    record(name, recordType.CNAME, wireName(names[index + 1] ?? leafName)),
  );
  const long = record(leafName, recordType.TXT, new Uint8Array(60_000));
  // As many alike as fit into a message.
  const short = record(leafName, recordType.TXT, new Uint8Array(12));
  for (const answer of [join(...aliases), join(long, long), join(...Array(4000).fill(short))]) {
    const asked = { name: "_x.a0.test", type: recordType.TXT };
    const query = answering(createScriptedDns([]).query, asked, recordsOf(answer));
    for (const trustAnchors of [[], undefined]) {
      const validator = createValidator({
        query,
        clock: clockFrom(() => 1_900_000_000_000),
        trustAnchors,
      });
      const validate = () => validator.validate(asked.name, asked.type);
      expect(verdictOf(await within(500, validate))).not.toBe("secure");
    }
  }
});

test("denials by NSEC3 with the most rounds that are accepted, for a deep name", async () => {
  const world = await makeWorld();
  const hashing = { salt: "ff".repeat(32), iterations: 150 };
  const deep = `${"a.".repeat(15)}${leafName}`;
  const labels = deep.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const spans = ["0", "8", "g", "o"].map((digit) => digit.repeat(32));
  const denial = await Promise.all(
    spans.map((next) =>
      signedSet(world.alice, {
        name: `${next}.alice.test`,
        type: recordType.NSEC3,
        rdatas: [nsec3Rdata({ ...hashing, next: hashNear(next, 1), types: [] })],
      }),
    ),
  );
  const dns = createScriptedDns(
    world.up,
    Object.fromEntries(names.map((name) => [name, join(...denial)])),
  );
  const query = answering(dns.query, { name: deep, type: 16 }, [], recordsOf(join(...denial)));
  const { trustAnchors } = world.request;
  const validator = () =>
    createValidator({ query, clock: clockFrom(() => now * 1000), trustAnchors });
  expect(verdictOf(await within(500, () => validator().validate(deep, 16)))).toMatch(/^bogus/);
  expect(verdictOf(await within(500, () => validator().isInsecure(deep)))).toMatch(/^bogus/);
});

test("the header of an attestation with long strings in it", async () => {
  const typ = "domain-attestation+jwt";
  const header = { typ, alg: "ES256", kid: "a", x: "a".repeat(8000) };
  const text = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.e30.AA`;
  const refused = () => verifyJws(text, typ, () => readPublicJwk({})).catch(({ code }) => code);
  expect(await within(50, refused)).toBe("unsuitable_key");
});

test.each([`x${" ".repeat(60_000)}`, `${'" '.repeat(30_000)}x`])(
  "60,000 characters that are no record of ours (%#)",
  async (text) => {
    expect(await within(200, () => isOurs(text))).toBe(false);
  },
);

test("100 kB of trusted proxies", async () => {
  const forwarded = `192.0.2.7,${"10.9.9.9,".repeat(11_000)}10.9.9.9`;
  const http = requestWithHeaders({ "x-forwarded-for": forwarded });
  const reports = { undeclaredProxy: () => {}, silentProxy: () => {} };
  const addresses = clientAddresses(["10.0.0.0/8"], reports);
  const address = () => addresses.find(http, "10.0.0.1");
  expect(await within(500, address)).toBe("192.0.2.7");
});

test.each([",", ";", "a,", "de;q=0,", "x-", "q=0;", "é"])(
  "10 kB of %j in the place of languages",
  async (piece) => {
    const long = piece.repeat(10_000 / piece.length);
    await within(500, () => {
      for (let times = 0; times < 100; times++) {
        chooseLanguage(null, long);
        chooseLanguage(long, "fr");
        chooseLanguage(long.replaceAll(",", " "), null);
      }
    });
  },
);
