// What a start of the real program loads, until it has answered and ends: numbers of files and octets, never times.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { temporaryFolder } from "../support/folder.ts";
import { serve } from "../support/serve.ts";

const notes = temporaryFolder();
const noteLoaded = fileURLToPath(new URL("../support/note-loaded.cjs", import.meta.url));
/** Nobody answers: the look at the root would load more, sooner or later. */
const resolver = { address: "127.0.0.1:9", env: {} };
const at = fixture(() =>
  serve(resolver, [], {
    env: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require=${noteLoaded}`,
      NODE_V8_COVERAGE: notes.path,
      LOADED_MODULES: join(notes.path, "modules"),
    },
  }),
);

/** What opens SQLite files where Node cannot, and this test's own. */
const NOT_COUNTED = /\/(?:@?libsql|@neon-rs|detect-libc)\/|\/test\/support\//;
const PACKAGE = /(?:node_modules|packages)\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/;

/** The files that all threads have loaded: the coverage of each has its own report. */
function loadedFiles(): string[] {
  const reports = readdirSync(notes.path).filter((name) => name.startsWith("coverage-"));
  const files = reports.flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(notes.path, name), "utf8"));
    return (result as { url: string }[]).flatMap(({ url }) =>
      url.startsWith("file:") ? [fileURLToPath(url)] : [],
    );
  });
  return files.filter((file) => !NOT_COUNTED.test(file));
}

test("a start loads ten files of the service, eleven of packages, and neither `fetch` nor TLS", async () => {
  expect((await fetch(`${at.issuer}/livez`, { headers: { connection: "close" } })).status).toBe(
    200,
  );
  expect(await at.stop()).toBe(0);

  const files = loadedFiles();
  const counts: Record<string, number> = {};
  let octets = 0;
  for (const file of files) {
    const [, name = file] = PACKAGE.exec(file) ?? [];
    counts[name] = (counts[name] ?? 0) + 1;
    octets += statSync(file).size;
  }
  expect(counts).toEqual({
    server: 10,
    commander: 7,
    hono: 2,
    "@fluent/bundle": 1,
    "ipaddr.js": 1,
  });
  expect(octets).toBeLessThan(1_400_000);

  // As much code as the service has. The first outgoing request loads what it needs of them.
  const modules: string[] = JSON.parse(readFileSync(join(notes.path, "modules"), "utf8"));
  expect(modules).toContain("http");
  const heavy = ["internal/deps/undici/undici", "http2", "tls", "https"];
  expect(modules.filter((name) => heavy.includes(name))).toEqual([]);
});
