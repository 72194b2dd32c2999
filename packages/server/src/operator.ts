// What an operator asks of an installation without running the service.

import type { CheckConfig, KeysConfig, ServiceConfig, SpConfig } from "./config/config.ts";
import type { Asked, Mistake, Who } from "./dns/diagnosis.ts";
import { hostAddresses } from "./dns/host-addresses.ts";
import { createLooks } from "./dns/looks.ts";
import { failureOf, type SpRecordLook, spRecordName } from "./dns/sp-record.ts";
import { accountRecord } from "./federation/account.ts";
import { callbackUri } from "./federation/authorization-request.ts";
import { issuerMistake, issuerOptions } from "./federation/provider.ts";
import type { SpEntryInput, SpRegistry } from "./federation/sp-registry.ts";
import type { SpReport, SpSeen } from "./federation/sp-report.ts";
import { readDomain } from "./interaction/domain-name.ts";
import { systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { systemRandom } from "./lib/random.ts";
import { type ClientRegistry, clientRegistry } from "./oauth/client-registry.ts";
import { createGuardedFetch } from "./outgoing/guarded-fetch.ts";
import { englishMessages } from "./pages/languages.ts";
import { domainNameOptions, keyRegistryOf, sealOf } from "./service.ts";
import { disagree, mistakeWords } from "./sign-in/look-words.ts";
import { migrate } from "./store/migrations.ts";
import { databaseName, isThere, openDatabase, requireDatabase } from "./store/open.ts";
import { createStore } from "./store/store.ts";

export interface OpenClientRegistry extends ClientRegistry {
  /** What the database is known by, to be shown. */
  readonly database: string;
  close(): Promise<void>;
}

/** The registry of clients alone: no secret, no DNS. Makes a SQLite file only with `make`. */
export function openClientRegistry(database: string, { make = false } = {}): OpenClientRegistry {
  if (!make) requireDatabase(database);
  const { engine, ready } = openDatabase(database);
  const store = createStore(engine);
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
  const store = createStore(engine);
  const parts = { store, clock: systemClock, random: systemRandom, ready: ready() };
  const database = databaseName(config.database);
  return { ...keyRegistryOf(config, parts), database, close: () => store.close() };
}

/** The SPs alone: no DNS, nothing made. The secret is used only to keep that of a client. */
export async function openSpRegistry(config: Omit<SpConfig, "issuer">) {
  requireDatabase(config.database);
  // Zod and what speaks to SPs would make every other command start later.
  const { spRegistry } = await import("./federation/sp-registry.ts");
  const { engine, ready } = openDatabase(config.database);
  const store = createStore(engine);
  const seal = sealOf(config, systemRandom);
  const registry: SpRegistry = spRegistry({ store, clock: systemClock, seal, ready: ready() });
  return { ...registry, database: databaseName(config.database), close: () => store.close() };
}

/** Rejects with `OperatorError` that lists every mistake. Without an issuer of ours any port will do. */
export async function readSpEntryFor(input: SpEntryInput, ownIssuer: string | null) {
  const { readSpEntry } = await import("./federation/sp-registry.ts");
  return readSpEntry(input, { ...issuerOptions(ownIssuer ?? "http://localhost:1"), ownIssuer });
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
    return (await createStore(engine).readKeys()).length > 0;
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
  /** Where the record names another SP: what it is like, and where it has to send its answers. */
  readonly sp?: SpReport & { readonly redirect_uri: string };
}

type OutgoingConfig = Pick<ServiceConfig, "dnsServers">;

/** Looks at an SP as a stranger's service would, without one of our own. `OperatorError` for what is no issuer. */
export async function checkSp({ dnsServers }: OutgoingConfig, issuer: string): Promise<SpReport> {
  // Whoever names this machine means this machine.
  const allowLoopback = issuer.startsWith("http:");
  const mistake = issuerMistake(issuer, { allowLoopbackIssuer: allowLoopback });
  if (mistake !== null) throw new OperatorError(mistake);
  return lookAt(issuer, { dnsServers, allowLoopback, entry: null });
}

async function lookAt(issuer: string, parts: SpSeen & OutgoingConfig): Promise<SpReport> {
  const { reportOnSp } = await import("./federation/sp-report.ts");
  const resolve = hostAddresses(parts.dnsServers);
  const fetch = createGuardedFetch({ resolve, allowLoopback: parts.allowLoopback });
  return reportOnSp(issuer, { ...parts, fetch, clock: systemClock });
}

/** The entry of the database, if there is a database. */
async function entryFor(sp: string, database: string | undefined) {
  if (database === undefined || !isThere(database)) return null;
  const registry = await openSpRegistry({ database, secret: null, previousSecret: undefined });
  try {
    return await registry.entryOf(sp);
  } finally {
    await registry.close();
  }
}

/** What a domain has to publish for an account at any OpenID Provider. Asks nobody. */
export function recordFor(
  config: Pick<CheckConfig, "allowedSpecialNames" | "allowedPrivateSuffixes">,
  { typed, issuer, sub }: { typed: string; issuer: string; sub: string },
) {
  const domain = readDomainOrThrow(typed, config);
  const { acct, value } = accountRecord(issuer, sub, domain);
  return { domain, acct, name: spRecordName(domain), type: "TXT", value };
}

function readDomainOrThrow(typed: string, config: Parameters<typeof domainNameOptions>[0]): string {
  const input = readDomain(typed, domainNameOptions(config));
  if (input.ok) return input.domain;
  const { summary, details } = englishMessages().domainMistakes[input.mistake](input.about);
  throw new OperatorError([summary, ...details].join(" "));
}

/** Where what the servers show is not what counts. */
function verdictWords({ outcome }: SpRecordLook, domain: string) {
  const isVerdict = outcome === "bogus" || outcome === "not_permitted";
  return isVerdict ? englishMessages().lookOutcomes[outcome](domain) : null;
}

/**
 * Looks at a domain's record as a sign-in would. Rejects with `OperatorError`, in the words that a
 * person would see, for what is not a domain.
 */
export async function checkDomain(config: CheckConfig, typed: string): Promise<DomainDiagnosis> {
  const domain = readDomainOrThrow(typed, config);
  const { spRecords, diagnoses } = createLooks(config, { clock: systemClock });
  const look = await spRecords.lookToDecide(domain, "now");
  const { name, outcome, assurance, checkedAt } = look;
  const records = look.records.map(({ value, problems }) => ({
    value,
    problems: problems.map(({ message }) => message),
  }));
  const reason = "reason" in look ? look.reason : "target" in look ? look.target : undefined;
  const wanted = records.find(({ problems }) => problems.length === 0)?.value;
  const diagnosis = await diagnoses.look(domain, name, wanted ?? { sp: config.issuer });
  const advice =
    verdictWords(look, domain) ??
    mistakeWords(englishMessages(), diagnosis, domain) ??
    (disagree(diagnosis) ? englishMessages().looks.notCertain() : null) ??
    (failureOf(look) === "unconfirmed" ? englishMessages().lookOutcomes.unconfirmed(domain) : null);
  return {
    ...{ domain, name, outcome, assurance, records, checked_at: checkedAt },
    ...(reason !== undefined && { reason }),
    servers: diagnosis.asked.map(({ who, found, values, ttl }) => ({ ...who, found, values, ttl })),
    mistake: diagnosis.mistake?.kind ?? null,
    ...(advice && { advice: [advice.summary, ...(advice.details ?? [])].join(" ") }),
    ...(look.outcome === "external" && { sp: await spOf(look, config) }),
  };
}

/** What a sign-in would meet at the SP that the record names. */
async function spOf({ sp, acct }: { sp: string; acct: string }, config: CheckConfig) {
  const { issuer, dnsServers, database } = config;
  const entry = await entryFor(sp, database);
  const allowLoopback = issuer.startsWith("http:");
  const report = await lookAt(sp, { dnsServers, allowLoopback, entry, acct });
  return { ...report, redirect_uri: callbackUri(issuer, sp) };
}
