// Tests of how long a guarded fetch takes at most, and of how many may be under way at once.

import { getEventListeners, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Answer,
  answerOf,
  closeWorlds,
  outcomeOf,
  publicAddress,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  closeWorlds();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const forever = () => new Promise<never>(() => {});

/** Sends one after the other, every few milliseconds, and the last again and again. */
function drip(...pieces: string[]): Answer {
  return (socket) => {
    const timer = setInterval(() => {
      socket.write((pieces.length > 1 ? pieces.shift() : pieces[0]) ?? "");
    }, 20);
    socket.on("close", () => clearInterval(timer));
  };
}

describe("the time is over for a host that", () => {
  const timeoutMs = 250;

  it.each<[string, Answer]>([
    ["does not answer", () => {}],
    [
      "sends its status in drips",
      drip("H", "T", "T", "P", "/", "1", ".", "1", " ", "2", "0", "0", " "),
    ],
    ["sends its headers in drips", drip(ok, "x-a: b\r\n")],
    ["does not end its head", (socket) => socket.write(ok)],
    ["does not begin its body", (socket) => socket.write(`${ok}content-length: 9\r\n\r\n`)],
    ["sends its body in drips", drip(`${ok}\r\n`, "1")],
    ["sends its chunks in drips", drip(`${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\n1\r\n")],
    ["does not end its chunks", drip(`${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\n1\r\n", "0")],
    ["sends hint after hint", drip("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ])("%s", async (_, answer) => {
    const { fetch, server } = await startWorld(answer, { timeoutMs });
    const begin = performance.now();
    expect(await outcomeOf(fetch(spUrl))).toBe("timeout");
    expect(performance.now() - begin).toBeGreaterThan(timeoutMs - 20);
    await expect.poll(() => server.open()).toBe(0);
  });

  it("never ends the handshake", async () => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket.on("error", () => {}).resume());
      socket.on("close", () => open.delete(socket));
    });
    cleanups.push(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("no port was opened");
    const reach = () => ({ address: "127.0.0.1", port: bound.port });
    const { fetch } = await startWorld("", { timeoutMs, reach });
    expect(await outcomeOf(fetch(spUrl))).toBe("timeout");
    await expect.poll(() => open.size).toBe(0);
  });

  it("has a name that DNS does not answer for", async () => {
    const { fetch } = await startWorld("", { timeoutMs, resolve: forever });
    expect(await outcomeOf(fetch(spUrl))).toBe("timeout");
  });
});

it("without another limit, five seconds are what it takes", async () => {
  const { fetch } = await startWorld("", { resolve: forever, timeoutMs: undefined });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  cleanups.push(() => vi.useRealTimers());
  let told = "";
  const end = outcomeOf(fetch(spUrl)).then((outcome) => {
    told = outcome;
  });
  await vi.advanceTimersByTimeAsync(4999);
  expect(told).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  await end;
  expect(told).toBe("timeout");
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
    const { fetch, looks } = await startWorld(() => {}, { atOnce: { all: 9, each: 0 } });
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
  /** Answers nothing until it is told to, and looks up names at `hanging.example` for ever. */
  async function start(atOnce: { all: number; each: number }, timeoutMs = 20_000) {
    const held: Socket[] = [];
    const world = await startWorld((socket) => held.push(socket), {
      ...{ atOnce, timeoutMs },
      resolve: async (name) => (name.endsWith("hanging.example") ? forever() : [publicAddress]),
    });
    const letGo = () => held.shift()?.end(answerOf("{}"));
    return { ...world, letGo };
  }

  it("so many go to one host, and the others wait for their turn", async () => {
    const { fetch, server, letGo } = await start({ all: 9, each: 2 });
    const pending = Array.from({ length: 5 }, () => outcomeOf(fetch(spUrl)));
    for (const served of [0, 1, 2, 3, 4]) {
      await expect.poll(() => server.requests.length).toBe(Math.min(5, 2 + served));
      expect(server.connections()).toBe(Math.min(5, 2 + served));
      letGo();
    }
    expect(await Promise.all(pending)).toEqual(Array(5).fill("200 {}"));
  });

  it("one host that hangs holds back no other", async () => {
    const { fetch, letGo, server } = await start({ all: 3, each: 2 });
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
    expect(await Promise.all(others)).toEqual(["200 {}", "200 {}"]);
    controller.abort();
    expect(await ends).toEqual(Array(4).fill("timeout"));
  });

  it("those that had no turn in half of the time are told that the host is busy", async () => {
    const { fetch } = await start({ all: 9, each: 2 }, 300);
    const hanging = ["a", "b", "c"].map((path) => fetch(`https://hanging.example/${path}`));
    expect(await Promise.all(hanging.map(outcomeOf))).toEqual(["timeout", "timeout", "busy"]);
  });

  it("so many go out in all, whatever their hosts", async () => {
    const { fetch } = await start({ all: 2, each: 2 }, 400);
    const hosts = ["a", "b", "c", "d"].map((host) => `https://${host}.hanging.example/`);
    const told = await Promise.all(hosts.map((url) => outcomeOf(fetch(url))));
    expect(told).toEqual(["timeout", "timeout", "busy", "busy"]);
  });

  it("another port makes no other host of it", async () => {
    const { fetch } = await start({ all: 9, each: 1 }, 300);
    const urls = ["https://hanging.example/", "https://hanging.example:8443/"];
    const told = await Promise.all(urls.map((url) => outcomeOf(fetch(url))));
    expect(told).toEqual(["timeout", "busy"]);
  });

  it("another port of this machine is another host: all SPs of a demo are there", async () => {
    const plain = { certificate: "plain", allowLoopback: true } as const;
    const { fetch, server } = await startWorld(() => {}, { ...plain, atOnce: { all: 9, each: 1 } });
    const other = await startWorld(answerOf("{}"), plain);
    const controller = new AbortController();
    const url = `http://localhost:${server.port}/`;
    const hanging = [url, url].map((one) => fetch(one, { signal: controller.signal }));
    const told = Promise.all(hanging.map(outcomeOf));
    expect(await outcomeOf(fetch(`http://localhost:${other.server.port}/`))).toBe("200 {}");
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await told).toEqual(["timeout", "timeout"]);
    expect(server.connections()).toBe(1);
  });

  it("each that failed gives its place back", async () => {
    const { fetch } = await startWorld("", {
      atOnce: { all: 1, each: 1 },
      addresses: ["10.0.0.1"],
    });
    for (let time = 0; time < 5; time++) {
      expect(await outcomeOf(fetch(spUrl))).toBe("not_public");
    }
  });
});
