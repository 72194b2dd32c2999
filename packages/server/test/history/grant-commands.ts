// What can happen to grants, as commands that are done to the model and to the real thing alike.

import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  failDelivery,
  type Model,
  type ModelGrant,
  redeem,
  rotate,
  type Verdict,
  wake,
} from "./grant-model.ts";
import {
  type Answer,
  type Backend,
  type GrantSystem,
  type Mistake,
  type RefreshingClient,
  startGrants,
} from "./grant-system.ts";

/** How often each command ended how, to see that a run met everything. */
export type Tally = Map<string, number>;

type Command = fc.AsyncCommand<Model, GrantSystem>;

const START = 1_800_000_000;
const DAY = 86_400;
const GRANTS = 8;

/** Which grant a command is about, counted back from the newest. */
const grantBack = fc.constantFrom(0, 0, 0, 0, 1, 1, 2);
/** Either side of every limit. */
const moments = fc.constantFrom(1, 5, 29, 30, 31);
const minutes = fc.constantFrom(59, 60, 299, 300, 599, 600, 601);
const days = fc.constantFrom(DAY - 1, DAY, DAY + 1, 3 * DAY - 1, 3 * DAY, 30 * DAY - 1, 30 * DAY);
const mistakes: readonly Mistake[] = [
  ...(["client", "redirect_uri", "verifier"] as const),
  ...(["no verifier", "no secret"] as const),
];

/** The property that model and store never disagree. `replayPath` repeats a shrunk sequence. */
export function grantsAgree(backend: Backend, options: { replayPath?: string; tally?: Tally }) {
  const { replayPath, tally = new Map() } = options;
  const setUp = fc.record({
    idleLifetime: fc.constantFrom(60, DAY, ...repeated(3, 30 * DAY)),
    absoluteLifetime: fc.constantFrom(600, 31 * DAY, ...repeated(3, 365 * DAY)),
    retryWindow: fc.constantFrom(0, ...repeated(3, 30), 600),
  });
  const sequence = fc.commands(commands(tally), {
    maxCommands: 60,
    size: "max",
    ...(replayPath && { replayPath }),
  });
  return fc.asyncProperty(setUp, sequence, ({ absoluteLifetime, ...windows }, steps) =>
    fc.asyncModelRun(async () => {
      const model: Model = {
        ...{ ...windows, grants: [], now: START },
        ...{ asleepSince: null, lost: false, ended: false, zone: "own", restsUntil: 0 },
      };
      const real = await startGrants(backend, model, absoluteLifetime);
      for (const challenged of [true, false, true]) await issue(challenged, model, real);
      return { model, real };
    }, steps),
  );
}

/** Each with its weight: a grant that is ended at once has no life to test. */
function commands(tally: Tally): fc.Arbitrary<Command>[] {
  const note = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const redeem = (mistake: fc.Arbitrary<Mistake | null>) =>
    fc.tuple(grantBack, mistake).map(([back, what]) => redeeming(back, what, note));
  const rotate = (ownClient: boolean, ...ages: number[]) =>
    fc
      .tuple(grantBack, fc.constantFrom(...ages), fc.boolean())
      .map(([back, age, isProven]) => rotating(back, { age, ownClient, isProven }, note));
  const zone = fc.constantFrom("own", "other", "silent");
  const disturbance = fc.constantFrom(...repeated(12, "wake", "sleep"), "end");
  const weighted: [number, fc.Arbitrary<Command>][] = [
    [1, fc.boolean().map(issuing)],
    [1, grantBack.map(issuingAgain)],
    [5, redeem(fc.constant(null))],
    [1, redeem(fc.constantFrom(...mistakes))],
    [16, rotate(true, 0)],
    [5, rotate(true, 1)],
    [1, rotate(true, 2, 3)],
    [1, rotate(true, -1, -2, -3)],
    [1, rotate(false, 0, 1, -1)],
    [1, grantBack.map(revoking)],
    [3, grantBack.map(failing)],
    [3, moments.map(advancing)],
    [1, minutes.map(advancing)],
    [1, days.map(advancing)],
    [2, zone.map(changingZone)],
    [2, disturbance.map(disturbing)],
  ];
  return weighted.flatMap(([weight, arbitrary]) => repeated(weight, arbitrary));
}

function repeated<const T>(count: number, ...items: T[]): T[] {
  return Array.from({ length: count }, () => items).flat();
}

function command(
  name: string,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: GrantSystem) => Promise<void>,
): Command {
  return { check, run, toString: () => name };
}

function issuing(challenged: boolean): Command {
  const name = `issue(${challenged ? "with" : "without"} a challenge)`;
  const hasRoom = ({ grants }: Model) => grants.length < GRANTS;
  return command(name, hasRoom, (model, real) => issue(challenged, model, real));
}

async function issue(challenged: boolean, model: Model, real: GrantSystem): Promise<void> {
  const { codeExpiresAt, expiresAt, controlCheckedAt } = await real.issue(challenged);
  model.grants.push({
    ...{ challenged, codeExpiresAt, expiresAt, controlCheckedAt },
    ...{ generation: 0, rotatedAt: null, refreshExpiresAt: null, revoked: false },
    ...{ undelivered: false, redeliveredAt: null },
  });
}

/** A command on a grant that is there; afterwards both must be in the same state. */
function onGrant(
  name: string,
  back: number,
  run: (at: { index: number; grant: ModelGrant }, model: Model, real: GrantSystem) => Promise<void>,
  check: (grant: ModelGrant) => boolean = () => true,
): Command {
  const there = ({ grants }: Model) => {
    const grant = grants.at(-1 - back);
    return grants.length > back && grant !== undefined && check(grant);
  };
  return command(name, there, async (model, real) => {
    const index = model.grants.length - 1 - back;
    const grant = model.grants[index];
    if (grant === undefined) return;
    await run({ index, grant }, model, real);
    const { challenged: _, codeExpiresAt: __, expiresAt: ___, ...state } = grant;
    const { asleepSince, lost, ended } = model;
    deepStrictEqual(await real.stateOf(index), { ...state, asleepSince, lost, ended });
  });
}

function issuingAgain(back: number): Command {
  return onGrant(`issueAgain(${back} back)`, back, ({ index }, _, real) => real.issueAgain(index));
}

function redeeming(back: number, mistake: Mistake | null, note: (what: string) => void): Command {
  const said = mistake ?? "right";
  return onGrant(`redeem(${back} back, ${said})`, back, async ({ index, grant }, model, real) => {
    const before = grant.revoked;
    const isProven = mistake !== "no secret";
    // Without a challenge there is no verifier to leave out.
    const isNoMistake = !isProven || (mistake === "no verifier" && !grant.challenged);
    const matches = mistake === null || isNoMistake;
    const expected = redeem(model, grant, { matches, isProven });
    agree(real, { index, grant, expected, answer: await real.redeem(index, mistake) });
    note(`redeem ${said}: ${expected}${ending(before, grant)}`);
  });
}

/** Presents the refresh token of `age` generations ago; below zero, one of the future. */
function rotating(
  back: number,
  { age, ...by }: RefreshingClient & { age: number },
  note: (what: string) => void,
): Command {
  const who = by.ownClient ? (by.isProven ? "" : ", public") : ", another client";
  const said = `${-age}${who}`;
  const there = (grant: ModelGrant) => grant.generation - age >= 1;
  const run = async (
    { index, grant }: { index: number; grant: ModelGrant },
    model: Model,
    real: GrantSystem,
  ) => {
    const before = grant.revoked;
    const generation = grant.generation - age;
    const token = real.tokens[index]?.[generation] ?? real.future(index, generation);
    const expected = rotate(model, grant, { generation, ...by });
    agree(real, { index, grant, expected, answer: await real.rotate(index, token, by) });
    note(`rotate ${said}: ${expected}${ending(before, grant)}`);
  };
  return onGrant(`rotate(${back} back, ${said})`, back, run, there);
}

function ending(before: boolean, { revoked }: ModelGrant): string {
  return revoked && !before ? " and revoked" : "";
}

/** The verdict is the expected one, and so is the token: a new one, or that of the generation. */
function agree(
  { tokens }: GrantSystem,
  found: { index: number; grant: ModelGrant; expected: Verdict; answer: Answer },
): void {
  const { index, grant, expected, answer } = found;
  const known = tokens[index] ?? [];
  const isNew = answer.token !== undefined && !known.includes(answer.token);
  const isCurrent = answer.token === known[grant.generation];
  const answered = isNew ? "next" : isCurrent ? "same" : "a token of another generation";
  deepStrictEqual(answer.verdict === "answered" ? answered : answer.verdict, expected);
  if (answer.token !== undefined) known[grant.generation] = answer.token;
}

function failing(back: number): Command {
  return onGrant(`failDelivery(${back} back)`, back, async ({ index, grant }, _, real) => {
    failDelivery(grant);
    await real.failDelivery(index);
  });
}

function revoking(back: number): Command {
  return onGrant(`revoke(${back} back)`, back, async ({ index, grant }, _, real) => {
    grant.revoked = true;
    await real.revoke(index);
  });
}

function advancing(by: number): Command {
  const always = () => true;
  return command(`advance(${by})`, always, async (model) => {
    model.now += by;
  });
}

function changingZone(zone: Model["zone"]): Command {
  const differs = (model: Model) => model.zone !== zone;
  return command(`zone(${zone})`, differs, async (model) => {
    model.zone = zone;
  });
}

function disturbing(what: "sleep" | "wake" | "end"): Command {
  const matters = ({ asleepSince, ended }: Model) =>
    what === "end" ? !ended : (asleepSince !== null) === (what === "wake");
  return command(`account(${what})`, matters, async (model, real) => {
    if (what === "end") model.ended = true;
    else if (!model.ended && what === "wake") wake(model);
    else if (!model.ended) model.asleepSince = model.now;
    await real[what]();
  });
}
