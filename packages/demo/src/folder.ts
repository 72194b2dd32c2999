// The demo's folder for its databases, which no end of the process leaves behind.

import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoError, messageOf } from "./demo-error.ts";

/** A thread of the service may still write to it when the process ends. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** Made in one step, so that no signal comes between the folder and its removal at the exit. */
export function makeFolder(): { readonly folder: string; remove(): Promise<void> } {
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
