// The pending authorization request of a page: its language, its errors and its form fields.

import type { LookFailure } from "../dns/sp-record.ts";
import type { StatementWanted } from "../federation/sp-authorization.ts";
import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { ShownResource } from "../pages/consent.ts";
import { chooseLanguage, contextIn } from "../pages/languages.ts";
import type { ClientPageContext, PageContext, ShownClient } from "../pages/layout.ts";
import type { NameIn } from "../pages/messages.ts";
import { problemPage } from "../pages/problem.ts";
import type { SessionRequirements } from "../sessions/browser-sessions.ts";

/** The part of an authorization request that the steps of an interaction need. */
export interface PendingRequest extends ShownClient, SessionRequirements {
  /** The parameters that this service reads, as a query. Parsing it again gives the same request. */
  readonly query: string;
  readonly clientId: string;
  /** Whether nobody vetted the client, so that its name is only a claim. */
  readonly isSelfRegistered: boolean;
  readonly consent: "never" | "first" | "always";
  /** Those of this service that are granted. */
  readonly scopes: readonly string[];
  /** The APIs that access tokens are asked for, each with its scopes that are granted. */
  readonly resources: readonly ShownResource[];
  /** What a consent is stored for: scopes, resources, and scopes of resources. */
  readonly permissions: readonly string[];
  /** The provider statement that an external SP is asked for; null if the client wants no proof. */
  readonly statementWanted: StatementWanted | null;
  /**
   * What the owner's passkey is asked to state, about this client or about the app of another service. `svc` is the
   * issuer of that service; null for ours. Null if nobody could verify the statement.
   */
  readonly ownerStatement: (StatementWanted & { readonly svc: string | null }) | null;
}

/** Uses the language of `ui_locales` in the authorization request, or of the browser. */
export function pagesFor(http: HttpRequest, request: PendingRequest): ClientPageContext {
  // This service has written the query, so the name is not encoded. Nearly no request has it.
  const hasLocales = request.query.includes("ui_locales");
  const { lang, dir, t, fill } = pagesWithout(http, hasLocales ? request.query : "");
  return { lang, dir, t, fill, client: request };
}

/** The same without a client. `query` is the query of the authorization request. */
export function pagesWithout(http: HttpRequest, query = http.query): PageContext {
  const locales = query === "" ? null : new URLSearchParams(query).get("ui_locales");
  return contextIn(chooseLanguage(locales, http.header("accept-language")));
}

/** The problems whose messages have no parameters. */
export type ProblemName = Exclude<
  NameIn<"requestProblems">,
  "repeatedParameter" | "badClientDocument" | "unreachableClient" | "tooManyRequests"
>;

/** Answered with a problem page. */
export class PageError extends Error {
  override name = "PageError";
  readonly status: number;
  readonly problem: ProblemName;
  /** Only after the redirect_uri has been validated. */
  readonly pending: Pick<PendingRequest, "backToApp" | "clientHost" | "query"> | undefined;
  /** The name of the client, where only a set-up's cookie still has it. */
  readonly client: string | undefined;

  constructor(
    status: number,
    problem: ProblemName,
    pending?: PageError["pending"],
    client?: string | undefined,
  ) {
    super(problem);
    this.status = status;
    this.problem = problem;
    this.pending = pending;
    this.client = client;
  }
}

/** A 503 page that says why DNS failed, for steps without a page that waits for DNS. */
export function dnsFailed(
  { http, request }: { readonly http: HttpRequest; readonly request: PendingRequest },
  { domain, failure }: { readonly domain: string; readonly failure: LookFailure },
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { title } = pages.t.problem("requestProblems-temporarilyUnavailable");
  const text = { title, ...pages.t.explanation(`lookOutcomes-${failure}`, { domain }) };
  return page(503, problemPage(pages, { ...text, client: request }));
}

/** A field of a posted form, or an empty string. Throws `PageError` for a malformed form. */
export async function formField(
  http: HttpRequest,
  name: string,
  pending?: PendingRequest,
): Promise<string> {
  return (await formFields(http, pending)).get(name) ?? "";
}

/** All of them, because a form can be read once. */
export async function formFields(
  http: HttpRequest,
  pending?: PendingRequest,
): Promise<ReadonlyMap<string, string>> {
  const { values } = await readForm(http).catch((error) => {
    throw error instanceof FormError ? new PageError(400, "malformedRequest", pending) : error;
  });
  return values;
}
