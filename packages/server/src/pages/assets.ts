// The static files of the pages, each at a path that changes with its content.

import { createHash } from "node:crypto";
import { icon } from "./assets/icon.ts";
import { script } from "./assets/script.ts";
import { style } from "./assets/style.ts";

export type Asset = { body: string; contentType: string };

export const stylePath: string = contentPath("style", "css", style);
export const scriptPath: string = contentPath("script", "js", script);
export const iconPath: string = contentPath("icon", "svg", icon);

/** By path; the content behind a path never changes, so it may be cached for good. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  [stylePath, { body: style, contentType: "text/css; charset=utf-8" }],
  [scriptPath, { body: script, contentType: "text/javascript; charset=utf-8" }],
  [iconPath, { body: icon, contentType: "image/svg+xml" }],
]);

function contentPath(name: string, extension: string, body: string): string {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 8);
  return `/assets/${name}-${hash}.${extension}`;
}
