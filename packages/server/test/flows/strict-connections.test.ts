// What one connection may carry: HEAD, requests in a row, requests in disguise, a state octet for octet.

import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { assets } from "../../src/pages/assets.ts";
import { EVIL } from "../support/answer-words.ts";
import { ENDPOINTS } from "../support/endpoints.ts";
import { fixture } from "../support/fixture.ts";
import { orderlyRequests } from "../support/orderly-requests.ts";
import { converse, octetsOf, type RawAnswer, type RawRequest } from "../support/raw-http.ts";
import { startTestService } from "../support/service.ts";
import { authorizationUrl, signIn } from "../support/sign-in.ts";

const at = fixture(startTestService);
const orderly = fixture(() => orderlyRequests(at));
const port = () => Number(new URL(at.issuer).port);

function orderlyTo(name: string): RawRequest {
  const request = orderly.to.get(name);
  if (request === undefined) throw new Error(name);
  return request;
}

function keepAlive(request: RawRequest): RawRequest {
  const headers = request.headers.filter((line) => line !== "Connection: close");
  return { ...request, headers };
}

async function answerTo(request: RawRequest): Promise<RawAnswer> {
  const head = request.method === "HEAD";
  const { answers, closed } = await converse(port(), [octetsOf(request)], { head });
  const [answer, ...others] = answers;
  if (answer === undefined || others.length > 0 || !closed) throw new Error("not one answer");
  return answer;
}

describe("HEAD", () => {
  const named = (method: string) => ENDPOINTS.filter(({ name }) => name.startsWith(`${method} `));
  const hasGet = (name: string) =>
    named("GET").some((get) => get.name === name.replace("POST", "GET"));
  /** Names and values, but for what is new each time and what describes the body. */
  const comparable = ({ status, headers }: RawAnswer) => [
    status,
    ...headers
      .filter(([name]) => !/^(date|content-length|transfer-encoding)$/.test(name))
      .map(
        ([name, value]) =>
          `${name}: ${name === "set-cookie" ? value.replace(/=[^;]*/, "=") : value}`,
      )
      .sort(),
  ];

  test.each(named("GET"))("$name has the same headers as GET, and no body", async ({ name }) => {
    const request = orderlyTo(name);
    const got = await answerTo(request);
    const told = await answerTo({ ...request, method: "HEAD" });
    expect(comparable(told)).toEqual(comparable(got));
  });

  test.each(named("POST").filter(({ name }) => !hasGet(name)))(
    "$name, where there is no GET, is 405 without a body",
    async ({ name }) => {
      const told = await answerTo({ ...orderlyTo(name), method: "HEAD", body: undefined });
      expect(told.status).toBe(405);
      expect(told.headers).toContainEqual(["allow", "POST"]);
    },
  );
});

test.each([...assets.keys()])(
  "the static file %s takes GET and HEAD, and nothing else",
  async (path) => {
    const request = { ...orderlyTo("GET /livez"), target: path };
    const statuses: [method: string, status: number, allow: string | undefined][] = [];
    for (const method of ["GET", "HEAD", "POST", "OPTIONS", "TRACE"]) {
      const { status, headers } = await answerTo({ ...request, method });
      statuses.push([method, status, headers.find(([name]) => name === "allow")?.[1]]);
    }
    expect(statuses).toEqual([
      ["GET", 200, undefined],
      ["HEAD", 200, undefined],
      ...["POST", "OPTIONS", "TRACE"].map((method) => [method, 405, "GET, HEAD"]),
    ]);
  },
);

test("requests that arrive in one piece are answered in their order", async () => {
  const posted = keepAlive(orderlyTo("POST /oauth/token"));
  const requests = [
    keepAlive(orderlyTo("GET /livez")),
    posted,
    { ...posted, headers: [...posted.headers, "Transfer-Encoding: chunked"], body: "0\r\n\r\n" },
    keepAlive({ ...orderlyTo("GET /livez"), target: "/nowhere" }),
    orderlyTo("GET /oauth/userinfo"),
  ];
  const { answers } = await converse(port(), [Buffer.concat(requests.map(octetsOf))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 404, 200]);
  expect(answers[1]?.body).toContain("invalid_grant");
  expect(answers[2]?.body).toContain("grant_type is missing");
});

test("a request inside a body that is refused or ignored is not answered", async () => {
  const hidden = octetsOf({ ...orderlyTo("GET /livez"), target: `/nowhere?${EVIL}` });
  for (const name of ["POST /oauth/token", "GET /livez", "POST /sign-in/continue"]) {
    const request = keepAlive(orderlyTo(name));
    const { answers } = await converse(port(), [
      octetsOf({
        ...request,
        headers: [...request.headers, "Content-Length: 20000"],
        body: hidden,
      }),
      "half-close",
    ]);
    expect(answers.filter(({ status }) => status === 404)).toEqual([]);
  }
});

test("who announces a gigabyte is answered at once and let go", async () => {
  const request = keepAlive(orderlyTo("POST /oauth/token"));
  const headers = [...request.headers, "Content-Length: 1000000000"];
  // Nothing of it is sent: who waited for it would have the conversation cut off, without an answer.
  const { answers, closed } = await converse(port(), [octetsOf({ ...request, headers })]);
  expect(answers.map(({ status }) => status)).toEqual([400]);
  expect(closed).toBe(true);
});

test("who hangs up in the middle of a form is no failure of ours", async () => {
  const request = orderlyTo("POST /oauth/token");
  for (const framing of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
    at.events.length = 0;
    const socket = connect(port(), "127.0.0.1");
    const headers = [...request.headers, framing, "Expect: 100-continue"];
    socket.write(octetsOf({ ...request, headers, body: "5\r\nx=abc\r\n" }));
    // The 100 says that the endpoint is reading.
    await once(socket, "data");
    socket.resetAndDestroy();
    await expect
      .poll(() => at.events.join(), { timeout: 5000 })
      .toContain("the request body is incomplete");
    expect(at.events.join()).not.toContain("failed");
  }
});

test("a target in absolute form with another host changes nothing of what we say of ourselves", async () => {
  const request = orderlyTo("GET /.well-known/oauth-authorization-server");
  const usual = await answerTo(request);
  const other = await answerTo({
    ...request,
    target: `https://${EVIL}${request.target}`,
    headers: [`Host: ${EVIL}`, "Connection: close", `X-Forwarded-Host: ${EVIL}`],
  });
  expect(JSON.parse(other.body)).toEqual(JSON.parse(usual.body));
  expect(JSON.parse(other.body)).toMatchObject({ issuer: at.issuer });
});

describe("a state of 2,048 octets", () => {
  const unit = "/+=&% ü🙂\"'<>#?\\\r\n;%41";
  const state = unit.repeat(100).slice(0, 1600);
  const padded = state + "x".repeat(2048 - Buffer.byteLength(state));
  /** The octets of a parameter of a query, decoded by hand. */
  const octetsIn = (location: string, name: string) => {
    const field = location.split(/[?&]/).find((part) => part.startsWith(`${name}=`)) ?? "";
    const raw = field.slice(name.length + 1).replaceAll("+", "%20");
    expect(raw).toMatch(/^(?:%[0-9A-F]{2}|[A-Za-z0-9*._-])*$/);
    const decoded = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
    return Buffer.from(raw.replace(/%(..)/g, decoded), "latin1").toString("hex");
  };
  const sent = Buffer.from(padded).toString("hex");
  const spellings = {
    "with every octet escaped": sent.replace(/../g, "%$&"),
    "with spaces as %20": encodeURIComponent(padded),
    "with spaces as +": encodeURIComponent(padded).replaceAll("%20", "+"),
  };

  test.each(Object.entries(spellings))(
    "%s comes back with an error, octet for octet",
    async (_, spelled) => {
      expect(Buffer.byteLength(padded)).toBe(2048);
      const without = { state: undefined, scope: undefined };
      const { pathname, search } = new URL(authorizationUrl(at, orderly.client, without));
      const target = `${pathname}${search}&state=${spelled}`;
      const { status, headers } = await answerTo({ ...orderlyTo("GET /livez"), target });
      const location = headers.find(([name]) => name === "location")?.[1] ?? "";
      expect([status, location.split("?")[0]]).toEqual([303, orderly.client.redirectUri]);
      expect(location).toContain("error=invalid_scope");
      expect(octetsIn(location, "state")).toBe(sent);
    },
  );

  test("survives a POST to the authorization endpoint, octet for octet", async () => {
    const request = orderlyTo("POST /oauth/authorize");
    const spelled = `state=${spellings["with spaces as +"]}`;
    const body = String(request.body).replace(/state=[^&]*/, spelled);
    const { headers } = await answerTo({ ...request, body });
    const location = headers.find(([name]) => name === "location")?.[1] ?? "";
    expect(octetsIn(location, "state")).toBe(sent);
  });

  test("comes back with a code after every page of a sign-in", async () => {
    const parameters = { state: padded };
    const { answer } = await signIn(at, orderly.client, { domain: "bob.test", parameters });
    expect(answer.get("state")).toBe(padded);
  });
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
