// A hostile request: made from one that is in order, with the answer that each endpoint owes it.

import { expect } from "vitest";
import { inWords } from "./answer-words.ts";
import { ENDPOINTS, type Endpoint } from "./endpoints.ts";
import type { OrderlyRequests } from "./orderly-requests.ts";
import { converse, octetsOf, type RawRequest, type Send } from "./raw-http.ts";

export interface HostileCase {
  readonly title: string;
  readonly change: (orderly: RawRequest) => RawRequest | readonly Send[];
  /** In the words of `inWords`; null where the case makes no sense. */
  readonly answer: string | ((endpoint: Endpoint) => string | null);
}

/** The endpoint answers as if nothing were amiss. */
export const USUAL = "as usual";
/** Not HTTP as RFC 9112 has it: refused before any endpoint is chosen. */
export const NOT_HTTP = "400 bare";

/** The form is refused by who reads one. */
export function formRefused({ form, channel }: Endpoint): string {
  if (!form) return USUAL;
  return channel === "json" ? "400 invalid_request" : "400 problem page";
}

/** Header lines put behind those that are there. */
export function withHeaders(...lines: string[]): HostileCase["change"] {
  return (orderly) => ({ ...orderly, headers: [...orderly.headers, ...lines] });
}

/** Header lines in the place of those of that name. */
export function inPlaceOf(name: string, ...lines: string[]): HostileCase["change"] {
  return (orderly) => ({
    ...orderly,
    headers: [...lines, ...orderly.headers.filter((line) => !line.startsWith(`${name}:`))],
  });
}

/** The answer that the case promises for the endpoint, or null. */
export function promised({ answer }: HostileCase, endpoint: Endpoint): string | null {
  return typeof answer === "string" ? answer : answer(endpoint);
}

/** Sends the case to these endpoints and compares all answers with what it promises. */
export async function expectPromised(
  hostile: HostileCase,
  { client, to }: OrderlyRequests,
  { port, endpoints = ENDPOINTS }: { port: number; endpoints?: readonly Endpoint[] },
): Promise<void> {
  const answered: Record<string, string> = {};
  const expected: Record<string, string> = {};
  await Promise.all(
    endpoints.map(async (endpoint) => {
      const { name, usual, channel } = endpoint;
      const orderly = to.get(name);
      const answer = promised(hostile, endpoint);
      if (orderly === undefined) throw new Error(`no request for ${name}`);
      if (answer === null) return;
      expected[name] = answer.replace(USUAL, usual);
      const changed = hostile.change(orderly);
      const sends = "method" in changed ? [octetsOf(changed)] : changed;
      const { answers, closed } = await converse(port, sends);
      const words = answers.map((one) => inWords(one, channel, client));
      answered[name] = `${words.join(", then ") || "closed"}${closed ? "" : ", and left open"}`;
    }),
  );
  expect(answered).toEqual(expected);
}
