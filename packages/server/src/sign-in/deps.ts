// The components that the steps of a sign-in use. Each function picks those that it needs.

import type { DomainNameOptions } from "../account/domain-name.ts";
import type { Diagnoses } from "../dns/diagnosis.ts";
import type { NewRecords } from "../dns/new-records.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import type { Federation } from "../federation/federation.ts";
import type { Deps as InteractionDeps } from "../interaction/deps.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";

export interface Deps extends InteractionDeps {
  readonly issuer: string;
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  readonly newRecords: NewRecords;
  readonly federation: Federation;
  readonly domainNames: DomainNameOptions;
  readonly statementKeys: () => readonly string[];
  readonly setUpSeal: CookieSeal;
  readonly linkSeal: CookieSeal;
  /** When a backup was last restored, in epoch seconds; null if never. A time that is far ahead counts as never. */
  readonly restoredAt: () => Promise<number | null>;
}

/** What begins an interaction or moves it to its next step. */
export type StepDeps = Pick<
  Deps,
  | "interactions"
  | "sessions"
  | "browserSessions"
  | "consents"
  | "cookies"
  | "returningBrowsers"
  | "storageLimit"
  | "clock"
  | "random"
>;
