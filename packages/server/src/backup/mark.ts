// The mark file: the id, the counter and the ended keys of a database, so that a restored backup is recognized.

import { readFileSync, type Stats } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import type { EndedSecret } from "../store/clients.ts";
import type { EndedKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { sync } from "./files.ts";

export interface Mark {
  readonly databaseId: string;
  readonly counter: number;
  /** Epoch seconds: when it was written. */
  readonly at: number;
  readonly endedKeys: readonly EndedKey[];
  readonly endedSecrets: readonly EndedSecret[];
}

export async function markOf(
  { keys, registrations }: Store,
  now: { readonly databaseId: string; readonly counter: number; readonly at: number },
): Promise<Mark> {
  const endedKeys = await keys.endedKeys();
  return { ...now, endedKeys, endedSecrets: await registrations.endedSecrets() };
}

const VERSION = 1;
const REMEDY =
  "To replace it, run domain-signin mark accept; after a restore, delete it and run domain-signin restored";

/** Null if there is no file. Throws `OperatorError` if it is not a mark that this version understands. */
export function readMark(path: string): Mark | null {
  const refuse = (problem: string) => new OperatorError(`the mark file ${path} ${problem}`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw refuse(`cannot be read: ${messageOf(cause)}`);
  }
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw refuse(`${text.trim() === "" ? "is empty" : "is damaged or cut short"}. ${REMEDY}`);
  }
  const { v, database, counter, at, ended_keys, ended_secrets } = membersOf(found);
  if (typeof v === "number" && v > VERSION) {
    throw refuse(`was written by a newer domain-signin: it has version ${v}, not ${VERSION}`);
  }
  const endedKeys = listOf(ended_keys, readKey);
  const endedSecrets = listOf(ended_secrets, readSecret);
  const isRight = v === VERSION && typeof database === "string" && database !== "";
  if (!isRight || !isCount(counter) || !isCount(at) || !endedKeys || !endedSecrets) {
    throw refuse(`is damaged: its members are not those of a mark. ${REMEDY}`);
  }
  return { databaseId: database, counter, at, endedKeys, endedSecrets };
}

/** Replaces the file in one step that survives power loss, for its owner alone. Rejects with `OperatorError`. */
export async function writeMark(path: string, mark: Mark): Promise<void> {
  const { databaseId: database, counter, at, endedKeys, endedSecrets } = mark;
  const ended_keys = endedKeys.map(({ purpose, keyId, madeAt, endedAt }) => {
    return { purpose, key_id: keyId, made_at: madeAt, ended_at: endedAt };
  });
  const ended_secrets = endedSecrets.map(({ clientId, secretHash, endedAt }) => {
    return { client_id: clientId, secret_hash: secretHash, ended_at: endedAt };
  });
  const content = { v: VERSION, database, counter, at, ended_keys, ended_secrets };
  // Two containers with one volume can have the same process id.
  const draft = `${path}.${process.pid}-${randomText(systemRandom, 6)}`;
  try {
    const file = await open(draft, "wx", 0o600);
    await writeTo(file, `${JSON.stringify(content)}\n`, await ownerOf(path));
    await rename(draft, path);
    await sync(dirname(path));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw new OperatorError(`cannot write the mark file ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** The owner of the file, or of its folder if the file is new: a command of root must not lock the service out. */
const ownerOf = (path: string) => stat(path).catch(() => stat(dirname(path)));

async function writeTo(file: FileHandle, text: string, owner: Stats): Promise<void> {
  try {
    await file.writeFile(text);
    if (process.getuid?.() === 0) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

function readKey(found: unknown): EndedKey | null {
  const { purpose, key_id: keyId, made_at: madeAt, ended_at: endedAt } = membersOf(found);
  const isRight = typeof purpose === "string" && isCount(keyId) && isCount(madeAt);
  return isRight && isCount(endedAt) ? { purpose, keyId, madeAt, endedAt } : null;
}

function readSecret(found: unknown): EndedSecret | null {
  const { client_id: clientId, secret_hash: secretHash, ended_at: endedAt } = membersOf(found);
  const isRight = typeof clientId === "string" && typeof secretHash === "string";
  return isRight && isCount(endedAt) ? { clientId, secretHash, endedAt } : null;
}

function listOf<T>(found: unknown, read: (item: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(found)) return null;
  const items = found.map(read);
  return items.every((item) => item !== null) ? items : null;
}

function membersOf(found: unknown): Readonly<Record<string, unknown>> {
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
}

function isCount(found: unknown): found is number {
  return Number.isSafeInteger(found) && Number(found) >= 0;
}
