/** Epoch seconds as `2026-11-22T18:03:54Z`. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
