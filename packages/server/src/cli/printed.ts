// Makes untrusted text safe to print on a terminal.

/** Replaces control and format characters: they could control the terminal or reverse the text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

/** Escapes those characters too, which `JSON.stringify` does only in part. */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
