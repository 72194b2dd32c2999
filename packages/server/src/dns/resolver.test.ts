// Tests of the resolver against little servers on loopback, most of them hostile.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Socket } from "node:net";
import { openDnsPort } from "domain-signin-demo/zones/name-server";
import {
  type DnsMessage,
  decodeMessage,
  encodeMessage,
  rcode,
} from "domain-signin-verify/dns/message";
import { classIn, decodeTxt, recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { serverAt, textRecord } from "../../test/support/dns-server.ts";
import { passingTime } from "../../test/support/moving-time.ts";
import { createResolver } from "./resolver.ts";
import { readServer } from "./server-address.ts";

const name = "_domain-signin.alice.test";
const txt = textRecord(name, "hello");

afterEach(() => void vi.useRealTimers());

type Script = {
  /** The datagrams to send back. */
  udp: (query: DnsMessage, sender: { port: number }) => Uint8Array[];
  tcp?: (query: DnsMessage, socket: Socket) => void;
};

async function startServer(script: Script): Promise<string> {
  const { tcp, udp, port } = await openDnsPort();
  const sockets = new Set<Socket>();
  udp.on("message", (octets, sender) => {
    for (const reply of script.udp(decodeMessage(octets), sender)) {
      udp.send(reply, sender.port, sender.address);
    }
  });
  tcp.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (octets) => script.tcp?.(decodeMessage(octets.subarray(2)), socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    udp.close();
    tcp.close();
  });
  return `127.0.0.1:${port}`;
}

function reply(query: DnsMessage, changes: Partial<DnsMessage> = {}): Uint8Array {
  return encodeMessage({ ...query, isResponse: true, answers: [txt], ...changes });
}

function frame(message: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(message.length >> 8, message.length), message]);
}

const startAll = (script: Script | Script[]) => Promise.all([script].flat().map(startServer));

/** Where an answer has to come, the time is long enough for any machine. */
async function ask(script: Script | Script[]) {
  const servers = await startAll(script);
  return createResolver({ servers: servers.map(serverAt), timeoutMs: 2300 }).query(
    name,
    recordType.TXT,
  );
}

/** The same where there is silence: time passes as soon as nothing else happens. */
async function askInSilence(script: Script | Script[]) {
  const servers = await startAll(script);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const begun = performance.now();
  const resolver = createResolver({ servers: servers.map(serverAt) });
  const answer = await passingTime(resolver.query(name, recordType.TXT));
  return { answer, milliseconds: performance.now() - begun };
}

const truncated: Script["udp"] = (query) => [reply(query, { truncated: true, answers: [] })];
const silent: Script = { udp: () => [] };
const good: Script = { udp: (query) => [reply(query)] };
const timeout = { outcome: "failed", reason: "timeout" };
const answered = { outcome: "answer", records: [txt], authorities: [] };

describe("an answer", () => {
  it("is told with its records", async () => {
    expect(await ask({ udp: (query) => [reply(query)] })).toEqual(answered);
  });

  it("without records is no absence of the name", async () => {
    const empty = (query: DnsMessage) => [reply(query, { answers: [] })];
    expect(await ask({ udp: empty })).toEqual({ outcome: "answer", records: [], authorities: [] });
  });

  it("that there is no such name is told apart, with an alias of it too (RFC 2308 §2.1)", async () => {
    const alias = { ...txt, type: recordType.CNAME, rdata: Uint8Array.of(0) };
    const none = { rcode: rcode.nxDomain, answers: [alias], authorities: [txt] };
    const told = { outcome: "nxdomain", records: [alias], authorities: [txt] };
    expect(await ask({ udp: (query) => [reply(query, none)] })).toEqual(told);
  });

  it("is asked for with recursion, DO and room for 1,232 octets, in whatever case it was typed", async () => {
    const queries: DnsMessage[] = [];
    const server = await startServer({
      udp: (query) => {
        queries.push(query);
        return [reply(query)];
      },
    });
    const resolver = createResolver({ servers: [serverAt(server)], random: () => 4711 });
    expect(await resolver.query(`${name.toUpperCase()}.`, recordType.TXT)).toEqual(answered);
    expect(queries).toMatchObject([
      {
        ...{ id: 4711, recursionDesired: true },
        questions: [{ name, type: recordType.TXT, class: classIn }],
        edns: { udpSize: 1232, dnssecOk: true },
      },
    ]);
  });

  it("is asked for with a new id from a new port each time", async () => {
    const ids = new Set<number>();
    const ports = new Set<number>();
    const server = await startServer({
      udp: (query, sender) => {
        ids.add(query.id);
        ports.add(sender.port);
        return [reply(query)];
      },
    });
    const resolver = createResolver({ servers: [serverAt(server)] });
    await Promise.all(Array.from({ length: 20 }, () => resolver.query(name, recordType.TXT)));
    expect(ids.size).toBeGreaterThan(15);
    expect(ports.size).toBeGreaterThan(15);
  });
});

describe("a reply that does not fit the question is not heard, and the true one after it is:", () => {
  it.each<[string, (query: DnsMessage) => Uint8Array]>([
    ["another id", (query) => reply(query, { id: query.id ^ 1 })],
    ["a query", (query) => reply(query, { isResponse: false })],
    ["another opcode", (query) => reply(query, { opcode: 4 })],
    ["no question", (query) => reply(query, { questions: [] })],
    [
      "two questions",
      (query) => reply(query, { questions: [...query.questions, ...query.questions] }),
    ],
    [
      "another name",
      (query) => reply(query, { questions: [{ name: "evil.test", type: 16, class: 1 }] }),
    ],
    ["another type", (query) => reply(query, { questions: [{ name, type: 1, class: 1 }] })],
    ["another class", (query) => reply(query, { questions: [{ name, type: 16, class: 3 }] })],
    ["an empty datagram", () => new Uint8Array()],
    ["garbage", (query) => Uint8Array.of((query.id >> 8) ^ 255, query.id, 1, 2, 3)],
  ])("%s", async (_, forge) => {
    const forged = (query: DnsMessage) => forge({ ...query, rcode: rcode.nxDomain });
    expect(await ask({ udp: (query) => [forged(query), reply(query)] })).toEqual(answered);
    expect((await askInSilence({ udp: (query) => [forged(query)] })).answer).toEqual(timeout);
  });
});

describe("a failure is never an absence:", () => {
  it("silence, over UDP or over TCP", async () => {
    const told = { answer: timeout, milliseconds: 2000 };
    expect(await askInSilence(silent)).toEqual(told);
    expect((await askInSilence({ udp: truncated, tcp: () => {} })).answer).toEqual(timeout);
  });

  it("a closed port", async () => {
    const udp = createSocket("udp4").bind(0, "127.0.0.1");
    await once(udp, "listening");
    const { port } = udp.address();
    udp.close();
    await once(udp, "close");
    const resolver = createResolver({ servers: [serverAt(`127.0.0.1:${port}`)] });
    expect(await resolver.query(name, 16)).toEqual({ outcome: "failed", reason: "network" });
  });

  it("octets that are no message, with our id", async () => {
    const garbage = (query: DnsMessage) => [reply(query).subarray(0, 30)];
    expect(await ask({ udp: garbage })).toEqual({ outcome: "failed", reason: "malformed" });
  });

  it.each([
    [rcode.nxDomain, "malformed"], // Its answer shows a record of the type asked for.
    [rcode.servFail, "servfail"],
    [rcode.refused, "refused"],
    [rcode.formErr, "unexpected_rcode"],
    [rcode.notImp, "unexpected_rcode"],
    [16, "unexpected_rcode"],
  ])("rcode %i", async (code, reason) => {
    const failing = (query: DnsMessage) => [reply(query, { rcode: code })];
    expect(await ask({ udp: failing })).toEqual({ outcome: "failed", reason });
  });

  it("the next server is asked, and the first again after all", async () => {
    const failing: Script = { udp: (query) => [reply(query, { rcode: rcode.servFail })] };
    expect((await askInSilence([failing, silent, good])).answer).toEqual(answered);
    let tries = 0;
    const second = (query: DnsMessage) => (++tries === 2 ? [reply(query)] : []);
    expect((await askInSilence({ udp: second })).answer).toEqual(answered);
  });

  it("a resolver that validated and found forgery is believed, and none is asked after it", async () => {
    const extendedError = { code: 15, data: Uint8Array.of(0, 6, 0x78) };
    const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [extendedError] };
    const bogus: Script = { udp: (query) => [reply(query, { rcode: rcode.servFail, edns })] };
    expect(await ask([bogus, good])).toMatchObject({
      ...{ outcome: "bogus", reason: "DNSSEC Bogus", extendedError: { code: 6 } },
    });
  });

  it("one try takes a second, all together 2.3", async () => {
    const told = await askInSilence([silent, silent, silent, good]);
    expect(told).toEqual({ answer: timeout, milliseconds: 2300 });
  });
});

describe("a truncated reply is asked for again over TCP:", () => {
  it("64 KiB in many small pieces", async () => {
    const large = Array.from({ length: 63 }, (_, index) =>
      textRecord(name, `${index % 10}`.repeat(950)),
    );
    const inPieces = async (query: DnsMessage, socket: Socket) => {
      const octets = frame(reply(query, { answers: large }));
      socket.setNoDelay();
      socket.write(octets.subarray(0, 1));
      for (let at = 1; at < octets.length; at += 1111) {
        await new Promise((resolve) => setImmediate(resolve));
        socket.write(octets.subarray(at, at + 1111));
      }
    };
    const answer = await ask({ udp: truncated, tcp: inPieces });
    expect(answer.outcome === "answer" && answer.records).toHaveLength(63);
  });

  it("one value of 16,000 octets", async () => {
    const value = "x".repeat(16_000);
    const answer = await ask({
      udp: truncated,
      tcp: (query, socket) =>
        socket.end(frame(reply(query, { answers: [textRecord(name, value)] }))),
    });
    const [record] = answer.outcome === "answer" ? answer.records : [];
    expect(Buffer.from(decodeTxt(record?.rdata ?? new Uint8Array())).toString()).toBe(value);
  });

  it.each<[string, string, (query: DnsMessage, socket: Socket) => void]>([
    ["an early end", "network", (query, socket) => socket.end(frame(reply(query)).subarray(0, 20))],
    ["a reset", "network", (_, socket) => socket.resetAndDestroy()],
    [
      "another id",
      "malformed",
      (query, socket) => socket.write(frame(reply(query, { id: query.id ^ 1 }))),
    ],
    ["no octets at all", "malformed", (_, socket) => socket.write(Uint8Array.of(0, 0))],
    ["garbage", "malformed", (query, socket) => socket.write(frame(reply(query).subarray(0, 40)))],
    [
      "truncation again",
      "malformed",
      (query, socket) => socket.write(frame(reply(query, { truncated: true }))),
    ],
    ["endless octets", "malformed", (_, socket) => socket.write(Buffer.alloc(1_000_000, 1))],
  ])("%s is a failure", async (_, reason, tcp) => {
    expect(await ask({ udp: truncated, tcp })).toEqual({ outcome: "failed", reason });
  });
});

describe("the address of a server", () => {
  it.each([
    "",
    "localhost:53",
    "127.0.0.1",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "::1:53",
    "[127.0.0.1]:53",
    "[::1]",
  ])("must not be %j", (server) => {
    expect(readServer(server)).toHaveProperty("mistake");
  });

  it("is needed", () => {
    expect(() => createResolver({ servers: [] })).toThrow("needs the address");
    const servers = ["[::1]:53", "127.0.0.1:53"].map(serverAt);
    expect(() => createResolver({ servers })).not.toThrow();
  });
});
