// A strict parser for `application/x-www-form-urlencoded` bodies and queries, and for bodies of JSON.

import { isUtf8 } from "node:buffer";
import { BodyTooLargeError, type HttpRequest } from "./message.ts";

export const MAX_BODY_OCTETS = 16_384;

/** Parameters of a request. A parameter without a value is treated as absent (RFC 6749 §3.1). */
export interface Parameters {
  readonly values: ReadonlyMap<string, string>;
  /** Names that occur more than once; `values` holds only the first value. */
  readonly repeated: readonly string[];
  /** The further values of `repeated`, in their order. One of a parameter without a value is empty. */
  readonly further: readonly string[];
}

/** The distinct values of a parameter that may occur more than once. */
export function valuesOf({ values, repeated, further }: Parameters, name: string): string[] {
  const first = values.get(name);
  if (repeated.length === 0) return first === undefined ? [] : [first];
  const others = further.filter((value, index) => repeated[index] === name && value !== "");
  return [...new Set([first ?? [], others].flat())];
}

/** The form, or the JSON, cannot be parsed. `message` gives the reason and may be sent to the client. */
export class FormError extends Error {
  override name = "FormError";
}

/** Parses form-encoded text. Throws `FormError` on a bad escape, bad UTF-8 or a NUL. */
export function parseParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const empty = new Set<string>();
  const repeated: string[] = [];
  const further: string[] = [];
  for (const field of text.split("&")) {
    if (field === "") continue;
    const equals = field.indexOf("=");
    const name = decode(equals < 0 ? field : field.slice(0, equals), null);
    const value = equals < 0 ? "" : decode(field.slice(equals + 1), name);
    if (values.has(name) || empty.has(name)) {
      repeated.push(name);
      further.push(value);
    } else if (value === "") empty.add(name);
    else values.set(name, value);
  }
  return { values, repeated, further };
}

/** Reads a form body of at most 16 KiB. Throws `FormError` for anything else. */
export function readForm(http: HttpRequest): Promise<Parameters> {
  return readAs(http, "application/x-www-form-urlencoded", parseParameters);
}

/** Reads a JSON body of at most 16 KiB. Throws `FormError` for anything else. */
export function readJson(http: HttpRequest): Promise<unknown> {
  return readAs(http, "application/json", parseJson);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormError("the request body is not valid JSON");
  }
}

async function readAs<T>(
  http: HttpRequest,
  wanted: string,
  parse: (text: string) => T,
): Promise<T> {
  if (!isOfType(http.header("content-type") ?? "", wanted)) {
    throw new FormError(`the Content-Type must be ${wanted}`);
  }
  let octets: Uint8Array;
  try {
    octets = await http.body(MAX_BODY_OCTETS);
  } catch (error) {
    // Any error other than the size limit means that the client disconnected or was too slow.
    const reason = error instanceof BodyTooLargeError ? "larger than 16 KiB" : "incomplete";
    throw new FormError(`the request body is ${reason}`);
  }
  if (!isUtf8(octets)) throw new FormError("the request body is not valid UTF-8");
  return parse(Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString());
}

function isOfType(contentType: string, wanted: string): boolean {
  if (contentType === wanted) return true;
  // Two Content-Type headers arrive joined by a comma.
  if (contentType.includes(",")) return false;
  return contentType.split(";", 1)[0]?.trim().toLowerCase() === wanted;
}

/** `name` is the name of the parameter with this value; null if the text is itself a name. */
function decode(text: string, name: string | null): string {
  const decoded = formDecoded(text);
  if (decoded !== null && !decoded.includes("\0")) return decoded;
  const what = name === null ? "the name of a parameter" : `the parameter ${printable(name)}`;
  const problem =
    decoded === null ? "is not valid percent-encoded UTF-8" : "contains a NUL character";
  throw new FormError(`${what} ${problem}`);
}

const ENCODED = /[%+]/;

/** Null if a text is not valid percent-encoded UTF-8. */
export function formDecoded(text: string): string | null {
  // Most texts contain no escapes.
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** Shortens a name or value of a request for a message, which a client or a page may show (RFC 6749 §5.2). */
export function printable(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:-]/g, "?").slice(0, 40);
}
