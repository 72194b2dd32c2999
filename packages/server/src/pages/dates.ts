// Dates and times on pages, from epoch seconds.

import { memoize } from "../lib/memoize.ts";

const UTC = { timeZone: "UTC", dateStyle: "medium" } as const;
const dayIn = memoize((lang) => new Intl.DateTimeFormat(lang, UTC));
const momentIn = memoize((lang) => new Intl.DateTimeFormat(lang, { ...UTC, timeStyle: "short" }));

/** A day in the language of the page, such as "May 3, 2026". */
export function shownDate(lang: string, seconds: number): string {
  return dayIn(lang).format(seconds * 1000);
}

/** A day with its time, in UTC, in the language of the page, such as "May 3, 2026, 8:15 AM". */
export function shownMoment(lang: string, seconds: number): string {
  return momentIn(lang).format(seconds * 1000);
}

/** A time of day, such as "08:15:30 UTC". */
export function shownTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}
