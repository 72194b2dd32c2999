// A set-up: the first sign-in with a domain, until its record is seen. It exists only in a cookie.

import { createHmac } from "node:crypto";
import type { NewRecords } from "../../dns/new-records.ts";
import { ownRecord, type StatementKeysFor } from "../../dns/own-record.ts";
import type { Cookies } from "../../http/cookies.ts";
import type { HttpRequest } from "../../http/message.ts";
import { requesterAt } from "../../http/requester.ts";
import type { KeptStep } from "../../interaction/interaction.ts";
import { SET_UP } from "../../interaction/progress.ts";
import type { CookieSeal } from "../../keys/cookie-seal.ts";
import type { Clock } from "../../lib/clock.ts";
import { isBeforeRestore } from "../../lib/lifetime.ts";
import { type Random, randomText, sha256 } from "../../lib/random.ts";
import type { Account } from "../../store/accounts.ts";
import type { MadePasskey } from "../../store/passkeys.ts";
import { FINISHED_AGAIN_S } from "../../store/shared-values.ts";

/** The record must be seen within this time. */
export const SET_UP_LIFETIME_S = 30 * 86_400;
/** In one browser. */
const MAX_SET_UPS = 3;
/** Longer names of clients are cut off. */
const MAX_NAME_CHARS = 60;
/** Browsers limit a cookie to 4 KB, and proxies the headers of a request. */
const MAX_COOKIE_OCTETS = 1500;

/** What the cookie contains. All that the account will consist of is derived from the seed. */
interface SetUpContent {
  readonly v: 1;
  readonly domain: string;
  /** 256 bits in base64url. */
  readonly seed: string;
  /** The service's keys in the record, as it was shown; none if the zone was not signed. */
  readonly spk: readonly string[];
  /** Epoch seconds. */
  readonly startedAt: number;
  /** The name of the client for which it began. Missing where there was no room for it, and in old cookies. */
  readonly client?: string;
  /** Of the record that was shown before the set-up began anew: the person may have published that one. */
  readonly formerAcct?: string;
  /** `user.id` of its passkeys: the same for all, so that an authenticator keeps the last one. */
  readonly userHandle?: string;
  /** Finishes the set-up, once the record is seen. */
  readonly passkey?: MadePasskey;
  /** The person does not want a passkey, or has none. */
  readonly isWithoutPasskey?: true;
}

export interface SetUp extends SetUpContent {
  readonly cookieName: string;
  /** Distinguishes the set-ups of this browser. The end of the cookie's name, which is public. */
  readonly key: string;
  readonly userHandle: string;
  readonly acct: string;
  /** The id of the account to be created. */
  readonly accountId: string;
}

export interface SetUpsOfBrowser {
  readonly valid: readonly SetUp[];
  readonly void: readonly SetUp[];
}

export interface Deps {
  readonly issuer: string;
  readonly cookies: Cookies;
  readonly setUpSeal: CookieSeal;
  /** When a backup was last restored, in epoch seconds; null if never. A time that is far ahead counts as never. */
  readonly restoredAt: () => Promise<number | null>;
  readonly newRecords: NewRecords;
  readonly statementKeysFor: StatementKeysFor;
  readonly clock: Clock;
  readonly random: Random;
}

export type SetUps = ReturnType<typeof createSetUps>;

export function createSetUps(deps: Deps) {
  const { issuer, cookies, setUpSeal, restoredAt, clock, random } = deps;
  /** What was read for a request. Its cookies stay the same. */
  const ofRequests = new WeakMap<HttpRequest, Promise<SetUpsOfBrowser>>();
  return {
    read,
    readEvery,
    ofInteraction,
    isVoid,
    keptStep,
    begin,
    resume,
    addPasskey,
    goWithoutPasskey,
    clearOf,
    clearFinished,
    recordOf,
  };

  /** The set-ups of this browser, the oldest first. */
  async function read(http: HttpRequest): Promise<readonly SetUp[]> {
    return (await readEvery(http)).valid;
  }

  /**
   * Also the set-ups that began before a backup was restored. They are void: one may have been finished after the
   * backup, and its account may have ended.
   */
  function readEvery(http: HttpRequest): Promise<SetUpsOfBrowser> {
    const known = ofRequests.get(http) ?? openEvery(http);
    ofRequests.set(http, known);
    return known;
  }

  async function openEvery(http: HttpRequest): Promise<SetUpsOfBrowser> {
    const all = await open(http);
    const restored = all.length === 0 ? null : await restoredAt();
    const now = clock.seconds();
    const isOfBefore = ({ startedAt }: SetUp) => isBeforeRestore(startedAt, restored, now);
    return { valid: all.filter((one) => !isOfBefore(one)), void: all.filter(isOfBefore) };
  }

  /** The set-up that this browser began in the interaction, while the set-up lasts. */
  async function ofInteraction(
    http: HttpRequest,
    interactionId: string,
  ): Promise<SetUp | undefined> {
    const name = cookies.setUpName(interactionId);
    return (await read(http)).find(({ cookieName }) => cookieName === name);
  }

  /** Whether a set-up that began then is void. */
  async function isVoid(startedAt: number): Promise<boolean> {
    return isBeforeRestore(startedAt, await restoredAt(), clock.seconds());
  }

  /** The step of an interaction whose row is gone. Its page says if the set-up is void. */
  async function keptStep(http: HttpRequest, interactionId: string): Promise<KeptStep | null> {
    const name = cookies.setUpName(interactionId);
    const every = await readEvery(http);
    const kept = [...every.valid, ...every.void].find(({ cookieName }) => cookieName === name);
    if (kept === undefined) return null;
    const { domain, startedAt } = kept;
    return { domain, progress: SET_UP, until: startedAt + SET_UP_LIFETIME_S };
  }

  async function open(http: HttpRequest): Promise<readonly SetUp[]> {
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

  function newContent(domain: string, zone: { readonly isSecure: boolean }) {
    const [seed, spk] = [randomText(random, 32), deps.statementKeysFor(zone)];
    return { v: 1, domain, seed, spk, startedAt: clock.seconds() } as const;
  }

  /** Begins a set-up within an interaction. Returns the `Set-Cookie` values. */
  async function begin(
    http: HttpRequest,
    started: {
      readonly interactionId: string;
      readonly domain: string;
      readonly client: string;
      readonly formerAcct?: string | undefined;
      /** The names of cookies that the same response clears. */
      readonly cleared?: readonly string[];
    },
  ): Promise<readonly string[]> {
    const { interactionId, domain, formerAcct, cleared = [] } = started;
    const client = [...started.client].slice(0, MAX_NAME_CHARS).join("");
    // Decided once: the value of the record must not change under the hand of who copies it.
    const isSecure = await deps.newRecords.isSigned(domain, requesterAt(http.clientAddress));
    const former = formerAcct === undefined ? {} : { formerAcct };
    const content = { ...newContent(domain, { isSecure }), client, ...former };
    return keep(http, interactionId, content, cleared);
  }

  /** Moves an earlier set-up of this browser to this interaction, whose pages then show it. */
  async function resume(
    http: HttpRequest,
    interactionId: string,
    setUp: SetUp,
  ): Promise<readonly string[]> {
    const { cookieName } = setUp;
    const kept = await keep(http, interactionId, contentOf(setUp), [cookieName]);
    return [...kept, cookies.clear(cookieName)];
  }

  /**
   * Begins the set-up anew with this passkey, which alone can finish it: a copy of the former cookie becomes useless.
   * Returns the `Set-Cookie` values; null if the passkey does not fit into the cookie.
   */
  async function addPasskey(
    http: HttpRequest,
    interactionId: string,
    { domain, spk, userHandle, client, acct: formerAcct }: SetUp,
    passkey: MadePasskey,
  ): Promise<readonly string[] | null> {
    const content = { ...newContent(domain, { isSecure: spk.length > 0 }), userHandle, passkey };
    // The name of the client is the first to go.
    const named = client === undefined ? [] : [{ ...content, formerAcct, client }];
    for (const all of [...named, { ...content, formerAcct }, content]) {
      const setCookies = await keep(http, interactionId, all);
      const [cookie = ""] = setCookies;
      if (cookie.indexOf(";") <= MAX_COOKIE_OCTETS) return setCookies;
    }
    return null;
  }

  /** The person does not want a passkey: from now on, the record is shown. Returns the `Set-Cookie` values. */
  async function goWithoutPasskey(
    http: HttpRequest,
    interactionId: string,
    setUp: SetUp,
  ): Promise<readonly string[]> {
    return keep(http, interactionId, { ...contentOf(setUp), isWithoutPasskey: true });
  }

  /** The `Set-Cookie` values that remove the set-up of this account. */
  async function clearOf(http: HttpRequest, accountId: string): Promise<readonly string[]> {
    const own = (await open(http)).filter((one) => one.accountId === accountId);
    return own.map(({ cookieName }) => cookies.clear(cookieName));
  }

  /**
   * The `Set-Cookie` values that remove the finished set-ups of these accounts once the codes can no longer be shown.
   * Such a set-up would later look as if somebody else had finished it.
   */
  async function clearFinished(
    http: HttpRequest,
    accounts: readonly Account[],
  ): Promise<readonly string[]> {
    const from = clock.seconds() - FINISHED_AGAIN_S;
    const old = accounts.filter(({ createdAt }) => createdAt <= from).map(({ id }) => id);
    const finished = (await read(http)).filter(({ accountId }) => old.includes(accountId));
    return finished.map(({ cookieName }) => cookies.clear(cookieName));
  }

  async function keep(
    http: HttpRequest,
    interactionId: string,
    content: SetUpContent,
    /** Cookies that the response clears anyway: no other cookie has to make room for them. */
    cleared: readonly string[] = [],
  ): Promise<readonly string[]> {
    const name = cookies.setUpName(interactionId);
    const isOther = ({ cookieName }: SetUp) => cookieName !== name && !cleared.includes(cookieName);
    const every = await readEvery(http);
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

  function recordOf(setUp: SetUp) {
    const { passkey } = setUp;
    return ownRecord(issuer, { ...setUp, jkt: passkey && [passkey.thumbprint] });
  }
}

/**
 * Whether the domain has a set-up here and another one would drop a set-up. A mere visit must not drop any: somebody
 * may have been sent its record.
 */
export function isFullFor(setUps: readonly SetUp[], domain: string): boolean {
  return setUps.length >= MAX_SET_UPS && setUps.some((setUp) => setUp.domain === domain);
}

/** The set-up to drop for a new one: a repeated one of a domain if possible, else the oldest. */
export function droppedOf(setUps: readonly SetUp[]): SetUp | undefined {
  if (setUps.length < MAX_SET_UPS) return undefined;
  const again = setUps.find(({ domain }, index) =>
    setUps.slice(0, index).some((earlier) => earlier.domain === domain),
  );
  return again ?? setUps[0];
}

function setUpOf(cookieName: string, content: SetUpContent): SetUp {
  const derive = (label: string) =>
    derived(content.seed, label).subarray(0, 16).toString("base64url");
  const { userHandle = derive("user handle") } = content;
  return {
    ...content,
    cookieName,
    key: cookieName.slice(-8),
    userHandle,
    acct: derive("acct"),
    accountId: `sub_${derive("sub")}`,
  };
}

function contentOf({ acct, accountId, key, cookieName, ...content }: SetUp): SetUpContent {
  return content;
}

/**
 * Whether the person has made a passkey or does not want one. Until then the record is not shown: it would change
 * under their hands.
 */
export function isPasskeyAnswered({ passkey, isWithoutPasskey }: SetUp): boolean {
  return passkey !== undefined || isWithoutPasskey === true;
}

export function derived(seed: string, label: string): Buffer {
  return createHmac("sha256", Buffer.from(seed, "base64url")).update(label).digest();
}

/** What the account keeps of the interaction that finished its set-up: with the cookie, it opens the codes again. */
export function finishHash(interactionId: string): string {
  return sha256(`set-up ${interactionId}`);
}
