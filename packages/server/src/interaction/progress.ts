// Pure transitions from one progress of a pending sign-in to the next; null if one does not apply.

import type {
  AccountPasskey,
  Authenticated,
  Authentication,
  Ceremony,
  DnsChallenge,
  DnsSetup,
  External,
  Progress,
  SetUpPasskey,
} from "../store/interaction-row.ts";

export type Transition = (progress: Progress) => Progress | null;

export const SET_UP: DnsSetup = { step: "dns-setup", formerCode: null };

/** With the statement that its page asks for; without one, the page makes one. */
export function passkeyOf(acct: string, ceremony: Ceremony | null = null): AccountPasskey {
  return { step: "passkey", owner: "account", acct, ceremony };
}

/** `recoveryCode`: the hash of a code that was entered for this challenge before. */
export function challengeFor(
  acct: string,
  challenge: string,
  recoveryCode: string | null = null,
): DnsChallenge {
  return { step: "dns-challenge", acct, challenge, recoveryCode, unconfirmed: null };
}

export function externalOf(acct: string, state: string): External {
  return { step: "external", acct, state };
}

/** The progress of a sign-in that a session, or a passkey on the first page, has authenticated. */
export function authenticatedBy(
  method: "session" | "passkey",
  proof: Authentication,
  newsFrom: number | null,
): Authenticated {
  const empty = { proofs: null, usedCode: null, recovery: null, codes: null, decision: null };
  return { step: "authenticated", method, ...empty, ...proof, newsFrom };
}

/** The owner starts over with a new account. */
export const startedOver: Transition = (progress) =>
  progress.step === "authenticated" ? null : SET_UP;

/** The record of a set-up was seen, and the passkey of the set-up is asked for. */
export const recordSeen =
  (acct: string, ceremony: Ceremony | null = null): Transition =>
  (progress) => {
    // Of two checks that saw different records, the last one counts.
    if (progress.step !== "dns-setup" && !isOfSetUp(progress)) return null;
    if (progress.step === "passkey" && progress.acct === acct) return progress;
    const { formerCode } = progress;
    return { step: "passkey", owner: "set-up", acct, ceremony, formerCode };
  };

/** The record of a set-up is gone again, before the passkey of the set-up was used. */
export const recordGone: Transition = (progress) =>
  isOfSetUp(progress) ? { step: "dns-setup", formerCode: progress.formerCode } : null;

/** A passkey is asked to sign another statement instead of `from`. */
export const statementOffered =
  (from: Ceremony | null, ceremony: Ceremony): Transition =>
  (progress) => {
    if (progress.step !== "passkey") return null;
    return progress.ceremony?.statement === from?.statement ? { ...progress, ceremony } : null;
  };

/** The owner goes on without a passkey, and a challenge record is to be published. */
export const passkeySkipped =
  (challenge: string, recoveryCode: string | null = null): Transition =>
  (progress) =>
    isOfAccount(progress) ? challengeFor(progress.acct, challenge, recoveryCode) : null;

/**
 * A restore has brought back the passkey that signed. It may have been removed after the backup, and the record does
 * not list its key, so a challenge record has to confirm it.
 */
export const passkeyUnconfirmed =
  (
    statement: string,
    confirmation: { readonly challenge: string; readonly credentialId: string },
    { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
  ): Transition =>
  (progress) => {
    if (!isOfAccount(progress) || progress.ceremony?.statement !== statement) return null;
    if (progress.ceremony.expiresAt <= now) return null;
    const { challenge, credentialId } = confirmation;
    return { ...challengeFor(progress.acct, challenge), unconfirmed: { credentialId, expiresAt } };
  };

/** A recovery code was entered: for a challenge, or to see the record of a former account. */
export const recoveryCodeEntered =
  (hash: string): Transition =>
  (progress) => {
    if (progress.step === "dns-challenge") return { ...progress, recoveryCode: hash };
    const isSetUp = progress.step === "dns-setup" || isOfSetUp(progress);
    return isSetUp ? { ...progress, formerCode: hash } : null;
  };

/** The state of the sign-in at an external SP was `from`. */
export const externalChanged =
  (from: string, to: string): Transition =>
  (progress) =>
    progress.step === "external" && progress.state === from ? { ...progress, state: to } : null;

/** The owner has added a passkey after a recovery, or goes on. */
export const recoveryAnswered =
  (answer: "added" | "done"): Transition =>
  (progress) => {
    if (progress.step !== "authenticated" || progress.recovery === answer) return null;
    const isOpen = progress.recovery === "asked" || progress.recovery === "added";
    return isOpen ? { ...progress, recovery: answer } : null;
  };

/** The person has saved the recovery codes, or does not want the codes that were offered. */
export const codesSaved: Transition = (progress) =>
  progress.step === "authenticated" && progress.codes !== null
    ? { ...progress, codes: null }
    : null;

/** The person has seen what happened in other browsers. */
export const newsSeen: Transition = (progress) =>
  progress.step === "authenticated" && progress.newsFrom !== null
    ? { ...progress, newsFrom: null }
    : null;

/** The person has answered the consent page, or the change of the account was made. Only the first answer counts. */
export const decided =
  (decision: "allow" | "deny"): Transition =>
  (progress) =>
    progress.step === "authenticated" && progress.decision === null
      ? { ...progress, decision }
      : null;

function isOfSetUp(progress: Progress): progress is SetUpPasskey {
  return progress.step === "passkey" && progress.owner === "set-up";
}

function isOfAccount(progress: Progress): progress is AccountPasskey {
  return progress.step === "passkey" && progress.owner === "account";
}
