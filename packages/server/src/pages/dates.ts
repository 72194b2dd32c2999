// Dates and times on pages. Times are in epoch seconds.

const formats = new Map<string, Intl.DateTimeFormat>();
const momentFormats = new Map<string, Intl.DateTimeFormat>();

/** A day in the language of the page, such as "May 3, 2026". */
export function shownDate(lang: string, seconds: number): string {
  const format =
    formats.get(lang) ?? new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeZone: "UTC" });
  formats.set(lang, format);
  return format.format(seconds * 1000);
}

/** A time of day, such as "08:15:30 UTC". */
export function shownTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}

/** A day with its time, in UTC, in the language of the page, such as "May 3, 2026, 8:15 AM". */
export function shownMoment(lang: string, seconds: number): string {
  const format =
    momentFormats.get(lang) ??
    new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  momentFormats.set(lang, format);
  return format.format(seconds * 1000);
}
