// A set-up: the first sign-in with a domain, until its record is seen. It exists only in a cookie.

import { createHmac } from "node:crypto";
import { formatSpRecord } from "domain-signin-verify/record";
import type { HttpRequest } from "../../http/message.ts";
import { isMisdated } from "../../lib/lifetime.ts";
import { randomText, sha256 } from "../../lib/random.ts";
import type { Account } from "../../store/accounts.ts";
import type { Passkey } from "../../store/passkeys.ts";
import { FINISHED_AGAIN_S } from "../../store/shared-values.ts";
import type { Deps } from "../deps.ts";

/** The record must be seen within this time. */
export const SET_UP_LIFETIME_S = 30 * 86_400;
/** In one browser. */
const MAX_SET_UPS = 3;
/** Longer names of clients are cut off. */
const MAX_NAME_CHARS = 60;
/** Browsers limit a cookie to 4 KB, and servers the headers of a request. */
const MAX_COOKIE_OCTETS = 1500;

/** The passkey of a set-up, as it will be stored. */
export type SetUpPasskey = Pick<
  Passkey,
  "credentialId" | "publicKey" | "thumbprint" | "counter" | "backedUp"
>;

/** What the cookie contains. All that the account will consist of is derived from the seed. */
interface Content {
  readonly v: 1;
  readonly domain: string;
  /** 256 bits in base64url. */
  readonly seed: string;
  /** The service's keys in the record, as it was shown. */
  readonly spk: readonly string[];
  /** Epoch seconds. */
  readonly startedAt: number;
  /** The name of the client for which it began. Missing where there was no room for it, and in old cookies. */
  readonly client?: string;
  /** `user.id` of its passkeys: the same for all, so that an authenticator keeps the last one. */
  readonly userHandle?: string;
  /** Finishes the set-up, once the record is seen. */
  readonly passkey?: SetUpPasskey;
}

export interface SetUp extends Content {
  readonly cookieName: string;
  /** Tells it from the others of this browser. The end of the cookie's name, which is no secret. */
  readonly key: string;
  readonly userHandle: string;
  /** The `acct` of its record. */
  readonly acct: string;
  /** The id of the account to be created. */
  readonly accountId: string;
}

type SetUpDeps = Pick<Deps, "cookies" | "setUpSeal" | "clock" | "restoredAt">;

/** The set-ups of this browser, the oldest first. */
export async function readSetUps(http: HttpRequest, deps: SetUpDeps): Promise<readonly SetUp[]> {
  return (await readEverySetUp(http, deps)).valid;
}

/**
 * The same, and those that began before a backup was restored. They are no longer valid: one may have been finished
 * after the backup, and its account may have ended.
 */
export async function readEverySetUp(
  http: HttpRequest,
  deps: SetUpDeps,
): Promise<{ readonly valid: readonly SetUp[]; readonly void: readonly SetUp[] }> {
  const all = await openSetUps(http, deps);
  const restoredAt = all.length === 0 ? null : await deps.restoredAt();
  const isVoid = ({ startedAt }: SetUp) => isBeforeRestore(startedAt, restoredAt, deps);
  return { valid: all.filter((one) => !isVoid(one)), void: all.filter(isVoid) };
}

/** Also true for a set-up that a wrong clock dated: it may have begun at any time. */
export function isBeforeRestore(
  startedAt: number,
  restoredAt: number | null,
  { clock }: Pick<Deps, "clock">,
): boolean {
  if (restoredAt === null) return false;
  return startedAt <= restoredAt || isMisdated(startedAt, clock.seconds());
}

async function openSetUps(
  http: HttpRequest,
  { cookies, setUpSeal, clock }: Omit<SetUpDeps, "restoredAt">,
): Promise<readonly SetUp[]> {
  const now = clock.seconds();
  const opened = await Promise.all(
    cookies.setUps(http).map(async ({ name, value }) => {
      const plain = await setUpSeal.open(name, value);
      return plain === null ? [] : [setUpOf(name, JSON.parse(plain.toString()))];
    }),
  );
  return opened
    .flat()
    .filter(({ startedAt }) => startedAt > now - SET_UP_LIFETIME_S)
    .sort((one, other) => one.startedAt - other.startedAt);
}

/**
 * Whether one more set-up of the domain would drop another, of a domain that this browser is already setting up. A
 * mere visit must not: a record of the earlier ones may have been sent to somebody.
 */
export function isFullFor(setUps: readonly SetUp[], domain: string): boolean {
  return setUps.length >= MAX_SET_UPS && setUps.some((setUp) => setUp.domain === domain);
}

/** Which one goes for one more: the oldest, but rather not the first of a domain with others. */
export function droppedOf(setUps: readonly SetUp[]): SetUp | undefined {
  if (setUps.length < MAX_SET_UPS) return undefined;
  const again = setUps.find(({ domain }, index) =>
    setUps.slice(0, index).some((earlier) => earlier.domain === domain),
  );
  return again ?? setUps[0];
}

/** Gives the name of the client for which this browser began a set-up in an interaction, while the set-up lasts. */
export function createClientOfSetUp(deps: SetUpDeps) {
  return async (http: HttpRequest, interactionId: string): Promise<string | undefined> => {
    const name = deps.cookies.setUpName(interactionId);
    return (await readSetUps(http, deps)).find(({ cookieName }) => cookieName === name)?.client;
  };
}

/** Begins a set-up within an interaction. Returns the `Set-Cookie` values. */
export async function beginSetUp(
  http: HttpRequest,
  {
    interactionId,
    domain,
    client,
    cleared = [],
  }: {
    readonly interactionId: string;
    readonly domain: string;
    readonly client: string;
    /** The names of cookies that the same response clears. */
    readonly cleared?: readonly string[];
  },
  deps: SetUpDeps & Pick<Deps, "random" | "statementKeys">,
): Promise<readonly string[]> {
  const startedAt = deps.clock.seconds();
  const seed = randomText(deps.random, 32);
  const begun = { v: 1, domain, seed, spk: deps.statementKeys(), startedAt } as const;
  const content = { ...begun, client: [...client].slice(0, MAX_NAME_CHARS).join("") };
  return keepSetUp(http, interactionId, content, deps, cleared);
}

/** Moves an earlier set-up of this browser to this interaction, whose pages then show it. */
export async function resumeSetUp(
  http: HttpRequest,
  interactionId: string,
  { acct: _, accountId: __, key: ___, cookieName, ...content }: SetUp,
  deps: SetUpDeps,
): Promise<readonly string[]> {
  const kept = await keepSetUp(http, interactionId, content, deps, [cookieName]);
  return [...kept, deps.cookies.clear(cookieName)];
}

/**
 * Begins the set-up of this interaction anew, with this passkey: who copied the cookie before has neither its
 * record nor its codes, and the record can be finished with the passkey alone. Returns the `Set-Cookie` values;
 * null if the passkey does not fit into the cookie.
 */
export async function addToSetUp(
  http: HttpRequest,
  interactionId: string,
  former: SetUp,
  passkey: SetUpPasskey,
  deps: SetUpDeps & Pick<Deps, "random" | "statementKeys">,
): Promise<readonly string[] | null> {
  const startedAt = deps.clock.seconds();
  const { domain, userHandle, client } = former;
  const seed = randomText(deps.random, 32);
  const begun = { v: 1, domain, seed, spk: deps.statementKeys(), startedAt } as const;
  const content = { ...begun, userHandle, passkey };
  // The name of the client is the first to go.
  for (const all of client === undefined ? [content] : [{ ...content, client }, content]) {
    const setCookies = await keepSetUp(http, interactionId, all, deps);
    const [cookie = ""] = setCookies;
    if (cookie.indexOf(";") <= MAX_COOKIE_OCTETS) return setCookies;
  }
  return null;
}

/**
 * The `Set-Cookie` values that remove the set-ups of which these accounts came, whose sessions this browser has. Once
 * their codes can be shown no more they are of no use, and would later look as if somebody else had finished them.
 */
export async function clearFinished(
  http: HttpRequest,
  accounts: readonly Pick<Account, "id" | "createdAt">[],
  deps: SetUpDeps,
): Promise<readonly string[]> {
  const from = deps.clock.seconds() - FINISHED_AGAIN_S;
  const old = accounts.filter(({ createdAt }) => createdAt <= from).map(({ id }) => id);
  const setUps = await readSetUps(http, deps);
  const finished = setUps.filter(({ accountId }) => old.includes(accountId));
  return finished.map(({ cookieName }) => deps.cookies.clear(cookieName));
}

async function keepSetUp(
  http: HttpRequest,
  interactionId: string,
  content: Content,
  deps: SetUpDeps,
  /** The names of those that the response clears anyway: no other has to go for them. */
  cleared: readonly string[] = [],
): Promise<readonly string[]> {
  const { cookies, setUpSeal } = deps;
  const name = cookies.setUpName(interactionId);
  const isOther = ({ cookieName }: SetUp) => cookieName !== name && !cleared.includes(cookieName);
  const every = await readEverySetUp(http, deps);
  let others = every.valid.filter(isOther);
  const surplus = every.void.filter(isOther);
  for (let one = droppedOf(others); one !== undefined; one = droppedOf(others)) {
    const { cookieName } = one;
    surplus.push(one);
    others = others.filter((other) => other.cookieName !== cookieName);
  }
  const value = setUpSeal.close(name, Buffer.from(JSON.stringify(content)));
  return [
    cookies.setSetUp(name, value),
    ...surplus.map(({ cookieName }) => cookies.clear(cookieName)),
  ];
}

function setUpOf(cookieName: string, content: Content): SetUp {
  const derive = (label: string) =>
    derived(content.seed, label).subarray(0, 16).toString("base64url");
  const { userHandle = derive("user handle") } = content;
  const accountId = `sub_${derive("sub")}`;
  return {
    ...content,
    cookieName,
    key: cookieName.slice(-8),
    userHandle,
    acct: derive("acct"),
    accountId,
  };
}

/** The HMAC-SHA-256 of the label under the seed. */
export function derived(seed: string, label: string): Buffer {
  return createHmac("sha256", Buffer.from(seed, "base64url")).update(label).digest();
}

/** The record to publish. */
export function recordOf({ acct, spk, passkey }: SetUp, { issuer }: Pick<Deps, "issuer">): string {
  return formatSpRecord({ sp: issuer, acct, spk, jkt: passkey && [passkey.thumbprint] });
}

/** What the account keeps of the interaction that finished its set-up: with the cookie, it opens the codes again. */
export function finishHash(interactionId: string): string {
  return sha256(`set-up ${interactionId}`);
}
