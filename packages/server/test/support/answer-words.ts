// Puts an answer in a few words, and refuses one that no request may get.

import { expect } from "vitest";
import type { RawAnswer } from "./raw-http.ts";

export interface Proven {
  /** The redirect_uri of the client, the only place outside that an answer may lead to. */
  readonly redirectUri: string;
}

/** The host in hostile requests: nothing of it may come back. */
export const EVIL = "evil.example";

/**
 * `200 JSON`, `400 invalid_request`, `400 problem page`, `303 /interaction/:id/consent`, `405 (POST)`,
 * `400 bare`. Fails for what is wrong whatever was asked.
 */
export function inWords(
  answer: RawAnswer,
  channel: "json" | "page",
  { redirectUri }: Proven,
): string {
  const { status, body, headers } = answer;
  const all = (name: string) =>
    headers.filter(([found]) => found === name).map(([, value]) => value);
  const one = (name: string) => {
    const values = all(name);
    expect(values.length, `${name} stands once at most`).toBeLessThan(2);
    return values[0];
  };
  const text = `${JSON.stringify(headers)}\n${body}`;
  expect(text, "no stack, no path of a file").not.toMatch(/\.[jt]s:\d|node_modules|node:internal/);
  expect(text, "nothing of another host").not.toContain(EVIL);
  expect(status === 503 || status < 500, `${status} ${body}`).toBe(true);

  if (status === 100) return "100";
  const type = one("content-type");
  const location = one("location");
  if (status === 405) {
    expect(type).toBe(channel === "json" ? "application/json" : "text/plain; charset=utf-8");
    return `405 (${one("allow")})`;
  }
  expect(one("allow")).toBeUndefined();
  if (status === 303) {
    expect(channel, "JSON endpoints do not redirect").toBe("page");
    expect(body).toBe("");
    return `303 ${destination(location ?? "", redirectUri)}`;
  }
  expect(location).toBeUndefined();
  if (status === 204) return "204";
  if (type === undefined || body === "") {
    expect([type, body], "what has a body has a type").toEqual([undefined, ""]);
    return `${status} bare`;
  }
  expect(one("x-content-type-options")).toBe("nosniff");
  // Metadata is the same for everybody.
  const cache = one("cache-control");
  if (status !== 200 || type !== "application/json") expect(cache).toBe("no-store");
  if (type === "application/json") {
    expect(channel, "pages do not answer in JSON").toBe("json");
    // Registration depends on the origin, and these requests have none.
    const isForAll = one("vary") !== "origin";
    expect(one("access-control-allow-origin")).toBe(isForAll ? "*" : undefined);
    const { error } = JSON.parse(body) as { error?: string };
    return `${status} ${error ?? "JSON"}`;
  }
  expect(type).toBe("text/html; charset=utf-8");
  // A path that is nowhere has no channel: it is answered to whoever stands in front of a screen.
  if (status !== 404) expect(channel, "JSON endpoints do not answer in HTML").toBe("page");
  expect(one("content-security-policy")).toContain("default-src 'none'");
  expect(one("x-frame-options")).toBe("DENY");
  expect(body).toMatch(/^<!doctype html>/);
  return `${status} ${/data-step="([\w-]+)"/.exec(body)?.[1]} page`;
}

/** Our own path, or the client; there with the error that it is told. */
function destination(location: string, redirectUri: string): string {
  const [place = "", query = ""] = location.split("?", 2);
  if (place === redirectUri) {
    const error = new URLSearchParams(query).get("error");
    return `to the app${error === null ? "" : `: ${error}`}`;
  }
  expect(location).toMatch(
    /^\/(oauth\/authorize|oauth\/logout|sign-in\/other|interaction|account)\b/,
  );
  return place.replace(/^\/interaction\/[\w-]{22}\//, "/interaction/:id/");
}
