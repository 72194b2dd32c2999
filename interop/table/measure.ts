// Runs one client, and decides from the exchanges with the service which steps it performed.

import { createHash } from "node:crypto";
import {
  type Claims,
  type Driver,
  NOT_OFFERED,
  type SignedIn,
  STEPS,
  type Step,
} from "./driver.ts";
import type { Exchange, HttpsService } from "./https-service.ts";
import { openWorld, type World } from "./world.ts";

/** What the table says of each step. */
export type Cells = Readonly<Record<Step, string>>;

const METADATA = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
] as const;

/** The cells of the client's row. Rejects if what the driver says of a step is not what happened. */
export async function measure(at: HttpsService, driver: Driver): Promise<Cells> {
  const byDefault = await performed(at, driver, false);
  const turned: Performed = driver.knobs ? await performed(at, driver, true) : new Map();
  const settings = [byDefault, turned].findIndex((done) => done.has("ID token"));
  const byAlg = (isTold: boolean) => takesEs256(at, driver, { turned: settings === 1, isTold });
  if (settings >= 0) {
    if (await byAlg(false)) byDefault.set("ES256", "");
    else if (driver.knobs?.ES256 && (await byAlg(true))) turned.set("ES256", "");
  }
  const cell = (step: Step): string => {
    // Who gets no ID token gets none that is signed with ES256.
    const lack =
      driver.lacks?.[step] ?? (settings < 0 && step === "ES256" ? NOT_OFFERED : undefined);
    const knob = driver.knobs?.[step];
    const note = driver.notes?.[step] ?? byDefault.get(step) ?? turned.get(step);
    const said = (text: string) => (note ? `${text}; ${note}` : text);
    if (lack !== undefined && (byDefault.has(step) || turned.has(step))) {
      throw new Error(`${driver.name} did perform "${step}", which it is said to lack`);
    }
    if (knob !== undefined && byDefault.has(step)) {
      throw new Error(`${driver.name} performs "${step}" without ${knob}`);
    }
    if (byDefault.has(step)) return said("yes");
    if (knob !== undefined && turned.has(step)) return said(`with ${knob}`);
    if (lack !== undefined) return lack;
    throw new Error(`${driver.name} did not perform "${step}"`);
  };
  return Object.fromEntries(STEPS.map((step) => [step, cell(step)])) as Record<Step, string>;
}

/** The steps that were performed, each with what is to be added to it. */
type Performed = Map<Step, string>;

async function performed(at: HttpsService, driver: Driver, turned: boolean): Promise<Performed> {
  const before = at.exchanges.length;
  const since = () => at.exchanges.slice(before);
  const world = await openWorld(at, driver);
  const done: Performed = new Map();
  let signedIn: SignedIn | undefined;
  try {
    try {
      signedIn = await driver.signIn(world, turned);
    } catch (error) {
      // Without its setting, this client gets no code at all.
      if (turned || driver.knobs?.code === undefined) throw error;
      if (hasDiscovered(since())) done.set("discovery", "");
      return done;
    }
    if (hasDiscovered(since())) done.set("discovery", "");
    const issued = redeemed(since(), signedIn);
    done.set("code", "");
    if (hasProvenKey(since())) done.set("PKCE", "");
    const idToken = decoded(issued.id_token);
    if (signedIn.claims) {
      checkClaims(signedIn.claims, idToken, world);
      const asksKeys = since().some(({ path }) => path === "/.well-known/jwks.json");
      done.set("ID token", asksKeys ? "" : "signature not checked");
    }
    await checkRest(at, world, signedIn, { since, done, idToken });
    return done;
  } finally {
    await signedIn?.close?.();
    await world.close();
  }
}

/** Whether the same settings also give the claims of an ID token that the client is registered to get with ES256. */
async function takesEs256(
  at: HttpsService,
  driver: Driver,
  { turned, isTold }: { turned: boolean; isTold: boolean },
): Promise<boolean> {
  const before = at.exchanges.length;
  const world = await openWorld(at, driver, { id_token_signed_response_alg: "ES256" });
  const told: World = isTold ? { ...world, alg: "ES256" } : world;
  const signedIn = await driver.signIn(told, turned).catch(() => null);
  try {
    if (!signedIn?.claims) return false;
    const issued = redeemed(at.exchanges.slice(before), signedIn);
    checkClaims(signedIn.claims, decoded(issued.id_token), world);
    expectTrue(headerOf(issued.id_token).alg === "ES256", "the ID token is signed with ES256");
    return true;
  } finally {
    await signedIn?.close?.();
    await world.close();
  }
}

interface Run {
  readonly since: () => Exchange[];
  readonly done: Performed;
  readonly idToken: Claims | undefined;
}

async function checkRest(at: HttpsService, world: World, signedIn: SignedIn, run: Run) {
  const { since, done, idToken } = run;
  const accepts =
    signedIn.accepts ??
    (async (token: string) => {
      // Past the proxy, so that it is not taken for a request of the client.
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${at.inner.issuer}/oauth/userinfo`, { headers })).ok;
    });
  let { accessToken } = signedIn;
  expectTrue(await accepts(accessToken), "the access token is accepted");
  const claims = await signedIn.userinfo?.();
  if (claims && since().some(({ path, status }) => path === "/oauth/userinfo" && status === 200)) {
    expectTrue(typeof claims.sub === "string", "userinfo has a sub");
    expectTrue(claims.sub === idToken?.sub, "the sub of userinfo is that of the ID token");
    expectTrue(claims.domain === world.domain, "userinfo names the domain");
    done.set("userinfo", "");
  }
  if (signedIn.refresh) {
    const fresh = await signedIn.refresh();
    expectTrue(fresh !== accessToken, "a refresh gives another access token");
    expectTrue(await accepts(fresh), "the refreshed access token is accepted");
    const answer = tokenResponses(since(), "refresh_token").at(-1);
    expectTrue(answer?.access_token === fresh, "the new access token was issued for a refresh");
    accessToken = fresh;
    done.set("refresh", "");
  }
  if (signedIn.revoke) {
    await signedIn.revoke();
    const asked = since().some(({ path, status }) => path === "/oauth/revoke" && status === 200);
    expectTrue(asked, "the revocation endpoint was asked, and agreed");
    expectTrue(!(await accepts(accessToken)), "the revoked access token is refused");
    done.set("revocation", "");
  }
  if (signedIn.logout) {
    const silentError = signedIn.silentError ?? world.silentError;
    expectTrue((await silentError()) === null || done.has("revocation"), "there is a session");
    const url = await signedIn.logout();
    if (since().some(({ path }) => path === "/oauth/logout")) {
      expectTrue(url.startsWith(world.goodbye), `the browser is at ${world.goodbye}, not ${url}`);
      expectTrue((await silentError()) === "login_required", "the session has ended");
      done.set("logout", "");
    }
  }
}

function hasDiscovered(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(
    ({ path, status }) => METADATA.some((one) => one === path) && status === 200,
  );
}

/** The response to the code, which has the access token that the library returned. */
function redeemed(exchanges: readonly Exchange[], { accessToken }: SignedIn): Claims {
  const issued = tokenResponses(exchanges, "authorization_code").at(-1);
  if (issued === undefined || issued.access_token !== accessToken || accessToken === "") {
    throw new Error("the access token is not that of a redeemed code");
  }
  return issued;
}

/** Of the requests that succeeded, oldest first. */
function tokenResponses(exchanges: readonly Exchange[], grantType: string): Claims[] {
  return exchanges
    .filter(({ path, status }) => path === "/oauth/token" && status === 200)
    .filter(({ form }) => form.get("grant_type") === grantType)
    .map(({ response }) => JSON.parse(response));
}

/** The verifier of the redeemed code belongs to the challenge of the authorization request (RFC 7636). */
function hasProvenKey(exchanges: readonly Exchange[]): boolean {
  const verifier = exchanges
    .findLast(({ path, status }) => path === "/oauth/token" && status === 200)
    ?.form.get("code_verifier");
  if (!verifier) return false;
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return exchanges.some(
    ({ path, query }) =>
      path === "/oauth/authorize" &&
      query.get("code_challenge_method") === "S256" &&
      query.get("code_challenge") === challenge,
  );
}

function headerOf(idToken: unknown): Claims {
  const [header = ""] = String(idToken).split(".");
  return JSON.parse(Buffer.from(header, "base64url").toString());
}

function decoded(idToken: unknown): Claims | undefined {
  if (typeof idToken !== "string") return undefined;
  const [, payload = ""] = idToken.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

function checkClaims(claims: Claims, idToken: Claims | undefined, world: World): void {
  expectTrue(typeof claims.sub === "string", "the ID token has a sub");
  expectTrue(claims.sub === idToken?.sub, "the claims are those of the ID token that was sent");
  expectTrue(idToken?.iss === world.issuer, "the ID token is of the issuer");
  expectTrue(idToken?.aud === world.id, "the ID token is for the client");
  expectTrue(claims.domain === undefined || claims.domain === world.domain, "it names the domain");
}

function expectTrue(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}
