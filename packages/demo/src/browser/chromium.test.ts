// Tests of where Chromium is looked for.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findChromium } from "./chromium.ts";

test("CHROMIUM_PATH decides, also if it names nothing that runs; then the PATH", () => {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "chromium");
  writeFileSync(path, "");
  expect(findChromium({ CHROMIUM_PATH: path, PATH: "" })).toEqual({
    missing: `CHROMIUM_PATH is ${path}, which is not an executable file`,
  });
  chmodSync(path, 0o755);
  expect(findChromium({ CHROMIUM_PATH: path, PATH: "" })).toEqual({ path });
  expect(findChromium({ PATH: folder })).toEqual({ path });
});

test("the program without windows comes first, because it is faster", () => {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [withWindows, without] = ["chromium", "chromium-headless-shell"].map((name) => {
    const path = join(folder, name);
    writeFileSync(path, "", { mode: 0o755 });
    return path;
  });
  expect(findChromium({ PATH: folder })).toEqual({ path: without });
  expect(findChromium({ PATH: folder, CHROMIUM_PATH: withWindows })).toEqual({ path: withWindows });
});
