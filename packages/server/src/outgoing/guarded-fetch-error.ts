// What a guarded fetch says when it gives nothing back.

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

const words: Readonly<Record<GuardedFetchCode, string>> = {
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
 * `host` is name and port as in a URL, "" if the URL has none. The message is for an operator, and safe
 * to show: nothing but the host of the URL is in it, and nothing that came as an answer.
 */
export class GuardedFetchError extends Error {
  override name = "GuardedFetchError";
  readonly code: GuardedFetchCode;
  readonly host: string;

  constructor(code: GuardedFetchCode, host: string, detail?: string) {
    super(`${host || "A URL"} ${words[code]}${detail ? ` (${detail})` : ""}.`);
    this.code = code;
    this.host = host;
  }
}
