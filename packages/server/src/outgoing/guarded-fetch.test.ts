// Tests of how long a guarded fetch takes at most, and of how many may be under way at once.

import { getEventListeners, once, setMaxListeners } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import {
  type Answer,
  answerOf,
  limitsOf,
  nextNetwork,
  outcomeOf,
  publicAddress,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";
import { until } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import type { SlotLimits } from "./host-slots.ts";

// A limit is reached when a test says so.
fakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const forever = () => new Promise<never>(() => {});

/** Drips of all hosts. */
let drips = 0;

/** Sends one after the other, every few milliseconds, and the last again and again. */
function drip(...pieces: string[]): Answer {
  return (socket) => {
    const timer = setInterval(() => {
      drips++;
      socket.write((pieces.length > 1 ? pieces.shift() : pieces[0]) ?? "");
    }, 2);
    socket.on("close", () => clearInterval(timer));
  };
}

/** The outcome once that much time has passed, and not before. */
async function outcomeAfter(milliseconds: number, pending: Promise<Response>): Promise<string> {
  let isOver = false;
  const outcome = outcomeOf(pending).finally(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(milliseconds - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return outcome;
}

describe("the time is over for a host that", () => {
  const timeoutMs = 800;

  it.each<[string, Answer, dripping?: "dripping"]>([
    ["does not answer", () => {}],
    ["sends its status in drips", drip(..."HTTP/1.1 200 "), "dripping"],
    ["sends its headers in drips", drip(ok, "x-a: b\r\n"), "dripping"],
    ["does not end its head", (socket) => socket.write(ok)],
    ["does not begin its body", (socket) => socket.write(`${ok}content-length: 9\r\n\r\n`)],
    ["sends its body in drips", drip(`${ok}\r\n`, "1"), "dripping"],
    ["sends its chunks in drips", drip(`${chunked}`, "1\r\n1\r\n"), "dripping"],
    ["does not end its chunks", drip(`${chunked}`, "1\r\n1\r\n", "0"), "dripping"],
    ["sends hint after hint", drip("HTTP/1.1 103 Early Hints\r\n\r\n"), "dripping"],
  ])("%s", async (_, answer, dripping) => {
    const { fetch, server } = await startWorld(answer, { timeoutMs });
    drips = 0;
    const pending = fetch(spUrl);
    // So many that some have been read: otherwise the time is over while nothing has come.
    await until(() => server.requests.length === 1 && (!dripping || drips > 30));
    expect(await outcomeAfter(timeoutMs, pending)).toBe("timeout");
    await expect.poll(() => server.open()).toBe(0);
  });

  it("never ends the handshake", async () => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket.on("error", () => {}).resume());
      socket.on("close", () => open.delete(socket));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const reach = () => ({ addresses: ["127.0.0.1"], port });
    const { fetch } = await startWorld("", { timeoutMs, reach });
    const pending = fetch(spUrl);
    await until(() => open.size === 1);
    expect(await outcomeAfter(timeoutMs, pending)).toBe("timeout");
    await expect.poll(() => open.size).toBe(0);
  });

  it("has a name that DNS does not answer for", async () => {
    const { fetch } = await startWorld("", { timeoutMs, resolve: forever });
    expect(await outcomeAfter(timeoutMs, fetch(spUrl))).toBe("timeout");
  });
});

it("without another limit, five seconds are what it takes", async () => {
  const { fetch } = await startWorld("", { resolve: forever, timeoutMs: undefined });
  expect(await outcomeAfter(5000, fetch(spUrl))).toBe("timeout");
});

describe("the signal of the caller", () => {
  it("ends it at any point: before, during DNS, during the answer", async () => {
    const { fetch, looks } = await startWorld(() => {});
    expect(await outcomeOf(fetch(spUrl, { signal: AbortSignal.abort() }))).toBe("timeout");
    expect(looks).toEqual([]);

    for (const resolve of [forever, async () => [publicAddress]]) {
      const { fetch, server } = await startWorld(() => controller.abort(), { resolve });
      const controller = new AbortController();
      const pending = outcomeOf(fetch(spUrl, { signal: controller.signal }));
      if (resolve === forever) controller.abort();
      expect(await pending).toBe("timeout");
      await expect.poll(() => server.open()).toBe(0);
    }
  });

  it("ends the wait for a turn", async () => {
    const { fetch, looks } = await startWorld(() => {}, { limits: limitsOf({ all: 0 }) });
    const controller = new AbortController();
    const pending = outcomeOf(fetch(spUrl, { signal: controller.signal }));
    controller.abort();
    expect(await pending).toBe("timeout");
    expect(looks).toEqual([]);
  });

  it("does no harm afterwards, and is not held on to", async () => {
    const { fetch } = await startWorld(answerOf("{}"));
    const { signal } = new AbortController();
    const pending = outcomeOf(fetch(spUrl, { signal }));
    expect(getEventListeners(signal, "abort")).not.toEqual([]);
    expect(await pending).toBe("200 {}");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("of requests at once", () => {
  const notFound = ok.replace("200 OK", "404 x").trimEnd();

  /** Responds with an error when it is released, so that no host gets known. Names at `hanging.example` are looked up for ever. */
  async function start(limits: Partial<SlotLimits>, timeoutMs = 20_000) {
    const held: Socket[] = [];
    const world = await startWorld((socket) => held.push(socket), {
      ...{ limits: limitsOf(limits), timeoutMs, waitMs: timeoutMs / 2 },
      resolve: async (name) => (name.endsWith("hanging.example") ? forever() : [publicAddress]),
    });
    const letGo = () => held.shift()?.end(answerOf("{}", notFound));
    return { ...world, letGo };
  }

  /** The outcomes within 300 ms, and who is busy is so after half of them. */
  async function outcomesOf(pending: readonly Promise<Response>[]): Promise<string[]> {
    const soon: string[] = [];
    const outcomes = pending.map(async (one) => {
      const outcome = await outcomeOf(one);
      soon.push(outcome);
      return outcome;
    });
    await vi.advanceTimersByTimeAsync(149);
    expect(soon).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(new Set(soon)).toEqual(new Set(["busy"]));
    await vi.advanceTimersByTimeAsync(150);
    return Promise.all(outcomes);
  }

  it("so many go to one host, and the others wait for their turn", async () => {
    const { fetch, server, letGo } = await start({ all: 9, host: 2 });
    const pending = Array.from({ length: 5 }, () => outcomeOf(fetch(spUrl)));
    for (const served of [0, 1, 2, 3, 4]) {
      await expect.poll(() => server.requests.length).toBe(Math.min(5, 2 + served));
      expect(server.connections()).toBe(Math.min(5, 2 + served));
      letGo();
    }
    expect(await Promise.all(pending)).toEqual(Array(5).fill("404 {}"));
  });

  it("one host that hangs holds back no other", async () => {
    const { fetch, letGo, server } = await start({ all: 3, host: 2 });
    const controller = new AbortController();
    const asked = { signal: controller.signal };
    const hanging = Array.from({ length: 4 }, () => fetch("https://hanging.example/", asked));
    const ends = Promise.all(hanging.map(outcomeOf));
    // The second waits for a place at all, behind those that wait for one at their own host.
    const others = [outcomeOf(fetch(spUrl)), outcomeOf(fetch(spUrl))];
    for (const served of [1, 2]) {
      await expect.poll(() => server.requests.length).toBe(served);
      letGo();
    }
    expect(await Promise.all(others)).toEqual(["404 {}", "404 {}"]);
    controller.abort();
    expect(await ends).toEqual(Array(4).fill("timeout"));
  });

  it("those that had no turn in the time for it are refused because the host is busy", async () => {
    const { fetch } = await start({ all: 9, host: 2 }, 300);
    const paths = ["a", "b", "c"].map((path) => `https://hanging.example/${path}`);
    expect(await outcomesOf(paths.map((url) => fetch(url)))).toEqual([
      "timeout",
      "timeout",
      "busy",
    ]);
  });

  it("so many go out in all, whatever their hosts", async () => {
    const { fetch } = await start({ all: 2 }, 300);
    const hosts = ["a", "b", "c", "d"].map((host) => `https://${host}.hanging.example/`);
    const outcomes = await outcomesOf(hosts.map((url) => fetch(url)));
    expect(outcomes).toEqual(["timeout", "timeout", "busy", "busy"]);
  });

  it("a network that names 200 hosts that hang leaves slots to another network", async () => {
    const { fetch, server, letGo } = await start({ all: 64 });
    const from = nextNetwork();
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const asked = { signal: controller.signal, from };
    const hosts = Array.from({ length: 200 }, (_, index) => `https://h${index}.hanging.example/`);
    const hanging = Promise.all(hosts.map((url) => outcomeOf(fetch(url, asked))));
    const home = outcomeOf(fetch(spUrl));
    await expect.poll(() => server.requests.length).toBe(1);
    letGo();
    expect(await home).toBe("404 {}");
    controller.abort();
    await hanging;
  });

  it("so many are sent a second, and the others have waited in vain for their turn", async () => {
    const { fetch } = await startWorld("", {
      ...{ clock: clockFrom(() => 0), waitMs: 100, addresses: ["10.0.0.1"] },
    });
    const hosts = Array.from({ length: 210 }, (_, index) => `https://h${index}.example/`);
    const outcomes = await Promise.all(hosts.map((url) => outcomeOf(fetch(url))));
    expect(outcomes.filter((one) => one === "not_public").length).toBeLessThanOrEqual(200);
    expect(outcomes.slice(200)).toEqual(Array(10).fill("busy"));
  });

  it("another port makes no other host of it", async () => {
    const { fetch } = await start({ host: 1 }, 300);
    const urls = ["https://hanging.example/", "https://hanging.example:8443/"];
    expect(await outcomesOf(urls.map((url) => fetch(url)))).toEqual(["timeout", "busy"]);
  });

  it("another port of this machine is another host: all SPs of a demo are there", async () => {
    const plain = { certificate: "plain", allowLoopback: true } as const;
    const { fetch, server } = await startWorld(() => {}, {
      ...plain,
      limits: limitsOf({ host: 1 }),
    });
    const other = await startWorld(answerOf("{}"), plain);
    const controller = new AbortController();
    const url = `http://localhost:${server.port}/`;
    const hanging = [url, url].map((one) => fetch(one, { signal: controller.signal }));
    const outcomes = Promise.all(hanging.map(outcomeOf));
    expect(await outcomeOf(fetch(`http://localhost:${other.server.port}/`))).toBe("200 {}");
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await outcomes).toEqual(["timeout", "timeout"]);
    expect(server.connections()).toBe(1);
  });

  it("those that have waited for half a second are refused, with the limit in the message", async () => {
    const { fetch } = await startWorld(() => {}, {
      ...{ limits: limitsOf({ host: 1 }), resolve: forever, waitMs: undefined },
    });
    const first = outcomeOf(fetch(spUrl));
    const second = fetch(spUrl).catch(String);
    await vi.advanceTimersByTimeAsync(500);
    expect(await second).toBe(
      "GuardedFetchError: sp.example was not asked, because too many requests are pending (limit: host).",
    );
    await vi.advanceTimersByTimeAsync(19_500);
    expect(await first).toBe("timeout");
  });

  it("a host that timed out has one until it responds", async () => {
    const held: Socket[] = [];
    const { fetch, server } = await startWorld((socket) => held.push(socket), { timeoutMs: 800 });
    const asked = (count: number) => Array.from({ length: count }, () => outcomeOf(fetch(spUrl)));
    const [first = Promise.resolve("")] = asked(1);
    await until(() => held.length === 1);
    expect(
      await outcomeAfter(
        800,
        first.then(() => new Response()),
      ),
    ).toBe("200 ");
    const probes = asked(3);
    await until(() => held.length === 2);
    // A second one would have been connected by now.
    expect(server.connections()).toBe(2);
    held[1]?.end(answerOf("{}"));
    await until(() => held.length === 4);
    for (const socket of held.slice(2)) socket.end(answerOf("{}"));
    expect(await Promise.all(probes)).toEqual(Array(3).fill("200 {}"));
  });

  it("so many connections to one address are used, and the others are closed", async () => {
    const held: Socket[] = [];
    const world = await startWorld((socket) => held.push(socket), {
      limits: limitsOf({ address: 2 }),
    });
    const refused: unknown[] = [];
    const refuse = (error: unknown) => refused.push(String(error));
    const pending = [1, 2, 3].map(() => world.fetch(spUrl).catch(refuse));
    await until(() => held.length + refused.length === 3);
    expect(refused).toEqual([
      "GuardedFetchError: sp.example was not asked, because too many requests are pending (limit: address).",
    ]);
    for (const socket of held) socket.end(answerOf("{}"));
    await Promise.all(pending);
    expect(refused).toHaveLength(1);
  });

  it("each that failed gives its place back", async () => {
    const { fetch } = await startWorld("", {
      limits: limitsOf({ all: 1 }),
      addresses: ["10.0.0.1"],
    });
    for (let time = 0; time < 5; time++) {
      expect(await outcomeOf(fetch(spUrl))).toBe("not_public");
    }
  });
});
