// Asks the issuer whether a token is still active (RFC 7662).

import { AccessTokenError } from "./errors.ts";
import type { IntrospectionOptions } from "./options.ts";

const TIMEOUT_MS = 5_000;
const MAX_REMEMBERED = 1_000;

/** Throws `invalid_token` for a token that is not active, `temporarily_unavailable` without an answer. */
export type RequireActive = (token: string) => Promise<void>;

export function introspectionAt(issuer: string, options: IntrospectionOptions): RequireActive {
  const endpoint = `${issuer}/oauth/introspect`;
  const headers = { authorization: basic(options), accept: "application/json" };
  const lifetime = (options.cacheSeconds ?? 0) * 1000;
  /** Until when each of these tokens counts as active, the oldest first. */
  const active = new Map<string, number>();

  async function ask(token: string): Promise<boolean> {
    const response = await fetch(endpoint, {
      method: "POST",
      headers,
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
      // The credentials are for this endpoint only.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // RFC 6749 §5.2 has 401 for wrong credentials; the service answers every protocol error with 400.
    if (response.status === 401 || response.status === 400)
      throw new Error("the credentials of this resource were refused");
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const answer: unknown = await response.json();
    if (typeof answer !== "object" || answer === null || !("active" in answer))
      throw new Error("the answer has no member active");
    return answer.active === true;
  }

  return async (token) => {
    if ((active.get(token) ?? 0) > Date.now()) return;
    active.delete(token);
    const begun = Date.now();
    const isActive = await ask(token).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      const description = `Introspection at ${endpoint} is not available: ${reason}`;
      throw new AccessTokenError("temporarily_unavailable", description, { cause: error });
    });
    if (!isActive) throw new AccessTokenError("invalid_token", "The access token is not active");
    if (lifetime === 0) return;
    for (const oldest of active.keys()) {
      if (active.size < MAX_REMEMBERED) break;
      active.delete(oldest);
    }
    active.set(token, begun + lifetime);
  };
}

/** RFC 6749 §2.3.1: both are form-encoded before they are joined. */
function basic({ clientId, clientSecret }: IntrospectionOptions): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
