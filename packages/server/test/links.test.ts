// Checks that the links of the documents, and the documents that code names, lead to existing files and headings.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const CODE = /\.(?:ts|mjs|js|sh|css|ftl|yml|service|socket)$|^\.ci\/|Containerfile$/;

/** The text of a file, an empty text for a folder, or null if there is neither. Paths begin at the root. */
type Read = (path: string) => string | null;

const readFromRoot: Read = (path) => {
  if (!existsSync(root + path)) return null;
  return /\.md$/.test(path) ? readFileSync(root + path, "utf8") : "";
};

/** All files below a folder, but for those that are installed or built. */
function filesBelow(folder = ""): string[] {
  const skipped = /^(?:node_modules|dist|types|test-results|\.(?!ci$|github$).*)$/;
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [folder + entry.name];
    const isRead = entry.isDirectory() && !skipped.test(entry.name);
    return isRead ? filesBelow(`${folder}${entry.name}/`) : [];
  });
}

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** The headings of a document, without the targets of their links. */
const headingsOf = (text: string) =>
  [...withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim(),
  );

/** The anchors of a document: those that GitHub makes of headings, and the ids of `<a>` elements. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id));
  for (const heading of headingsOf(text)) {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
    const base = words.replaceAll(" ", "-");
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The relative targets of a document's links and images, in Markdown and in HTML. */
function targetsIn(text: string): string[] {
  const withoutCode = withoutFences(text).replace(/`[^`\n]*`/g, "");
  const patterns = [
    /\]\(([^)\s]+)(?: "[^"]*")?\)/g,
    /^\[[^\]]+\]: (\S+)/gm,
    /\b(?:href|src)="([^"]+)"/g,
  ];
  return patterns
    .flatMap((pattern) => [...withoutCode.matchAll(pattern)].map(([, target = ""]) => target))
    .filter((target) => !/^[a-z]+:/.test(target));
}

function linkFindings(path: string, text: string, read: Read): string[] {
  return targetsIn(text).flatMap((target) => {
    const [file = "", anchor] = target.split("#");
    const place = file === "" ? path : posix.join(posix.dirname(path), file);
    const content = place === path ? text : read(place);
    if (content === null) return [`${path}: no such file: ${target}`];
    const exists = anchor === undefined || anchorsOf(content).has(anchor);
    return exists ? [] : [`${path}: no such heading: ${target}`];
  });
}

/** Code names a document by its path from the root, and may name a heading in quotes and " in " before it. */
function nameFindings(path: string, text: string, read: Read): string[] {
  const named = text.matchAll(/(?:"([^"\n]+)" in )?\b(docs\/[\w./-]+\.md)\b/g);
  return [...named].flatMap(([, heading, document = ""]) => {
    const content = read(document);
    if (content === null) return [`${path}: no such file: ${document}`];
    const exists = heading === undefined || headingsOf(content).includes(heading);
    return exists ? [] : [`${path}: no such heading: "${heading}" in ${document}`];
  });
}

const files = filesBelow();
const textOf = (path: string) => readFileSync(root + path, "utf8");

test("every relative link in a document leads to an existing file and heading", () => {
  const planted = [
    '# One `two`, [three](b.md)\n\n## Again\n\n## Again\n\n<a id="four"></a>Five',
    '[a](b.md#two) [`c`](../d.md) [e](#one-two-three) [f](#again-1 "F") [w](#four) [g](https://example.org/h#i)',
    '[j](#again-2) ![k](l.png) <img src="m.png"> `[n](o.md)`\n\n[p]: q.md',
    "```sh\n# r\necho [s](t.md)\n```\n[u](#r) [v](b.md#again)",
  ].join("\n\n");
  const others: Record<string, string> = {
    "guide/b.md": "## Two",
    "guide/q.md": "",
    "guide/l.png": "",
  };
  expect(linkFindings("guide/a.md", planted, (path) => others[path] ?? null)).toEqual([
    "guide/a.md: no such file: ../d.md",
    "guide/a.md: no such heading: #again-2",
    "guide/a.md: no such heading: #r",
    "guide/a.md: no such heading: b.md#again",
    "guide/a.md: no such file: m.png",
  ]);

  const documents = files.filter((path) => path.endsWith(".md"));
  const targets = documents.flatMap((path) => targetsIn(textOf(path)));
  expect(targets.length).toBeGreaterThan(500);
  expect(documents.flatMap((path) => linkFindings(path, textOf(path), readFromRoot))).toEqual([]);
});

test("every document that code names exists, with the heading that the code names", () => {
  const folder = "docs/";
  const planted = [
    `// See ${folder}a.md and ../../${folder}b/c.md.`,
    `"see 'Two' in ${folder}a.md"`,
    `'see "One word" in ${folder}a.md, or "Two" in ${folder}a.md'`,
  ].join("\n");
  const read: Read = (path) => (path === `${folder}a.md` ? "# A\n\n## One word" : null);
  expect(nameFindings("a.ts", planted, read)).toEqual([
    `a.ts: no such file: ${folder}b/c.md`,
    `a.ts: no such heading: "Two" in ${folder}a.md`,
  ]);

  const code = files.filter((path) => CODE.test(path));
  const naming = code.filter((path) => textOf(path).includes(folder));
  expect(naming).toContain("packages/server/src/backup/restore.ts");
  expect(naming).toContain(".ci/lib.sh");
  expect(code.flatMap((path) => nameFindings(path, textOf(path), readFromRoot))).toEqual([]);
});

test("the list of the decisions names every record by its number and its title", () => {
  const folder = "docs/decisions/";
  const names = files
    .filter((path) => path.startsWith(folder) && !path.endsWith("/README.md"))
    .map((path) => path.slice(folder.length))
    .sort();
  const rows = names.map((name) => {
    const [title = ""] = textOf(folder + name).split("\n", 1);
    const subject = title.replace(`# ${name.slice(0, 4)}: `, "");
    return `| [${name.slice(0, 4)}](${name}) | ${subject} |`;
  });
  const list = textOf(`${folder}README.md`)
    .split("\n")
    .filter((line) => line.startsWith("| ["));
  expect(list.map((line) => `${line.split("|").slice(0, 3).join("|")}|`)).toEqual(rows);
});
