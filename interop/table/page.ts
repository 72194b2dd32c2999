// docs/interop.md: made of the rows of a run and of the sources of the drivers.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { debianVersion } from "./debian.ts";
import { type Driver, STEPS } from "./driver.ts";
import type { Cells } from "./measure.ts";

export const PAGE = fileURLToPath(new URL("../../docs/interop.md", import.meta.url));

const INTRODUCTION = `# Client libraries

Each library of this table signed a person in at this service, on SQLite and on PostgreSQL, over https with a certificate that the machine trusts. It was given the issuer (or the URLs of the endpoints, if it has no discovery), the client id, the secret and the redirect URI, and the scope \`openid\` if it has no scope of its own; nothing else. \`npm run interop-table\` runs them and writes this page, and \`npm run test:interop\` fails if a run does not give the same table.

A cell is "yes" if the library performed the step and the result was checked:

| step | what was checked |
|---|---|
| discovery | the library read the metadata, and was given no URL but that of the issuer |
| code | it redeemed the code, and returned the access token that the service had issued |
| PKCE | the authorization request had a \`code_challenge\` (\`S256\`), and the code was redeemed with its verifier |
| ID token | it returned the claims of the ID token: \`iss\`, \`aud\`, \`sub\`, \`domain\` |
| ES256 | with the same settings it also returned the claims of an ID token that is signed with ES256, because the client is registered with \`--id-token-signed-response-alg ES256\` |
| userinfo | \`sub\` is that of the ID token |
| refresh | there is a new access token, and it is accepted |
| revocation | the access token is refused afterwards |
| logout | the browser came back to \`post_logout_redirect_uri\`, and its session has ended |

- "with …": the default settings do not lead to this step, and with these settings it was performed. In the configurations below they are \`...knobs\`.
- "not offered": the library does not have this step; an app would make the request itself.
- "signature not checked": the library did not fetch the keys of the service. It relies on TLS for an ID token that it got at the token endpoint, as OpenID Connect Core §3.1.3.7 allows.
`;

const HEAD = ["client", "version", ...STEPS];

/** `rows` has the cells of the clients that ran; the rows of the others are taken from `committed`. */
export function renderPage(
  drivers: readonly Driver[],
  rows: ReadonlyMap<string, Cells>,
  committed: string,
  options: { keepDebianVersions: boolean },
): string {
  const lines = drivers.map((driver) => {
    const former = rowOf(committed, driver.name);
    const cells = rows.get(driver.name);
    if (cells === undefined) return former ?? row([driver.name, ...HEAD.slice(1).map(() => "")]);
    const formerVersion = former?.split(" | ")[1];
    // Debian's versions move on by themselves, and differ between its releases.
    const version =
      driver.debian && options.keepDebianVersions && formerVersion
        ? formerVersion
        : versionOf(driver);
    return row([driver.name, version, ...STEPS.map((step) => cells[step])]);
  });
  const table = [row(HEAD), `|${"---|".repeat(HEAD.length)}`, ...lines].join("\n");
  const used = drivers.map(configurationOf).join("\n");
  return `${INTRODUCTION}\n## The table\n\n${table}\n\n## The configuration that was used\n\n${used}`;
}

export function readPage(): string {
  return existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function rowOf(page: string, name: string): string | undefined {
  return page.split("\n").find((line) => line.startsWith(`| ${name} | `));
}

/** That of the installed package. */
function versionOf({ name, debian }: Driver): string {
  if (debian) return debian.map((one) => debianVersion(one) ?? "?").join(", ");
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return String(JSON.parse(readFileSync(file, "utf8")).version);
}

/** What is between the two comments in the driver's source. */
function configurationOf({ name, source, about }: Driver): string {
  const lines = readFileSync(fileURLToPath(source), "utf8").split("\n");
  const from = lines.findIndex((line) => /^\s*(\/\/|#) configuration$/.test(line));
  const to = lines.findIndex((line) => /^\s*(\/\/|#) end of configuration$/.test(line));
  if (from < 0 || to < from) throw new Error(`${source} does not mark its configuration`);
  const used = lines.slice(from + 1, to);
  const indent = Math.min(...used.filter((line) => line !== "").map((line) => line.search(/\S/)));
  const language =
    { py: "python", go: "go", conf: "apache" }[source.split(".").at(-1) ?? ""] ?? "ts";
  const code = used.map((line) => line.slice(indent)).join("\n");
  return `### ${name}\n\n${about ? `${about}\n\n` : ""}\`\`\`${language}\n${code}\n\`\`\`\n`;
}
