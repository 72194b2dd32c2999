// A file system in a file, on a loop device: what its image holds is what the block device was given.

import { copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../support/postgres-programs.ts";

const SIZE = 64 * 2 ** 20;
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
/** A copy during which the kernel wrote on its own is thrown away, and made again. */
const ATTEMPTS = 50;

export interface Volume {
  /** Where it is mounted. */
  readonly folder: string;
  /** Copies the image as it stands at one moment. Whoever writes must have been halted. */
  copy(to: string): Promise<void>;
  /** `lazily`: this process still has files open, which libsql may have after it has closed them. */
  close(options?: { lazily: boolean }): Promise<void>;
}

const command = (file: string, ...args: string[]) =>
  run(file, args, { env: { ...process.env, PATH }, timeout: 30_000 });

/** An empty ext4 in a new image, its folder beside it. */
export async function makeVolume(image: string): Promise<Volume> {
  await writeFile(image, "");
  await truncate(image, SIZE);
  await command("mkfs.ext4", "-q", image);
  return openVolume(image);
}

/** Mounts an image; after a cut this replays the file system's journal. */
export async function openVolume(image: string): Promise<Volume> {
  const folder = `${image}.mounted`;
  await mkdir(folder);
  const device = await command("losetup", "--find", "--show", image);
  try {
    await command("mount", "-t", "ext4", device, folder);
  } catch (cause) {
    await command("losetup", "--detach", device);
    throw cause;
  }
  return {
    folder,
    async copy(to) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const before = await written(device);
        await copyFile(image, to);
        if (before !== null && before === (await written(device))) return;
      }
      throw new Error("the block device was never still");
    },
    async close({ lazily } = { lazily: false }) {
      await command("umount", ...(lazily ? ["--lazy"] : []), folder);
      await command("losetup", "--detach", device);
      await rm(folder, { recursive: true });
    },
  };
}

/** Whether this machine has volumes for `what`. If not, the tests are skipped aloud, and failed in CI. */
export async function hasVolumes(what: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-trial-"));
  try {
    await (await makeVolume(join(folder, "trial.img"))).close();
    return true;
  } catch (cause) {
    // A skip that nobody reads would let a release out untested.
    if (process.env.CI === "true") throw cause;
    console.error(`SKIPPED: ${what} needs root, mkfs.ext4 and a loop device: ${cause}`);
    return false;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How much the device has written so far; null while a write is under way. */
async function written(device: string): Promise<string | null> {
  const stat = await readFile(`/sys/block/${device.replace("/dev/", "")}/stat`, "utf8");
  const [, , , , writes, , sectors, , underWay] = stat.trim().split(/\s+/);
  return underWay === "0" ? `${writes} ${sectors}` : null;
}
