// Tests of a demo whose folder stays: what a second start finds as the first one left it.

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createUserAgent } from "./browser/user-agent.ts";
import { startDemo } from "./demo.ts";

const redirectUri = "http://localhost:3000/cb";

/** Removed after what the test has closed. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a second start has the addresses and clients of the first one, and knows its browsers", async () => {
  const data = join(makeFolder(), "new", "data");
  const agent = createUserAgent();
  const first = await startDemo({ data, redirectUri });
  const { app, zone_editor } = first.describe();
  const typed = await agent.submit(await agent.open(app), "sign-in-form");
  const setUp = await agent.submit(typed, "domain-form", { domain: "bob.test" });
  const record = { name: setUp.text("dns-name"), value: setUp.text("dns-value") };
  await agent.submit(await agent.open(zone_editor), "add-form", record);
  const codes = await agent.submit(setUp, "check-form");
  const consent = await agent.submit(codes, "recovery-codes-form");
  await agent.submit(consent, "consent-form", { decision: "allow" });
  await first.close();

  const second = await startDemo({ data, redirectUri });
  onTestFinished(() => second.close());
  const { dns: _, trust_anchors: __, ...kept } = first.describe();
  expect(second.describe()).toMatchObject(kept);
  // The app forgets who is signed in. The service recognizes the browser.
  const recognized = await agent.submit(await agent.open(app), "sign-in-form");
  const signedIn = await agent.submit(recognized, "continue-form");
  expect(signedIn).toMatchObject({ url: `${app}/`, step: "signed-in" });
  expect(await (await fetch(`${zone_editor}/records`)).json()).toEqual([
    { ...record, type: "TXT", ttl: 300 },
  ]);
});

test("a port other than that of the data is refused", async () => {
  const folder = makeFolder();
  const first = await startDemo({ data: folder });
  await first.close();
  const { issuer } = first.describe();
  await expect(startDemo({ data: folder, port: 1 })).rejects.toThrow(
    `the data in the folder belong to port ${new URL(issuer).port}; leave out --issuer-port, or choose another folder with --data`,
  );
});

test("only the owner of the folder may read its secrets", async () => {
  const data = join(makeFolder(), "data");
  await (await startDemo({ data })).close();
  expect(statSync(data).mode & 0o077).toBe(0);
  const files = readdirSync(data).filter((name) => name.endsWith(".json"));
  expect(files.sort()).toEqual(["demo.json", "sp.json", "zone.json"]);
  for (const file of files) expect(statSync(join(data, file)).mode & 0o077, file).toBe(0);
});

test("a folder that cannot be made is an error that says what to do", async () => {
  const file = new URL(import.meta.url).pathname;
  await expect(startDemo({ data: join(file, "data") })).rejects.toThrow(
    /^the demo cannot keep its data: ENOTDIR.*; choose another folder with --data$/,
  );
});
