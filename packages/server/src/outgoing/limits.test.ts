// Tests of how much a guarded fetch reads, and of answers that break the rules of HTTP.

import { listenForWeb } from "domain-signin-demo/web-listener";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  answerOf,
  outcomeOf,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";

// As in a host whose listener replaces `Response` by one that checks nothing until it is read.
beforeAll(async () => {
  const listener = await listenForWeb(() => new Response(), { host: "127.0.0.1", port: 0 });
  await listener.close();
});

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
const chunked = `${ok}\r\ntransfer-encoding: chunked\r\n\r\n`;

async function outcome(answer: Answer | string): Promise<string> {
  return outcomeOf((await startWorld(answer)).fetch(spUrl));
}

/** Sends `piece` again and again, until the connection is closed; gives how many octets were sent by then. */
function endless(head: string, piece: string): { answer: Answer; sent: () => number } {
  let sent = 0;
  const answer: Answer = (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) sent += piece.length;
    };
    socket.on("drain", more);
    socket.write(head);
    more();
  };
  return { answer, sent: () => sent };
}

describe("of a body, 64 KiB are read:", () => {
  const most = "1".repeat(65_536);

  it("exactly so much is given", async () => {
    expect(await outcome(answerOf(most))).toBe(`200 ${most}`);
    expect(await outcome(`${chunked}10000\r\n${most}\r\n0\r\n\r\n`)).toBe(`200 ${most}`);
    expect(await outcome(`${ok}\r\n\r\n${most}`)).toBe(`200 ${most}`);
  });

  it("one octet more is refused, however it is framed, and with an error too", async () => {
    expect(await outcome(answerOf(`${most}1`))).toBe("too_large");
    expect(await outcome(`${chunked}10001\r\n${most}1\r\n0\r\n\r\n`)).toBe("too_large");
    expect(await outcome(`${ok}\r\n\r\n${most}1`)).toBe("too_large");
    expect(await outcome(answerOf(`${most}1`, ok.replace("200", "400")))).toBe("too_large");
  });

  const piece = "1".repeat(16_384);
  it.each([
    ["without a length", "too_large", `${ok}\r\n\r\n`, piece],
    ["of a large length", "too_large", `${ok}\r\ncontent-length: 99999999999\r\n\r\n`, piece],
    ["in chunks", "too_large", chunked, `4000\r\n${piece}\r\n`],
    ["in chunks of one octet", "too_large", chunked, "1\r\n1\r\n".repeat(2000)],
    ["in a chunk with an endless extension", "unreachable", `${chunked}1;a=`, piece],
    ["after 100s without end", "too_large", "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(500)],
    ["after hints without end", "too_large", "", "HTTP/1.1 103 x\r\nlink: a\r\n\r\n".repeat(500)],
    ["after a header without end", "too_large", `${ok}\r\nx-a: `, piece],
    ["after headers without end", "too_large", `${ok}\r\n`, "x-a: b\r\n".repeat(2000)],
    ["after a status without end", "too_large", "HTTP/1.1 200 ", piece],
    ["with trailers without end", "unreachable", `${chunked}0\r\n`, "x-a: b\r\n".repeat(2000)],
  ])("an endless one is cut off: %s", async (_, code, head, more) => {
    const { answer, sent } = endless(head, more);
    const { fetch, server } = await startWorld(answer);
    expect(await outcomeOf(fetch(spUrl))).toBe(code);
    await expect.poll(() => server.open()).toBe(0);
    // What buffers on both sides hold comes to a few MiB.
    expect(sent()).toBeLessThan(16 * 2 ** 20);
  });
});

it("what is cut off is not taken for the whole, where only its end is its length", async () => {
  const hints = "HTTP/1.1 103 x\r\n\r\n".repeat(12_000);
  expect(await outcome(`${hints}${ok}\r\n\r\n${"1".repeat(60_000)}`)).toBe("too_large");
});

describe("what nobody wants to read is cut off:", () => {
  it.each([
    ["behind a redirect", "redirect", ok.replace("200", "302")],
    ["an error page", "404 ", "HTTP/1.1 404 x\r\ncontent-type: text/html"],
    ["a page", "not_json", ok.replace("json", "xml")],
    ["what is encoded", "encoded", `${ok}\r\ncontent-encoding: br`],
  ])("%s", async (_, code, head) => {
    const { answer, sent } = endless(`${head}\r\n\r\n`, "x".repeat(16_384));
    // Longer than the poll waits, so that it is not the timeout of the request that closes the connection.
    const { fetch, server } = await startWorld(answer, { timeoutMs: 60_000 });
    expect(await outcomeOf(fetch(spUrl))).toBe(code);
    await expect.poll(() => server.open()).toBe(0);
    expect(sent()).toBeLessThan(16 * 2 ** 20);
  });
});

describe("of a head, 16 KiB are read:", () => {
  it("a large one is taken", async () => {
    expect(await outcome(answerOf("{}", `${ok}\r\nx-a: ${"a".repeat(15_000)}`))).toBe("200 {}");
  });

  it.each([
    ["one header", `x-a: ${"a".repeat(20_000)}`],
    ["many headers", Array.from({ length: 2000 }, (_, at) => `x-${at}: abc`).join("\r\n")],
    ["a name", `${"a".repeat(20_000)}: a`],
  ])("more is refused: %s", async (_, headers) => {
    expect(await outcome(answerOf("{}", `${ok}\r\n${headers}`))).toBe("too_large");
  });
});

describe("an answer that breaks the rules is none:", () => {
  const two = `${ok}\r\ncontent-length: 2`;
  it.each([
    ["nothing", ""],
    ["not HTTP", "220 mail.example ESMTP\r\n"],
    ["a body without a head (HTTP/0.9)", '{"a":1}'],
    ["half a head", `${ok}\r\nx-a`],
    ["a status of two digits", answerOf("{}", ok.replace("200", "20"))],
    ["a status of four digits", answerOf("{}", ok.replace("200", "2000"))],
    ["a status over 599", answerOf("{}", ok.replace("200", "600"))],
    ["a status far over 599", answerOf("{}", ok.replace("200", "999"))],
    ["a status of zeros", answerOf("{}", ok.replace("200", "000"))],
    ["a page with a status over 599", answerOf("", "HTTP/1.1 600 x\r\ncontent-type: text/html")],
    ["a switch to another protocol", `HTTP/1.1 101 x\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n`],
    ["two lengths", `${two}\r\ncontent-length: 3\r\n\r\n{} `],
    ["one length twice", `${two}\r\ncontent-length: 2\r\n\r\n{}`],
    ["two lengths in one", `${ok}\r\ncontent-length: 2, 3\r\n\r\n{} `],
    ["a length and chunks", `${two}\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ["a length below zero", `${ok}\r\ncontent-length: -2\r\n\r\n{}`],
    ["a length that is no number", `${ok}\r\ncontent-length: 0x2\r\n\r\n{}`],
    ["less than its length", `${ok}\r\ncontent-length: 3\r\n\r\n{}`],
    ["a chunk without a length", `${chunked}{}`],
    ["less than its chunk", `${chunked}3\r\n{}`],
    ["chunks without an end", `${chunked}2\r\n{}\r\n`],
    ["a header without a name", answerOf("{}", `${ok}\r\n: a`)],
    ["a header with a space", answerOf("{}", `${ok}\r\nx-a : a`)],
    ["a NUL in a header", answerOf("{}", `${ok}\r\nx-a: \0`)],
    ["a line end in a header", answerOf("{}", `${ok}\r\nx-a: a\rb: c`)],
  ])("%s", async (_, answer) => {
    expect(await outcome(answer)).toBe("unreachable");
  });

  it("but old and plain ones are taken", async () => {
    expect(await outcome(answerOf("{}", ok.replace("1.1", "1.0")))).toBe("200 {}");
    expect(await outcome(`${ok.replace("1.1", "1.0")}\r\n\r\n{}`)).toBe("200 {}");
    expect(await outcome(`HTTP/1.1 103 x\r\n\r\nHTTP/1.1 100\r\n\r\n${answerOf("{}")}`)).toBe(
      "200 {}",
    );
    expect(await outcome(answerOf("{}", `${ok}\r\nset-cookie: \xe4`))).toBe("200 {}");
  });

  it("what comes behind it is no part of it", async () => {
    expect(await outcome(`${answerOf("{}")}${answerOf("[]")}`)).toBe("200 {}");
  });
});
