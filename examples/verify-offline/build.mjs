// Makes index.html out of page.html, page.css, page.mjs and the verifier: `node examples/verify-offline/build.mjs`.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
// Its sources and not its build, so that the page is never made of a stale one.
export const verifier = here("../../packages/verify/src/index.ts");

/** One script that needs nothing else, from a module that imports the verifier. */
export async function bundled(input) {
  const bundle = await rolldown({
    input,
    resolve: { alias: { "domain-signin-verify": verifier } },
    transform: { target: "es2022" },
  });
  const { output } = await bundle.generate({ format: "iife", name: "verifier", minify: true });
  await bundle.close();
  return output[0].code.trim();
}

export async function makePage() {
  const style = readFileSync(here("page.css"), "utf8").trim();
  const script = `/* biome-ignore-all lint: minified */${await bundled(here("page.mjs"))}`;
  if (/<\/script|<!--/i.test(script)) throw new Error("the script would end its own element");
  // Nothing may be loaded or sent: not even a script of this page that is not this one.
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const places = [
    ['content=""', `content="${policy}"`],
    ["<style></style>", `<style>${style}</style>`],
    ["<script></script>", `<script>${script}</script>`],
  ];
  let page = readFileSync(here("page.html"), "utf8");
  for (const [place, filled] of places) {
    if (page.split(place).length !== 2) throw new Error(`page.html needs one ${place}`);
    // A function, since a script may hold what replace would take for a pattern.
    page = page.replace(place, () => filled);
  }
  return page;
}

function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(here("index.html"), await makePage());
}
