// Where Chromium or Chrome is installed on this computer.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** First the one without windows, which nobody would see: it starts and loads pages in half of the time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin"];
const FILES = [
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The path of the program: that in the environment variable `CHROMIUM_PATH`, or else the first one in the usual places.
 * `missing` says why there is none.
 *
 * @example
 * const found = findChromium();
 * if ("missing" in found) throw new Error(found.missing);
 * const browser = await chromium.launch({ executablePath: found.path });
 */
export function findChromium(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly path: string } | { readonly missing: string } {
  const { CHROMIUM_PATH: named, PATH = "" } = environment;
  if (named) {
    if (isExecutable(named)) return { path: named };
    return { missing: `CHROMIUM_PATH is ${named}, which is not an executable file` };
  }
  const folders = [...PATH.split(delimiter).filter((folder) => folder !== ""), ...FOLDERS];
  const paths = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...FILES];
  const path = paths.find(isExecutable);
  return path === undefined
    ? { missing: "no Chromium or Chrome found: install one or set CHROMIUM_PATH" }
    : { path };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
