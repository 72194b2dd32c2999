// Writes `docs/bad-input.md` from the very tables that the tests send.

import { badClaims } from "./bad-assertions.ts";
import {
  badRedirectUris,
  type Changed,
  refusedRequests,
  untrustedRequests,
} from "./bad-authorization-requests.ts";
import { badDocuments } from "./bad-documents.ts";
import { badForms } from "./bad-forms.ts";
import { badFraming, badHeaders, badHosts } from "./bad-headers.ts";
import { badIds, badMethods, badPaths, badQueries } from "./bad-targets.ts";
import { badTokenRequests } from "./bad-token-requests.ts";
import { ENDPOINTS, type Endpoint } from "./endpoints.ts";
import { type HostileCase, promised } from "./hostile.ts";
import { slowSenders } from "./slow-senders.ts";

const INTRODUCTION = `# Bad input, and its answer

Written by a test from the tables that the tests send: \`packages/server/test/support/bad-input-page.ts\`.
To write it anew: \`npx vitest run --project unit packages/server/test/bad-input.test.ts -u\`.

No input gets a 500, a stack trace, or a redirect to a place that was not proven to be the client's. JSON
endpoints never answer with a redirect or a page. Nothing is taken from \`Host\`, from a target in absolute form
or from a forwarding header: the issuer is the configured one.

| in the tables below | means |
|---|---|
| as usual | as if nothing were amiss; the first table has it for each endpoint (the refresh token and the recovery code there are unknown ones, hence 400) |
| 400 \`invalid_request\` | JSON with that \`error\` |
| 400 page | a page that says what is wrong, without a redirect |
| back to the app with \`invalid_scope\` | 303 to the proven redirect_uri with \`error\`, \`error_description\`, \`state\`, \`iss\` |
| 400 bare | not HTTP as RFC 9112 has it: refused without a body before any endpoint is chosen |
`;

/** The whole document. */
export function badInputPage(): string {
  const hostile = (title: string, cases: readonly HostileCase[]) =>
    section(
      title,
      "case",
      cases.map((one) => [one.title, everywhere(one)]),
    );
  return [
    INTRODUCTION,
    section(
      "Endpoints",
      "request in order",
      ENDPOINTS.map(({ name, usual }) => [code(name), plain(usual)]),
    ),
    section(
      "POST /oauth/token",
      "case",
      badTokenRequests.map(([name, error]) => [name.replace(/\w+=\w+/g, code), `400 \`${error}\``]),
    ),
    section("GET /oauth/authorize: where the client is not proven", "case", [
      ...untrustedRequests.map(([changed]) => [differenceOf(changed), "400 page"] as const),
      ...badRedirectUris.map((uri) => [code(`redirect_uri=${uri}`), "400 page"] as const),
    ]),
    section(
      "GET /oauth/authorize: where it is",
      "case",
      refusedRequests.map(([changed, error]) => [
        differenceOf(changed),
        `back to the app with \`${error}\``,
      ]),
    ),
    section(
      "GET /oauth/authorize: the client's metadata document",
      "a document",
      badDocuments.map(([what]) => [what, "400 page"]),
    ),
    section(
      "POST /oauth/token: a signed client assertion",
      "an assertion",
      badClaims({ clientId: "", issuer: "", now: 0 }).map(([what]) => [
        what,
        "400 `invalid_client`",
      ]),
    ),
    hostile("Forms", badForms),
    hostile("Queries", badQueries),
    hostile("Interaction ids", badIds),
    hostile("Paths and targets", badPaths),
    hostile("Methods", badMethods),
    hostile("Headers", badHeaders),
    hostile("Host", badHosts),
    hostile("Framing", badFraming),
    section(
      "Slow senders",
      "case",
      slowSenders.map(({ what, limit, status }) => [
        what,
        `${status === 408 ? 408 : `${status}, then closed`} after ${SECONDS[limit]} s`,
      ]),
    ),
  ].join("\n");
}

/** The limits as they are unless a test makes them shorter. */
const SECONDS = { headers: 10, request: 15 } as const;

function section(
  title: string,
  first: string,
  rows: readonly (readonly [case_: string, answer: string])[],
): string {
  const lines = rows.map(([left, right]) => `| ${left.replaceAll("|", "\\|")} | ${right} |`);
  return [`## ${title}`, "", `| ${first} | answer |`, "|---|---|", ...lines, ""].join("\n");
}

/** The answers of those endpoints that answer otherwise, then that of the most. */
function everywhere(hostile: HostileCase): string {
  const names = new Map<string, string[]>();
  for (const endpoint of ENDPOINTS) {
    const answer = promised(hostile, endpoint);
    if (answer === null) continue;
    const words = plain(answer);
    names.set(words, [...(names.get(words) ?? []), endpoint.name]);
  }
  const [most, ...others] = [...names].sort(([, a], [, b]) => b.length - a.length);
  const exceptions = others.map(([words, at]) => `${words} ${placeOf(at)}`);
  return [...exceptions, `${exceptions.length > 0 ? "else " : ""}${most?.[0]}`].join("; ");
}

/** Endpoints that often stand together, in words. */
const PLACES: readonly (readonly [words: string, has: (endpoint: Endpoint) => boolean])[] = [
  ["at JSON endpoints", ({ channel }) => channel === "json"],
  ["at JSON endpoints with a form", ({ channel, form }) => channel === "json" && form === true],
  ["where a page reads a form", ({ channel, form }) => channel === "page" && form === true],
  ["where the query is an authorization request", ({ query }) => query === true],
  ["where a page of ours posts to", ({ name }) => /^POST \/(sign-in|interaction)/.test(name)],
];

function placeOf(names: readonly string[]): string {
  const place = PLACES.find(([, has]) => {
    const members = ENDPOINTS.filter(has).map(({ name }) => name);
    return members.join() === names.join();
  });
  return place?.[0] ?? `at ${names.map(code).join(", ")}`;
}

/** The words of a test's answer as a reader of the document knows them. */
function plain(words: string): string {
  return words
    .replace(/^405 .*/, "405 with `Allow`")
    .replace(/problem page$/, "page")
    .replace(/^303 to the app: (\w+)$/, "back to the app with `$1`")
    .replace(/^303 (\/.*)/, "303 to `$1`")
    .replace(/^([45]\d\d) (\w+_\w+)$/, "$1 `$2`");
}

function differenceOf(changed: Changed): string {
  return Object.entries(changed)
    .map(([name, value]) => {
      if (value === undefined) return `no ${code(name)}`;
      return code(
        `${name}=${value.length > 100 ? `${value.slice(0, 3)}… (${value.length})` : value}`,
      );
    })
    .join(", ");
}

function code(text: string): string {
  return `\`${text.replaceAll("\t", "\\t")}\``;
}
