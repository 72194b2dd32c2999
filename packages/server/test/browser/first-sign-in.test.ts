// A first sign-in in Chromium: what it costs a person, and whether the pictures of the documents show it.

import { expect, type TestContext, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { type FirstSignIn, firstSignIn } from "./first-sign-in.ts";
import { openNamedWorld } from "./named-world.ts";
import { PICTURE_SIZE, startPictures } from "./pictures.ts";
import { redeem, startWalk } from "./world.ts";

/** The set-up names the provider of the zone, as it does for most people. */
const panel = {
  ...{ name: "Cloudflare", link: "https://dash.cloudflare.example/", hostField: "Name" },
  ...{ addsZone: true, wantsQuotes: false, flaws: [] },
};
interface Screen {
  readonly domain: string;
  readonly viewport: { readonly width: number; readonly height: number };
}
const WIDE: Screen = { domain: "alice.com", viewport: PICTURE_SIZE };
const SCREENS = [WIDE, { domain: "bob.com", viewport: { width: 390, height: 844 } }];
const origins = SCREENS.map(({ domain }) => domain);
const world = fixture(() => openNamedWorld({ origins, panelOf: () => panel }));
const pictures = startPictures();

/** The account page names it. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

const walks = new Map<Screen, Promise<FirstSignIn>>();

/** Tests share the walk of a screen: the first of them takes it. */
function walkAt(screen: Screen, context: TestContext): Promise<FirstSignIn> {
  const walk = walks.get(screen) ?? walkAnew(screen, context);
  walks.set(screen, walk);
  return walk;
}

async function walkAnew(screen: Screen, context: TestContext): Promise<FirstSignIn> {
  const { domain, viewport } = screen;
  const note = screen === WIDE ? pictures.note : undefined;
  const walk = startWalk(world, context);
  const signIn = await firstSignIn(world, walk, domain, { viewport, userAgent }, note);
  if (note) {
    await redeem(world, domain);
    await signIn.page.goto(`${world.at.issuer}/account`);
    await note("account", signIn.page);
  }
  return signIn;
}

browserTests("a first sign-in", () => {
  test.for(SCREENS)(
    "takes four pages before consent, seven clicks, two copies and 130 words, at $viewport.width x $viewport.height",
    async (screen, context) => {
      const { width, height } = screen.viewport;
      const { clicks, copies, looks } = await walkAt(screen, context);
      const { consent, found, ...before } = looks;
      const words = Object.values(before).reduce((sum, page) => sum + page.words, 0);
      console.table(looks);
      console.info(`${width}: ${JSON.stringify({ clicks, copies, words })}`);
      expect(Object.keys(before)).toHaveLength(4);
      expect({ clicks, copies }).toEqual({ clicks: 7, copies: 2 });
      expect(words).toBeLessThanOrEqual(130);
      for (const [step, page] of Object.entries(looks)) {
        expect([step, page.words <= 60, page.primaryButtons <= 1]).toEqual([step, true, true]);
        expect([step, page.taskEnd <= height]).toEqual([step, true]);
        // Names of two lines push it down on a phone.
        const lowest = width > 1000 ? 160 : 200;
        expect([step, page.firstControl <= lowest || page.firstControl]).toEqual([step, true]);
      }
    },
  );

  test("is what the pictures of the documents show, or `npm run screenshots` is due", async (context) => {
    await walkAt(WIDE, context);
    expect(
      pictures.outOfDate(),
      "run npm run screenshots, and remove what it does not take",
    ).toEqual([]);
  });
});
