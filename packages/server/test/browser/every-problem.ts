// Every problem that a page of its own tells of, and how a person runs into it.

import type { NameIn } from "../../src/pages/messages.ts";
import { atStep, press } from "./person.ts";
import { post, recovered, requestOf, setUp, setUpToCodes, type Visit, type Way } from "./visit.ts";

/** By their names in the catalogue: a new one without a way to it does not compile. */
export const everyProblem: Readonly<Record<NameIn<"requestProblems">, Way>> = {
  unknownClient: asking({ client_id: "nobody" }),
  missingClientId: asking({ client_id: undefined }),
  missingRedirectUri: asking({ redirect_uri: undefined }),
  redirectUriNotRegistered: asking({ redirect_uri: "https://elsewhere.example/" }),
  postLogoutRedirectUriNotRegistered: at(
    ({ at: { issuer }, client }) =>
      `${issuer}/oauth/logout?${new URLSearchParams({
        client_id: client.id,
        post_logout_redirect_uri: "https://elsewhere.example/",
      })}`,
  ),
  hintOfAnotherClient: at(
    ({ at: { issuer }, client }) =>
      `${issuer}/oauth/logout?${new URLSearchParams({
        client_id: client.id,
        id_token_hint: `e30.${Buffer.from('{"aud":"another"}').toString("base64url")}.x`,
      })}`,
  ),
  repeatedParameter: at((visit) => `${requestOf(visit)}&client_id=another`),
  // A port at which nobody answers, and a URL that no client_id may be: nothing is sent for either.
  unreachableClient: asking({ client_id: "http://localhost:1/client" }),
  badClientDocument: asking({ client_id: "http://localhost:1/../client" }),
  malformedRequest: at((visit) => `${requestOf(visit)}&nonce=%ff`),
  notFound: at((visit) => `${visit.at.issuer}/nothing/here`),
  setUpLinkInvalid: at(({ at: { issuer } }) => `${issuer}/set-up/cut-off`),
  expired: at((visit) => `${visit.at.issuer}/interaction/${"a".repeat(22)}/consent`),

  wrongBrowser: async (visit) => {
    const page = await setUp(visit);
    // Another browser does not have the cookie of the one that began.
    await page.context().clearCookies();
    await page.reload();
    return page;
  },

  crossSitePost: async (visit) => {
    const { tab: page } = visit;
    const action = requestOf(visit).replace("/oauth/authorize", "/sign-in");
    await page.goto("about:blank");
    await page.setContent(
      `<form method="post" action="${action.replaceAll("&", "&amp;")}"><button>Win</button></form>`,
    );
    await page.click("button");
    await atStep(page, "problem");
    return page;
  },

  alreadyUsed: async (visit) => {
    const page = await setUp(visit);
    await post(page, { decision: "allow" });
    await press(page, "consent-form", "deny");
    await atStep(page, "problem");
    return page;
  },

  passkeyNeeded: async (visit) => {
    const page = await recovered(visit, "delete-account");
    await page.goto(page.url().replace("new-passkey", "delete-account"));
    return page;
  },

  ownerProofRequired: async (visit) => {
    const client = await visit.at.addClient({ consent: "never", owner_proof: "required" });
    const begun = { ...visit, client: { ...client, scope: "openid" } };
    const codes = await setUpToCodes(begun);
    await press(codes, "recovery-codes-form");
    await atStep(codes, "problem");
    return codes;
  },

  signedOut: async (visit) => {
    const page = await setUp(visit);
    await post(page, { decision: "allow" });
    const tab = await page.context().newPage();
    await tab.goto(requestOf(visit));
    await tab.click("#sign-out > summary");
    await press(tab, "sign-out-form");
    await atStep(tab, "domain");
    await page.reload();
    await atStep(page, "problem");
    return page;
  },

  // The real limit is reached in a flow: here all domains are names of one.
  tooManyAccounts: at(({ failing }) => `${failing}/too-many-accounts`),
  // What DNS says is remembered for five minutes.
  recordLost: at(({ failing }) => `${failing}/record-lost`),
  // A second use needs a second browser, and the other one a day.
  challengeUsed: at(({ failing }) => `${failing}/challenge-used`),
  challengeOver: at(({ failing }) => `${failing}/challenge-over`),
  // These are our failures, or a flood: behind the real error channel, in a service made to fail.
  overloaded: at(({ failing }) => `${failing}/overloaded`),
  tooManyRequests: at(({ failing }) => `${failing}/too-many`),
  serverError: at(({ failing }) => `${failing}/broken`),
  temporarilyUnavailable: at(({ failing }) => `${failing}/away`),
};

function at(urlOf: (visit: Visit) => string): Way {
  return async (visit) => {
    await visit.tab.goto(urlOf(visit));
    return visit.tab;
  };
}

/** An authorization request with something in it that is not as it must be. */
function asking(parameters: Readonly<Record<string, string | undefined>>): Way {
  return at((visit) => requestOf(visit, parameters));
}
