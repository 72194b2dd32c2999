// Finds in a history what must never happen to a grant, whatever nodes, crashes and retries did.
//
// A rule blames only what no order of the concurrent operations can explain: an operation may have
// taken effect at any moment between its start and its end, an unknown one at any moment after its
// start, or never. Every rule looks at one grant at a time, and is given its history.

import type { Operation } from "./history.ts";

export interface Violation {
  readonly rule: string;
  readonly grant: string;
  readonly detail: string;
  readonly operations: readonly Operation[];
}

/** Milliseconds, as the service under test was set. */
export interface Windows {
  /** In which a second use of a code with its verifier revokes nothing, while its refresh token is unused. */
  readonly doubleSubmit: number;
  /** In which a rotated refresh token is answered again with its successor. */
  readonly retry: number;
}

const WINDOWS: Windows = { doubleSubmit: 30_000, retry: 30_000 };
/** Stored times are whole seconds, so a window may seem this much longer. */
const ROUNDING = 1000;

/** One grant's operations, and who presented and handed out each token. */
interface GrantHistory {
  readonly grant: string;
  readonly operations: readonly Operation[];
  readonly uses: ReadonlyMap<string, readonly Operation[]>;
  readonly windows: Windows;
}

type Rule = (history: GrantHistory) => Omit<Violation, "grant">[];

const RULES: readonly Rule[] = [
  atMostOneRedemption,
  oneSuccessorPerGeneration,
  nothingAcknowledgedIsLost,
  nothingRotatedWorksAgain,
  nothingRevokedWorksAgain,
];

/** Every violation in the history; none means that it can be explained. */
export function check(
  operations: readonly Operation[],
  windows: Partial<Windows> = {},
): Violation[] {
  const grants = groupBy(operations, ({ grant }) => grant);
  return [...grants].flatMap(([grant, own]) => {
    const history = {
      grant,
      operations: own,
      uses: groupBy(own, ({ verb, input }) => (verb === "revoke" ? "" : input)),
      windows: { ...WINDOWS, ...windows },
    };
    return RULES.flatMap((rule) => rule(history)).map((violation) => ({ ...violation, grant }));
  });
}

/** A code is redeemed once, by whomever and wherever. */
export function atMostOneRedemption({ uses }: GrantHistory): Omit<Violation, "grant">[] {
  return [...uses.values()].flatMap((all) => {
    const won = all.filter((use) => use.verb === "redeem" && use.outcome === "ok");
    if (won.length <= 1) return [];
    const detail = `one code was redeemed ${won.length} times`;
    return [{ rule: "at most one redemption", detail, operations: won }];
  });
}

/** Whoever presents one token gets one successor, and no other token has that one. */
export function oneSuccessorPerGeneration(history: GrantHistory): Omit<Violation, "grant">[] {
  const rule = "one successor per generation";
  const rotated = history.operations.filter(({ successor }) => successor !== undefined);
  const forward = groupBy(rotated, ({ input }) => input);
  const backward = groupBy(rotated, ({ successor = "" }) => successor);
  const forks = [...forward.values()]
    .filter((all) => all.some(({ successor }) => successor !== all[0]?.successor))
    .map((operations) => ({ rule, detail: "one token has several successors", operations }));
  const joints = [...backward.values()]
    .filter((all) => all.some(({ input }) => input !== all[0]?.input))
    .map((operations) => ({ rule, detail: "one token succeeds several others", operations }));
  return [...forks, ...joints];
}

/** A token that was handed out, and that nothing can have used up or revoked, works. */
export function nothingAcknowledgedIsLost(history: GrantHistory): Omit<Violation, "grant">[] {
  const endings = history.operations.filter((operation) => mayHaveRevoked(operation, history));
  return history.operations
    .filter(({ outcome, verb }) => outcome === "fail" && verb !== "revoke")
    .filter((failed) => !endings.some((other) => other !== failed && other.started < failed.ended))
    .filter((failed) => !mayBeUsedUp(failed, history))
    .map((failed) => ({
      rule: "nothing acknowledged is lost",
      detail: `a ${failed.verb} was refused, and nothing in the history can be the reason`,
      operations: [failed],
    }));
}

/** A refresh token is worth nothing once its successor was used, or its retry window is over. */
export function nothingRotatedWorksAgain(history: GrantHistory): Omit<Violation, "grant">[] {
  const rule = "nothing rotated works again";
  return succeeded(history, "rotate").flatMap((again) => {
    const used = usesOf(history, again.successor).find(
      (next) => next.outcome === "ok" && next.ended < again.started,
    );
    if (used !== undefined) {
      const detail = "a refresh token worked after its successor was used";
      return [{ rule, detail, operations: [used, again] }];
    }
    const limit = history.windows.retry + ROUNDING;
    const first = usesOf(history, again.input).find(
      (use) => use.outcome === "ok" && use.ended + limit < again.started,
    );
    if (first === undefined) return [];
    const detail = "a refresh token worked after its retry window";
    return [{ rule, detail, operations: [first, again] }];
  });
}

/** After an acknowledged revocation, and after a replay was refused, no token of the grant works. */
export function nothingRevokedWorksAgain(history: GrantHistory): Omit<Violation, "grant">[] {
  const revocations = history.operations.filter((operation) => hasRevoked(operation, history));
  return [...succeeded(history, "redeem"), ...succeeded(history, "rotate")].flatMap((again) => {
    const before = revocations.find(({ ended }) => ended < again.started);
    if (before === undefined) return [];
    const detail = `a ${again.verb} worked after the grant was revoked by a ${before.verb}`;
    return [{ rule: "nothing revoked works again", detail, operations: [before, again] }];
  });
}

function succeeded({ operations }: GrantHistory, verb: Operation["verb"]): Operation[] {
  return operations.filter((operation) => operation.outcome === "ok" && operation.verb === verb);
}

function usesOf({ uses }: GrantHistory, token: string | undefined): readonly Operation[] {
  return (token !== undefined && uses.get(token)) || [];
}

/** Other uses of this operation's token that may have taken effect before its end. */
function earlierUses(operation: Operation, history: GrantHistory): readonly Operation[] {
  return usesOf(history, operation.input).filter(
    (use) => use !== operation && use.outcome !== "fail" && use.started < operation.ended,
  );
}

/** Whether the operation's own token can have been spent, so that it was rightly refused. */
function mayBeUsedUp(operation: Operation, history: GrantHistory): boolean {
  const earlier = earlierUses(operation, history);
  return operation.verb === "redeem" ? earlier.length > 0 : isReplay(operation, earlier, history);
}

/** Whether the operation can have ended the grant: a revocation, or a replay in theft's eyes. */
function mayHaveRevoked(operation: Operation, history: GrantHistory): boolean {
  if (operation.verb === "revoke") return operation.outcome !== "fail";
  if (operation.outcome === "ok") return false;
  return isReplay(operation, earlierUses(operation, history), history);
}

/** Whether a token can have been used again after the window for that, or after its successor was used. */
function isReplay(
  operation: Operation,
  earlier: readonly Operation[],
  history: GrantHistory,
): boolean {
  return earlier.some((use) => {
    if (operation.ended - use.started > windowOf(operation, history)) return true;
    return usesOf(history, use.successor).some(
      (next) => next.outcome !== "fail" && next.started < operation.ended,
    );
  });
}

/** Whether the grant is certain to be ended when this operation is over. */
function hasRevoked(operation: Operation, history: GrantHistory): boolean {
  if (operation.verb === "revoke") return operation.outcome === "ok";
  if (operation.outcome !== "fail") return false;
  const before = usesOf(history, operation.input).filter(
    (use) => use.outcome === "ok" && use.ended < operation.started,
  );
  const window = windowOf(operation, history) + ROUNDING;
  return before.some(
    (use) =>
      use.ended + window < operation.started ||
      usesOf(history, use.successor).some(
        (next) => next.outcome === "ok" && next.ended < operation.started,
      ),
  );
}

function windowOf({ verb }: Operation, { windows }: GrantHistory): number {
  return windows[verb === "redeem" ? "doubleSubmit" : "retry"];
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
