// The static files of the pages, each at a path that contains a hash of its content.

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { readPackageFile } from "../lib/package-file.ts";

/** Comment lines and indentation are for readers of the source: a fifth of the octets. */
const FOR_READERS = /^\s*\/\/.*\n|^\s*\/\*[^*]*\*\/\n|^\s+/gm;

const STYLE = readAsset("style.css", "text/css; charset=utf-8");
const SCRIPT = readAsset("page.js", "text/javascript; charset=utf-8");
const PASSKEY_SCRIPT = readAsset("passkey.js", "text/javascript; charset=utf-8");
const ICON = readAsset("icon.svg", "image/svg+xml");

export const stylePath = STYLE.path;
export const scriptPath = SCRIPT.path;
export const passkeyScriptPath = PASSKEY_SCRIPT.path;
export const iconPath = ICON.path;

/** By path. The content at a path never changes, so it can be cached without limit. */
export const assets = new Map(
  [STYLE, SCRIPT, PASSKEY_SCRIPT, ICON].map((asset) => [asset.path, asset]),
);

/** Reads a file of `assets/`; its path contains the first digits of its SHA-256 hash. */
function readAsset(file: string, contentType: string) {
  const body = readPackageFile(`assets/${file}`).replace(FOR_READERS, "");
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 8);
  let gzipped: Uint8Array<ArrayBuffer> | undefined;
  return {
    path: `/assets/${file.replace(".", `-${hash}.`)}`,
    body,
    /** Compressed for the first reader. Pages are not: they contain secrets beside what a stranger chose (BREACH). */
    get gzipped() {
      gzipped ??= new Uint8Array(gzipSync(body, { level: 9 }));
      return gzipped;
    },
    contentType,
  };
}
