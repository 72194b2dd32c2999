// The secret file, which the first start creates if no secret is set.

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { OperatorError } from "../lib/errors.ts";

export const DEFAULT_SECRET_FILE = "./domain-signin.secret";

/** The secret in the file, or null if there is no file. Throws `OperatorError`. */
export function readSecretFile(path: string = DEFAULT_SECRET_FILE): string | null {
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new OperatorError(`cannot read the secret file ${path}: ${String(cause)}`);
  }
  if (secret.length < 32) throw new OperatorError(`${path} has fewer than 32 characters`);
  return secret;
}

/** Creates the file with mode 0600, atomically: concurrent first starts get the same secret. */
export function makeSecretFile(path: string = DEFAULT_SECRET_FILE): string {
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    writeSync(file, randomBytes(32).toString("base64url"));
    fsyncSync(file);
    closeSync(file);
    linkSync(draft, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new OperatorError(`cannot create the secret file ${path}: ${String(cause)}`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = readSecretFile(path);
  if (secret === null) throw new OperatorError(`the secret file ${path} has been removed`);
  return secret;
}
