// Why a guarded fetch failed.

export type GuardedFetchCode = keyof typeof MESSAGES;

const MESSAGES = {
  bad_url: "is not an allowed destination",
  not_public: "has an address that is not public",
  unresolved: "could not be resolved",
  unreachable: "could not be reached",
  timeout: "did not respond in time",
  redirect: "responded with a redirect",
  too_large: "sent a response that is too large",
  not_json: "sent a response that is not JSON",
  encoded: "sent a response with a content encoding",
  busy: "has too many pending requests",
};

/** The message is for operators. Of the response, it contains only the target of a redirect, see redirect.ts. */
export class GuardedFetchError extends Error {
  override name = "GuardedFetchError";
  readonly code: GuardedFetchCode;

  /** `detail` names the cause, such as the code of a system error or the limit that is reached. */
  constructor(code: GuardedFetchCode, host: string, detail?: string) {
    super(`${host || "A URL"} ${MESSAGES[code]}${detail ? ` (${detail})` : ""}.`);
    this.code = code;
  }
}
