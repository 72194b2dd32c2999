// The guarded fetch in the form that oauth4webapi calls.

import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";

interface LibraryInit {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams | undefined;
  readonly signal?: AbortSignal;
}

/** Redirects are an error in any case: `redirect` is left out. */
export function oauthFetch(fetch: GuardedFetch) {
  return (url: string, { method, headers, body, signal }: LibraryInit): Promise<Response> =>
    fetch(url, { method, headers, body, signal });
}
