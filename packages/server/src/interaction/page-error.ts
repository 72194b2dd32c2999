// A request that a page answers with a problem, in words for the person in front of it.

import type { Messages } from "../pages/messages/en.ts";

type ProblemName = Exclude<keyof Messages["requestProblems"], "repeatedParameter">;

/** Leaves the request with a problem page. */
export class PageError extends Error {
  override name = "PageError";
  readonly status: number;
  readonly problem: ProblemName;
  /** Only where the redirect_uri is proven. */
  readonly back: { backToApp: string; clientHost: string } | undefined;

  constructor(
    status: number,
    problem: ProblemName,
    back?: { backToApp: string; clientHost: string },
  ) {
    super(problem);
    this.status = status;
    this.problem = problem;
    this.back = back && { backToApp: back.backToApp, clientHost: back.clientHost };
  }
}

/** The authorization request proves neither a client nor a place to answer to: never a redirect. */
export class UntrustedRequestError extends Error {
  override name = "UntrustedRequestError";
  readonly problem: { name: ProblemName } | { name: "repeatedParameter"; parameter: string };

  constructor(name: ProblemName | { repeated: string }) {
    super(typeof name === "string" ? name : `repeated ${name.repeated}`);
    this.problem =
      typeof name === "string" ? { name } : { name: "repeatedParameter", parameter: name.repeated };
  }
}
