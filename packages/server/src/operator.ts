// What an operator asks of an installation without running the service.

import type { CheckConfig, KeysConfig } from "./config/config.ts";
import type { Asked, Mistake, Who } from "./dns/diagnosis.ts";
import { createLooks } from "./dns/looks.ts";
import { failureOf, type SpRecordLook } from "./dns/sp-record.ts";
import { readDomain } from "./interaction/domain-name.ts";
import { systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { systemRandom } from "./lib/random.ts";
import { type ClientRegistry, clientRegistry } from "./oauth/client-registry.ts";
import { en } from "./pages/messages/en.ts";
import { domainNameOptions, keyRegistryOf } from "./service.ts";
import { disagree, mistakeWords } from "./sign-in/look-words.ts";
import { databaseName, openDatabase, requireDatabase } from "./store/open.ts";
import { migrate } from "./store/sql/migrations.ts";
import { sqlStore } from "./store/sql/store.ts";

export interface OpenClientRegistry extends ClientRegistry {
  /** What the database is known by, to be shown. */
  readonly database: string;
  close(): Promise<void>;
}

/** The registry of clients alone: no secret, no DNS. Makes a SQLite file only with `make`. */
export function openClientRegistry(database: string, { make = false } = {}): OpenClientRegistry {
  if (!make) requireDatabase(database);
  const { engine, ready } = openDatabase(database);
  const store = sqlStore(engine);
  const registry = clientRegistry({
    store,
    clock: systemClock,
    random: systemRandom,
    ready: ready(),
  });
  return { ...registry, database: databaseName(database), close: () => store.close() };
}

/** The keys alone: no DNS, nothing made. */
export function openKeyRegistry(config: KeysConfig) {
  requireDatabase(config.database);
  const { engine, ready } = openDatabase(config.database);
  const store = sqlStore(engine);
  const parts = { store, clock: systemClock, random: systemRandom, ready: ready() };
  const database = databaseName(config.database);
  return { ...keyRegistryOf(config, parts), database, close: () => store.close() };
}

/** Brings the database to this version's schema, and gives back its number. */
export async function migrateDatabase(database: string): Promise<number> {
  const { engine } = openDatabase(database);
  try {
    return await migrate(engine);
  } finally {
    await engine.close();
  }
}

/** Whether the service has run on this database before. */
export async function holdsKeys(database: string): Promise<boolean> {
  const { engine, ready } = openDatabase(database);
  try {
    await ready();
    return (await sqlStore(engine).readKeys()).length > 0;
  } finally {
    await engine.close();
  }
}

/** What `check` says of a domain, in the names of its JSON. */
export interface DomainDiagnosis {
  readonly domain: string;
  /** The name that was asked. */
  readonly name: string;
  readonly outcome: SpRecordLook["outcome"];
  readonly assurance: SpRecordLook["assurance"];
  /** With what is wrong in each, in English. */
  readonly records: readonly { readonly value: string; readonly problems: readonly string[] }[];
  /** In epoch seconds. */
  readonly checked_at: number;
  readonly reason?: string;
  /** What each resolver and name server says; "wanted" is the good record above, or any of this issuer. */
  readonly servers: readonly (Who & Pick<Asked, "found" | "values" | "ttl">)[];
  readonly mistake: Mistake["kind"] | null;
  /** The same in words, with what to do about it. */
  readonly advice?: string;
}

/** Where what the servers show is not what counts. */
function verdictWords({ outcome }: SpRecordLook, domain: string) {
  const isVerdict = outcome === "bogus" || outcome === "not_permitted";
  return isVerdict ? en.lookOutcomes[outcome](domain) : null;
}

/**
 * Looks at a domain's record as a sign-in would. Rejects with `OperatorError`, in the words that a
 * person would see, for what is not a domain.
 */
export async function checkDomain(config: CheckConfig, typed: string): Promise<DomainDiagnosis> {
  const input = readDomain(typed, domainNameOptions(config));
  if (!input.ok) {
    const { summary, details } = en.domainMistakes[input.mistake](input.about);
    throw new OperatorError([summary, ...details].join(" "));
  }
  const { spRecords, diagnoses } = createLooks(config, { clock: systemClock });
  const look = await spRecords.lookToDecide(input.domain, "now");
  const { name, outcome, assurance, checkedAt } = look;
  const records = look.records.map(({ value, problems }) => ({
    value,
    problems: problems.map(({ message }) => message),
  }));
  const reason = "reason" in look ? look.reason : "target" in look ? look.target : undefined;
  const wanted = records.find(({ problems }) => problems.length === 0)?.value;
  const diagnosis = await diagnoses.look(input.domain, name, wanted ?? { sp: config.issuer });
  const advice =
    verdictWords(look, input.domain) ??
    mistakeWords(en, diagnosis, input.domain) ??
    (disagree(diagnosis) ? en.looks.notCertain() : null) ??
    (failureOf(look) === "unconfirmed" ? en.lookOutcomes.unconfirmed(input.domain) : null);
  return {
    ...{ domain: input.domain, name, outcome, assurance, records, checked_at: checkedAt },
    ...(reason !== undefined && { reason }),
    servers: diagnosis.asked.map(({ who, found, values, ttl }) => ({ ...who, found, values, ttl })),
    mistake: diagnosis.mistake?.kind ?? null,
    ...(advice && { advice: [advice.summary, ...(advice.details ?? [])].join(" ") }),
  };
}
