// The flows of a sign-in, as a person and an app go through them: from the app's request to its tokens.

import { createHash, randomBytes } from "node:crypto";
import { exchange, passkeyOptionsIn, stepOf, textOf } from "./browser.mjs";

export const REDIRECT_URI = "https://app.example.org/callback";
const MAX_PAGES = 12;

/**
 * By flow: the parameters that its request has beside the usual ones, and what the person answers to each page. Their
 * browser is as it was after their set-up unless it `isNew`, and `isSetUp` is for a domain without an account.
 */
export const FLOWS = {
  none: {
    label: "`prompt=none`",
    parameters: { prompt: "none" },
    answers: {},
  },
  continue: {
    label: "`Continue`, consent known",
    answers: { continue: press("continue-form") },
  },
  consent: {
    label: "`Continue`, with the page for consent",
    parameters: { prompt: "consent" },
    answers: { continue: press("continue-form"), consent: allow },
  },
  passkey: {
    label: "Passkey on the first page",
    isNew: true,
    answers: { domain: usePasskey },
  },
  "domain-passkey": {
    label: "Domain, then passkey",
    isNew: true,
    answers: { domain: enterDomain, passkey: usePasskey },
  },
  "set-up": {
    label: "First set-up, without a passkey",
    isSetUp: true,
    answers: {
      domain: enterDomain,
      "set-up-passkey": press("without-passkey-form"),
      "dns-setup": publish,
      "recovery-codes": press("recovery-codes-form"),
      consent: allow,
    },
  },
};

/** How each person got their account, before a benchmark. */
export const SET_UP_WITH_PASSKEY = {
  answers: {
    ...FLOWS["set-up"].answers,
    "set-up-passkey": makePasskey,
    passkey: usePasskey,
  },
};

/** What comes closest with oidc-provider, by the name of ours. */
export const OTHER_FLOWS = {
  none: FLOWS.none,
  continue: {
    label: "login again",
    parameters: { prompt: "login" },
    answers: { login: logIn },
  },
  consent: {
    label: "login and consent",
    isNew: true,
    isSetUp: true,
    answers: { login: logIn, consent: allow },
  },
};

/**
 * Goes through the flow. Resolves to the exchanges: those of the browser, and that of the app with the token endpoint.
 * `world` has the `client`, the `agent` and the `port` for its requests, the `zones`, and the `authenticator`.
 */
export async function signIn(world, person, { answers, parameters = {} }) {
  const exchanges = [];
  const way = { stopAt: REDIRECT_URI, note: (one) => void exchanges.push(one) };
  const verifier = randomBytes(32).toString("base64url");
  const nonce = randomBytes(16).toString("base64url");
  let page = await person.browser.open(requestUrl(world, { verifier, nonce, ...parameters }), way);
  for (let pages = 0; !page.stopped; pages++) {
    const step = stepOf(page);
    const answer = answers[step];
    if (answer === undefined || pages > MAX_PAGES) throw stuckAt(page, step);
    page = await answer({ world, person, page, way });
  }
  const answer = page.url.searchParams;
  const code = answer.get("code");
  if (code === null) throw new Error(`no code: ${page.url.search}`);
  const redeemed = await redeem(world, { code, verifier });
  const claims = JSON.parse(Buffer.from(redeemed.idToken.split(".")[1], "base64url").toString());
  if (claims.nonce !== nonce) throw new Error("the ID token is for another request");
  return { browser: exchanges, token: redeemed.exchange };
}

function requestUrl({ client, requestPath: path = "/oauth/authorize" }, own) {
  const { verifier, nonce, ...parameters } = own;
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: client.id, redirect_uri: REDIRECT_URI, nonce },
    ...{
      scope: "openid",
      state: randomBytes(16).toString("base64url"),
      code_challenge_method: "S256",
    },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    ...parameters,
  });
  return `${path}?${query}`;
}

async function redeem(world, { code, verifier }) {
  const { client, tokenPath: path = "/oauth/token" } = world;
  const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
  const headers = {
    host: "localhost:8080",
    authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const redeemed = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
  const body = new URLSearchParams({ ...redeemed, code_verifier: verifier }).toString();
  const asked = { method: "POST", path, headers, body };
  const answer = await exchange(world, asked);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return { exchange: { asked, answer }, idToken: JSON.parse(answer.body).id_token };
}

function press(form) {
  return ({ person, page, way }) => person.browser.submit(page, form, {}, way);
}

function allow({ person, page, way }) {
  return person.browser.submit(page, "consent-form", { decision: "allow" }, way);
}

function logIn({ person, page, way }) {
  return person.browser.submit(page, "login-form", { login: person.domain }, way);
}

function enterDomain({ person, page, way }) {
  return person.browser.submit(page, "domain-form", { domain: person.domain }, way);
}

function publish({ world, person, page, way }) {
  world.zones.publish(textOf(page, "dns-name"), textOf(page, "dns-value"));
  return person.browser.submit(page, "check-form", {}, way);
}

function makePasskey({ world, person, page, way }) {
  const { passkey, json } = world.authenticator.create(passkeyOptionsIn(page));
  person.passkey = passkey;
  return person.browser.submit(page, "passkey-form", { credential: json }, way);
}

function usePasskey({ world, person, page, way }) {
  const credential = world.authenticator.get(person.passkey, passkeyOptionsIn(page));
  return person.browser.submit(page, "passkey-form", { credential }, way);
}

function stuckAt({ url, status, html }, step) {
  const text = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ").replace(/\s+/g, " ");
  return new Error(`stuck at ${url.pathname} (${status}, ${step}): ${text.slice(0, 600)}`);
}
