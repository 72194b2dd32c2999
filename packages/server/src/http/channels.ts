// An error channel: the only try/catch around a handler, and the one way its errors leave.

import { type Random, systemRandom } from "../lib/random.ts";

/** One request, as every handler sees it. */
export interface Exchange {
  readonly request: Request;
  readonly path: string;
  /** The query as it came, without `?`. */
  readonly query: string;
  /** The variable segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly clientAddress: string;
}

export type Handler = (exchange: Exchange) => Response | Promise<Response>;

/** Turns whatever a handler threw into the answer of one kind of endpoint. */
export type ErrorAnswer = (
  error: unknown,
  errorId: string,
  exchange: Exchange,
) => Response | Promise<Response>;

/** The handler, with its errors answered in one way. */
export function withChannel(handler: Handler, answer: ErrorAnswer): Handler {
  return async (exchange) => {
    try {
      return await handler(exchange);
    } catch (error) {
      return answer(error, newErrorId(systemRandom), exchange);
    }
  };
}

/** Eight characters that can be read out on the telephone: no 0, 1, i, l, o. */
export function newErrorId(random: Random): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return Array.from(random(8), (octet) => alphabet[octet % alphabet.length]).join("");
}
