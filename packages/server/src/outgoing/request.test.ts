// Tests of what a guarded fetch takes for an answer, from servers that answer oddly.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  answerOf,
  outcomeOf,
  spName,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";

const json = "content-type: application/json";
const ok = `HTTP/1.1 200 OK\r\n${json}`;

async function outcome(answer: string | Buffer): Promise<string> {
  const { fetch, server } = await startWorld((socket) => socket.end(answer, "latin1"));
  const result = await outcomeOf(fetch(spUrl));
  expect(server.connections()).toBe(1);
  return result;
}

describe("a request", () => {
  it("asks for JSON, not encoded, on a connection that closes, and brings no cookie", async () => {
    const cookie = `${ok}\r\nset-cookie: a=b; Domain=sp.example`;
    const { fetch, server } = await startWorld(answerOf("{}", cookie));
    await fetch(spUrl);
    await fetch(`${spUrl}?a=b`);
    const headers = [
      ...["accept: application/json", "user-agent: domain-signin", "host: sp.example"],
      ...["connection: close", "accept-encoding: identity", "", ""],
    ].join("\r\n");
    expect(server.requests).toEqual([
      `GET /metadata HTTP/1.1\r\n${headers}`,
      `GET /metadata?a=b HTTP/1.1\r\n${headers}`,
    ]);
  });

  it("posts a form with its type and length, and the headers of the caller but for ours", async () => {
    const { fetch, server } = await startWorld(answerOf("{}"));
    const body = new URLSearchParams({ code: "ä b", grant_type: "authorization_code" });
    const headers = {
      Authorization: "Basic YTpi",
      Host: "evil.example",
      "Accept-Encoding": "gzip",
    };
    await fetch(spUrl, { method: "POST", body, headers });
    const [head = "", sent] = server.requests[0]?.split("\r\n\r\n") ?? [];
    expect(sent).toBe("code=%C3%A4+b&grant_type=authorization_code");
    const lines = head.toLowerCase().split("\r\n");
    expect(lines[0]).toBe("post /metadata http/1.1");
    expect(lines).toContain("content-type: application/x-www-form-urlencoded");
    expect(lines).toContain(`content-length: ${sent?.length}`);
    expect(lines).toContain("authorization: basic ytpi");
    expect(lines.filter((line) => /^(?:host|accept-encoding):/.test(line))).toEqual([
      ...["host: sp.example", "accept-encoding: identity"],
    ]);
  });

  it("posts text as the type that the caller gives, to the port of the URL", async () => {
    const { fetch, server, reached } = await startWorld(answerOf("{}"));
    const asked = {
      method: "POST",
      body: '{"a":"ä"}',
      headers: { "content-type": "application/json" },
    };
    await fetch("https://sp.example:8443/register", { ...asked, method: "POST" });
    expect(server.requests[0]).toMatch(/content-length: 10\r\n(?:.*\r\n)*\r\n\{"a":"ä"\}$/i);
    expect(server.requests[0]?.toLowerCase()).toContain("host: sp.example:8443\r\n");
    expect(reached).toEqual(["8.8.8.8 8443"]);
  });

  it("goes to no proxy that the environment names", async () => {
    const { fetch, server } = await startWorld(answerOf("{}"));
    const names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
    for (const name of names) process.env[name] = "http://127.0.0.1:1";
    try {
      expect(await outcomeOf(fetch(spUrl))).toBe("200 {}");
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(server.requests[0]).toMatch(/^GET \/metadata /);
  });
});

describe("of an answer,", () => {
  it("status, body, type and lifetime are given, and nothing else", async () => {
    const more = `${ok}; charset=utf-8\r\ncache-control: max-age=60\r\nset-cookie: a=b\r\nx-a: b`;
    const { fetch } = await startWorld(answerOf('{"a":"ä"}', more));
    const response = await fetch(spUrl);
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(200);
    expect([...response.headers]).toEqual([
      ["cache-control", "max-age=60"],
      ["content-type", "application/json; charset=utf-8"],
    ]);
    expect(await response.json()).toEqual({ a: "ä" });
  });

  it.each([
    ["201", '{"a":1}', '201 {"a":1}'],
    ["204", "", "204 "],
    ["205", "", "205 "],
    ["400", '{"error":"invalid_client"}', '400 {"error":"invalid_client"}'],
    ["401", "{}", "401 {}"],
    ["503", "{}", "503 {}"],
    ["599", "{}", "599 {}"],
  ])("the status %s is returned with its JSON", async (status, body, result) => {
    expect(await outcome(answerOf(body, `HTTP/1.1 ${status} x\r\n${json}`))).toBe(result);
  });

  it.each(["400", "404", "500", "502"])(
    "a page of %s is returned as the status alone",
    async (status) => {
      const page = `HTTP/1.1 ${status} x\r\ncontent-type: text/html`;
      expect(await outcome(answerOf("<p>", page))).toBe(`${status} `);
      expect(await outcome(`HTTP/1.1 ${status} x\r\ncontent-length: 3\r\n\r\n<p>`)).toBe(
        `${status} `,
      );
      const encoded = `${page}\r\ncontent-encoding: gzip\r\ncontent-length: 99999999`;
      expect(await outcome(`${encoded}\r\n\r\nx`)).toBe(`${status} `);
    },
  );

  it.each([301, 302, 303, 307, 308, 300, 304, 399])(
    "a redirect is not followed: %i",
    async (status) => {
      const away = `HTTP/1.1 ${status} x\r\nlocation: https://sp.example/other\r\n${json}`;
      const { fetch, server, looks } = await startWorld(answerOf("{}", away));
      expect(await outcomeOf(fetch(spUrl))).toBe("redirect");
      expect(await outcomeOf(fetch(spUrl, { method: "POST", body: "a" }))).toBe("redirect");
      expect(server.requests).toHaveLength(2);
      expect(looks).toEqual([spName, spName]);
    },
  );
});

describe("as a browser,", () => {
  async function browse(answer: string) {
    const { fetch, server } = await startWorld(answer);
    const response = await fetch(spUrl, { asBrowser: true, headers: { accept: "text/html" } });
    expect(server.requests).toEqual([expect.stringMatching(/\r\naccept: text\/html\r\n/)]);
    const { status, headers } = response;
    return [status, Object.fromEntries(headers), await response.text()];
  }

  it.each([301, 303, 304, 307])("a redirect is returned and not followed: %i", async (status) => {
    const head = `HTTP/1.1 ${status} x\r\nlocation: https://other.example/a?b\r\nset-cookie: a=b`;
    const location = "https://other.example/a?b";
    expect(await browse(answerOf("{}", head))).toEqual([status, { location }, ""]);
  });

  it("a redirect without one Location has none", async () => {
    expect(await browse(answerOf("", "HTTP/1.1 302 x"))).toEqual([302, {}, ""]);
    const twice = "HTTP/1.1 302 x\r\nlocation: /a\r\nlocation: /b";
    expect(await browse(answerOf("", twice))).toEqual([302, {}, ""]);
  });

  it("a page is returned as the status alone, and JSON with its body", async () => {
    const page = "HTTP/1.1 200 x\r\ncontent-type: text/html\r\ncontent-length: 99999999\r\n\r\n<p>";
    expect(await browse(page)).toEqual([200, {}, ""]);
    const type = { "content-type": "application/json" };
    expect(await browse(answerOf("{}", `HTTP/1.1 400 x\r\n${json}`))).toEqual([400, type, "{}"]);
  });
});

it("a removal is sent as such, and the type of its answer does not matter", async () => {
  const { fetch, server } = await startWorld("HTTP/1.1 204 x\r\n\r\n");
  const { status } = await fetch(spUrl, { method: "DELETE", statusOnly: true });
  expect([status, server.requests]).toEqual([
    ...[204, [expect.stringMatching(/^DELETE \/metadata HTTP\/1\.1\r\n/)]],
  ]);
});

describe("the media type", () => {
  it.each([
    ...["application/json", "Application/JSON", "application/json ; charset=latin1"],
    ...["application/jwk-set+json", "application/problem+json;a=b", "application/vnd.a.b-1+json"],
  ])("may be %s", async (type) => {
    expect(await outcome(answerOf("{}", `HTTP/1.1 200 x\r\ncontent-type: ${type}`))).toBe("200 {}");
  });

  it.each([
    ...["text/html", "text/json", "text/plain", "application/octet-stream", "", "json", "*/*"],
    ...["application/jsonp", "application/x-json", "application/+json", "application/json+xml"],
    ...["application/jwt", "text/html, application/json", "application/json, text/html"],
    ...["application/json x", "text/html; a=application/json", "application/a/b+json"],
  ])("must not be %j", async (type) => {
    const head = `HTTP/1.1 200 x\r\ncontent-type: ${type}`;
    expect(await outcome(answerOf("{}", head))).toBe("not_json");
  });

  it("must be there, once", async () => {
    expect(await outcome(answerOf("{}", "HTTP/1.1 200 x"))).toBe("not_json");
    expect(await outcome("HTTP/1.1 204 x\r\n\r\n")).toBe("not_json");
    const twice = `${ok}\r\ncontent-type: text/html`;
    expect(await outcome(answerOf("{}", twice))).toBe("not_json");
  });
});

describe("a body that is encoded is refused, unread:", () => {
  it.each([
    "gzip",
    "br",
    "deflate",
    "zstd",
    "x-gzip",
    "identity, gzip",
    "gzip, identity",
    "GZIP",
    "*",
  ])("%s", async (encoding) => {
    const head = `${ok}\r\ncontent-encoding: ${encoding}\r\ncontent-length: 99\r\n\r\n`;
    expect(await outcome(head)).toBe("encoded");
    expect(await outcome(head.replace("200 OK", "400 x"))).toBe("encoded");
  });

  it("a bomb of 64 MiB in 64 KiB", async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26));
    const head = `${ok}\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    expect(await outcome(Buffer.concat([Buffer.from(head), bomb]))).toBe("encoded");
  });

  it("encoded for the transfer, it is given as it came, and is no JSON", async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 20));
    const head = `${ok}\r\ntransfer-encoding: gzip, chunked\r\n\r\n${bomb.length.toString(16)}\r\n`;
    const answer = Buffer.concat([Buffer.from(head), bomb, Buffer.from("\r\n0\r\n\r\n")]);
    const { fetch } = await startWorld((socket) => socket.end(answer));
    expect(Buffer.from(await (await fetch(spUrl)).arrayBuffer())).toEqual(bomb);
  });

  it("that it is not encoded may be said", async () => {
    const said = `${ok}\r\ncontent-encoding: Identity`;
    expect(await outcome(answerOf("{}", said))).toBe("200 {}");
  });
});
