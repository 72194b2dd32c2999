// What the answers of an SP mean in a trial without a person, and what its operator can change.

import type { ProviderMetadata } from "../federation/provider.ts";
import { answerOf, isUnavailable, type SpAnswer, SpFailure } from "../federation/sp-problem.ts";
import { isUnknownClient, jsonOf } from "../federation/token-endpoint.ts";
import type { GuardedFetchCode } from "../outgoing/guarded-fetch.ts";

export type TrialStepName = "registration" | "authorization" | "token" | "removal";

/** The authorization request that the SP has answered. */
interface SentAuthorization {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly metadata: ProviderMetadata;
  /** What the SP has issued and must not be shown. */
  readonly secrets: readonly string[];
}

/** Throws `SpFailure` if a person could not go on from here. */
export async function judgeAuthorization(response: Response, sent: SentAuthorization) {
  const { status } = response;
  if (status >= 300 && status < 400) return judgeRedirect(response, sent);
  const answer = answerOf(status, await jsonOf(response), sent.secrets);
  const detail = `the authorization endpoint responded with status ${status}${errorIn(answer)}`;
  if (isUnavailable(status)) throw new SpFailure("unreachable", detail, answer);
  if (status !== 200 || answer.error !== null) throw new SpFailure("refused_by_sp", detail, answer);
  return { answer, detail: "the SP shows a page" };
}

/** A redirect to a page of the SP, such as its password page, or back to us. */
function judgeRedirect(response: Response, sent: SentAuthorization) {
  const { status } = response;
  const { url, redirectUri, secrets } = sent;
  const location = response.headers.get("location") ?? "";
  if (location === "" || !URL.canParse(location, url)) {
    const detail = `the authorization endpoint responded with status ${status} without a valid Location`;
    throw new SpFailure("bad_answer", detail, answerOf(status));
  }
  const to = new URL(location, url);
  const [error, error_description] = ["error", "error_description"].map((name) =>
    to.searchParams.get(name),
  );
  const answer = answerOf(status, { error, error_description }, secrets);
  if (error !== null) {
    const detail = `the authorization endpoint redirects with an error${errorIn(answer)}`;
    throw new SpFailure("refused_by_sp", detail, answer);
  }
  if (`${to.origin}${to.pathname}` !== redirectUri) {
    if (to.protocol === "https:" || to.protocol === "http:") {
      return { answer, detail: `the SP redirects to ${shownUrl(to)}` };
    }
    const detail = "the authorization endpoint redirects to a URL that is neither https nor http";
    throw new SpFailure("bad_answer", detail, answer);
  }
  const mistake = mistakeInCode(to.searchParams, sent);
  if (mistake !== null) throw new SpFailure("bad_answer", mistake, answer);
  return { answer, detail: "the SP signs in without a person, and redirects back with a code" };
}

function mistakeInCode(answer: URLSearchParams, { state, metadata }: SentAuthorization) {
  if (!answer.get("code")) return "the SP redirects back without a code and without an error";
  if (answer.get("state") !== state) return "the authorization response has a different state";
  const { issuer, authorization_response_iss_parameter_supported: hasIss } = metadata;
  const isRight = answer.get("iss") === issuer || (!hasIss && !answer.has("iss"));
  return isRight ? null : "the authorization response has no iss, or another one (RFC 9207)";
}

/** The answer to a made-up code. Throws `SpFailure` if the SP could not redeem a real code. */
export function judgeMadeUpCode(...received: Parameters<typeof answerOf>) {
  const answer = answerOf(...received);
  const { status } = answer;
  const detail = `the token endpoint responded to a made-up code with status ${status}${errorIn(answer)}`;
  if (isUnavailable(status)) throw new SpFailure("unreachable", detail, answer);
  if (isUnknownClient(status, answer.error)) throw new SpFailure("no_client", detail, answer);
  if (status < 400 || answer.error !== "invalid_grant") {
    throw new SpFailure("bad_answer", detail, answer);
  }
  return { answer, detail: "the SP accepts our client authentication, and refuses a made-up code" };
}

const errorIn = ({ error }: SpAnswer) => (error === null ? "" : `: ${error}`);

/** Without the query, which can be long and can contain anything. */
function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}

interface FailedStep {
  /** Null if the SP did not answer, or not in a form that can be read. */
  readonly answer: SpAnswer | null;
  readonly code: GuardedFetchCode | null;
}

const SLOW: readonly (GuardedFetchCode | null)[] = ["timeout", "unreachable", "unresolved", "busy"];

/** What to change at the SP, in English. */
export function adviceFor(name: TrialStepName, { answer, code }: FailedStep): string {
  if (SLOW.includes(code)) return "respond within 5 seconds, at the endpoint in your metadata";
  if (answer !== null && isUnavailable(answer.status)) {
    const log = "see the log of the SP for its own error";
    const isDocument = name === "authorization";
    return isDocument ? `${log}; it may have failed to fetch the document at the client_id` : log;
  }
  switch (name) {
    case "registration":
      return registrationAdvice(answer);
    case "authorization":
      return "show the person a page for this client_id and redirect_uri; the SP must know the client: by its registration, or by its metadata document, which it fetches from the client_id";
    case "token":
      return "accept the client authentication that was registered, and respond to an unknown code with status 400 and the error invalid_grant (RFC 6749 §5.2)";
    case "removal":
      return "respond to DELETE at registration_client_uri with status 204 (RFC 7592 §2.3)";
  }
}

function registrationAdvice(answer: SpAnswer | null): string {
  if (answer === null) {
    return "respond to the registration at the registration_endpoint itself, with status 201 and JSON (RFC 7591 §3.2.1)";
  }
  const { status, error } = answer;
  if (status === 401 || status === 403) {
    return "allow registration without an initial access token, or support client ID metadata documents; or register the service by hand, and its operator adds the client with domain-signin sp add";
  }
  if (status === 201) {
    return "return client_id, and client_secret if the method uses one, in printable ASCII, and the values that were requested or others that the metadata document lists (RFC 7591 §3.2.1)";
  }
  if (error === "invalid_redirect_uri") {
    return "accept the redirect_uri that was sent: each service has one at its own host";
  }
  if (status === 400) return "accept the client metadata that was sent (RFC 7591 §2)";
  return "respond to a registration with status 201 (RFC 7591 §3.2.1)";
}
