// Strict JSON: valid UTF-8 without duplicate members, which parsers read differently (RFC 8725 §2.4).

export type JsonObject = Readonly<Record<string, unknown>>;

/** Null for anything but a JSON object that every parser reads alike. */
export function readJsonObject(octets: Uint8Array): JsonObject | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !hasDuplicateMember(text) ? value : null;
  } catch {
    // Invalid UTF-8 or invalid JSON.
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Matches each character in one way only, so that hostile input takes linear time. */
const TOKEN_RE = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

/** `text` must be valid JSON. Names are compared after unescaping. */
function hasDuplicateMember(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN_RE)) {
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
