// The log at a terminal, and on a disk that was full for a while.

import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { within } from "../../src/lib/within.ts";
import { hasVolumes, makeVolume } from "../history/volume.ts";
import { droppedLines, entriesIn, NO_ZONE, refuse, STOP_MS } from "../support/log-outputs.ts";
import { atTerminal, terminalTests } from "../support/pseudo-terminal.ts";
import { CLI, freePort, SERVED, serve } from "../support/serve.ts";

const XOFF = "\u0013";
const ESCAPE = "\u001b";

const isPossible = await hasVolumes("a full disk");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
});
afterAll(() => rm(folder, { recursive: true }));

terminalTests("at a terminal", () => {
  async function addClient(env: Readonly<Record<string, string | undefined>>): Promise<string> {
    const options = "--json --public --name App --redirect-uri https://app.example.org/callback";
    const command = `'${process.execPath}' '${CLI}' clients add ${options} >/dev/null`;
    const terminal = atTerminal(command, { cwd: folder, env: { USER: "an operator", ...env } });
    terminal.stdin?.end();
    return text(terminal.stdout ?? Readable.from([]));
  }

  test("an event is one line to read, without colours if NO_COLOR is set", async () => {
    const shown = await addClient({ NO_COLOR: "1", SUDO_USER: undefined });
    expect(shown).toMatch(
      /^\d{4}-\S+Z info {2}operator change command="clients add" clientId=dsid_\S+ user="an operator"\r\n$/,
    );
    expect(await addClient({ NO_COLOR: undefined })).toContain(`${ESCAPE}[2mcommand=${ESCAPE}[0m`);
  });

  test("a terminal that was stopped with Ctrl-S stops no request, and not the end", async () => {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const options = `--issuer ${issuer} --port ${port} --dns-servers ${NO_ZONE.address}`;
    const command = `echo "pid $$"; exec '${process.execPath}' '${CLI}' serve ${options}`;
    const terminal = atTerminal(command, { cwd: folder, env: SERVED });
    const ended = once(terminal, "exit");
    try {
      let shown = "";
      await new Promise<void>((resolve) => {
        terminal.stdout?.on("data", (chunk) => {
          shown += chunk;
          if (shown.includes(" listening ")) resolve();
        });
      });
      const pid = Number(/^pid (\d+)\r$/m.exec(shown)?.[1]);
      terminal.stdin?.write(XOFF);
      await refuse({ issuer }, 100);
      process.kill(pid, "SIGTERM");
      expect(await within(STOP_MS, ended)).toEqual([0, null]);
    } finally {
      terminal.kill("SIGKILL");
    }
  });
});

/** Writes to the file until the disk is full. */
async function fill(path: string): Promise<void> {
  for (const octets of [2 ** 20, 2 ** 12, 1]) {
    const chunk = Buffer.alloc(octets);
    // An error of the disk ends each size.
    while (
      await appendFile(path, chunk).then(
        () => true,
        () => false,
      )
    );
  }
}

describe.skipIf(!isPossible)("on a disk of its own", () => {
  test("lines that find no space are counted, and the log goes on once there is some", async () => {
    const volume = await makeVolume(join(folder, "disk.img"));
    const path = join(volume.folder, "serve.log");
    const filler = join(volume.folder, "filler");
    const stderr = openSync(path, "a");
    const port = await freePort();
    const args = ["--management-port", String(port), "--log-level", "info"];
    const at = await serve(NO_ZONE, [], { stderr, args });
    try {
      await fill(filler);
      await refuse(at, 500);
      expect(await droppedLines(port)).toBeGreaterThan(0);
      await rm(filler);
      await refuse(at, 20);
      expect(await within(STOP_MS, at.stop())).toBe(0);
      const log = await readFile(path, "utf8");
      // The file system finds a few blocks now and then. A line that the end of the space cut is a line of
      // its own; it can lack no more than its newline.
      const lines = log.trimEnd().split("\n");
      const whole = entriesIn(lines.filter((line) => line.endsWith("}")).join("\n"));
      const notices = whole.filter(({ msg }) => msg === "log lines dropped");
      expect(lines.length - whole.length).toBeLessThanOrEqual(notices.length);
      const total = notices.at(-1)?.total ?? 0;
      const missing = 520 - whole.filter(({ msg }) => msg === "refused").length;
      expect(missing).toBeGreaterThan(0);
      expect(total).toBeGreaterThanOrEqual(missing);
      // Some reports and the line about the unreachable resolver can be dropped as well.
      expect(total).toBeLessThanOrEqual(missing + 20);
    } finally {
      await at.close();
      closeSync(stderr);
      await volume.close();
    }
  });
});

test("the log has only what its level asks for", async () => {
  const at = await serve(NO_ZONE, [], { args: ["--log-level", "warn"] });
  try {
    await refuse(at, 1);
    expect(await at.stop()).toBe(0);
    expect(at.output().stderr).toBe("");
  } finally {
    await at.close();
  }
});
