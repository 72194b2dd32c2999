// What the life of a grant should be, as plainly as it can be said: the reference for the real one.

/** Seconds, as the design gives them. */
const DOUBLE_SUBMIT = 30;
const CONTROL_FRESH = 86_400;
const CONTROL_GRACE = 72 * 3600;
const DNS_FAILURE_REMEMBERED = 300;
const LOSS_REMEMBERED = 60;
const LOSS_CONFIRMED_AFTER = 86_400;

export interface ModelGrant {
  readonly challenged: boolean;
  readonly codeExpiresAt: number;
  readonly expiresAt: number;
  generation: number;
  rotatedAt: number | null;
  refreshExpiresAt: number | null;
  controlCheckedAt: number;
  revoked: boolean;
  /** Whether the answer with the current token was not delivered, and is marked so. */
  undelivered: boolean;
  /** When such an answer was given after all. */
  redeliveredAt: number | null;
}

export interface Model {
  readonly idleLifetime: number;
  readonly retryWindow: number;
  readonly grants: ModelGrant[];
  now: number;
  /** Since when; null while awake. */
  asleepSince: number | null;
  /** Whether a second look has confirmed that the account is lost. */
  lost: boolean;
  ended: boolean;
  zone: "own" | "other" | "silent";
  /** Until when refreshes do not look again. */
  restsUntil: number;
}

export type Verdict = "next" | "same" | "refused" | "unavailable";

/**
 * `matches`: client, redirect_uri and verifier are those of the authorization request. `isProven`: the client has
 * authenticated.
 */
export function redeem(
  model: Model,
  grant: ModelGrant,
  { matches, isProven }: { matches: boolean; isProven: boolean },
): Verdict {
  if (!matches || grant.revoked) return "refused";
  if (grant.generation > 0) return redeemAgain(model, grant, isProven);
  if (model.now >= grant.codeExpiresAt || model.asleepSince !== null || model.ended)
    return "refused";
  return next(model, grant);
}

function redeemAgain(model: Model, grant: ModelGrant, isProven: boolean): Verdict {
  const isSameClient = grant.challenged || isProven;
  if (grant.generation > 1 || !isSameClient) return revoke(grant);
  if (grant.undelivered) {
    const isOver = model.now >= grant.codeExpiresAt || model.asleepSince !== null || model.ended;
    return isOver ? "refused" : deliver(model, grant);
  }
  if (grant.redeliveredAt !== null) return "refused";
  return model.now - (grant.rotatedAt ?? 0) <= DOUBLE_SUBMIT ? "refused" : revoke(grant);
}

/** The answer with the current token did not reach the client, and it is our fault. */
export function failDelivery(grant: ModelGrant): void {
  if (grant.generation > 0 && !grant.revoked) grant.undelivered = true;
}

function deliver(model: Model, grant: ModelGrant): Verdict {
  grant.undelivered = false;
  grant.redeliveredAt = model.now;
  return "same";
}

export function rotate(
  model: Model,
  grant: ModelGrant,
  presented: { generation: number; ownClient: boolean; isProven: boolean },
): Verdict {
  const { generation, ownClient, isProven } = presented;
  if (!ownClient || grant.revoked) return "refused";
  if (generation > grant.generation) return revoke(grant);
  if (model.now >= (grant.refreshExpiresAt ?? 0) || model.ended) return "refused";
  if (generation < grant.generation) {
    const age = model.now - Math.max(grant.rotatedAt ?? 0, grant.redeliveredAt ?? 0);
    const inWindow = model.retryWindow > 0 && (isProven || age <= model.retryWindow);
    if (generation < grant.generation - 1 || !(grant.undelivered || inWindow)) return revoke(grant);
    const isUnchecked = model.now - grant.controlCheckedAt >= CONTROL_GRACE;
    const refused = model.asleepSince !== null || isUnchecked ? refusal(model, grant) : null;
    return refused ?? (grant.undelivered ? deliver(model, grant) : "same");
  }
  const age = model.now - grant.controlCheckedAt;
  if (model.asleepSince !== null || age >= CONTROL_GRACE) {
    return refusal(model, grant) ?? next(model, grant);
  }
  if (age >= CONTROL_FRESH) look(model, grant);
  return next(model, grant);
}

/** Why a refresh that needs a look first cannot go on; null if it can. */
function refusal(model: Model, grant: ModelGrant): Verdict | null {
  const { asleepSince, lost } = model;
  const held = look(model, grant);
  if (asleepSince !== null && !lost) return "unavailable";
  if (held) return null;
  return lost ? "refused" : "unavailable";
}

/** Whether the zone names the account, as far as anybody looks. */
function look(model: Model, grant: ModelGrant): boolean {
  const { now, zone } = model;
  if (now < model.restsUntil) return false;
  if (zone === "own") {
    wake(model);
    grant.controlCheckedAt = now;
    return true;
  }
  model.restsUntil = now + (zone === "silent" ? DNS_FAILURE_REMEMBERED : LOSS_REMEMBERED);
  if (zone === "silent") return false;
  model.lost = model.asleepSince !== null && now - model.asleepSince >= LOSS_CONFIRMED_AFTER;
  model.asleepSince ??= now;
  return false;
}

export function wake(model: Model): void {
  model.asleepSince = null;
  model.lost = false;
}

function next(model: Model, grant: ModelGrant): Verdict {
  grant.generation++;
  grant.undelivered = false;
  grant.redeliveredAt = null;
  grant.rotatedAt = model.now;
  grant.refreshExpiresAt = Math.min(model.now + model.idleLifetime, grant.expiresAt);
  return "next";
}

function revoke(grant: ModelGrant): Verdict {
  grant.revoked = true;
  return "refused";
}
