// Whether a page that waits for DNS asks again by itself, which its reader can stop (WCAG 2.2.2).

import type { HttpRequest } from "../http/message.ts";
import { ASKS_AGAIN } from "../http/responses.ts";
import type { ByItself } from "../pages/notice.ts";

/** What the address of such a page says when it has been stopped. */
const STOPPED = "by-itself=no";

/** `action` is where its form is posted to, so that a stop outlives the check. */
export interface Waiting {
  readonly byItself: ByItself;
  readonly action: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function waitingAt(path: string, { query }: HttpRequest): Waiting {
  const stopped = `${path}?${STOPPED}`;
  return query === STOPPED
    ? { byItself: { isOn: false, other: path }, action: stopped, headers: {} }
    : { byItself: { isOn: true, other: stopped }, action: path, headers: ASKS_AGAIN };
}
