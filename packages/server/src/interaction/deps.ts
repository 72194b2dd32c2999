// The components that the steps of a sign-in use. Each function picks those that it needs.

import type { Control } from "../account/control.ts";
import type { History } from "../account/history-writer.ts";
import type { Cookies } from "../http/cookies.ts";
import type { StorageLimit } from "../http/storage-limit.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { ReturningBrowsers } from "../sessions/returning-browser.ts";
import type { UnseenNews } from "../sessions/unseen-news.ts";
import type { Aggregates } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps extends Aggregates {
  readonly cookies: Cookies;
  readonly returningBrowsers: ReturningBrowsers;
  readonly browserSessions: BrowserSessions;
  readonly unseenNews: UnseenNews;
  readonly storageLimit: Pick<StorageLimit, "take">;
  readonly control: Control;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly history: Pick<History, "caughtUp">;
}
