// Shortens tokens for display: enough to tell them apart, never the whole token.

const FIRST_CHARACTERS = 12;
const LAST_CHARACTERS = 4;
const MAX_TEXT_LENGTH = 80;

/** Keeps the end, because all tokens of one grant have the same beginning. */
export function shortenToken(token: string): string {
  if (token.length <= FIRST_CHARACTERS + LAST_CHARACTERS) return token;
  return `${token.slice(0, FIRST_CHARACTERS)}…${token.slice(-LAST_CHARACTERS)}`;
}

/** Indented JSON in which tokens and other long texts are shortenToken. */
export function shortenJson(value: unknown): string {
  return JSON.stringify(
    value,
    (key, part: unknown) =>
      typeof part === "string" && (key.endsWith("_token") || part.length > MAX_TEXT_LENGTH)
        ? shortenToken(part)
        : part,
    2,
  );
}
