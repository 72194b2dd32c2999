// A later sign-in by DNS: a short-lived record, together with this browser's mark or a recovery code.

import { formatChallengeRecord } from "domain-signin-verify/challenge-record";
import { type ChallengeLook, challengeName } from "../dns/sp-record.ts";
import type { Exchange } from "../http/channels.ts";
import { ASKS_AGAIN, page } from "../http/headers.ts";
import { formField } from "../interaction/form-field.ts";
import {
  advance,
  type OpenInteraction,
  openInteraction,
  requireSameOrigin,
  stepOf,
  stepPath,
} from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import type { SignInParts } from "../interaction/parts.ts";
import { dnsChallengePage } from "../pages/dns-challenge.ts";
import type { Look } from "../pages/notice.ts";
import type { Account } from "../store/store.ts";
import { authenticated } from "./authenticated.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { describeChallengeLook, explain } from "./look-words.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";

/** GET /interaction/:id/dns-challenge */
export function showDnsChallenge(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-challenge") return advance(open, parts);
    const challenge = await readChallenge(exchange, open, parts);
    if (!challenge.browserIsKnown) {
      const look = await lookForChallenge(challenge, parts);
      return showPage(200, open, { challenge, look: wordsOf(look, challenge, parts) }, parts);
    }
    return proceed(exchange, open, { challenge, recoveryCode: null }, parts);
  };
}

/** POST /interaction/:id/dns-challenge with `recovery_code` where this browser is not known. */
export function checkDnsChallenge(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-challenge") return advance(open, parts);
    const challenge = await readChallenge(exchange, open, parts);
    if (challenge.browserIsKnown) {
      return proceed(exchange, open, { challenge, recoveryCode: null }, parts);
    }
    const field = await formField(exchange.request, "recovery_code", open.request);
    const typed = field.trim().slice(0, 100);
    const words = parts.pages.messages.recoveryProblems;
    const codeHash = recoveryCodeHash(typed);
    const isUnused = await parts.store.hasRecoveryCode(challenge.account.id, codeHash);
    const problem = typed === "" ? words.missing : isUnused ? undefined : words.wrong;
    if (problem !== undefined) {
      const look = wordsOf(await lookForChallenge(challenge, parts), challenge, parts);
      return showPage(400, open, { challenge, look, recovery: { typed, problem } }, parts);
    }
    return proceed(exchange, open, { challenge, recoveryCode: { typed, codeHash } }, parts);
  };
}

interface Challenge {
  readonly account: Account;
  readonly value: string;
  readonly browserIsKnown: boolean;
}

async function readChallenge(
  exchange: Exchange,
  { interaction, request }: OpenInteraction,
  parts: SignInParts,
): Promise<Challenge> {
  const { domain, acct, challenge } = interaction;
  if (acct === null || challenge === null) throw new Error("a challenge without acct or value");
  const account = await parts.store.findAccount(domain, acct);
  if (account === null) throw new PageError(400, "expired", request);
  const device = knownDeviceOf(exchange, parts);
  const browserIsKnown =
    device !== null && (await parts.store.knowsDevice(account.id, device.hash));
  return { account, value: challenge, browserIsKnown };
}

/** Looks at both records; when they are as they must be, the owner is authenticated. */
async function proceed(
  exchange: Exchange,
  open: OpenInteraction,
  proof: { challenge: Challenge; recoveryCode: { typed: string; codeHash: string } | null },
  parts: SignInParts,
): Promise<Response> {
  const { challenge, recoveryCode } = proof;
  const { store, clock, pages, spRecords } = parts;
  const recovery = recoveryCode ? { typed: recoveryCode.typed } : undefined;
  const seen = await lookForChallenge(challenge, parts);
  if (seen.outcome !== "seen") {
    return showPage(
      200,
      open,
      { challenge, look: wordsOf(seen, challenge, parts), recovery },
      parts,
    );
  }
  let { account } = challenge;
  const record = await spRecords.look(account.domain, "now");
  if (record.outcome !== "own" || record.acct !== account.acct) {
    const look = explain(pages.messages, record, account.domain);
    return showPage(200, open, { challenge, look, recovery }, parts);
  }
  const now = clock.seconds();
  if (account.asleepSince !== null) {
    const awake = await store.wakeAccount(account, now);
    if (awake === "conflict") throw new PageError(400, "expired", open.request);
    account = awake;
  }
  const device = deviceOf(exchange, parts);
  if (recoveryCode !== null) {
    const { codeHash } = recoveryCode;
    if (!(await store.takeRecoveryCode({ accountId: account.id, codeHash, now }))) {
      return advance(open, parts);
    }
    await store.addDevice({ accountId: account.id, deviceHash: device.hash, now });
  }
  return authenticated(open, { account, amr: "dns", cookies: [device.cookie] }, parts);
}

function lookForChallenge(
  { account, value }: Challenge,
  { spRecords }: SignInParts,
): Promise<ChallengeLook> {
  return spRecords.lookForChallenge(account.domain, value);
}

function wordsOf(look: ChallengeLook, { account }: Challenge, { pages }: SignInParts): Look {
  return describeChallengeLook(pages.messages, look, account.domain);
}

function showPage(
  status: number,
  { interaction, request }: OpenInteraction,
  shown: {
    challenge: Challenge;
    look: Look;
    recovery?: { typed: string; problem?: string } | undefined;
  },
  parts: SignInParts,
): Promise<Response> {
  const { challenge, look, recovery } = shown;
  const { domain } = challenge.account;
  return page(
    status,
    dnsChallengePage(parts.pages, {
      domain,
      clientName: request.clientName,
      clientHost: request.clientHost,
      backToApp: request.backToApp,
      issuerHost: new URL(parts.issuer).host,
      record: {
        name: challengeName(domain),
        type: "TXT",
        value: formatChallengeRecord({ sp: parts.issuer, chal: challenge.value }),
        ttl: 60,
      },
      action: stepPath(interaction.id, "dns-challenge"),
      askRecoveryCode: !challenge.browserIsKnown,
      recoveryCodeValue: recovery?.typed,
      recoveryProblem: recovery?.problem,
      look,
      lostAccessAction: stepPath(interaction.id, "start-over"),
    }),
    // A reload would lose what is being typed.
    challenge.browserIsKnown ? ASKS_AGAIN : {},
  );
}
