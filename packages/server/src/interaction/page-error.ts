// Errors that are shown to the user as a problem page.

import type { NameIn } from "../pages/messages.ts";
import type { PendingRequest } from "./pending-request.ts";

/** The problems whose messages have no parameters. */
type ProblemName = Exclude<
  NameIn<"requestProblems">,
  "repeatedParameter" | "badClientDocument" | "unreachableClient"
>;

/** Answered with a problem page. */
export class PageError extends Error {
  override name = "PageError";
  readonly status: number;
  readonly problem: ProblemName;
  /** Only after the redirect_uri has been validated. */
  readonly pending: Pending | undefined;

  constructor(status: number, problem: ProblemName, pending?: Pending) {
    super(problem);
    this.status = status;
    this.problem = problem;
    this.pending = pending;
  }
}

type Pending = Pick<PendingRequest, "backToApp" | "clientHost" | "query">;

/** The client or its redirect_uri is not validated, so the answer must not be a redirect. */
export class UntrustedRequestError extends Error {
  override name = "UntrustedRequestError";
  readonly problem: { name: ProblemName } | { name: "repeatedParameter"; parameter: string };

  /** Only for the log: the rejected value and the client_id. */
  readonly found: string | undefined;
  readonly clientId: string | undefined;

  constructor(
    name: ProblemName | { repeated: string },
    sent: { found?: string; clientId?: string } = {},
  ) {
    super(typeof name === "string" ? name : `repeated ${name.repeated}`);
    this.problem =
      typeof name === "string" ? { name } : { name: "repeatedParameter", parameter: name.repeated };
    // Unauthenticated input may be long, and the query of a URI may contain secrets.
    this.found = sent.found?.split(/[?#]/, 1)[0]?.slice(0, 200);
    this.clientId = sent.clientId?.slice(0, 100);
  }
}
