// Text of strangers on its way to an operator's terminal.

/** Whoever writes to a zone could otherwise give orders to the terminal, or turn the direction of text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

/** JSON leaves some of them as they are. */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
