// The demo's folder for its databases: one that stays, or one that no end of the process leaves behind.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoError, messageOf } from "./demo-error.ts";

/** A thread of the service may still write to it when the process ends. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

export interface DemoFolder {
  readonly folder: string;
  /** Does nothing to a folder that stays. */
  remove(): Promise<void>;
}

/** The folder that stays is made if it does not exist. Only its owner may read what is in it. */
export function openFolder(folder: string): DemoFolder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const advice = "choose another folder with --data";
    throw new DemoError(`the demo cannot keep its data: ${messageOf(cause)}; ${advice}`);
  }
  return { folder, async remove() {} };
}

/** Made in one step, so that no signal comes between the folder and its removal at the exit. */
export function makeFolder(): DemoFolder {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-demo-"));
  } catch (cause) {
    const advice = "set TMPDIR to a folder in which the demo can write";
    throw new DemoError(`the demo cannot keep its data: ${messageOf(cause)}; ${advice}`);
  }
  const removeAtExit = () => rmSync(folder, REMOVAL);
  process.on("exit", removeAtExit);
  return {
    folder,
    async remove() {
      await rm(folder, REMOVAL);
      process.off("exit", removeAtExit);
    },
  };
}
