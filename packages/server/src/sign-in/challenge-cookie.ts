// A DNS challenge until its record is seen. It exists only in a cookie, beside the row of its interaction of an hour.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import { accountUri, changeAt } from "../interaction/account-page.ts";
import type { KeptStep } from "../interaction/interaction.ts";
import { PageError, type PendingRequest } from "../interaction/pending-request.ts";
import { challengeFor } from "../interaction/progress.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { isBeforeRestore, isOver } from "../lib/lifetime.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import type { DnsChallenge } from "../store/interaction-row.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { PasskeyStore } from "../store/passkeys.ts";

/** How long a challenge record is accepted. Somebody else may have to publish it. */
export const CHALLENGE_LIFETIME_S = 86_400;
/** For this long, a second start for the same purpose shows the same value. */
const SAME_VALUE_S = 3600;
/** In one browser. */
const MAX_CHALLENGES = 2;
/** The tabs that can make their row again. */
const MAX_INTERACTIONS = 2;

/** What the cookie contains. */
interface ChallengeContent {
  readonly v: 1;
  readonly accountId: string;
  readonly domain: string;
  /** 128 bits in base64url. */
  readonly chal: string;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** What it counts for; see `purposeOf`. */
  readonly purpose: string;
  /** The hash of the recovery code that was entered. */
  readonly code: string | null;
  /** The hash of the id of a passkey that signed before, and that the challenge confirms. */
  readonly passkey: string | null;
  /** The interactions whose pages show it. */
  readonly interactions: readonly string[];
}

interface Challenge extends ChallengeContent {
  readonly cookieName: string;
}

export interface ChallengeStart {
  readonly account: Account;
  readonly interactionId: string;
  readonly request: PendingRequest;
  /** Whether the account has passkeys, and none of them is used. */
  readonly isRecovery: boolean;
  /** The id of a passkey that has signed in this interaction, and that the challenge has to confirm. */
  readonly unconfirmed?: string;
}

export interface Deps {
  readonly issuer: string;
  readonly cookies: Cookies;
  readonly dnsChallengeSeal: CookieSeal;
  /** When a backup was last restored, in epoch seconds; null if never. A time that is far ahead counts as never. */
  readonly restoredAt: () => Promise<number | null>;
  readonly accounts: AccountStore;
  readonly passkeys: PasskeyStore;
  readonly interactions: InteractionStore;
  readonly clock: Clock;
  readonly random: Random;
}

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges(deps: Deps) {
  const { issuer, cookies, dnsChallengeSeal, restoredAt, interactions, clock, random } = deps;
  return { begin, keepCode, keptStep };

  /** Begins a challenge, or shows one again that began within the hour for the same account and purpose. */
  async function begin(
    http: HttpRequest,
    { account, interactionId, request, isRecovery, unconfirmed }: ChallengeStart,
  ): Promise<{
    readonly chal: string;
    readonly code: string | null;
    readonly endsAt: number;
    readonly setCookies: readonly string[];
  }> {
    const { id: accountId, domain } = account;
    const purpose = purposeOf(request, isRecovery);
    const passkey = unconfirmed === undefined ? null : sha256(unconfirmed);
    const restored = await restoredAt();
    const isSame = (one: Challenge) =>
      one.accountId === accountId &&
      one.purpose === purpose &&
      one.passkey === passkey &&
      one.startedAt > clock.seconds() - SAME_VALUE_S &&
      !hasEnded(one, restored);
    const kept = await read(http);
    const same = kept.find(isSame);
    const isUsable = same !== undefined && !(await isUsed(same.chal));
    const chal = randomText(random, 16);
    const own = isUsable
      ? same
      : {
          ...{ v: 1 as const, accountId, domain, chal, startedAt: clock.seconds(), purpose },
          ...{ code: null, passkey, interactions: [], cookieName: cookies.challengeName(chal) },
        };
    const shownIn = own.interactions.filter((id) => id !== interactionId);
    const shown = [...shownIn, interactionId].slice(-MAX_INTERACTIONS);
    const surplus = kept
      .filter(({ cookieName }) => cookieName !== own.cookieName)
      .slice(0, -(MAX_CHALLENGES - 1))
      .map(({ cookieName }) => cookies.clear(cookieName));
    return {
      ...{ chal: own.chal, code: own.code, endsAt: own.startedAt + CHALLENGE_LIFETIME_S },
      setCookies: [sealed({ ...own, interactions: shown }), ...surplus],
    };
  }

  /** A recovery code was entered for the challenge. Returns the `Set-Cookie` values. */
  async function keepCode(
    http: HttpRequest,
    chal: string,
    code: string,
  ): Promise<readonly string[]> {
    const own = (await read(http)).find((one) => one.chal === chal);
    return own === undefined ? [] : [sealed({ ...own, code })];
  }

  /**
   * The step of an interaction whose row is gone, if this browser began the challenge in it and for this request.
   * Throws `PageError` if the challenge is over.
   */
  async function keptStep(
    http: HttpRequest,
    interactionId: string,
    request: PendingRequest,
  ): Promise<KeptStep | null> {
    const purposes = [true, false].map((isRecovery) => purposeOf(request, isRecovery));
    const own = (await read(http)).find(
      (one) => one.interactions.includes(interactionId) && purposes.includes(one.purpose),
    );
    if (own === undefined) return null;
    if (hasEnded(own, await restoredAt())) throw new PageError(400, "challengeOver", request);
    const account = await deps.accounts.readAccount(own.accountId);
    if (account === null || account.endedAt !== null) return null;
    const { domain, chal, code, startedAt } = own;
    const until = startedAt + CHALLENGE_LIFETIME_S;
    const unconfirmed = await passkeyOf(own, until);
    const progress = { ...challengeFor(account.acct, chal, code), unconfirmed };
    return { domain, progress, until };
  }

  async function passkeyOf(
    { accountId, passkey }: Challenge,
    expiresAt: number,
  ): Promise<DnsChallenge["unconfirmed"]> {
    if (passkey === null) return null;
    const all = await deps.passkeys.passkeysOf(accountId);
    const found = all.find(({ credentialId }) => sha256(credentialId) === passkey);
    return found === undefined ? null : { credentialId: found.credentialId, expiresAt };
  }

  /** The challenges of this browser, the oldest first, also those that are over. */
  async function read(http: HttpRequest): Promise<readonly Challenge[]> {
    const opened = await Promise.all(
      cookies.challenges(http).map(async ({ name, value }) => {
        const plain = await dnsChallengeSeal.open(name, value);
        if (plain === null) return [];
        const content: ChallengeContent = JSON.parse(plain.toString());
        return [{ ...content, cookieName: name }];
      }),
    );
    return opened.flat().sort((one, other) => one.startedAt - other.startedAt);
  }

  function sealed({ cookieName, ...content }: Challenge): string {
    const plain = Buffer.from(JSON.stringify(content));
    return cookies.setChallenge(cookieName, dnsChallengeSeal.close(cookieName, plain));
  }

  function isUsed(chal: string): Promise<boolean> {
    return interactions.isChallengeUsed(challengeHash(chal));
  }

  function hasEnded({ startedAt: since }: Challenge, restored: number | null): boolean {
    const end = since + CHALLENGE_LIFETIME_S;
    return isOver({ since, end }, clock) || isBeforeRestore(since, restored, clock.seconds());
  }

  /** A recovery, one change of the account with its content, or one authorization request. */
  function purposeOf({ clientId, query }: PendingRequest, isRecovery: boolean): string {
    if (isRecovery) return "recovery";
    const sent = new URLSearchParams(query);
    const change =
      clientId === accountUri(issuer)
        ? changeAt(issuer, sent.get("redirect_uri") ?? "")
        : undefined;
    const about = change === undefined ? query : `${change} ${sent.get("nonce") ?? ""}`;
    return sha256(`${change === undefined ? "sign-in" : "change"} ${about}`);
  }
}

/** By which the store knows that a challenge was used. */
export function challengeHash(chal: string): string {
  return sha256(`dns challenge ${chal}`);
}
