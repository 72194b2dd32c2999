// JSON that can be read in one way only: UTF-8 without flaws, and no member twice (RFC 8725 §2.4).

export type JsonObject = Readonly<Record<string, unknown>>;

/** Null for what is no JSON object, or would be another one to another reader. */
export function readJsonObject(octets: Uint8Array): JsonObject | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !hasMemberTwice(text) ? value : null;
  } catch {
    // The decoder and the parser have one kind of error each, and both mean the same here.
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One way to match each character: a text of hostile strings costs no more than its length. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

/** `text` is known to be JSON. An escaped name is the name that it means. */
function hasMemberTwice(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (string !== undefined && colon !== undefined) {
      const member: unknown = JSON.parse(string);
      const members = open.at(-1);
      if (members?.has(member)) return true;
      members?.add(member);
    }
  }
  return false;
}
