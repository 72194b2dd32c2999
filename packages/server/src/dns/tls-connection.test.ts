// Tests of the kept connection for DNS over TLS, against servers on loopback, most of them hostile.

import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { framed } from "domain-signin-demo/zones/name-server";
import { type DnsMessage, encodeMessage, rcode } from "domain-signin-verify/dns/message";
import { classIn, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeAuthority, makeSelfSigned } from "../../test/support/certificates.ts";
import { type Act, startTlsDns, type TlsDnsServer } from "../../test/support/tls-dns-server.ts";
import type { Reply } from "./exchange.ts";
import { type ConnectionLimits, keepConnection } from "./tls-connection.ts";

const NAME = "dns.test";
/** Where an answer has to come. */
const LONG_MS = 60_000;
/** Where there is silence anyway. */
const SHORT_MS = 150;

const authority = makeAuthority();
const { ca } = authority;
const good = authority.issue(NAME);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Says the name that was asked for. */
function answerTo(query: DnsMessage): DnsMessage {
  const name = query.questions[0]?.name ?? "";
  const rdata = encodeTxt(Buffer.from(name));
  const answer = { name, type: recordType.TXT, class: classIn, ttl: 60, rdata };
  return { ...query, isResponse: true, answers: [answer] };
}

const frameOf = (message: DnsMessage) => framed(encodeMessage(message));

const answers: Act = (query, { send }) => send(answerTo(query));

async function serve(act: Act = answers, certificate = good): Promise<TlsDnsServer> {
  const server = await startTlsDns(certificate, act);
  cleanups.push(server.close);
  return server;
}

type KeptConnection = ReturnType<typeof keepConnection>;

function connectTo(port: number, limits?: ConnectionLimits): KeptConnection {
  const server = { address: "127.0.0.1", port, tlsName: NAME };
  const connection = keepConnection(server, { ca, limits });
  cleanups.push(connection.close);
  return connection;
}

function askFor(connection: KeptConnection, name: string, ms = LONG_MS): Promise<Reply> {
  return connection.ask({ id: 4711, name, type: recordType.TXT }, () => ms);
}

/** The name that the answer was for, or the outcome. */
async function told(reply: Promise<Reply>): Promise<string> {
  const found = await reply;
  if (found.outcome !== "message") return found.outcome;
  return found.message.answers[0]?.name ?? `rcode ${found.message.rcode}`;
}

describe("a certificate", () => {
  it("for the name is accepted, and the name is asked for", async () => {
    const server = await serve();
    expect(await told(askFor(connectTo(server.port), "a.test"))).toBe("a.test");
    expect(server.names).toEqual([NAME]);
  });

  it.each([
    ["another name", () => authority.issue("other.test"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["the name, but expired", () => authority.issue(NAME, -1), "CERT_HAS_EXPIRED"],
    ["the name, but self-signed", () => makeSelfSigned(NAME), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    [
      "the name, but of another authority",
      () => makeAuthority().issue(NAME),
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
  ])("for %s is refused, and no question is sent", async (_, make, detail) => {
    const server = await serve(answers, make());
    const reply = await askFor(connectTo(server.port), "a.test");
    expect(reply).toEqual({ outcome: "network", detail });
    expect(server.queries).toEqual([]);
  });

  it("is checked against Node's own authorities in production", async () => {
    const server = await serve();
    const at = { address: "127.0.0.1", port: server.port, tlsName: NAME };
    const connection = keepConnection(at);
    cleanups.push(connection.close);
    expect((await askFor(connection, "a.test")).outcome).toBe("network");
    expect(server.queries).toEqual([]);
  });
});

describe("a connection", () => {
  it("serves many questions, and their answers in any order", async () => {
    const held: (() => void)[] = [];
    const server = await serve((query, { send }) => {
      held.push(() => send(answerTo(query)));
      if (held.length === 20) for (const answer of held.reverse()) answer();
    });
    const connection = connectTo(server.port);
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.test`);
    expect(await Promise.all(names.map((name) => told(askFor(connection, name))))).toEqual(names);
    expect(server.names).toHaveLength(1);
    expect(new Set(server.queries.map(({ id }) => id)).size).toBe(20);
  });

  it("takes 5,000 questions, a bounded number at once, and says so when no more may wait", async () => {
    // A slow machine must not look like a silent server.
    vi.useFakeTimers({ toFake: ["performance"] });
    let unanswered = 0;
    let most = 0;
    const server = await serve((query, { send }) => {
      most = Math.max(most, ++unanswered);
      setImmediate(() => {
        unanswered--;
        send(answerTo(query));
      });
    });
    const connection = connectTo(server.port, { inFlight: 50, waiting: 3000 });
    const names = Array.from({ length: 5000 }, (_, index) => `n${index}.test`);
    const found = await Promise.all(names.map((name) => told(askFor(connection, name))));
    expect(found.slice(0, 3000)).toEqual(names.slice(0, 3000));
    expect(new Set(found.slice(3000))).toEqual(new Set(["busy"]));
    // With room for all of them, all are answered.
    const wide = connectTo(server.port, { inFlight: 50, waiting: 5000 });
    expect(await Promise.all(names.map((name) => told(askFor(wide, name))))).toEqual(names);
    expect(most).toBeLessThanOrEqual(50);
    expect(server.names).toHaveLength(2);
  });

  it("that is closed is opened again for the next question", async () => {
    const server = await serve((query, { send, socket }) => {
      send(answerTo(query));
      socket.end();
    });
    const connection = connectTo(server.port);
    for (const name of ["a.test", "b.test"]) {
      expect(await told(askFor(connection, name))).toBe(name);
    }
  });

  it.each<[string, Act]>([
    ["before an answer", (_, { socket }) => socket.destroy()],
    [
      "in the middle of an answer",
      (query, { socket }) => {
        socket.end(frameOf(answerTo(query)).subarray(0, 20));
      },
    ],
    [
      "after a message too short for a header",
      (_, { socket }) => {
        socket.write(Uint8Array.of(0, 3, 1, 2, 3));
      },
    ],
  ])("that ends %s: the questions in flight are asked once more", async (_, act) => {
    const server = await serve((query, to) => (to.connection === 1 ? act : answers)(query, to));
    const connection = connectTo(server.port);
    const names = ["a.test", "b.test", "c.test"];
    expect(await Promise.all(names.map((name) => told(askFor(connection, name))))).toEqual(names);
    expect(server.names).toHaveLength(2);
  });

  it("that ends again is not tried a third time for the same question", async () => {
    const server = await serve((_, { socket }) => socket.destroy());
    expect(await told(askFor(connectTo(server.port), "a.test"))).toBe("network");
    expect(server.queries).toHaveLength(2);
  });

  it("that cannot be made fails all that wait for it", async () => {
    const free = createServer().listen(0, "127.0.0.1");
    await once(free, "listening");
    const { port } = free.address() as { port: number };
    await once(free.close(), "close");
    const connection = connectTo(port);
    const asked = ["a.test", "b.test"].map((name) => askFor(connection, name));
    const refused = { outcome: "network", detail: "ECONNREFUSED" };
    expect(await Promise.all(asked)).toEqual([refused, refused]);
  });

  it("on which nothing is answered is replaced", async () => {
    const server = await serve((query, to) => {
      if (to.connection > 1) answers(query, to);
    });
    const connection = connectTo(server.port);
    // A question that is in flight meanwhile is asked again on the new one.
    const patient = told(askFor(connection, "patient.test"));
    await expect.poll(() => told(askFor(connection, "a.test", SHORT_MS))).toBe("a.test");
    expect(await patient).toBe("patient.test");
  });

  it("is closed with the service, and what waits is ended", async () => {
    const server = await serve(() => {});
    const connection = connectTo(server.port);
    const asked = askFor(connection, "a.test");
    while (server.queries.length === 0) await sleep(5);
    connection.close();
    expect(await told(asked)).toBe("network");
    expect(await told(askFor(connection, "a.test"))).toBe("network");
    expect(server.names).toHaveLength(1);
  });
});

describe("an answer", () => {
  it.each<[string, (query: DnsMessage) => Partial<DnsMessage>]>([
    ["with an id that nobody asked with", ({ id }) => ({ id: id ^ 1 })],
    [
      "to another question",
      () => ({
        questions: [{ name: "other.test", type: recordType.TXT, class: classIn }],
      }),
    ],
    ["that is a query", () => ({ isResponse: false })],
  ])("%s is nobody's, and the right one counts after it", async (_, change) => {
    const server = await serve((query, { send }) => {
      send({ ...answerTo(query), answers: [], rcode: rcode.nxDomain, ...change(query) });
      if (query.questions[0]?.name === "a.test") send(answerTo(query));
    });
    const connection = connectTo(server.port);
    expect(await told(askFor(connection, "a.test"))).toBe("a.test");
    expect(await told(askFor(connection, "b.test", SHORT_MS))).toBe("timeout");
  });

  it("that comes too late is not taken for that to a later question", async () => {
    let late = () => {};
    const server = await serve((query, { send }) => {
      if (query.questions[0]?.name === "b.test") late();
      late = () => send({ ...answerTo(query), rcode: rcode.nxDomain });
      if (query.questions[0]?.name === "b.test") send(answerTo(query));
    });
    const connection = connectTo(server.port);
    expect(await told(askFor(connection, "a.test", SHORT_MS))).toBe("timeout");
    expect(await told(askFor(connection, "b.test"))).toBe("b.test");
  });

  it("that says it is cut off, or cannot be read, is malformed", async () => {
    const server = await serve((query, { send, socket }) => {
      if (query.questions[0]?.name === "cut.test") send({ ...answerTo(query), truncated: true });
      else
        socket.write(
          Buffer.concat([Uint8Array.of(0, 12, query.id >> 8, query.id), Buffer.alloc(10, 255)]),
        );
    });
    const connection = connectTo(server.port);
    for (const name of ["cut.test", "garbage.test"]) {
      expect(await told(askFor(connection, name))).toBe("malformed");
    }
  });

  it("that promises more octets than it has, or brings one at a time, delays nobody for ever", async () => {
    const server = await serve((query, to) => {
      const { socket, connection } = to;
      if (connection === 1) socket.write(Uint8Array.of(255, 255, query.id >> 8, query.id));
      else if (connection > 2) answers(query, to);
      else {
        const drip = setInterval(() => socket.write(Uint8Array.of(1)), 20);
        socket.on("close", () => clearInterval(drip));
      }
    });
    const connection = connectTo(server.port);
    await expect.poll(() => told(askFor(connection, "a.test", SHORT_MS))).toBe("a.test");
  });

  it("of 60,000 octets that comes octet by octet is read, and the one in the same segment after it", async () => {
    const rdata = encodeTxt(Buffer.alloc(60_000, 97));
    const type = recordType.TXT;
    const large = { name: "large.test", type, class: classIn, ttl: 60, rdata };
    let first: Buffer = Buffer.alloc(0);
    const server = await serve((query, { socket }) => {
      const octets = frameOf({ ...answerTo(query), answers: [large] });
      if (first.length === 0) first = octets;
      else {
        const slow = 3000;
        for (let at = 0; at < slow; at++) socket.write(first.subarray(at, at + 1));
        socket.write(Buffer.concat([first.subarray(slow), octets]));
      }
    });
    const connection = connectTo(server.port);
    const replies = await Promise.all(["a.test", "b.test"].map((name) => askFor(connection, name)));
    expect(replies).toMatchObject(
      ["a.test", "b.test"].map((name) => ({
        message: { questions: [{ name }], answers: [large] },
      })),
    );
  });
});
