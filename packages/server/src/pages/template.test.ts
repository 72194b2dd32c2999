// Tests of pages that are rendered once: they are the same as if each request rendered its own.

import { html } from "hono/html";
import { describe, expect, it, test } from "vitest";
import { consentPage, type ShownResource } from "./consent.ts";
import { continuePage } from "./continue.ts";
import { domainPage } from "./domain.ts";
import { fixedProblemPage } from "./fixed-problem.ts";
import { contextIn, LANGUAGES } from "./languages.ts";
import type { ClientPageContext, PageContext } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { problemPage } from "./problem.ts";
import { signOutForms } from "./sign-out.ts";
import { createFill, type Fill } from "./template.ts";

const HOSTILE = [
  ...["", "plain", `<a href='x'>"&`, "&amp;", "$&$1", "x".repeat(5000)],
  // Marks of templates and of messages, and characters that change the direction of text.
  ...["\uE001query\uE001", "\uE001", "\uE000domain\uE000", "\u202Eleft\u2069", "مرحبا 👋"],
];
const DOMAINS = [
  ...["alice.example", "xn--bcher-kva.example", "xn--mgbh0fb.xn--kgbechtv"],
  "a-name-that-is-longer-than-28-characters.example",
];
/** A text and a domain of each. */
const REQUESTS: readonly (readonly [string, string])[] = [
  ...HOSTILE.map((x) => [x, x] as const),
  ...DOMAINS.map((domain) => ["plain", domain] as const),
];

describe("a template", () => {
  const context = { greeting: "Hello" };
  interface Shown {
    readonly one: string;
    readonly two: string;
    readonly part: PageHtml;
  }
  const render = ({ greeting }: typeof context, { one, two, part }: Shown) =>
    html`<p title="${one}">${greeting} ${two} &amp; ${one} ${part}</p>`;

  it("gives the same as `html` for each value", () => {
    const fill = createFill(() => context);
    for (const one of HOSTILE) {
      for (const two of HOSTILE) {
        const values = { one, two, part: html`<b>${one}</b>` };
        expect(String(fill(render, values))).toBe(String(render(context, values)));
      }
    }
  });

  it("is rendered once, with nothing of a request", () => {
    const rendered: string[] = [];
    const fill = createFill(() => context);
    const counted = (known: typeof context, values: Shown) => {
      rendered.push(`${JSON.stringify(known)} ${values.one} ${values.part}`);
      return render(known, values);
    };
    for (const one of ["first-7f3a", "second-7f3a"]) {
      expect(String(fill(counted, { one, two: one, part: html`<b>${one}</b>` }))).toContain(one);
    }
    expect(rendered).toHaveLength(1);
    expect(rendered[0]).not.toContain("7f3a");
  });

  it("is another one in another language", () => {
    const other = createFill(() => ({ greeting: "Hallo" }));
    const values = { one: "1", two: "2", part: html`3` };
    expect(String(createFill(() => context)(render, values))).toContain("Hello");
    expect(String(other(render, values))).toContain("Hallo");
  });

  it("cannot wait for markup", () => {
    const fill = createFill(() => context);
    const part = html`${Promise.resolve("later")}`;
    expect(() => fill(render, { one: "1", two: "2", part })).toThrow("cannot wait");
  });
});

/** Pages of each shape, for requests that differ in all they can. `x` is a text and `domain` a domain of a request. */
function pagesOf(context: PageContext, x: string, domain: string): Record<string, PageHtml> {
  const request = { clientName: `${x} 1`, clientHost: `${x} 2`, backToApp: `${x} 3` };
  const at = (client: ClientPageContext["client"]) => ({ ...context, client });
  const [direct, through] = [at(request), at({ ...request, finalHost: `${x} 4` })];
  const query = `${x} 5`;
  const ask = { query, value: `${x} 6`, passkeyOptions: `${x} 7` };
  const ended = [{ domain, reason: "reused" as const }];
  const events = [{ at: 1, event: "signed_in" as const, client: x }];
  const signals = { rpId: x, removed: [x], accepted: null };
  const notice = { summary: x, details: [x] };
  const consent = (scopes: readonly string[], resources: readonly ShownResource[] = []) => ({
    ...{ domain, query, scopes, resources, action: `${x} 8` },
  });
  const resource = { uri: "https://notes.example/api", name: x, scopes: [] };
  const named = { ...resource, scopes: [{ name: x, description: x }] };
  const all = ["openid", "profile", "offline_access", x];
  const offer = { domain, proof: `${x} 9` };
  const several = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...offer, domain: domain + index }));
  const problem = { title: `${x} 1`, summary: `${x} 2`, details: [] };
  return {
    domain: domainPage(direct, ask),
    "domain of another service": domainPage(through, ask),
    "domain with more": domainPage(through, { ...ask, ended, notice, signals }),
    "domain with an ended session": domainPage(direct, { ...ask, ended }),
    "continue as one": continuePage(direct, { offers: [offer], query, ended: [] }),
    "continue as one, with news": continuePage(through, {
      ...{ offers: [offer], query, ended },
      news: [{ domain, events, until: 7 }],
    }),
    ...Object.fromEntries(
      [2, 3, 8].map((count) => [
        `continue as ${count}`,
        continuePage(direct, { offers: several(count), query, ended: [] }),
      ]),
    ),
    "continue as two, with news": continuePage(through, {
      ...{ offers: several(2), query, ended },
      news: [{ domain: `${domain}1`, events, until: 7 }],
    }),
    consent: consentPage(direct, consent(["openid"])),
    "consent for another service": consentPage(through, consent([])),
    "consent to scopes": consentPage(direct, consent(all)),
    "consent to a resource": consentPage(direct, consent(["openid"], [named])),
    "consent to resources": consentPage(through, consent(all, [resource, named])),
    problem: problemPage(context, problem),
    "problem with an id": problemPage(context, { ...problem, errorId: x }),
    "problem of a client": problemPage(context, { ...problem, details: [x, x], client: request }),
    "problem of an account": problemPage(context, { ...problem, errorId: x, isOfAccount: true }),
    "sign-out of nobody": signOutForms(context, [], query),
  };
}

describe.each([...LANGUAGES.values()])("in $lang", (language) => {
  const context = contextIn(language);
  const fill: Fill<PageContext> = (render, values) => render(direct, values);
  /** Without templates. */
  const direct: PageContext = { ...context, fill };

  test("each page of a request is what it would be without those before", () => {
    const shown = (pages: Record<string, PageHtml>) =>
      Object.entries(pages).map(([name, page]) => [name, String(page)]);
    for (const [x, domain] of REQUESTS) {
      expect(shown(pagesOf(context, x, domain))).toEqual(shown(pagesOf(direct, x, domain)));
    }
  });

  test("no request makes another template", () => {
    const renderers = new Set<unknown>();
    const counting: PageContext = {
      ...context,
      fill: (render, values) => {
        renderers.add(render);
        return context.fill(render, values);
      },
    };
    pagesOf(counting, "first", "alice.example");
    const { size } = renderers;
    expect(size).toBeGreaterThan(6);
    for (const x of HOSTILE) pagesOf(counting, x, x);
    expect(renderers.size).toBe(size);
  });

  test("the page of a flood is that of its problem", () => {
    const { t, lang } = context;
    for (const errorId of ["first-7f3a", ...HOSTILE]) {
      const overloaded = { ...t.problem("requestProblems-overloaded"), errorId };
      expect(String(fixedProblemPage({ name: "overloaded" }, lang, errorId))).toBe(
        String(problemPage(direct, overloaded)),
      );
      for (const minutes of [1, 2, 7, 10]) {
        const text = t.problem("requestProblems-tooManyRequests", { minutes });
        const shown = fixedProblemPage({ name: "tooManyRequests", minutes }, lang, errorId);
        expect(String(shown)).toBe(String(problemPage(direct, { ...text, errorId })));
      }
    }
  });

  test("with a notice, the page that asks for a domain differs by the notice alone", () => {
    const client = { clientName: "name", clientHost: "host", backToApp: "back" };
    const props = { query: "query", value: "value", passkeyOptions: "options" };
    const noticed = { ...props, notice: { summary: "a summary" } };
    const [one, other] = [noticed, props].map((each) =>
      String(domainPage({ ...context, client }, each)).split("\n"),
    );
    // The title begins with the word for a problem, and the field refers to the notice.
    const missing = other?.filter((line) => !one?.includes(line)) ?? [];
    expect(missing).toHaveLength(2);
    expect(missing[0]).toMatch(/^<title>/);
    expect(missing[1]).toContain(' aria-describedby="domain-hint"');
    expect(one?.join("\n")).toContain("a summary");
  });
});
