// A model of what a deciding look answers, made from the design of look-ups alone and not from the code.

/** What one source answered in time. `inception` is that of the signature, if the answer is proven. */
export type ReadAnswer =
  | { readonly says: string; readonly inception: number | null }
  | "bogus"
  | "nothing";

/** What the last deciding look accepted: `says` in the terms of `ReadAnswer`. */
export interface Before {
  readonly says: string;
  readonly inception: number;
}

export type Expected =
  | { readonly says: string; readonly isProven: boolean }
  | "contradictory"
  | "bogus"
  | "indeterminate";

type Answer = Extract<ReadAnswer, object>;

/** Two sources are asked, and the third if they do not settle it. The order of arrival is no parameter. */
export function expectedOf(
  [first, second, third]: readonly [ReadAnswer, ReadAnswer, ReadAnswer],
  before: Before | null,
): Expected {
  const ofTwo = decide([first, second], before);
  const isSettled = typeof ofTwo === "object" && !isStepBack(ofTwo.says, [first, second], before);
  return isSettled ? ofTwo : decide([first, second, third], before);
}

function decide(heard: readonly ReadAnswer[], before: Before | null): Expected {
  const answers = votersOf(heard);
  const winner = answers.find(({ says }) => {
    const agreeing = answers.filter((one) => one.says === says).length;
    return agreeing >= 2 && agreeing > answers.length - agreeing;
  });
  if (winner === undefined) return failureOf(heard, answers);
  const isUnanimous = answers.every(({ says }) => says === winner.says);
  if (isStepBack(winner.says, heard, before) && !isUnanimous) return "contradictory";
  return { says: winner.says, isProven: winner.inception !== null };
}

/** Beside a proof, what is not proven is no voice. */
function votersOf(heard: readonly ReadAnswer[]): Answer[] {
  const answers = heard.filter((one) => typeof one === "object");
  const proven = answers.filter(({ inception }) => inception !== null);
  return proven.length > 0 ? proven : answers;
}

/** Other data than before, and fewer than two signatures that are as new as the one before. */
function isStepBack(says: string, heard: readonly ReadAnswer[], before: Before | null): boolean {
  if (before === null || before.says === says) return false;
  const agreeing = votersOf(heard).filter((one) => one.says === says);
  const isOld = ({ inception }: Answer) => inception !== null && inception < before.inception;
  return agreeing.filter((one) => !isOld(one)).length < 2;
}

/** A source that says "bogus" contradicts an answer. One voice alone is not contradicted. */
function failureOf(heard: readonly ReadAnswer[], answers: readonly Answer[]): Expected {
  const isBogus = heard.includes("bogus");
  if (answers.length === 0) return isBogus ? "bogus" : "indeterminate";
  return answers.length > 1 || isBogus ? "contradictory" : "indeterminate";
}
