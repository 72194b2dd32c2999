// What stands at a name, and how much that is worth: signed from the root down, or said by how many.

import { within } from "../lib/within.ts";
import type { Assurance } from "./assurance.ts";
import type { Chains } from "./chain.ts";
import type { Resolver } from "./resolver.ts";
import { type Failed, type Proof, type Told, type View, viewThrough } from "./view.ts";

/**
 * `resolvers` is how many of them say the same; with "secure" one is enough. Resolvers that contradict
 * each other, with no two of three or more for one answer, are in "disagreement".
 */
export type AssuredTxt = {
  readonly txt:
    | Told
    | Failed
    | { readonly outcome: "unavailable"; readonly reason: "disagreement" };
  readonly assurance: Assurance;
  readonly resolvers: number;
  readonly proof: Proof | null;
  /** The zone of the name is signed, though what an alias out of it leads to is not. */
  readonly isAliasSigned: boolean;
};

export type AssuredLook = (name: string, label: string) => Promise<AssuredTxt>;

/** Of so many configured resolvers two must agree, so that one that lies cannot do it alone. */
export const resolversForAQuorum = 3;
const quorum = 2;
/** Milliseconds that the first resolver has to itself: mostly it is enough, and the others are spared. */
const headStartMs = 400;
/** Milliseconds after that in which all may speak: whoever asked waits two seconds, and no longer. */
const hearingMs = 1300;
const silence: View = { kind: "failed", txt: { outcome: "unavailable", reason: "timeout" } };

/** A resolver, and chains that are built of its answers: that nothing is signed is its own word alone. */
export type Source = { readonly resolver: Resolver; readonly chains: Chains };

/**
 * Makes the function that looks at canonical `name`, and follows aliases that keep `label`. The first
 * resolver is asked alone; the others when its answer is not signed, fails or is late. With `least`
 * "single" one answer is enough. Those who are silent are not waited for once another has spoken.
 */
export function createAssuredLook(setup: {
  sources: readonly Source[];
  least: Assurance;
}): AssuredLook {
  const { sources, least } = setup;

  return async (name, label) => {
    const look = ({ resolver, chains }: Source) => viewThrough(resolver, { name, label }, chains);
    const judge = (views: readonly View[]) => verdictOf(views, sources.length, least);
    const [first, ...others] = sources;
    if (!first) throw new Error("no resolver is configured");
    const view = look(first);
    const early = await within(headStartMs, view);
    const alone = early && judge([early]);
    return alone ?? firstVerdict([view, ...others.map(look)], judge);
  };
}

/**
 * Judges after each view that comes in; the last one decides in any case. At the end of the hearing
 * those who are silent count as failed, if anybody has told anything by then.
 */
function firstVerdict(
  pending: readonly Promise<View>[],
  judge: (views: readonly View[]) => AssuredTxt | null,
): Promise<AssuredTxt> {
  const views: View[] = [];
  return new Promise((resolve, reject) => {
    const decide = (heard: readonly View[]) => {
      const verdict = judge(heard);
      if (!verdict) return;
      clearTimeout(hearing);
      resolve(verdict);
    };
    const hearing = setTimeout(() => {
      const isTold = views.some(({ kind }) => kind !== "failed");
      if (isTold) decide(pending.map((_, index) => views[index] ?? silence));
    }, hearingMs);
    for (const one of pending) {
      one.then((view) => {
        views.push(view);
        decide(views);
      }, reject);
    }
  });
}

/** Null while those who have not answered yet could change it. */
export function verdictOf(
  views: readonly View[],
  resolvers: number,
  least: Assurance,
): AssuredTxt | null {
  const secure = views.find((view) => view.kind === "secure");
  if (secure) {
    const { txt, proof } = secure;
    return { txt, assurance: "secure", resolvers: 1, proof, isAliasSigned: false };
  }
  const failed = views.flatMap((view) => (view.kind === "failed" ? [view.txt] : []));
  const bogus = failed.find(({ outcome }) => outcome === "bogus");
  const isComplete = views.length === resolvers;
  // Another resolver may have the signatures that this one lost; but none talks a verdict away.
  if (bogus) return isComplete ? worth(bogus, "single", 1) : null;

  const groups = groupsOf(views);
  const [largest, second] = groups;
  if (largest) {
    const told = (assurance: Assurance) => ({
      ...worth(largest[0].txt, assurance, largest.length),
      isAliasSigned: largest.every((view) => view.isAliasSigned),
    });
    if (resolvers >= resolversForAQuorum && largest.length >= quorum) return told("corroborated");
    if (least === "single") return told("single");
    if (!isComplete) return null;
    return second
      ? worth({ outcome: "unavailable", reason: "disagreement" }, "single", 1)
      : told("single");
  }
  const [failure] = failed;
  return isComplete && failure ? worth(failure, "single", 1) : null;
}

function worth(txt: AssuredTxt["txt"], assurance: Assurance, resolvers: number): AssuredTxt {
  return { txt, assurance, resolvers, proof: null, isAliasSigned: false };
}

type Unsigned = Extract<View, { kind: "unsigned" }>;

/** What the resolvers say without a proof, each thing once with all who say it; the most said first. */
function groupsOf(views: readonly View[]): [Unsigned, ...Unsigned[]][] {
  const groups = new Map<string, [Unsigned, ...Unsigned[]]>();
  for (const view of views) {
    if (view.kind !== "unsigned") continue;
    const { txt } = view;
    const said =
      txt.outcome === "values"
        ? JSON.stringify([...txt.values].sort())
        : JSON.stringify({ leadsTo: txt.target });
    const same = groups.get(said);
    if (same) same.push(view);
    else groups.set(said, [view]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}
