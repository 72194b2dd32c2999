// A request that a page answers with a problem, in words for the person in front of it.

import type { Messages } from "../pages/messages.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Those whose words are about nothing that the request brought along. */
type ProblemName = Exclude<
  keyof Messages["requestProblems"],
  "repeatedParameter" | "badClientDocument" | "unreachableClient"
>;

/** Leaves the request with a problem page. */
export class PageError extends Error {
  override name = "PageError";
  readonly status: number;
  readonly problem: ProblemName;
  /** Only where the redirect_uri is proven. */
  readonly pending: Pending | undefined;

  constructor(status: number, problem: ProblemName, pending?: Pending) {
    super(problem);
    this.status = status;
    this.problem = problem;
    this.pending = pending;
  }
}

type Pending = Pick<PendingRequest, "backToApp" | "clientHost" | "query">;

/** The authorization request proves neither a client nor a place to answer to: never a redirect. */
export class UntrustedRequestError extends Error {
  override name = "UntrustedRequestError";
  readonly problem: { name: ProblemName } | { name: "repeatedParameter"; parameter: string };

  /** For the log alone: what was sent, and by whom. */
  readonly found: string | undefined;
  readonly clientId: string | undefined;

  constructor(
    name: ProblemName | { repeated: string },
    sent: { found?: string; clientId?: string } = {},
  ) {
    super(typeof name === "string" ? name : `repeated ${name.repeated}`);
    this.problem =
      typeof name === "string" ? { name } : { name: "repeatedParameter", parameter: name.repeated };
    // What a stranger sends may be long, and of an address the query may hold anything.
    this.found = sent.found?.split(/[?#]/, 1)[0]?.slice(0, 200);
    this.clientId = sent.clientId?.slice(0, 100);
  }
}
