// Tests of the adaptor for node:http, over a real socket. `strict-http` has the hostile requests.

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { converse } from "../../test/support/raw-http.ts";
import { type Listener, listen } from "./listen.ts";
import type { HttpRequest, HttpResponse } from "./message.ts";
import { answerNode, gather } from "./node-adaptor.ts";

const CLOSE = "Host: a\r\nConnection: close\r\n";

let listener: Listener;
let seen: HttpRequest[];
let handle: (http: HttpRequest) => Promise<HttpResponse>;
beforeAll(async () => {
  const at = { host: "127.0.0.1", port: 0 };
  listener = await listen((http) => {
    seen.push(http);
    return handle(http);
  }, at);
});
beforeEach(() => {
  seen = [];
  handle = async () => ({ status: 200, headers: {}, body: "done" });
});
afterAll(() => listener.close());

async function ask(...sends: string[]) {
  return (await converse(listener.port, sends)).answers;
}

test("a handler sees what was sent, and the address of the peer", async () => {
  await ask(`GET /a/%62?c=%20d HTTP/1.1\r\n${CLOSE}X-Thing: 1\r\n\r\n`);
  expect(seen[0]).toMatchObject({ method: "GET", path: "/a/b", query: "c=%20d", params: {} });
  expect(seen[0]?.clientAddress).toBe("127.0.0.1");
  expect([seen[0]?.header("x-thing"), seen[0]?.header("x")]).toEqual(["1", null]);
});

test.each(["Authorization", "Content-Type", "X-Forwarded-For", "X-Thing"])(
  "%s that came twice is joined, in its order",
  async (name) => {
    await ask(`GET / HTTP/1.1\r\n${CLOSE}${name}: one\r\n${name}: other\r\n\r\n`);
    expect(seen[0]?.header(name.toLowerCase())).toBe("one, other");
  },
);

test("cookies that came in two headers are one list", async () => {
  await ask(`GET / HTTP/1.1\r\n${CLOSE}Cookie: a=1; b=2\r\nCookie: c=3\r\n\r\n`);
  expect(seen[0]?.header("cookie")).toBe("a=1; b=2; c=3");
});

test("a body is the same for each who reads it", async () => {
  handle = async (http) => {
    const read = async () => Buffer.from(await http.body(100)).toString();
    const bodies = [await read(), await read()];
    return {
      status: 200,
      headers: {},
      body: JSON.stringify([...bodies, ...(await Promise.all([read(), read()]))]),
    };
  };
  const [answer] = await ask(`POST / HTTP/1.1\r\n${CLOSE}Content-Length: 3\r\n\r\n`, "abc");
  expect(JSON.parse(answer?.body ?? "")).toEqual(["abc", "abc", "abc", "abc"]);
});

test.each([
  ["was cut off", "ab"],
  ["was received", "abc"],
])(
  "a body that %s does not keep who reads it waiting when the client has gone before",
  async (_, sent) => {
    let outcome = (_: string) => {};
    const read = new Promise<string>((resolve) => {
      outcome = resolve;
    });
    const socket = connect(listener.port, "127.0.0.1");
    handle = async (http) => {
      const gone = once(socket, "close");
      socket.destroy();
      await gone;
      // Until this side has noticed it.
      await sleep(50);
      const settled = http.body(100).then(
        () => "settled",
        () => "settled",
      );
      outcome(await settled);
      return { status: 200, headers: {}, body: "" };
    };
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n${sent}`);
    expect(await read).toBe("settled");
  },
);

test("the host of an absolute target, and the Host header, are not looked at", async () => {
  await ask(`GET http://evil.example/a?b HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(seen[0]).toMatchObject({ path: "/a", query: "b" });
});

test("a response has its length, and each of its cookies", async () => {
  handle = async () => ({ status: 201, headers: { "set-cookie": ["a=1", "b=2"] }, body: "ü" });
  const [answer] = await ask(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  expect([answer?.status, answer?.body]).toEqual([201, "ü"]);
  const headers = answer?.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  expect(headers).toContain("content-length: 2");
  expect(headers?.filter((line) => line.startsWith("set-cookie"))).toEqual([
    ...["set-cookie: a=1", "set-cookie: b=2"],
  ]);
});

test("a compressed response has the length of what is sent", async () => {
  const octets = new Uint8Array([0x1f, 0x8b, 0xff]);
  handle = async () => ({ status: 200, headers: {}, body: "", octets });
  const [answer] = await ask(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(answer?.headers.map((pair) => pair.join(": ").toLowerCase())).toContain(
    "content-length: 3",
  );
});

test("a 204 has no length", async () => {
  handle = async () => ({ status: 204, headers: {}, body: "" });
  const [answer] = await ask(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(answer?.headers.some(([name]) => /content-length/i.test(name))).toBe(false);
});

test("a handler that rejects is a bare 500", async () => {
  handle = () => Promise.reject(new Error("secret words"));
  const [answer] = await ask(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
  expect([answer?.status, answer?.body]).toEqual([500, ""]);
});

test("a body that nobody reads is discarded, and the connection goes on", async () => {
  const post = `POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n${"x".repeat(20_000)}`;
  const answers = await ask(post, `GET /second HTTP/1.1\r\n${CLOSE}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(seen.map(({ path }) => path)).toEqual(["/first", "/second"]);
});

test("a body that nobody reads and that does not end soon ends its connection", async () => {
  const head = "POST / HTTP/1.1\r\nHost: a\r\n";
  for (const sends of [
    [`${head}Content-Length: 10000000\r\n\r\n`],
    [`${head}Transfer-Encoding: chunked\r\n\r\n`, 50, `30000\r\n${"x".repeat(0x30000)}`],
  ]) {
    const { answers, closed } = await converse(listener.port, sends);
    expect([answers[0]?.status, closed]).toEqual([200, true]);
  }
});

test("a form that is too large is answered before it has come", async () => {
  handle = async (http) => {
    const outcome = await http.body(10).then(
      () => "read",
      (error: Error) => error.name,
    );
    return { status: 400, headers: {}, body: outcome };
  };
  for (const framing of ["Content-Length: 1000000", "Transfer-Encoding: chunked"]) {
    const chunk = `64\r\n${"x".repeat(100)}\r\n`;
    const [answer] = await ask(
      `POST / HTTP/1.1\r\n${CLOSE}${framing}\r\n\r\n${framing.startsWith("T") ? chunk : ""}`,
    );
    expect(answer?.body).toBe("BodyTooLargeError");
  }
});

test("a client that disconnects at once is known by its address all the same", async () => {
  const heard = new Promise<string>((resolve) => {
    const server = createServer((incoming, outgoing) => {
      answerNode(incoming, outgoing, ({ clientAddress }) => {
        resolve(clientAddress);
        return { status: 200, headers: {}, body: "" };
      });
      // As if the connection had been reset in the same turn of the event loop.
      incoming.socket.destroy();
      server.close();
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      connect(port, "127.0.0.1")
        .on("error", () => {})
        .write(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
    });
  });
  expect(await heard).toBe("127.0.0.1");
});

describe("an answer to a client that has left", () => {
  afterEach(() => void vi.restoreAllMocks());

  /** When the answer was said to be undelivered, if the client leaves after so many milliseconds; null if it was not. */
  async function undeliveredAt(
    leavesAfterMs: number,
    answeredAfterMs: number,
  ): Promise<number | null> {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    let notedAt: number | null = null;
    let begun = () => {};
    let goOn = () => {};
    const began = new Promise<void>((resolve) => (begun = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const ended = new Promise<void>((resolve) => {
      handle = async () => {
        begun();
        await mayGoOn;
        setImmediate(() => setImmediate(resolve));
        const undelivered = (leftAt: number) => {
          notedAt = leftAt;
        };
        return { status: 200, headers: {}, body: "late", undelivered };
      };
    });
    const server = createServer((incoming, outgoing) => answerNode(incoming, outgoing, handle));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const closed = new Promise<void>((resolve) => {
      server.once("connection", (peer) => peer.once("close", () => resolve()));
    });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\n${CLOSE}\r\n`);
    await began;
    now = leavesAfterMs;
    if (Number.isFinite(leavesAfterMs)) {
      socket.destroy();
      await closed;
    }
    now = answeredAfterMs;
    goOn();
    await ended;
    socket.destroy();
    server.close();
    await once(server, "close");
    return notedAt;
  }

  test("is undelivered since the client left, however late the answer was", async () => {
    expect(await undeliveredAt(0, 5000)).toBe(0);
    expect(await undeliveredAt(2001, 30_000)).toBe(2001);
  });

  test("is delivered, however late, if the client is still there", async () => {
    expect(await undeliveredAt(Number.POSITIVE_INFINITY, 30_000)).toBeNull();
  });
});

describe("what becomes ready in one turn of the event loop", () => {
  test("tasks of one turn run together, before anything that they begin goes on", async () => {
    const ran: string[] = [];
    const steps = async (name: string) => {
      ran.push(`${name}1`);
      await null;
      ran.push(`${name}2`);
    };
    gather(() => void steps("a"));
    gather(() => void steps("b"));
    expect(ran).toEqual([]);
    await turn();
    expect(ran).toEqual(["a1", "b1", "a2", "b2"]);
  });

  test("a task that another one adds runs in the next turn", async () => {
    const ran: string[] = [];
    gather(() => {
      ran.push("first");
      gather(() => ran.push("second"));
    });
    await turn();
    expect(ran).toEqual(["first"]);
    await turn();
    expect(ran).toEqual(["first", "second"]);
  });
});
