// What can happen to grants, as commands that are done to the model and to the real thing alike.

import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Model, type ModelGrant, redeem, rotate, type Verdict } from "./grant-model.ts";
import {
  type Answer,
  type Backend,
  type GrantSystem,
  type Mistake,
  startGrants,
} from "./grant-system.ts";

/** How often each command ended how, to see that a run met everything. */
export type Tally = Map<string, number>;

type Command = fc.AsyncCommand<Model, GrantSystem>;

const START = 1_800_000_000;
const DAY = 86_400;
const GRANTS = 3;

const index = fc.constantFrom(0, 0, 0, 1, 2);
/** Either side of every limit. */
const moments = fc.constantFrom(1, 5, 9, 10, 11, 29, 30, 31);
const minutes = fc.constantFrom(59, 60, 299, 300, 599, 600, 601);
const days = fc.constantFrom(DAY - 1, DAY, DAY + 1, 3 * DAY - 1, 3 * DAY, 30 * DAY - 1, 30 * DAY);
const mistakes: readonly Mistake[] = ["client", "redirect_uri", "verifier", "no verifier"];

/** The property that model and store never disagree. `replayPath` repeats a shrunk sequence. */
export function grantsAgree(backend: Backend, options: { replayPath?: string; tally?: Tally }) {
  const { replayPath, tally = new Map() } = options;
  const setUp = fc.record({
    idleLifetime: fc.constantFrom(60, DAY, 30 * DAY),
    absoluteLifetime: fc.constantFrom(600, 31 * DAY, 365 * DAY),
    retryWindow: fc.constantFrom(0, 30, 30, 600),
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
        ...{ asleep: false, ended: false, zone: "own", dnsFailedAt: 0 },
      };
      return { model, real: await startGrants(backend, model, absoluteLifetime) };
    }, steps),
  );
}

/** Those that bring a grant further stand more than once, so that sequences get somewhere. */
function commands(tally: Tally): fc.Arbitrary<Command>[] {
  const note = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const redemption = fc.tuple(index, fc.constant(null)).map(([at]) => redeeming(at, null, note));
  const rotation = index.map((at) => rotating(at, { back: 0, ownClient: true }, note));
  const older = fc
    .tuple(index, fc.constantFrom(1, 1, 1, 2, 3))
    .map(([at, back]) => rotating(at, { back, ownClient: true }, note));
  return [
    ...[fc.boolean().map(issuing), index.map(issuingAgain)],
    ...[redemption, redemption, redemption],
    fc.tuple(index, fc.constantFrom(...mistakes)).map(([at, what]) => redeeming(at, what, note)),
    ...[rotation, rotation, rotation, older, older],
    fc.tuple(index, fc.nat({ max: 2 })).map(([at, back]) => {
      return rotating(at, { back, ownClient: false }, note);
    }),
    fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(([at, ahead]) => {
      return rotating(at, { back: -ahead, ownClient: true }, note);
    }),
    ...[moments.map(advancing), moments.map(advancing)],
    ...[minutes.map(advancing), days.map(advancing), index.map(revoking)],
    fc.constantFrom(...(["own", "own", "other", "silent"] as const)).map(changingZone),
    fc
      .constantFrom(...(["sleep", "wake", "sleep", "wake", "wake", "end"] as const))
      .map(disturbing),
  ];
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
  return command(name, hasRoom, async (model, real) => {
    const { codeExpiresAt, expiresAt, controlCheckedAt } = await real.issue(challenged);
    model.grants.push({
      ...{ challenged, codeExpiresAt, expiresAt, controlCheckedAt },
      ...{ generation: 0, rotatedAt: null, refreshExpiresAt: null, revoked: false },
    });
  });
}

/** A command on a grant that is there; afterwards both must be in the same state. */
function onGrant(
  name: string,
  at: number,
  run: (grant: ModelGrant, model: Model, real: GrantSystem) => Promise<void>,
  check: (grant: ModelGrant) => boolean = () => true,
): Command {
  const there = ({ grants }: Model) => grants[at] !== undefined && check(grants[at]);
  return command(name, there, async (model, real) => {
    const grant = model.grants[at];
    if (grant === undefined) return;
    await run(grant, model, real);
    const { generation, rotatedAt, refreshExpiresAt, controlCheckedAt, revoked } = grant;
    const { asleep, ended } = model;
    const state = { generation, rotatedAt, refreshExpiresAt, controlCheckedAt };
    deepStrictEqual(await real.stateOf(at), { ...state, revoked, asleep, ended });
  });
}

function issuingAgain(at: number): Command {
  return onGrant(`issueAgain(${at})`, at, (_grant, _model, real) => real.issueAgain(at));
}

function redeeming(at: number, mistake: Mistake | null, note: (what: string) => void): Command {
  return onGrant(`redeem(${at}, ${mistake ?? "right"})`, at, async (grant, model, real) => {
    const before = grant.revoked;
    // Without a challenge there is no verifier to leave out.
    const matches = mistake === null || (mistake === "no verifier" && !grant.challenged);
    const expected = redeem(model, grant, matches);
    agree(real, { at, grant, expected, answer: await real.redeem(at, mistake) });
    note(`redeem ${mistake ?? "right"}: ${expected}${ending(before, grant)}`);
  });
}

/** Presents the refresh token of `back` generations ago; below zero, one of the future. */
function rotating(
  at: number,
  { back, ownClient }: { back: number; ownClient: boolean },
  note: (what: string) => void,
): Command {
  const name = `rotate(${at}, ${-back}, ${ownClient ? "own" : "another"} client)`;
  const there = (grant: ModelGrant) => grant.generation - back >= 1;
  const run = async (grant: ModelGrant, model: Model, real: GrantSystem) => {
    const before = grant.revoked;
    const generation = grant.generation - back;
    const token = real.tokens[at]?.[generation] ?? real.future(at, generation);
    const expected = rotate(model, grant, { generation, ownClient });
    agree(real, { at, grant, expected, answer: await real.rotate(at, token, ownClient) });
    note(`rotate ${-back}${ownClient ? "" : " other"}: ${expected}${ending(before, grant)}`);
  };
  return onGrant(name, at, run, there);
}

function ending(before: boolean, { revoked }: ModelGrant): string {
  return revoked && !before ? " and revoked" : "";
}

/** The verdict is the expected one, and so is the token: a new one, or that of the generation. */
function agree(
  { tokens }: GrantSystem,
  found: { at: number; grant: ModelGrant; expected: Verdict; answer: Answer },
): void {
  const { at, grant, expected, answer } = found;
  const known = tokens[at] ?? [];
  const isNew = answer.token !== undefined && !known.includes(answer.token);
  const isCurrent = answer.token === known[grant.generation];
  const answered = isNew ? "next" : isCurrent ? "same" : "a token of another generation";
  deepStrictEqual(answer.verdict === "answered" ? answered : answer.verdict, expected);
  if (answer.token !== undefined) known[grant.generation] = answer.token;
}

function revoking(at: number): Command {
  return onGrant(`revoke(${at})`, at, async (grant, _model, real) => {
    grant.revoked = true;
    await real.revoke(at);
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
  const matters = ({ asleep, ended }: Model) =>
    what === "end" ? !ended : asleep === (what === "wake");
  return command(`account(${what})`, matters, async (model, real) => {
    if (what === "end") model.ended = true;
    else if (!model.ended) model.asleep = what === "sleep";
    else if (what === "sleep") model.asleep = true;
    await real[what]();
  });
}
