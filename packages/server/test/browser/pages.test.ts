// What holds for every page in every language: axe finds nothing, it fits, it is light, no route is forgotten.

import type { Page, Response as PageResponse } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assets } from "../../src/pages/assets.ts";
import { ENGLISH, LANGUAGES } from "../../src/pages/languages.ts";
import { openCatalogue } from "../../src/pages/messages.ts";
import { browserTests } from "../support/browser-tests.ts";
import { RECOGNIZES, SIGNS_OUT_EVERYWHERE, SIGNS_OUT_HERE } from "../support/recognizing-steps.ts";
import { ROUTES } from "../support/routes.ts";
import {
  ALL_APPEARANCES,
  type Appearance,
  NARROW_LIGHT,
  nameOf,
  screenshot,
  show,
  WIDE_DARK,
} from "./appearances.ts";
import { axeResult } from "./axe-probe.ts";
import { everyPage } from "./every-page.ts";
import { everyProblem } from "./every-problem.ts";
import { focusFindings } from "./focus-probe.ts";
import { layoutFindings, spacedOutFindings } from "./layout-probe.ts";
import { openTour, type Tour } from "./tour.ts";
import { languages, outlineOf, showTranslation, translationOf, weightOf } from "./translations.ts";

/** Octets of a page with its stylesheet, scripts and icon, headers included. Only those files are compressed. */
const heaviest = 30_000;
/** Of the page that asks for a domain. */
const heaviestFirst = 15_000;

/** Page routes whose own answer is never a page: they redirect, or run into a problem. */
const redirecting = [
  "POST /oauth/authorize",
  "GET /sign-in",
  "GET /sign-in/passkey",
  "POST /sign-in/continue",
  "GET /sign-in/continue",
  "POST /sign-in/other",
  "POST /sign-in/sign-out",
  "GET /sign-in/sign-out",
  "GET /account/new-passkey",
  "GET /account/remove-passkey",
  "GET /account/delete-account",
  "GET /account/new-codes",
  "POST /interaction/:id/new-codes",
  "POST /interaction/:id/remove-passkey",
  "POST /interaction/:id/new-passkey",
  ...["revoke", "rename-passkey", "sign-out", "sign-out-everywhere"].flatMap((name) => [
    `POST /account/${name}`,
    `GET /account/${name}`,
  ]),
  "POST /oauth/logout",
  "POST /oauth/logout/decision",
  "GET /oauth/logout/decision",
  "POST /interaction/:id/dns-setup",
  "POST /interaction/:id/set-up-passkey",
  "POST /interaction/:id/start-over",
  "POST /interaction/:id/resume",
  "POST /interaction/:id/recovery-codes",
  "POST /interaction/:id/without-passkey",
  "POST /interaction/:id/news",
  "POST /interaction/:id/consent",
  "GET /interaction/:id/complete",
  "GET /federation/callback/:h",
];

const recognizing = new Set(
  Object.entries(RECOGNIZES).flatMap(([step, isRecognizing]) => (isRecognizing ? [step] : [])),
);
/** Pages of steps that recognize somebody, which say that nobody is signed in any more. */
const signedOut = ["account-deleted", "account-signed-out", "logout-nothing"];
/** That of an account without its record signs out here alone: nobody can authenticate to end other sessions. */
const withoutSignOut = [...signedOut, "account-asleep"].sort();

const pageNames = Object.keys(everyPage);
const everyAppearance = Boolean(process.env.EVERY_APPEARANCE ?? process.env.SCREENSHOTS);
/** Whether this run shows the languages that `npm test` leaves out, by `npm run test:languages`. */
const showsOthers = process.env.PAGE_LANGUAGES === "others";

/** What the visits of the first test came to see; the tests after it judge that. */
const seen = {
  routes: new Set<string>(),
  steps: new Set<string>(),
  headings: new Set<string>(),
  /** Pages of steps that recognize somebody, without a way to sign out. */
  withoutSignOut: new Set<string>(),
  weights: new Map<string, number>(),
  checks: 0,
};
let tour: Tour;

browserTests("every page", () => {
  beforeAll(async () => {
    tour = await openTour();
  });
  afterAll(() => tour?.close());

  test("that lost a label or became faint is found out by axe", async () => {
    await tour.show("domain", async (page) => {
      await page.evaluate(`document.querySelector("label").remove();
        document.documentElement.style.setProperty("--quiet", "#888")`);
      const { findings } = await axeResult(page, "all");
      expect(findings.join("\n")).toMatch(/label: #domain: /);
      expect(findings.join("\n")).toMatch(/color-contrast: #domain-hint: .* contrast of 3\./);
    });
  });

  test("in another language is the same in an open tab as after a load", async () => {
    await tour.show("dns-setup-other-value", async (page, shown) => {
      const document = async () => {
        const html = await page.evaluate<string>("document.documentElement.outerHTML");
        // When DNS was asked, and the end of the document.
        return html.replace(/<time.*?<\/time>/, "").replace(/\s+/g, " ");
      };
      for (const language of ["de", "ar"]) {
        await showTranslation(page, await translationOf(shown, language));
        const open = await document();
        await page.setExtraHTTPHeaders({ "accept-language": language });
        await page.reload();
        expect(open).toBe(await document());
      }
      await page.setExtraHTTPHeaders({});
    });
  });

  test.concurrent.each(pageNames)(
    "%s is accessible, fits, and is read, pressed and reached by key, in its languages, at 320 and 1280 pixels, light and dark",
    async (name) => {
      const findings: string[] = [];
      await tour.show(name, async (page, shown) => {
        await note(name, page, shown);
        const translations = await Promise.all(
          languages.map((language) => translationOf(shown, language)),
        );
        for (const [index, translation] of translations.entries()) {
          const { language, weight } = translation;
          seen.weights.set(`${name} ${language}`, weight);
          const appearances = appearancesOf(language, name);
          if (appearances.length === 0) continue;
          // The tab was given it in English.
          if (index > 0) await showTranslation(page, translation);
          // To and fro, so that each language begins as the one before ended.
          for (const appearance of index % 2 === 0 ? appearances : appearances.toReversed()) {
            await show(page, appearance);
            await screenshot(page, `${name}-${language}`, appearance);
            const found = await findingsOf(page, language, appearance);
            findings.push(...found.map((each) => `${language} ${nameOf(appearance)} ${each}`));
          }
        }
        const [english = [], ...others] = translations.map(outlineOf);
        for (const outline of others) expect(outline).toEqual(english);
      });
      expect(findings).toEqual([]);
    },
  );

  test("is one of those: each route that shows a page, each step and each problem", () => {
    const routes = ROUTES.flatMap(({ method, path, channel }) =>
      channel === "page" ? [`${method} ${path}`] : [],
    );
    expect([...seen.routes, ...redirecting].sort()).toEqual([...routes].sort());
    expect([...seen.steps].sort()).toEqual(Object.keys(RECOGNIZES).sort());
    expect([...seen.withoutSignOut].sort()).toEqual(withoutSignOut);
    const lookup = openCatalogue(ENGLISH);
    const titles = Object.keys(everyProblem).map((name) =>
      lookup(`requestProblems-${name}`, "title"),
    );
    const unseen = titles.filter((title) => title === null || !seen.headings.has(title));
    expect(unseen).toEqual([]);
    console.info(`${pageNames.length} pages, ${languages.length} languages: ${seen.checks} checks`);
  });

  test("is at most 30 KB over the wire, with its stylesheet, script and icon", async () => {
    const paths = [...assets.keys()];
    const answers = await Promise.all(paths.map((path) => fetch(`${tour.at.issuer}${path}`)));
    const others = await Promise.all(answers.map(async (answer) => weightOfAsset(answer)));
    const shared = others.reduce((sum, weight) => sum + weight, 0);
    const byWeight = [...seen.weights].sort(([, one], [, other]) => other - one);
    const [name, document] = byWeight[0] ?? ["", Number.NaN];
    console.info(`the largest page is ${name}: ${document} + ${shared} = ${document + shared}`);
    expect(byWeight).toHaveLength(pageNames.length * languages.length);
    expect(byWeight.filter(([, weight]) => weight + shared > heaviest)).toEqual([]);
    const first = byWeight.filter(([page]) => page.startsWith("domain "));
    expect(first).toHaveLength(languages.length);
    expect(first.filter(([, weight]) => weight + shared > heaviestFirst)).toEqual([]);
  });
});

/** Notes what the tests after the visits judge. The tab shows the page in English. */
async function note(name: string, page: Page, shown: PageResponse): Promise<void> {
  const step = (await page.getAttribute("body", "data-step")) ?? "";
  seen.steps.add(step);
  for (const way of [SIGNS_OUT_HERE, SIGNS_OUT_EVERYWHERE]) {
    if (recognizing.has(step) && (await page.locator(way).count()) === 0)
      seen.withoutSignOut.add(name);
  }
  seen.headings.add(await page.innerText("h1"));
  if (step !== "problem") seen.routes.add(routeOf(shown));
}

/**
 * Every appearance in every language takes minutes. Otherwise each page is shown once in English, and every second one
 * once in each right-to-left language, in two appearances that differ in all, by turns of the pages. The run for the
 * other languages shows each page once in each of them, by turns of pages and of languages, and the other pages once in
 * each right-to-left language.
 */
function appearancesOf(language: string, name: string): readonly Appearance[] {
  const both = [NARROW_LIGHT, WIDE_DARK];
  if (everyAppearance) return language === "en" ? ALL_APPEARANCES : both;
  const place = pageNames.indexOf(name);
  const isRtl = isWhole(language) && language !== "en";
  const isOfOthers = isRtl ? place % 2 === 1 : language !== "en";
  if (isOfOthers !== showsOthers) return [];
  const turn = (isRtl ? Math.floor(place / 2) : place) + languages.indexOf(language);
  return turn % 2 === 0 ? [WIDE_DARK] : [NARROW_LIGHT];
}

/** English, and each right-to-left language: all rules are tested in them. */
function isWhole(language: string): boolean {
  return language === "en" || LANGUAGES.get(language)?.dir === "rtl";
}

/**
 * Layout and contrast are measured in every language; axe and the Tab key go through English and
 * each right-to-left language. Unless every appearance is asked for, they do so once for each page, in the
 * language that is shown narrow and light. That loses no rule of axe:
 * - Most rules judge the markup, which is the same in every language: the test compares the tags of
 *   each with the English ones. That no text of a catalogue is empty is a test of the catalogues.
 * - The direction of text can change what axe computes from places: all rules run in Arabic too.
 * - Colours (color-contrast, link-in-text-block) depend on the scheme alone, as a test of the style
 *   sheet keeps it, and sizes (target-size, scrollable-region-focusable) on the width. The layout probe
 *   measures contrast and sizes in each appearance, and is stricter.
 */
async function findingsOf(page: Page, language: string, appearance: Appearance): Promise<string[]> {
  const findings = await layoutFindings(page);
  if (appearance === NARROW_LIGHT) findings.push(...(await spacedOutFindings(page)));
  const hasAxe = appearance === NARROW_LIGHT || (everyAppearance && appearance === WIDE_DARK);
  if (!isWhole(language) || !hasAxe) return findings;
  const axe = await axeResult(page, appearance === NARROW_LIGHT ? "all" : "appearance");
  seen.checks += axe.checks;
  return [...findings, ...axe.findings, ...(await focusFindings(page))];
}

/** The row of the table that this answer came by. */
function routeOf(response: PageResponse): string {
  const { pathname } = new URL(response.url());
  const row = ROUTES.find((route) => {
    const pattern = new RegExp(`^${route.path.replace(/:[a-z]+/g, "[^/]+")}$`);
    return route.method === response.request().method() && pattern.test(pathname);
  });
  return row === undefined ? `no route to ${pathname}` : `${row.method} ${row.path}`;
}

async function weightOfAsset(answer: Response): Promise<number> {
  expect(answer.status).toBe(200);
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  await answer.arrayBuffer();
  return weightOf(head, Number(answer.headers.get("content-length")));
}
