// How the demo shows tokens: enough to tell them apart, and never the whole.

const firstCharacters = 12;
const lastCharacters = 4;
const longestText = 80;

/** The tokens of one grant all begin alike: only their ends tell them apart. */
export function shortened(token: string): string {
  if (token.length <= firstCharacters + lastCharacters) return token;
  return `${token.slice(0, firstCharacters)}…${token.slice(-lastCharacters)}`;
}

/** Indented JSON with every token in it, and every other long text, shortened. */
export function shortenedJson(value: unknown): string {
  return JSON.stringify(
    value,
    (key, part: unknown) =>
      typeof part === "string" && (key.endsWith("_token") || part.length > longestText)
        ? shortened(part)
        : part,
    2,
  );
}
