// Handing a set-up on: the link shows the record and its status to anybody, and signs nobody in.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import decodeQR from "qr/decode.js";
import { describe, expect, test } from "vitest";
import { changedText } from "../support/changed-text.ts";
import { flow } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";

const at = flow({
  registration: { consent: "never", name: "Notes" },
  start: () => startTestService({ config: { recordSpk: "always" } }),
});

/** A set-up of a new domain, and the link that hands it on. */
async function begun(domain = at.domain) {
  const page = await at.begin({ domain });
  const handOn = await at.agent.open(page.link("hand-on"));
  expect([handOn.status, handOn.step]).toEqual([200, "hand-on"]);
  return { page, handOn, link: handOn.text("set-up-link") };
}

/** In the browser of a colleague, who never was here. */
const opened = (link: string, colleague = createUserAgent()) => colleague.open(link);

test("a colleague sees the record, who asks, and its status; then the sender goes on", async () => {
  const { page, link } = await begun();
  const colleague = createUserAgent();
  const shown = await opened(link, colleague);
  expect([shown.status, shown.step]).toEqual([200, "set-up-link"]);
  for (const id of ["dns-name", "dns-relative-name", "dns-value"]) {
    expect(shown.text(id)).toBe(page.text(id));
  }
  expect(shown.html).toContain("Notes");
  expect(shown.html).toContain(new URL(at.client.redirectUri).host);
  expect(shown.html).toContain(new URL(at.issuer).host);
  expect(shown.html).toContain("lets the sender’s browser sign in");
  expect(shown.text("look-result")).toContain("We have not found the record");

  at.publish(shown);
  at.advance(6);
  expect((await opened(link, colleague)).text("look")).toContain("can now continue");
  expect((await at.finish(page)).page.stopped).toBe(true);
  const done = await opened(link, colleague);
  expect(done.text("look")).toContain("finished");
  expect(done.has("dns-value")).toBe(false);
  expect((await at.accountOf()).asleepSince).toBeNull();
});

test("another value in DNS is shown as such, with what was found", async () => {
  const { link, page } = await begun();
  const value = page.text("dns-value").replace(/acct=.{22}/, `acct=${"x".repeat(22)}`);
  at.zone.add({ name: page.text("dns-name"), type: "TXT", value, ttl: 300 });
  at.advance(6);
  const shown = await opened(link);
  expect(shown.text("look-result")).toContain("x".repeat(22));
  expect(shown.text("dns-value")).toBe(page.text("dns-value"));
});

test("the QR code is the link, and the text for an e-mail contains it", async () => {
  const { handOn, link } = await begun();
  const [, d = ""] = /<path stroke="#000" d="([^"]*)"/.exec(handOn.html) ?? [];
  const [, size = ""] = /viewBox="0 0 (\d+) /.exec(handOn.html) ?? [];
  expect(decoded(d, Number(size))).toBe(link);
  const { searchParams } = new URL(handOn.link("open-mail"));
  expect(searchParams.get("body")).toContain(`\n\n${link}\n\n`);
  expect(searchParams.get("subject")).toContain(at.domain);
  expect(handOn.text("mail-text")).toContain(link);
});

test("a link that no camera could read has no QR code", async () => {
  const long = `${["a", "b", "c", "d"].map((letter) => letter.repeat(53)).join(".")}.alice.test`;
  const { handOn, link } = await begun(long);
  expect(handOn.html).not.toContain("<svg");
  expect((await opened(link)).status).toBe(200);
});

/** Draws the strokes of the path, eight pixels a module, and reads them as a camera would. */
function decoded(path: string, size: number): string {
  const scale = 8;
  const width = size * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, y, moves = ""] of path.matchAll(/M0 (\d+)\.5([^M]*)/g)) {
    let x = 0;
    for (const [, gap, length] of moves.matchAll(/m(\d+) 0h(\d+)/g)) {
      x += Number(gap);
      for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
        const from = (row * width + x * scale) * 4;
        for (let pixel = 0; pixel < Number(length) * scale; pixel++) {
          data.fill(0, from + pixel * 4, from + pixel * 4 + 3);
        }
      }
      x += Number(length);
    }
  }
  return decodeQR({ width, height: width, data });
}

describe("the link", () => {
  test("gives nobody a cookie, a session or a code, also once the record is there", async () => {
    const { link, page } = await begun();
    const thief = createUserAgent();
    const shown = await opened(link, thief);
    at.publish(shown);
    at.advance(6);
    const again = await opened(link, thief);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(thief.cookies.names(at.issuer)).toEqual([]);
    expect(again.html).not.toMatch(/recovery-code|<form/);
    // The thief starts a sign-in of their own: the record is that of another browser's set-up.
    const theirs = await at.begin({ agent: thief });
    expect([theirs.step, theirs.has("start-over-form")]).toEqual(["problem", true]);
    expect(page.text("dns-value")).toBe(shown.text("dns-value"));
  });

  test("is no set-up cookie, and no set-up cookie is a link", async () => {
    const { page, link } = await begun();
    at.publish(page);
    at.advance(6);
    const [, sealed = ""] = /\/set-up\/(.+)$/.exec(link) ?? [];
    const { cookie } = at.cookies();
    const [, name = "", value = ""] = /([^;\s=]*ds_setup_[^=]*)=([^;]*)/.exec(cookie) ?? [];
    const thief = createUserAgent();
    thief.cookies.store(at.issuer, [`${name}=${sealed}; Path=/`]);
    const theirs = await at.begin({ agent: thief });
    expect(theirs.step).toBe("problem");
    const shown = await opened(`${at.issuer}/set-up/${value}`);
    expect([shown.status, shown.step]).toEqual([400, "problem"]);
  });

  test("that was cut off, changed or invented is refused, with what to do", async () => {
    const { link } = await begun();
    for (const bad of [
      link.slice(0, -4),
      changedText(link),
      `${at.issuer}/set-up/x`,
      `${link}AAAA`,
    ]) {
      const shown = await opened(bad);
      expect([shown.status, shown.step]).toEqual([400, "problem"]);
      expect(shown.html).toContain("ask the person who sent it");
    }
  });

  test("ends after 30 days, counted from the start of the set-up", async () => {
    const { link } = await begun();
    at.advance(30 * 86_400 - 60);
    expect((await opened(link)).status).toBe(200);
    at.advance(60);
    expect((await opened(link)).status).toBe(400);
  });

  test("stands in no log", async () => {
    const { link } = await begun();
    at.events.length = 0;
    await opened(link);
    await opened(`${link.slice(0, -9)}`);
    const [, sealed = ""] = /\/set-up\/(.+)$/.exec(link) ?? [];
    expect(at.events.join("\n")).not.toContain(sealed.slice(0, 40));
  });
});

test("a browser without the set-up's cookie gets the set-up page, not a link", async () => {
  const { handOn } = await begun();
  at.agent.cookies.forget((name) => name.includes("_setup_"));
  const page = await at.agent.open(handOn.url);
  expect(page.step).toBe("dns-setup");
});
