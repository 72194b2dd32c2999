// Tests of the adaptor for web-standard requests.

import { afterEach, expect, test, vi } from "vitest";
import { answerFetch } from "./fetch-adaptor.ts";
import { BodyTooLargeError, type HttpRequest, type HttpResponse } from "./message.ts";

const BASE = "https://auth.example.com";

/** The request as the handler receives it. */
async function seen(request: Request): Promise<HttpRequest> {
  const requests: HttpRequest[] = [];
  await answerFetch(request, "192.0.2.7", async (http) => {
    requests.push(http);
    return { status: 200, headers: {}, body: "" };
  });
  const [http] = requests;
  if (http === undefined) throw new Error("the handler was not reached");
  return http;
}

async function answered(response: HttpResponse, init: RequestInit = {}): Promise<Response> {
  return answerFetch(new Request(BASE, init), "", async () => response);
}

test("a handler sees method, path, query, address and headers", async () => {
  const headers = { "X-Thing": "1" };
  const http = await seen(new Request(`${BASE}/a/%62%2f?c=%20d`, { method: "POST", headers }));
  expect(http).toMatchObject({ method: "POST", path: "/a/b%2f", query: "c=%20d", params: {} });
  expect([http.clientAddress, http.header("x-thing"), http.header("x")]).toEqual([
    ...["192.0.2.7", "1", null],
  ]);
});

test("a repeated header is joined, so that it cannot be taken for one", async () => {
  const headers = new Headers({ authorization: "Basic a" });
  headers.append("authorization", "Basic b");
  const http = await seen(new Request(BASE, { headers }));
  expect(http.header("authorization")).toBe("Basic a, Basic b");
});

test("a body is read up to a limit, declared or not", async () => {
  const post = (body: string | ReadableStream | null, headers: Record<string, string> = {}) =>
    new Request(BASE, { method: "POST", body, headers, duplex: "half" } as RequestInit);
  expect(Buffer.from(await (await seen(post("12345"))).body(5)).toString()).toBe("12345");
  expect(await (await seen(post(null))).body(5)).toHaveLength(0);
  expect(await (await seen(new Request(BASE))).body(0)).toHaveLength(0);
  await expect((await seen(post("123456"))).body(5)).rejects.toThrow(BodyTooLargeError);
  const declared = post("1", { "content-length": "6" });
  await expect((await seen(declared)).body(5)).rejects.toThrow(BodyTooLargeError);
  const pieces = ReadableStream.from([Buffer.from("123"), Buffer.from("456")]);
  await expect((await seen(post(pieces))).body(5)).rejects.toThrow(BodyTooLargeError);
});

test.each(["#fragment", "/a#b", "/?state=1#b"])("a URL that ends in %s is refused", async (end) => {
  const handle = () => Promise.reject(new Error("reached"));
  const { status } = await answerFetch(new Request(BASE + end), "", handle);
  expect(status).toBe(400);
});

test("two Host headers are refused", async () => {
  const headers = { host: "a, b" };
  const handle = () => Promise.reject(new Error("reached"));
  expect((await answerFetch(new Request(BASE, { headers }), "", handle)).status).toBe(400);
});

test("a response has its status, each of its cookies and its body", async () => {
  const headers = { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] };
  const response = await answered({ status: 201, headers, body: "words" });
  expect([response.status, await response.text()]).toEqual([201, "words"]);
  expect(response.headers.get("content-type")).toBe("text/plain");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test("a compressed response is sent as it is", async () => {
  const octets = new Uint8Array([0x1f, 0x8b, 0xff]);
  const response = await answered({ status: 200, headers: {}, body: "", octets });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(octets);
});

test("a response without a body may be a 204, and a HEAD has none", async () => {
  expect((await answered({ status: 204, headers: {}, body: "" })).body).toBeNull();
  const head = await answered({ status: 200, headers: {}, body: "words" }, { method: "HEAD" });
  expect(await head.text()).toBe("");
});

test.each([
  ["stays", null],
  ["leaves at once", 0],
  ["leaves after a while", 2001],
])("an answer to a client that %s is undelivered since then: %s", async (_, leavesAt) => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  let notedAt: number | null = null;
  const leaving = new AbortController();
  const request = new Request(BASE, { signal: leaving.signal });
  await answerFetch(request, "", async () => {
    now = leavesAt ?? 0;
    if (leavesAt !== null) leaving.abort();
    now = 30_000;
    const undelivered = (leftAt: number) => {
      notedAt = leftAt;
    };
    return { status: 200, headers: {}, body: "", undelivered };
  });
  expect(notedAt).toBe(leavesAt);
});
afterEach(() => void vi.restoreAllMocks());
