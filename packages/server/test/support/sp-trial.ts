// Trials of an SP without the database of a service, as `check-sp --try` makes them.

import { expect } from "vitest";
import { spLines, spStatus, trySpAs } from "../../src/cli/check-sp-command.ts";
import type { TrialStepName } from "../../src/cli/sp-trial-answers.ts";
import {
  type Bends,
  type BentSp,
  type Json,
  type Reply,
  type SpRequest,
  startBentSp,
  withRegistration,
} from "./bent-sp.ts";

/** The service that an SP is tried for. Nothing listens there. */
export const OWN = "http://localhost:9";

export type Trial = Awaited<ReturnType<TriedSp["tried"]>>;
export type TriedSp = Awaited<ReturnType<typeof startTriedSp>>;

/** An SP that registers clients and redirects to a page for the password, unless it is bent. */
export async function startTriedSp() {
  const sp: BentSp = await startBentSp();
  return {
    ...sp,
    /** Tries it. With null, it redirects back with a code at once. None of its secrets is printed. */
    async tried(
      reply: NonNullable<Bends["reply"]> | null = {},
      metadata: (right: Json) => Json = (right) => right,
    ) {
      sp.bends.metadata = (right) => metadata(withRegistration(right));
      sp.bends.reply = reply === null ? {} : { authorize: toLogin, ...reply };
      const from = sp.requests.length;
      const report = await trySpAs(sp.issuer, {
        ...{ issuer: OWN, database: "sqlite:/nowhere/none.db", secret: "" },
        ...{ previousSecret: undefined, dnsServers: ["127.0.0.1:1"] },
      });
      const requests = sp.requests.slice(from);
      const text = spLines(report).join("\n");
      const told = text + JSON.stringify(report);
      expect(sp.secrets.filter((secret) => told.includes(secret))).toEqual([]);
      return { report, text, told, requests, status: spStatus(report) };
    },
  };
}

const toLogin = (): Reply => ({ status: 302, headers: { location: "/login?interaction=1" } });

export const stepOf = ({ report }: Trial, name: TrialStepName) =>
  report.trial?.steps.find((step) => step.name === name);
export const pathsOf = ({ requests }: Trial) => requests.map(({ path }) => path);

/** The right answer to a registration, with changes. */
export const registered =
  (change: Json, status = 201) =>
  ({ json }: SpRequest): Reply => ({
    status,
    body: { ...json, client_id: "c", client_secret: "the secret of the trial", ...change },
  });
