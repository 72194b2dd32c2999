// What the English catalogue says about requests that cannot be answered as asked.

/** The text of a problem page. */
export type Problem = { title: string; summary: string; details: string[] };

export const requestProblems = {
  unknownClient: problem(
    "We do not know this app",
    "The app that sent you here is not registered with this service.",
    "Nothing was shared with it. If you build the app: check its client_id.",
  ),
  missingClientId: problem(
    "The app did not say who it is",
    "The link that brought you here lacks the app’s identifier.",
    "Go back to the app and try again. If you build it: send client_id.",
  ),
  missingRedirectUri: problem(
    "The app did not say where to send you back",
    "Without that we cannot sign you in.",
    "Nothing was shared. If you build the app: send redirect_uri.",
  ),
  redirectUriNotRegistered: problem(
    "We cannot send you back to that address",
    "The app asked us to send you to an address that is not registered for it.",
    "We stopped here for your safety, and nothing was shared. If you build the app: redirect_uri must equal a registered one, character by character.",
  ),
  repeatedParameter: (name: string) =>
    problem(
      "The app’s request is not clear",
      `It says “${name}” more than once, so we cannot tell what is meant.`,
      "Go back to the app and try again.",
    ),
  malformedRequest: problem(
    "We could not read that request",
    "Something in it is not as it should be.",
    "Go back to the app and try again.",
  ),
  badClientDocument: (host: string, reason: string) =>
    problem(
      "We cannot let this app in",
      `${host} sent you here, and describes itself in a way that we cannot accept.`,
      `Nothing was shared with it. If you build the app: there is a mistake in its metadata document (${reason}).`,
    ),
  unreachableClient: (host: string, reason: string) =>
    problem(
      "We cannot reach the app",
      `${host} sent you here, but does not tell us now what it is.`,
      `Wait a minute, then try again. Nothing was shared with it. If you build the app: ${reason}`,
    ),
  expired: problem(
    "This page is too old",
    "It was open for so long that we let go of it, for your safety.",
    "Go back to the app and sign in again. A record that you have published stays good.",
  ),
  wrongBrowser: problem(
    "This sign-in belongs to another browser",
    "It can be continued only where it was begun. Or this browser does not keep cookies, which we need for that.",
    "Allow cookies for this site, then go back to the app and sign in again. If someone sent you the link to this page, do not go on.",
  ),
  crossSitePost: problem(
    "That did not come from our page",
    "Another site tried to press a button here for you, so we did nothing.",
    "If it was you: go back to the app and sign in again.",
  ),
  alreadyUsed: problem(
    "This sign-in is already done",
    "You went on from this page before, and it works only once.",
    "Go back to the app. If you are not signed in there, begin again.",
  ),
  tooManyRequests: problem(
    "That was a little too often",
    "We have had many requests from your network just now.",
    "Wait a minute, then try again.",
  ),
  notFound: problem(
    "There is nothing here",
    "The address is mistyped, or the page has gone.",
    "To sign in, begin at the app you want to use.",
  ),
  serverError: problem(
    "Something went wrong on our side",
    "It is not your fault, and nothing was shared.",
    "Try again. If it happens again, tell whoever runs this service.",
  ),
  temporarilyUnavailable: problem(
    "We cannot answer right now",
    "A part of this service is not available at the moment.",
    "Wait a minute, then try again. Nothing you have set up is lost.",
  ),
};

function problem(title: string, summary: string, ...details: string[]): Problem {
  return { title, summary, details };
}
