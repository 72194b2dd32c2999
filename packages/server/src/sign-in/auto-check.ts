// Automatic refresh of pages that wait for DNS, which the user can stop (WCAG 2.2.2).

import type { HttpRequest } from "../http/message.ts";
import { REFRESH } from "../http/responses.ts";
import type { AutoCheck } from "../pages/notice.ts";

/** The query of such a page after the refresh was stopped. */
const STOPPED = "by-itself=no";

/** `action` is the target of the page's form; it keeps the refresh stopped after a check. */
export interface AutoCheckPage {
  readonly autoCheck: AutoCheck;
  readonly action: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function autoCheckAt(path: string, { query }: HttpRequest): AutoCheckPage {
  const stopped = `${path}?${STOPPED}`;
  return query === STOPPED
    ? { autoCheck: { isOn: false, other: path }, action: stopped, headers: {} }
    : { autoCheck: { isOn: true, other: stopped }, action: path, headers: REFRESH };
}
