// The static files of the pages, each at a path that changes with its content.

import { createHash } from "node:crypto";
import { readPackageFile } from "../lib/package-file.ts";

export interface Asset {
  readonly path: string;
  readonly body: string;
  readonly contentType: string;
}

const STYLE = readAsset("style.css", "text/css; charset=utf-8");
const SCRIPT = readAsset("page.js", "text/javascript; charset=utf-8");
const ICON = readAsset("icon.svg", "image/svg+xml");

export const stylePath = STYLE.path;
export const scriptPath = SCRIPT.path;
export const iconPath = ICON.path;

/** By path; the content behind a path never changes, so it may be cached for good. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [STYLE, SCRIPT, ICON].map((asset) => [asset.path, asset]),
);

/** A file of `assets/`, at a path with the first digits of its SHA-256. */
function readAsset(file: string, contentType: string): Asset {
  const body = readPackageFile(`assets/${file}`);
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 8);
  return { path: `/assets/${file.replace(".", `-${hash}.`)}`, body, contentType };
}
