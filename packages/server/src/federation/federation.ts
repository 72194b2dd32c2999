// Sign-ins at external SPs, whose code is loaded when the first one begins.

import type { Requester } from "../lib/fair-queue.ts";
import type { AnsweredCode, Broker, BrokerDeps, SentState } from "./broker.ts";
import type { ProofClaims, ProofContext } from "./proofs.ts";

export type Federation = ReturnType<typeof createFederation>;

export function createFederation(deps: BrokerDeps) {
  let loading: Promise<Broker> | null = null;
  /** Loaded on first use: most services start without using an external SP. */
  function broker(): Promise<Broker> {
    loading ??= import("./broker.ts").then(({ createBroker }) => createBroker(deps));
    return loading;
  }
  return {
    prepare: async (sp: string, from: Requester) => (await broker()).prepare(sp, from),
    /** Drops an invalid proof, and the sign-in continues. `svc` is the service whose app the proofs are for. */
    async checkProofs(claims: ProofClaims, context: ProofContext, svc: string) {
      const { checkProofs } = await import("./proofs.ts");
      return checkProofs(claims, context, svc);
    },
    redeem: async (state: SentState, code: AnsweredCode, from: Requester) =>
      (await broker()).redeem(state, code, from),
  };
}
