// Why a guarded fetch failed.

export type GuardedFetchCode =
  | "bad_url"
  | "not_public"
  | "unresolved"
  | "unreachable"
  | "timeout"
  | "redirect"
  | "too_large"
  | "not_json"
  | "encoded"
  | "busy";

const MESSAGES: Readonly<Record<GuardedFetchCode, string>> = {
  bad_url: "is not where a request may go",
  not_public: "has an address that is not public",
  unresolved: "has no address that could be found",
  unreachable: "could not be reached",
  timeout: "did not answer in time",
  redirect: "answered with a redirect",
  too_large: "answered with too much",
  not_json: "answered with something that is not JSON",
  encoded: "answered with a body that is encoded",
  busy: "is being asked too often at once",
};

/**
 * `host` is name and port as in a URL, "" if the URL has none. The message is for an operator and safe to
 * show: it repeats the host of the URL, and nothing of the answer.
 */
export class GuardedFetchError extends Error {
  override name = "GuardedFetchError";
  readonly code: GuardedFetchCode;
  readonly host: string;

  constructor(code: GuardedFetchCode, host: string, detail?: string) {
    super(`${host || "A URL"} ${MESSAGES[code]}${detail ? ` (${detail})` : ""}.`);
    this.code = code;
    this.host = host;
  }
}
