// Changes of a pending sign-in, made as the service makes them.

import { createFlow, type Flow } from "../../src/interaction/flow.ts";
import type { Transition } from "../../src/interaction/progress.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { BrowserSessions } from "../../src/sessions/browser-sessions.ts";
import type { Interaction } from "../../src/store/interaction-row.ts";
import type { Store } from "../../src/store/store.ts";
import type { Events } from "../../src/telemetry/events.ts";
import { testCookies } from "./cookies.ts";
import { ROOMS } from "./rooms.ts";

/** Reads the interaction and applies the transition at this time. The changed interaction, or null if nothing changed. */
export async function changeProgress(
  store: Store,
  id: string,
  transition: Transition,
  now: number,
  options?: Parameters<Flow["change"]>[2],
): Promise<Interaction | null> {
  const interaction = await store.interactions.readInteraction(id);
  if (interaction === null) return null;
  const flow = createFlow({
    ...{ ...store, cookies: testCookies("https://auth.example.com") },
    ...{ ...ROOMS, random: systemRandom },
    // A change starts no session and reports nothing.
    ...{ browserSessions: {} as BrowserSessions, events: {} as Events },
    clock: clockFrom(() => now * 1000),
    completeInteraction: () => Promise.reject(new Error("no code here")),
  });
  const changed = await flow.change(interaction, transition, options);
  return changed.isChanged ? changed.interaction : null;
}
