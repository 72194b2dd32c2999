// Handing a set-up on: the link shows the record and its status to anybody, and signs nobody in.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import decodeQR from "qr/decode.js";
import { describe, expect, test } from "vitest";
import { createKeyChanges } from "../../src/keys/key-changes.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { changedText } from "../support/changed-text.ts";
import { serveClient, startDocumentHost } from "../support/document-client.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { OPEN, registered } from "../support/registered-client.ts";
import { startTestService, TEST_SECRET, type TestClient } from "../support/service.ts";
import { pkce, pkceParameters } from "../support/sign-in.ts";

const at = flow({
  start: () => startTestService({ config: { ...OPEN, recordSpk: "always" } }),
  registration: { consent: "never", name: "Notes" },
});
const documents = fixture(startDocumentHost);

/** A set-up of a new domain, and the link that hands it on. */
async function begun(domain = at.domain, client: TestClient = at.client) {
  const page = await at.begin({ domain, client, parameters: pkceParameters(pkce()) });
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
  expect(leadOf(shown)).toBe(
    `Someone wants to use this domain to sign in to Notes through ${new URL(at.issuer).host}, and asks you to publish this record.`,
  );
  expect(shown.html).toContain("lets the sender’s browser sign in");
  expect(shown.text("look-result")).toContain("Not there yet.");

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

test("the page shows the link once, with one button to copy it, and the QR code and the e-mail contain it", async () => {
  const { handOn, link } = await begun();
  const shown = handOn.html.replace(/<[^>]*>/g, "");
  expect(shown.split(link)).toHaveLength(2);
  expect(handOn.html.match(/data-copy="/g)).toHaveLength(1);
  const [, closed = ""] = /<details id="qr">(.*?)<\/details>/s.exec(handOn.html) ?? [];
  const [, d = ""] = /<path stroke="#000" d="([^"]*)"/.exec(closed) ?? [];
  const [, size = ""] = /viewBox="0 0 (\d+) /.exec(closed) ?? [];
  expect(decoded(d, Number(size))).toBe(link);
  const { searchParams } = new URL(handOn.link("open-mail"));
  expect(searchParams.get("body")).toContain(`\n\n${link}\n\n`);
  expect(searchParams.get("subject")).toContain(at.domain);
});

test("the longest domain has a link and a QR code that can be read", async () => {
  const long = `${["a", "b", "c", "d"].map((letter) => letter.repeat(53)).join(".")}.alice.test`;
  const { handOn, link } = await begun(long);
  const [, size = ""] = /viewBox="0 0 (\d+) /.exec(handOn.html) ?? [];
  // A phone cannot read a denser code from a screen.
  expect(Number(size)).toBeLessThanOrEqual(89);
  expect((await opened(link)).status).toBe(200);
});

/** The first sentence, without markup. */
function leadOf({ html }: Page): string {
  const [, lead = ""] = /<p class="lead">(.*?)<\/p>/s.exec(html) ?? [];
  return lead.replace(/<[^>]*>/g, "");
}

describe("the page of the link names the app", () => {
  const appOf = async (link: string) =>
    / to sign in to (.*) through /.exec(leadOf(await opened(link)))?.[1];

  test("of the operator by the name that it has now", async () => {
    const { link } = await begun();
    await at.service.clients.update(at.client.id, { name: "Notebook" });
    at.advance(6);
    expect(await appOf(link)).toBe("Notebook");
  });

  test("that registered itself by the host that the person would return to, whatever it calls itself", async () => {
    const redirect_uris = ["https://app.evil.example/cb", "https://bank.example/cb"];
    const client = await registered(at, { client_name: "Your Bank", redirect_uris });
    const { link } = await begun(at.domain, client);
    expect(await appOf(link)).toBe("app.evil.example");
    expect((await opened(link)).html).not.toMatch(/bank/i);
  });

  test("that published a document by the host of its client_id, and sends no request to it", async () => {
    const client = serveClient(documents, "/app", { client_name: "Your Bank" });
    const { link } = await begun(at.domain, client);
    const hits = documents.hits("/app");
    at.advance(86_400);
    expect(await appOf(link)).toBe(new URL(documents.origin).host);
    expect((await opened(link)).html).not.toContain("Your Bank");
    expect(documents.hits("/app")).toBe(hits);
  });

  test("no longer if the operator has removed it", async () => {
    const { link, page } = await begun();
    await at.service.clients.remove(at.client.id);
    at.advance(6);
    const shown = await opened(link);
    expect(leadOf(shown)).toContain("to an app that is no longer registered there");
    expect(shown.text("dns-value")).toBe(page.text("dns-value"));
  });
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

/** As the command does it. */
async function revokeKey(kid: string): Promise<void> {
  const deps = { ...at.store, seal: sealWith(TEST_SECRET, systemRandom), random: systemRandom };
  const now = Math.floor(Date.now() / 1000);
  expect(await createKeyChanges(deps).revokeStatementKey(kid, now)).toBe(true);
  // A node reads the keys within a minute, and at once for an id that it does not know.
  at.advance(2);
  const unknown = Buffer.alloc(17, 255).toString("base64url");
  expect((await opened(`${at.issuer}/set-up/~${unknown}`)).status).toBe(400);
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
    const signed = link.slice(link.lastIndexOf("~") + 1);
    const { cookie } = at.cookies();
    const [, name = "", value = ""] = /([^;\s=]*ds_setup_[^=]*)=([^;]*)/.exec(cookie) ?? [];
    const thief = createUserAgent();
    thief.cookies.store(at.issuer, [`${name}=${signed}; Path=/`]);
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

  test("of a record whose key this service has withdrawn shows no record, and what to do", async () => {
    const { link, page } = await begun();
    const [, kid = ""] = /spk=([\w-]{43})/.exec(page.text("dns-value")) ?? [];
    await revokeKey(kid);
    const shown = await opened(link);
    expect([shown.status, shown.step, shown.has("dns-value")]).toEqual([200, "set-up-link", false]);
    expect(shown.text("look")).toContain("a key that this service has withdrawn");
    expect(shown.html).not.toContain(kid);
    // What the sender is told to do helps.
    const next = await at.submit(page, "start-over-form");
    const handOn = await at.agent.open(next.link("hand-on"));
    const again = await opened(handOn.text("set-up-link"));
    expect(again.text("dns-value")).toBe(next.text("dns-value"));
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
    const signed = link.slice(link.lastIndexOf("~") + 1);
    expect(at.events.join("\n")).not.toContain(signed.slice(0, 40));
  });
});

test("a browser without the set-up's cookie gets the set-up page, not a link", async () => {
  const { handOn } = await begun();
  at.agent.cookies.forget((name) => name.includes("_setup_"));
  const page = await at.agent.open(handOn.url);
  expect(page.step).toBe("dns-setup");
});
