/**
 * The text (a token, a cookie, a link) with another character in it, five from the end: the last
 * one may differ by bits that mean nothing, and a fixed end is now and then the end that was there.
 */
export function changedText(text: string) {
  return text.replace(/.(?=.{4}$)/, (old) => (old === "A" ? "B" : "A"));
}
