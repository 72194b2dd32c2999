// How soon after its publication a record is found by the page that waits for it, in Chromium.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { atRecord, enter, publish } from "./person.ts";
import { openWorld, startWalk } from "./world.ts";

const world = fixture(openWorld);

/** More are for a measurement. */
const SAMPLES = Number(process.env.FOUND_SAMPLES ?? 2);
/** Pages that wait at the same time, each in a browser of its own. */
const TOGETHER = Math.min(SAMPLES, 4);
/** A look may be under way, and what the name servers said is shared for three seconds. */
const MOST_LOOKS = 3;

browserTests("a record that is published", () => {
  test("is found by the page within its next looks", async (context) => {
    const { at } = world;
    const { domain, open, begin } = startWalk(world, context);
    const samples: { seconds: number; looks: number }[] = [];
    const sample = async (number: number) => {
      // The page looks as often as it promises.
      const person = await open({ extraHTTPHeaders: {} });
      const page = await begin(person);
      await enter(page, `s${number}.${domain}`);
      await atRecord(page);
      await page.bringToFront();
      // At any moment between two looks.
      await sleep(Math.random() * 3000);
      let looks = 0;
      page.on("request", (request) => {
        if (request.url().includes("by-itself=yes")) looks++;
      });
      await publish(at, page);
      const publishedAt = performance.now();
      await page.locator("main[data-found]").waitFor();
      samples.push({ seconds: (performance.now() - publishedAt) / 1000, looks });
      await person.context.close();
    };
    for (let first = 0; first < SAMPLES; first += TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, (_, index) => sample(first + index)));
    }
    const times = samples.map(({ seconds }) => seconds).sort((one, other) => one - other);
    const at95 = times[Math.ceil(0.95 * SAMPLES) - 1] ?? Number.NaN;
    const shown = [times[Math.floor(SAMPLES / 2)], at95, times.at(-1)].map((one) =>
      one?.toFixed(1),
    );
    console.info(
      `published to found, in seconds: half ${shown[0]}, p95 ${shown[1]}, worst ${shown[2]}`,
    );
    expect(samples.filter(({ looks }) => looks > MOST_LOOKS)).toEqual([]);
  });
});
