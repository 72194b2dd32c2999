// Tests of redirects within an origin, which only requests that ask for it follow.

import type { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Answer,
  answerOf,
  type GuardedWorld,
  limitsOf,
  outcomeOf,
  spName,
  spUrl,
  startWorld,
} from "../../test/support/guarded-world.ts";
import { until } from "../../test/support/moving-time.ts";
import { nextWithinOrigin } from "./request.ts";

afterEach(() => void vi.useRealTimers());

const FIRST = new URL(spUrl);

/** Where the redirect leads, or the message of the refusal. */
function next(location: string | readonly string[], status = 302, visited: URL[] = []): string {
  try {
    const locations = typeof location === "string" ? [location] : location;
    return nextWithinOrigin([FIRST, ...visited], { status, locations }).href;
  } catch (error) {
    return String(error);
  }
}

describe("a redirect leads to", () => {
  it.each([
    ["https://sp.example/a?b=c", "https://sp.example/a?b=c"],
    ["https://SP.example:443/a", "https://sp.example/a"],
    ["//sp.example/a", "https://sp.example/a"],
    ["/a/../b", "https://sp.example/b"],
    ["a", "https://sp.example/a"],
    ["?a=b", "https://sp.example/metadata?a=b"],
    // The fragment is for whoever reads the response.
    ["/a#b", "https://sp.example/a"],
  ])("%s within its origin", (location, to) => {
    for (const status of [301, 302, 307, 308]) expect(next(location, status)).toBe(to);
  });
});

describe("a redirect is refused", () => {
  it.each([
    "https://other.example/metadata",
    "https://sub.sp.example/metadata",
    "https://sp.example.other.example/metadata",
    "http://sp.example/metadata",
    "https://sp.example:8443/metadata",
    "https://sp.example./metadata",
    "//other.example/metadata",
    "\\\\other.example\\metadata",
    "https://sp.example@other.example/metadata",
    "https://127.0.0.1/metadata",
    "http://localhost:8080/metadata",
    "data:application/json,{}",
    "file:///etc/passwd",
    "blob:https://sp.example/metadata",
  ])("to another origin: %s", (location) => {
    expect(next(location)).toMatch(/which has another origin\)\.$/);
  });

  it("with both URLs in the message, without their queries, in printable characters", () => {
    const at = [new URL("https://sp.example/other?secret=1")];
    expect(next("https://other.example/a\u00e4?secret=2", 307, at)).toBe(
      "GuardedFetchError: sp.example responded with a redirect (status 307 from https://sp.example/other to https://other.example/a%C3%A4, which has another origin).",
    );
    expect(next(`https://other.example/${"a".repeat(5000)}`).length).toBeLessThan(400);
  });

  it.each<[string, string | string[], number, string]>([
    ["without a Location", [], 302, "from https://sp.example/metadata without a Location"],
    ["with an empty Location", "", 302, "without a Location"],
    ["with two Locations", ["/a", "/b"], 302, "with several Locations"],
    ["to what is not a URL", "https://", 302, "to a Location that is not a URL"],
    ["with a password", "https://a:b@sp.example/a", 302, "/a with a user name or password"],
    ["to a long URL", `/${"a".repeat(2048)}`, 302, "which is too long"],
    ["to itself", spUrl, 302, "to https://sp.example/metadata, which is a loop"],
    ["to itself but for the fragment", `${spUrl}#a`, 302, "which is a loop"],
    ["with status 300", "/a", 300, "only 301, 302, 307, 308 are followed"],
    ["with status 303", "/a", 303, "only 301, 302, 307, 308 are followed"],
    ["with status 304", "/a", 304, "only 301, 302, 307, 308 are followed"],
  ])("%s", (_, location, status, says) => {
    expect(next(location, status)).toContain(says);
  });

  it("back to a URL before the last, and after three others", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) => new URL(`https://sp.example/${name}`));
    if (!a || !b || !c) throw new Error("no URLs");
    expect(next("/metadata", 302, [a, b])).toContain("which is a loop");
    expect(next("/c", 302, [a, b])).toBe("https://sp.example/c");
    expect(next("/d", 302, [a, b, c])).toContain(
      "from https://sp.example/c to https://sp.example/d, after 3 others",
    );
  });
});

describe("a request within an origin", () => {
  const redirect = (location: string, more = "") =>
    `HTTP/1.1 302 x\r\nlocation: ${location}\r\n${more}content-length: 0\r\n\r\n`;

  /** Answers each request in turn; the last answer again and again. */
  async function start(
    answers: readonly (string | Answer)[],
    options: Parameters<typeof startWorld>[1] = {},
  ): Promise<GuardedWorld> {
    let count = 0;
    return startWorld((socket) => {
      const answer = answers[Math.min(count++, answers.length - 1)] ?? "";
      if (typeof answer === "string") socket.end(answer, "latin1");
      else answer(socket);
    }, options);
  }
  const follow = ({ fetch }: GuardedWorld) => outcomeOf(fetch(spUrl, { withinOrigin: true }));

  it("takes the response at the end, from the addresses that were checked at the beginning", async () => {
    const world = await start([redirect("/a"), redirect("https://sp.example/b"), answerOf("{}")]);
    expect(await follow(world)).toBe("200 {}");
    const lines = world.server.requests.map((request) => request.split("\r\n")[0]);
    expect(lines).toEqual(["GET /metadata HTTP/1.1", "GET /a HTTP/1.1", "GET /b HTTP/1.1"]);
    expect(world.looks).toEqual([spName]);
    expect(world.server.serverNames).toEqual([spName, spName, spName]);
  });

  it("does not leave its origin, and sends three more requests at most", async () => {
    const away = await start([redirect("https://other.example/a"), answerOf("{}")]);
    expect(await follow(away)).toBe("redirect");
    expect([away.looks, away.server.requests.length]).toEqual([[spName], 1]);
    let path = 0;
    const endless = await start([(socket) => socket.end(redirect(`/${++path}`))]);
    expect(await follow(endless)).toBe("redirect");
    expect(endless.server.requests).toHaveLength(4);
  });

  it("has one slot, and counts the connections to one address once", async () => {
    const limits = limitsOf({ all: 1, host: 1, domain: 1, address: 1 });
    const world = await start([redirect("/a"), answerOf("{}")], { limits });
    expect(await follow(world)).toBe("200 {}");
    await expect.poll(() => world.server.open()).toBe(0);
  });

  it("has one limit of time for all responses", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const world = await start([redirect("/a"), () => {}], { timeoutMs: 800 });
    const pending = follow(world);
    await vi.advanceTimersByTimeAsync(700);
    await until(() => world.server.requests.length === 2);
    await vi.advanceTimersByTimeAsync(100);
    expect(await pending).toBe("timeout");
    await expect.poll(() => world.server.open()).toBe(0);
  });

  it("has one limit of size for all responses: 256 KiB", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(5000);
    const all = [`${hints}${redirect("/a")}`, `${hints}${answerOf("{}")}`];
    expect(await follow(await start(all.slice(1)))).toBe("200 {}");
    expect(await follow(await start(all))).toBe("too_large");
  });

  it("closes the connection of a redirect before the next one, even if its body does not end", async () => {
    const endless = redirect("/a").replace("content-length: 0", "content-length: 99");
    const held: Socket[] = [];
    const world = await start([(socket) => socket.write(endless), (socket) => held.push(socket)]);
    const pending = follow(world);
    await until(() => held.length === 1);
    await expect.poll(() => world.server.open()).toBe(1);
    held[0]?.end(answerOf("{}"));
    expect(await pending).toBe("200 {}");
  });
});
