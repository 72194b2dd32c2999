// `npm run test:node`: which arguments it refuses, and what it does without the binary of a version.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../support/serve.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
/** No Node has these versions. */
const VERSION = "9999";
const OTHER_VERSION = "9998.2";
const PACKAGE = `node-${process.platform}-${process.arch}`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-test-node-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const version of [VERSION, OTHER_VERSION]) {
    const cached = join(root, "node_modules", ".cache", `node-${version}`);
    rmSync(cached, { recursive: true, force: true });
  }
});

/** The first `npm` on the PATH runs these lines of a shell; `$prefix` is where the package belongs. */
function testNode(args: readonly string[], npm: string, env: Record<string, string> = {}) {
  const file = join(folder, "npm");
  const prefix = 'while [ "$1" != --prefix ]; do shift; done; prefix=$2';
  writeFileSync(file, `#!/bin/sh\n${prefix}\n${npm}\n`);
  chmodSync(file, 0o755);
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const script = join("scripts", "test-node.mjs");
  return run(process.execPath, [script, ...args], { cwd: root, env: { CI: "", ...env, PATH } });
}

describe("an argument", () => {
  test.each([
    [["--"], "Not a version of Node: --."],
    [["abc"], "Not a version of Node: abc."],
    [[""], 'Not a version of Node: "".'],
    [["24", "24.x"], "Not a version of Node: 24.x."],
    [["18"], "Node 18 is too old: 20.19 or newer is needed."],
    [["20.18.3"], "Node 20.18.3 is too old: 20.19 or newer is needed."],
  ])("%j is refused in one line, with status 2", async (args, line) => {
    const { status, stdout, stderr } = await testNode(args, "exit 1");
    expect([status, stdout, stderr.split("\n").length]).toEqual([2, "", 2]);
    expect(stderr.startsWith(line)).toBe(true);
  });
});

describe("a missing binary", () => {
  const failing = "echo npm error code ENOTFOUND >&2; echo npm error no network >&2; exit 1";
  const other = [
    `mkdir -p $prefix/node_modules/${PACKAGE}/bin && cd $prefix/node_modules/${PACKAGE}/bin`,
    "printf '#!/bin/sh\\necho v9998.1.0\\n' >node && chmod +x node",
  ].join("\n");

  test.each([
    ["that npm cannot install", failing, "npm install failed: no network"],
    ["instead of which npm installs another version", other, `${PACKAGE} has 9998.1.0`],
  ])("%s is skipped aloud, and fails in CI", async (_, npm, reason) => {
    const line = `SKIPPED: Node ${VERSION}: ${reason}\n`;
    const result = await testNode([VERSION], npm);
    expect([result.status, result.stdout.trimStart()]).toEqual([0, `${line}\n`]);
    const inCi = await testNode([VERSION], npm, { CI: "true" });
    expect([inCi.status, inCi.stdout.trimStart()]).toEqual([1, `${line}\n`]);
  });

  test("does not keep other versions from their turn", async () => {
    const { status, stdout } = await testNode([VERSION, OTHER_VERSION, VERSION], failing);
    const lines = [VERSION, OTHER_VERSION].map(
      (version) => `SKIPPED: Node ${version}: npm install`,
    );
    expect(status).toBe(0);
    expect(stdout.split("\n").slice(-3)).toEqual([
      ...lines.map((line) => expect.stringContaining(line)),
      "",
    ]);
  });
});
