// What every engine promises about authentications of one interaction at once: one counts, and starts the session.

import { expect, test } from "vitest";
import { cookiesOf } from "../../../src/http/cookies.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { authenticated } from "../../../src/sign-in/authenticated.ts";
import type { Account } from "../../../src/store/accounts.ts";
import { aggregatesOf, type Store } from "../../../src/store/store.ts";
import { jsonEvents } from "../../../src/telemetry/events.ts";
import { httpRequest } from "../../support/http-request.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { liveAccount, NOW, someInteraction } from "../../support/store-rows.ts";

const ISSUER = "https://auth.example.com";
const cookies = cookiesOf(ISSUER);
const request = { clientId: "app", consent: "never", scopes: [], prompt: new Set() };

onEveryEngine((database) => {
  /** An interaction of a live account, and how a browser with this cookie authenticates in it on a node. */
  async function begun(of?: Account) {
    const account = of ?? (await liveAccount(database.store));
    const interaction = someInteraction({ domain: account.domain });
    await database.store.beginInteraction(interaction);
    const authenticate = (node: Store, cookie?: string) => {
      const headers = cookie === undefined ? {} : { cookie };
      const http = httpRequest(new Request(`${ISSUER}/interaction/x/y`, { headers }));
      const deps = {
        ...aggregatesOf(node),
        ...{ cookies, random: systemRandom, clock: clockFrom(() => NOW * 1000) },
        events: jsonEvents({ write: () => {} }),
      };
      return authenticated({ http, interaction, request } as never, { account, amr: "dns" }, deps);
    };
    const sid = async () => (await database.store.readInteraction(interaction.id))?.sid;
    return { account, authenticate, sid };
  }

  const sessionsSet = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    [headers["set-cookie"] ?? []].flat().filter((cookie) => String(cookie).includes("_session_"));

  test("of 20 in a new browser one starts a session, and its answer alone has the secret", async () => {
    const { store, stores } = database;
    for (let round = 0; round < 5; round++) {
      const { account, authenticate, sid } = await begun();
      const answers = await race(stores, 20, (node) => authenticate(node));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
      const secrets = answers.flatMap(sessionsSet);
      expect(secrets).toHaveLength(1);
      expect(await store.countBrowsersOf(account.id, NOW)).toBe(1);
      const [session, ...others] = await store.sessionsOf(account.id, NOW);
      expect(others).toEqual([]);
      expect(await sid()).toBe(session?.sid);
    }
  });

  test("of 10 in a known browser the one that counts continues its session", async () => {
    const { store, stores } = database;
    const first = await begun();
    const [set] = sessionsSet(await first.authenticate(store));
    const cookie = String(set).split(";")[0];
    // That interaction is done: it starts nothing any more.
    expect(sessionsSet(await first.authenticate(store, cookie))).toEqual([]);
    const second = await begun(first.account);
    const answers = await race(stores, 10, (node) => second.authenticate(node, cookie));
    expect(answers.flatMap(sessionsSet)).toHaveLength(1);
    expect(await second.sid()).toBe(await first.sid());
    expect(await store.countBrowsersOf(first.account.id, NOW)).toBe(1);
    // The secret of another account continues nothing.
    const stranger = await begun();
    await stranger.authenticate(store, cookie);
    expect(await stranger.sid()).not.toBe(await first.sid());
  });
});
