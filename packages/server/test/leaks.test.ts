// A test file that leaves something behind fails, and the failure names what it left.

import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchForLeaks } from "./support/leaks.ts";

/** What a watch finds of what is opened during it. */
async function leftBy(open: () => unknown, closingMs = 0): Promise<string[]> {
  const watch = watchForLeaks();
  await open();
  return watch.end(closingMs);
}

test("nothing is found where everything was closed", async () => {
  const open = async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    server.close();
    clearTimeout(setTimeout(() => {}, 60_000));
    await once(spawn(process.execPath, ["-e", ""]), "close");
  };
  expect(await leftBy(open, 10_000)).toEqual([]);
});

test("a TCP port and a connection are named", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  let port = 0;
  const left = await leftBy(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    port = (server.address() as { port: number }).port;
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    server.on("connection", (other) => onTestFinished(() => void other.destroy()));
    await once(socket, "connect");
  });
  expect(left).toContain(`the port 127.0.0.1:${port} (Server)`);
  expect(left.join("\n")).toContain(` to 127.0.0.1:${port}`);
});

test("a UDP port is named", async () => {
  let port = 0;
  const left = await leftBy(async () => {
    const socket = createSocket("udp4");
    onTestFinished(() => void socket.close());
    await once(socket.bind(0, "127.0.0.1"), "listening");
    port = socket.address().port;
  });
  expect(left).toEqual([`the port 127.0.0.1:${port} (Socket)`]);
});

test("a process is named, also one whose parent has ended", async () => {
  const program = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], {
      detached: true, stdio: "ignore",
    });
    console.log(child.pid);
    child.unref();`;
  let pid = 0;
  const left = await leftBy(async () => {
    const parent = spawn(process.execPath, ["-e", program]);
    parent.stdout.on("data", (chunk) => {
      pid = Number(chunk);
    });
    await once(parent, "close");
  });
  onTestFinished(() => void process.kill(pid, "SIGKILL"));
  // Only Linux tells the environment of a process that is no child.
  if (process.platform === "linux") expect(left.join("\n")).toContain(`the process ${pid}: `);
});

test("a child process is named", async () => {
  let child: ReturnType<typeof spawn> | undefined;
  const left = await leftBy(() => {
    child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" });
  });
  onTestFinished(() => void child?.kill("SIGKILL"));
  expect(left.join("\n")).toContain(`the process ${child?.pid}: `);
});

test("a timer is named by the line that set it, unless it keeps nothing alive", async () => {
  const timers: NodeJS.Timeout[] = [];
  onTestFinished(() => timers.forEach(clearTimeout));
  const left = await leftBy(() => {
    timers.push(setTimeout(() => {}, 61_000));
    timers.push(setInterval(() => {}, 62_000));
    timers.push(setTimeout(() => {}, 63_000).unref());
  });
  expect(left).toEqual([
    expect.stringMatching(/^a timer: setTimeout of 61000 ms, set at .*leaks\.test\.ts:\d+/),
    expect.stringMatching(/^a timer: setInterval of 62000 ms, set at .*leaks\.test\.ts:\d+/),
  ]);
});

test("a temporary file is named, and removed", async () => {
  let folder = "";
  const left = await leftBy(() => {
    folder = mkdtempSync(join(tmpdir(), "left-"));
    writeFileSync(join(folder, "file"), "");
  });
  expect(left).toEqual([expect.stringMatching(/^the file \$TMPDIR\/left-/)]);
  expect(() => writeFileSync(join(folder, "file"), "")).toThrow("ENOENT");
});
