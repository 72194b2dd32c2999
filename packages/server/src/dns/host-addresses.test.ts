// Tests of how all addresses of a host are found, against a DNS server on loopback.

import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  aliasRecord as alias,
  type Change,
  isFor,
  record,
  serveDns,
} from "../../test/support/dns-server.ts";
import { passingTime } from "../../test/support/moving-time.ts";
import { UnavailableError } from "../lib/errors.ts";
import { hostAddresses } from "./name-servers.ts";
import { createResolvers } from "./resolvers.ts";

const { A, AAAA, CNAME } = recordType;
const name = "sp.example";
const v6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

afterEach(() => void vi.useRealTimers());

async function serve(change: Change) {
  const server = await serveDns("example", () => [], change);
  onTestFinished(server.close);
  return { server, resolve: hostAddresses(createResolvers([server.text])) };
}

/** Of all those records, the resolver answers with what is of the type, and with all aliases. */
function holding(...records: DnsRecord[]): Change {
  return (query) => ({
    rcode: rcode.noError,
    authorities: [],
    answers: records.filter(({ type }) => type === CNAME || query.questions[0]?.type === type),
  });
}

const a = (at: string, ...octets: number[]) => record(at, A, Uint8Array.from(octets));
const aaaa = (at: string, octets: number[]) => record(at, AAAA, Uint8Array.from(octets));

async function found(...records: DnsRecord[]): Promise<readonly string[]> {
  return (await serve(holding(...records))).resolve(name);
}

describe("the addresses of a host", () => {
  it("are all of both kinds, each once, in canonical text, public or not", async () => {
    const mapped = [...new Uint8Array(10), 255, 255, 127, 0, 0, 1];
    const some = [a(name, 8, 8, 8, 8), a(name, 10, 0, 0, 1), a(name, 8, 8, 8, 8)];
    expect(await found(aaaa(name, v6), ...some, aaaa(name, mapped))).toEqual([
      ...["8.8.8.8", "10.0.0.1", "2606:4700::1", "::ffff:7f00:1"],
    ]);
  });

  it("are asked for in one question each", async () => {
    const { server, resolve } = await serve(holding(a(name, 8, 8, 8, 8)));
    expect(await resolve("SP.example.")).toEqual(["8.8.8.8"]);
    expect(server.queries.map(({ questions }) => questions[0]?.type).toSorted()).toEqual([A, AAAA]);
    expect(server.queries.every((query) => isFor(query, name, query.questions[0]?.type ?? 0))).toBe(
      true,
    );
  });

  it("are none where the name has none, or does not exist", async () => {
    expect(await found()).toEqual([]);
    const { resolve } = await serve(() => ({ rcode: rcode.nxDomain, answers: [] }));
    expect(await resolve(name)).toEqual([]);
  });

  it("are those at the end of its aliases, and of no other name", async () => {
    const way = [alias("b.example", "c.example"), alias(name, "b.example")];
    const beside = [a("b.example", 1, 1, 1, 1), a("d.example", 9, 9, 9, 9), a(name, 1, 1, 1, 2)];
    const end = [a("c.example", 8, 8, 8, 8), aaaa("c.example", v6)];
    expect(await found(...beside, ...way, ...end)).toEqual(["8.8.8.8", "2606:4700::1"]);
    expect(await found(...way, ...beside)).toEqual([]);
  });

  it("are found over eight aliases, and not over nine or in a circle", async () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, at) => alias(at ? `n${at}.example` : name, `n${at + 1}.example`));
    expect(await found(...chain(8), a("n8.example", 8, 8, 8, 8))).toEqual(["8.8.8.8"]);
    const tooLong = found(...chain(9), a("n9.example", 8, 8, 8, 8));
    await expect(tooLong).rejects.toThrow("more than 8 aliases");
    const circle = found(alias(name, "b.example"), alias("b.example", name));
    await expect(circle).rejects.toThrow("more than 8 aliases");
  });
});

describe("a failure is never an absence:", () => {
  const good = holding(a(name, 8, 8, 8, 8), aaaa(name, v6));
  const extendedError = { code: 15, data: Uint8Array.of(0, 6) };
  const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [extendedError] };

  it.each<[string, string, Partial<DnsMessage>]>([
    ["SERVFAIL", "servfail", { rcode: rcode.servFail, answers: [] }],
    ["REFUSED", "refused", { rcode: rcode.refused, answers: [] }],
    ["forgery", "DNSSEC Bogus", { rcode: rcode.servFail, answers: [], edns }],
  ])("%s, of one of the two kinds alone", async (_, reason, failure) => {
    for (const type of [A, AAAA]) {
      const { resolve } = await serve((query, over) =>
        isFor(query, name, type) ? failure : good(query, over),
      );
      const pending = resolve(name);
      await expect(pending).rejects.toThrow(`No address of ${name}: DNS says ${reason}.`);
      await expect(pending).rejects.toThrow(UnavailableError);
    }
  });

  it("silence", async () => {
    const { resolve } = await serve((query, over) =>
      isFor(query, name, AAAA) ? null : good(query, over),
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    await expect(passingTime(resolve(name))).rejects.toThrow("DNS says timeout");
  });

  it("octets that are no address", async () => {
    await expect(found(a(name, 8, 8, 8))).rejects.toThrow("wrong length");
    await expect(found(a(name, ...v6))).rejects.toThrow("wrong length");
    await expect(found(aaaa(name, [8, 8, 8, 8]))).rejects.toThrow("wrong length");
  });

  it("text that is no name", async () => {
    await expect((await serve(good)).resolve("sp..example")).rejects.toThrow("label");
  });
});
