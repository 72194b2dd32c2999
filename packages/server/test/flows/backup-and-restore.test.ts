// A backup that is made while the service runs, and restored: nothing that was used or revoked is valid again.

import { expect, test } from "vitest";
import { ask } from "../history/lives.ts";
import { startNode } from "../history/node-process.ts";
import { SECRET, seed } from "../history/seed.ts";
import { filesClosed } from "../support/closed-files.ts";
import { domainSignin } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

test("restore ends what the backup would revive, and the service starts with its new mark", async () => {
  const database = folder.database("store.db");
  const { clientId, grants } = await seed(database, 3);
  await filesClosed();
  const [used, unused, revoked] = grants;
  if (!used || !unused || !revoked) throw new Error("no grants");
  const env = { DOMAIN_SIGNIN_DATABASE: database, DOMAIN_SIGNIN_SECRET: SECRET };
  const program = async (...args: string[]) => {
    const options = { cwd: folder.path, env };
    const { status, stdout, stderr } = await domainSignin([...args, "--json"], options);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  let node = await startNode({ name: "before", database, folder: folder.path });
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
  node = await startNode({ name: "after", database, folder: folder.path });
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
