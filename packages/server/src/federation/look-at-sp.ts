// Looks at an external SP as a sign-in would, for an operator.

import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { createProviders, type ProviderMetadata } from "./provider-metadata.ts";
import { type Allowance, type Requirement, requirementsOf } from "./requirements.ts";
import { type WayToBecomeClient, wayToBecomeClient } from "./sp-client.ts";
import type { SpProblem } from "./sp-problem.ts";

export interface LookAtSp {
  readonly requirements: readonly Requirement[];
  readonly metadata?: ProviderMetadata;
  readonly wayToBecomeClient: WayToBecomeClient | null;
  readonly problem?: SpProblem;
}

/** `entry` is what the operator has set for it, or null. `issuer` is one that a record may name. */
export async function lookAtSp(
  issuer: string,
  parts: {
    readonly fetch: GuardedFetch;
    readonly clock: Clock;
    readonly allowLoopback: boolean;
    readonly entry: { readonly allow: readonly Allowance[] } | null;
  },
): Promise<LookAtSp> {
  const { entry, allowLoopback } = parts;
  const found = await createProviders(parts).find(issuer);
  if (found.outcome === "problem") {
    return { requirements: [], wayToBecomeClient: null, problem: found.problem };
  }
  const { metadata } = found.provider;
  return {
    requirements: requirementsOf(issuer, metadata, { allow: entry?.allow ?? [], allowLoopback }),
    metadata,
    wayToBecomeClient: wayToBecomeClient(metadata, entry !== null),
  };
}
