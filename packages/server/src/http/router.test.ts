// Tests of the router.

import { expect, test } from "vitest";
import type { HttpRequest } from "./message.ts";
import { createRouter } from "./router.ts";

const said = (words: string) => async (http: HttpRequest) => ({
  ...{ status: 200, headers: {} },
  body: `${words} ${JSON.stringify(http.params)}`,
});
const notAllowed = async ({ method }: HttpRequest, allow: string) => ({
  ...{ status: 405, headers: { allow }, body: method },
});

const router = createRouter(said("nothing"));
router.add("GET", "/a", said("GET a"), notAllowed);
router.add("POST", "/a", said("POST a"), notAllowed);
router.add("POST", "/things/:id/part", said("a part"), notAllowed);
router.add("GET", "/things/:id", said("a thing"), notAllowed);
router.add("GET", "/.well-known/x.json", said("dots"), notAllowed);

async function ask(method: string, path: string): Promise<string> {
  const request = { method, path, query: "", params: {}, clientAddress: "" };
  const none = { header: () => null, body: async () => new Uint8Array() };
  const { status, headers, body } = await router.answer({ ...request, ...none });
  return status === 405 ? `405 ${headers.allow} (${body})` : body;
}

test.each([
  ["GET", "/a", "GET a {}"],
  ["POST", "/a", "POST a {}"],
  ["HEAD", "/a", "GET a {}"],
  ["POST", "/things/7/part", 'a part {"id":"7"}'],
  ["HEAD", "/things/a.b-c_d", 'a thing {"id":"a.b-c_d"}'],
  ["GET", "/.well-known/x.json", "dots {}"],
])("%s %s is found", async (method, path, words) => {
  expect(await ask(method, path)).toBe(words);
});

test.each([
  "/",
  "/A",
  "/a/",
  "//a",
  "/a/b",
  "/things",
  "/things/",
  "/things/1/2",
  "/things//part",
  "/x/things/1",
  "/.well-known/xxjson",
  // A path pattern is not matched literally.
  "/things/:id/part/x",
])("%s is nothing", async (path) => {
  expect(await ask("GET", path)).toBe("nothing {}");
});

test("a segment that looks like a variable is a value like any other", async () => {
  expect(await ask("GET", "/things/:id")).toBe('a thing {"id":":id"}');
});

test.each([
  ["DELETE", "/a", "405 GET, HEAD, POST (DELETE)"],
  ["GET", "/things/1/part", "405 POST (GET)"],
  ["HEAD", "/things/1/part", "405 POST (HEAD)"],
  ["OPTIONS", "/things/1", "405 GET, HEAD (OPTIONS)"],
])("%s is not a method of %s", async (method, path, words) => {
  expect(await ask(method, path)).toBe(words);
});
