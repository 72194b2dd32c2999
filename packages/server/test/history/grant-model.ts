// What the life of a grant should be, as plainly as it can be said: the reference for the real one.

/** Seconds, as the design gives them. */
const DOUBLE_SUBMIT = 10;
const CONTROL_FRESH = 86_400;
const CONTROL_GRACE = 72 * 3600;
const DNS_FAILURE_REMEMBERED = 300;

export interface ModelGrant {
  readonly challenged: boolean;
  readonly codeExpiresAt: number;
  readonly expiresAt: number;
  generation: number;
  rotatedAt: number | null;
  refreshExpiresAt: number | null;
  controlCheckedAt: number;
  revoked: boolean;
}

export interface Model {
  readonly idleLifetime: number;
  readonly retryWindow: number;
  readonly grants: ModelGrant[];
  now: number;
  asleep: boolean;
  ended: boolean;
  zone: "own" | "other" | "silent";
  dnsFailedAt: number;
}

export type Verdict = "next" | "same" | "refused" | "unavailable";

/** `matches`: client, redirect_uri and verifier are those of the authorization request. */
export function redeem(model: Model, grant: ModelGrant, matches: boolean): Verdict {
  if (!matches || grant.revoked) return "refused";
  if (grant.generation > 0) {
    const age = model.now - (grant.rotatedAt ?? 0);
    grant.revoked = !(grant.challenged && grant.generation === 1 && age <= DOUBLE_SUBMIT);
    return "refused";
  }
  if (model.now >= grant.codeExpiresAt || model.asleep || model.ended) return "refused";
  return next(model, grant);
}

export function rotate(
  model: Model,
  grant: ModelGrant,
  presented: { generation: number; ownClient: boolean },
): Verdict {
  const { generation, ownClient } = presented;
  if (!ownClient || grant.revoked) return "refused";
  if (generation > grant.generation) return revoke(grant);
  if (model.now >= (grant.refreshExpiresAt ?? 0) || model.ended) return "refused";
  if (generation < grant.generation) {
    const age = model.now - (grant.rotatedAt ?? 0);
    const inWindow = model.retryWindow > 0 && age <= model.retryWindow;
    if (generation < grant.generation - 1 || !inWindow) return revoke(grant);
    return model.asleep ? "refused" : "same";
  }
  const age = model.now - grant.controlCheckedAt;
  if (!model.asleep && age < CONTROL_FRESH) return next(model, grant);
  if (model.now - model.dnsFailedAt < DNS_FAILURE_REMEMBERED || model.zone === "silent") {
    if (model.now - model.dnsFailedAt >= DNS_FAILURE_REMEMBERED) model.dnsFailedAt = model.now;
    return !model.asleep && age < CONTROL_GRACE ? next(model, grant) : "unavailable";
  }
  model.asleep = model.zone === "other";
  if (model.asleep) return "refused";
  grant.controlCheckedAt = model.now;
  return next(model, grant);
}

function next(model: Model, grant: ModelGrant): Verdict {
  grant.generation++;
  grant.rotatedAt = model.now;
  grant.refreshExpiresAt = Math.min(model.now + model.idleLifetime, grant.expiresAt);
  return "next";
}

function revoke(grant: ModelGrant): Verdict {
  grant.revoked = true;
  return "refused";
}
