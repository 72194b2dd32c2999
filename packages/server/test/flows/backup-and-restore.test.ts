// A backup that is made while the service runs, and restored: nothing that was used or revoked is valid again.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask } from "../history/lives.ts";
import { startNode } from "../history/node-process.ts";
import { SECRET, seed } from "../history/seed.ts";
import { filesClosed } from "../support/closed-files.ts";
import { domainSignin } from "../support/serve.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-restore-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("restore ends what the backup would revive, and the service starts with its new mark", async () => {
  const database = `sqlite:${join(folder, "store.db")}`;
  const { clientId, grants } = await seed(database, 3);
  await filesClosed();
  const [used, unused, revoked] = grants;
  if (!used || !unused || !revoked) throw new Error("no grants");
  const env = { DOMAIN_SIGNIN_DATABASE: database, DOMAIN_SIGNIN_SECRET: SECRET };
  const program = async (...args: string[]) => {
    const { status, stdout, stderr } = await domainSignin([...args, "--json"], {
      cwd: folder,
      env,
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  let node = await startNode({ name: "before", database, folder });
  const present = async (verb: "redeem" | "rotate" | "revoke", grant: string, input: string) => {
    const request = { who: "app", verb, grant, input };
    const { outcome, successor = "" } = await ask(node, request, clientId);
    return { outcome, successor };
  };
  const { successor: token } = await present("redeem", "revoked", revoked.code);
  expect(await program("backup", "copy.db")).toMatchObject({ rows: { grants: 3 } });
  const { successor: later } = await present("redeem", "used", used.code);
  expect((await present("revoke", "revoked", token)).outcome).toBe("ok");
  for (const args of [["restored"], ["mark", "accept"]]) {
    await expect(program(...args)).rejects.toThrow("another process already serves the database");
  }
  await node.end("SIGTERM");

  const restored = await program("restore", "copy.db");
  expect(restored).toMatchObject({
    rows: { grants: 3 },
    restored: { ended: { grants: 3 }, undetermined: [] },
  });
  node = await startNode({ name: "after", database, folder });
  try {
    for (const code of [used.code, unused.code, revoked.code]) {
      expect((await present("redeem", "any", code)).outcome).toBe("fail");
    }
    for (const one of [token, later]) {
      expect((await present("rotate", "any", one)).outcome).toBe("fail");
    }
  } finally {
    await node.end("SIGKILL");
  }
});
