// The pages that people see only after a backup was restored.

import type { Page } from "playwright-core";
import { createCookieSeal } from "../../src/keys/cookie-seal.ts";
import { openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { assertionFor, givePasskey } from "../support/passkeys.ts";
import { TEST_SECRET } from "../support/service.ts";
import { atStep, publish } from "./person.ts";
import {
  beginUnseen,
  begunSetUp,
  postCredential,
  setUpUnseen,
  show,
  type Visit,
  type Way,
} from "./visit.ts";

const DAY = 86_400;
/** So long ago that it is before everything that other visits of the same service make. */
const RESTORED_DAYS_AGO = 20;

export const everyPageAfterRestore: Readonly<Record<string, Way>> = {
  "own-unknown-restored": async (visit) => {
    const page = await begunSetUp(visit);
    await publish(visit.at, page);
    await startEarlier(page, visit);
    return show(visit, await beginUnseen(visit), "problem");
  },

  "dns-challenge-passkey-kept": async (visit) => {
    await setUpUnseen(visit);
    await visit.tab.context().clearCookies();
    const passkey = await givePasskey(visit.at, visit.domain, { createdAt: DAY });
    await restoreLongAgo(visit, Math.floor(Date.now() / 1000));
    const page = await show(visit, await beginUnseen(visit), "passkey");
    const asked = { url: page.url(), html: await page.content() };
    await postCredential(page, assertionFor(asked, passkey));
    await atStep(page, "dns-challenge");
    return page;
  },
};

async function restoreLongAgo({ at }: Visit, now: number): Promise<void> {
  await at.store.installation.claimInstallation("of the tests");
  await at.store.installation.recordRestore({ counter: 0, now: now - RESTORED_DAYS_AGO * DAY });
}

/** Makes the set-up of this browser older than the restore. */
async function startEarlier(page: Page, visit: Visit): Promise<void> {
  const deps = { clock: systemClock, random: systemRandom };
  const seal = sealWith(TEST_SECRET, systemRandom);
  const keyring = await openKeyring({ ...deps, ...visit.at.store, seal });
  const cookies = createCookieSeal("domain-signin set-up cookie v1", { ...deps, keyring });
  for (const cookie of await page.context().cookies()) {
    if (!cookie.name.startsWith("ds_setup_")) continue;
    const plain = await cookies.open(cookie.name, cookie.value);
    const content = JSON.parse(String(plain));
    await restoreLongAgo(visit, content.startedAt);
    const startedAt = content.startedAt - (RESTORED_DAYS_AGO + 2) * DAY;
    const value = cookies.close(
      cookie.name,
      Buffer.from(JSON.stringify({ ...content, startedAt })),
    );
    await page.context().addCookies([{ ...cookie, value }]);
  }
}
