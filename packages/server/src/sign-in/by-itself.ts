// Automatic refresh of pages that wait for DNS, which the user can stop (WCAG 2.2.2).

import type { HttpRequest } from "../http/message.ts";
import { ASKS_AGAIN } from "../http/responses.ts";
import type { ByItself } from "../pages/notice.ts";

/** The query of such a page after the refresh was stopped. */
const STOPPED = "by-itself=no";

/** `action` is the target of the page's form; it keeps the refresh stopped after a check. */
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
