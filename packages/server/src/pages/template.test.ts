// Tests of pages that are rendered once: what they show is of their own request alone.

import { html } from "hono/html";
import { describe, expect, it, test } from "vitest";
import { domainPage } from "./domain.ts";
import { contextIn, LANGUAGES } from "./languages.ts";
import { templateOf } from "./template.ts";

describe("a template", () => {
  const names = ["one", "two"] as const;

  it("gives the same as `html` for each value, and renders once", () => {
    const rendered: string[] = [];
    const render = ({ one, two }: Readonly<Record<"one" | "two", string>>) => {
      rendered.push(one);
      return html`<p title="${one}">${two} &amp; ${one}</p>`;
    };
    const template = templateOf(names, render);
    const shown = ["a", "b"].map((one) => String(template({ one, two: "c" })));
    expect(shown).toEqual(['<p title="a">c &amp; a</p>', '<p title="b">c &amp; b</p>']);
    expect(rendered).toHaveLength(1);
    const texts = ["", "plain", `<a href='x'>"&`, "\uE001two\uE001", "$&", "مرحبا 👋"];
    for (const one of texts) {
      for (const two of texts) {
        expect(String(template({ one, two }))).toBe(String(render({ one, two })));
      }
    }
  });
});

describe.each([...LANGUAGES.values()])("the page that asks for a domain, in $lang", (language) => {
  const page = (text: string) =>
    String(
      domainPage(
        {
          ...contextIn(language),
          client: {
            clientName: `${text} name`,
            clientHost: `${text} host`,
            backToApp: `${text} back`,
          },
        },
        { query: `${text} query`, value: `${text} value`, passkeyOptions: `${text} options` },
      ),
    );

  test("differs between two requests in what they sent, and in nothing else", () => {
    const [first, second] = [page("first-7f3a"), page("<second & 'other'>")];
    expect(second).not.toContain("first-7f3a");
    expect(first.replaceAll("first-7f3a", "&lt;second &amp; &#39;other&#39;&gt;")).toBe(second);
    for (const place of ["name", "host", "back", "query", "value", "options"]) {
      expect(first).toContain(`first-7f3a ${place}`);
    }
  });

  test("with a notice, the page differs by the notice alone", () => {
    const context = {
      ...contextIn(language),
      client: { clientName: "name", clientHost: "host", backToApp: "back" },
    };
    const props = { query: "query", value: "value", passkeyOptions: "options" };
    const noticed = String(domainPage(context, { ...props, notice: { summary: "a summary" } }));
    const plain = String(domainPage(context, props));
    // The title begins with the word for a problem, and the field refers to the notice.
    const missing = plain.split("\n").filter((line) => !noticed.split("\n").includes(line));
    expect(missing).toHaveLength(2);
    expect(missing[0]).toMatch(/^<title>/);
    expect(missing[1]).toContain(' aria-describedby="domain-hint"');
    expect(noticed).toContain("a summary");
  });
});
