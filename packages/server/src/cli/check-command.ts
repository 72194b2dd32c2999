// `domain-signin check <domain>`: checks a domain's DNS as a sign-in would.

import type { Command } from "commander";
import { type ReadValues, readSettings } from "../config/config.ts";
import { databaseExists } from "../database/open.ts";
import type { Diagnosis } from "../dns/diagnosis.ts";
import { createLooks, NOTHING_REMEMBERED } from "../dns/looks.ts";
import { reportedOutcome } from "../dns/majority.ts";
import { createRootWitness } from "../dns/root-witness.ts";
import { type SpRecordLook, spRecordName } from "../dns/sp-record.ts";
import { callbackUri } from "../federation/sp-authorization.ts";
import { accountRecord } from "../federation/sp-id-token.ts";
import type { SpProblemKind } from "../federation/sp-problem.ts";
import { spRegistry } from "../federation/sp-registry.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import { systemRandom } from "../lib/random.ts";
import { contextIn, ENGLISH, english } from "../pages/languages.ts";
import { serversAdvice, verdictOn } from "../sign-in/verdict.ts";
import { readDomainOrThrow } from "./account-records.ts";
import { changeLine, changeOf, failureReport, sourceLine, sourceReport } from "./check-sources.ts";
import { spLines, spStatus } from "./check-sp-command.ts";
import { type CommandDatabase, withReadyDatabase } from "./command-database.ts";
import {
  asJson,
  type Call,
  type CommandContext,
  printable,
  STATUS,
  type Status,
  settingOptions,
} from "./command-frame.ts";
import { reportOnSp, type SpReport } from "./sp-report.ts";
import type { Terminal } from "./terminal.ts";

const ALLOWED_NAMES = ["allowed_special_names", "allowed_private_suffixes"] as const;
const CHECK_SETTINGS = [
  "issuer",
  "dns_servers",
  "min_assurance",
  "trust_anchors",
  "zone_name_servers",
  "database",
  ...ALLOWED_NAMES,
] as const;
type CheckConfig = ReadValues<(typeof CHECK_SETTINGS)[number]>;

/** Status 0 if the record names an SP that can be used, 3 if DNS or the SP does not respond, 1 otherwise. */
export function addCommand(command: Command, { terminal, onCall }: CommandContext): void {
  settingOptions(command, CHECK_SETTINGS)
    .option(
      "--sub <sub>",
      "print the record for the account with this sub at the OpenID Provider named by --issuer",
    )
    .option("--json", "print JSON");
  onCall(command, async (call) => {
    const { options, argument, sources } = call;
    if (typeof options.sub === "string") return writeRecord(call, options.sub, terminal);
    const diagnosis = await checkDomain(readSettings(sources, CHECK_SETTINGS), argument);
    terminal.out(options.json ? `${asJson(diagnosis)}\n` : formatDiagnosis(diagnosis));
    return statusOf(diagnosis);
  });
}

/** Prints the record that a domain must publish for an account at any OpenID Provider. */
async function writeRecord({ options, argument, sources }: Call, sub: string, terminal: Terminal) {
  // Not read as a setting: the setting is the issuer of this service, which has no path.
  const { issuer } = options;
  if (typeof issuer !== "string") throw new OperatorError("--sub requires the option --issuer");
  const domain = readDomainOrThrow(argument, readSettings(sources, ALLOWED_NAMES));
  const { acct, value } = await accountRecord({ issuer, sub, domain }, systemRandom);
  const record = { domain, acct, name: spRecordName(domain), type: "TXT", value };
  const text = `${acct}\n\n${record.name}  TXT  ${value}`;
  terminal.out(`${options.json ? asJson(record) : text}\n`);
  return STATUS.done;
}

type DomainDiagnosis = Awaited<ReturnType<typeof checkDomain>>;

function statusOf({ outcome, sp }: DomainDiagnosis): Status {
  if (sp !== undefined) return spStatus(sp);
  if (outcome === "own" || outcome === "external") return STATUS.done;
  return outcome === "unavailable" || outcome === "bogus" ? STATUS.unavailable : STATUS.no;
}

const UNSUPPORTED =
  "DNSSEC: the zone uses only unsupported algorithms or digests, so it counts as unsigned";

function formatDiagnosis(diagnosis: DomainDiagnosis): string {
  const { verdict, name, outcome, reason, assurance, records, servers } = diagnosis;
  const { advice, sp, accounts } = diagnosis;
  return [
    verdict,
    "",
    `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`,
    ...(diagnosis.unsupported_dnssec ? [`  ${UNSUPPORTED}`] : []),
    ...proofLines(diagnosis),
    ...records.flatMap(({ value, problems }) => [
      `  ${value}`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...(advice === undefined ? [] : ["", advice]),
    ...(sp === undefined ? [] : ["", ...spLines(sp), `  redirect URI: ${sp.redirect_uri}`]),
    "",
    ...(diagnosis.unknown_root_keys ? ["", rootNotice(diagnosis.unknown_root_keys), ""] : []),
    ...diagnosis.sources.map(sourceLine),
    ...(accounts ?? []).map(changeLine),
    "",
    ...servers.flatMap((server) => [
      `${server.kind === "resolver" ? "resolver" : "name server"} ${describeServer(server)}`,
      ...(server.found === "other" ? server.values.map((value) => `  ${value}`) : []),
    ]),
    "",
  ]
    .map(printable)
    .join("\n");
}

function rootNotice(keys: readonly number[]): string {
  const listed = `the DNS root lists keys that are no trust anchors: ${keys.join(", ")}`;
  return `${listed}. Update domain-signin, or trust_anchors, before it signs with them`;
}

/** Which proofs apps can get. Without DNSSEC, keys in a record prove nothing. */
function proofLines({ assurance, keys }: DomainDiagnosis): string[] {
  if (keys === undefined) return [];
  if (assurance !== "secure") return ["  no provider or owner proofs: the zone is not signed"];
  const { spk, jkt } = keys;
  return [
    `  provider proofs: ${spk.length > 0 ? `by ${spk.join(", ")}` : "none, spk is missing"}`,
    `  owner proofs: ${jkt.length > 0 ? `by ${jkt.join(", ")}` : "none, jkt is missing"}`,
  ];
}

function describeServer({ kind, name, address, found, ttl }: DomainDiagnosis["servers"][number]) {
  const at = kind === "resolver" || address === name ? name : `${name} (${address})`;
  const isCached = kind === "resolver" && found !== "wanted";
  const until = ttl === null || !isCached ? "" : `, cached for up to ${ttl} s`;
  return `${at} ${english()(`servers-found-${found}`)}${until}`;
}

/** The verdict on the domain once the SP that its record names was checked, in one sentence. */
function verdictWith({ issuer, problem }: SpReport, domain: string): string {
  const sp = new URL(issuer).host;
  return problem === null
    ? `${domain} can sign in here, through ${sp}.`
    : `${domain} cannot sign in here: ${sp} ${SP_PROBLEMS[problem.kind]}.`;
}

const SP_PROBLEMS: Readonly<Record<SpProblemKind, string>> = {
  own_issuer: "is this service, but sp in the record is not exactly its address",
  unreachable: "does not respond",
  not_public: "does not have a public address",
  bad_metadata: "does not publish valid metadata of a sign-in service",
  unmet_requirements: "does not meet the requirements of this service",
  no_client: "does not let this service register with it",
  bad_answer: "sent an invalid response",
  refused_by_sp: "refused the request of this service",
  other_account: "identifies its accounts in another way than acct in the record",
  other_domain: "signs in another domain",
  busy: "was not asked, because this service is busy",
};

/** Outcomes without a problem, of which the verdict says all. */
const CLEAR: ReadonlySet<SpRecordLook["outcome"]> = new Set(["own", "external", "absent"]);

/** The verdict, and what to do: null if there is nothing to explain. */
function judge(look: SpRecordLook, found: { diagnosis: Diagnosis; domain: string }) {
  const context = contextIn(ENGLISH);
  const { summary: verdict, details } = verdictOn(context, look, found.domain);
  const fromServers = serversAdvice(context.t, look, found);
  const texts = fromServers === null ? details : [fromServers.summary, ...fromServers.details];
  const isClear = fromServers === null && CLEAR.has(look.outcome);
  return { verdict, advice: isClear || texts.length === 0 ? null : texts.join(" ") };
}

/** Looks up the record as a sign-in would. Resolves to the JSON of the command. */
async function checkDomain(config: CheckConfig, typed: string) {
  const domain = readDomainOrThrow(typed, config);
  const rememberedOf = async (name: string) => {
    const remembered = fromDatabase(config.database, ({ store, clock }) =>
      store.remembered.rememberedOf(name, clock.seconds()),
    );
    return (await remembered.catch(() => null)) ?? NOTHING_REMEMBERED;
  };
  const { spRecords, diagnoses } = createLooks(config, { clock: systemClock, rememberedOf });
  const [{ look, voices }, root] = await Promise.all([
    spRecords.lookAtSources(domain),
    createRootWitness(config.dnsServers, { trustAnchors: config.trustAnchors })(),
  ]);
  const { name, outcome, assurance, checkedAt } = look;
  const records = look.records.map(({ value, problems }) => ({
    value,
    problems: problems.map(english().recordProblem),
  }));
  const why =
    "reason" in look ? failureReport(look) : { reason: "target" in look ? look.target : undefined };
  const wanted = records.find(({ problems }) => problems.length === 0)?.value;
  const diagnosis = await diagnoses.look(domain, name, wanted ?? { sp: config.issuer }, {
    from: SERVICE,
  });
  const { verdict, advice } = judge(look, { diagnosis, domain });
  const sp = look.outcome === "external" ? await spOf(look, config) : undefined;
  return {
    domain,
    /** One sentence. */
    verdict: sp === undefined ? verdict : verdictWith(sp, domain),
    name,
    outcome: reportedOutcome(outcome),
    assurance,
    records,
    /** The thumbprints of keys that can sign proofs. */
    ...("spk" in look && { keys: { spk: look.spk, jkt: look.jkt } }),
    /** Epoch seconds. */
    checked_at: checkedAt,
    ...why,
    /** The zone is signed, but only in ways that are not supported here: it counts as unsigned. */
    ...(look.isUnsupported && { unsupported_dnssec: true }),
    /** In the order of the setting. */
    sources: voices.map((voice, index) =>
      sourceReport(voice, config.dnsServers[index] ?? "", checkedAt),
    ),
    /** Null without a database that can be read. */
    accounts: await changesOf(look, domain, config),
    /** "wanted" is the valid record above, or else any record of this issuer. */
    servers: diagnosis.asked.map(({ who, found, values, ttl }) => ({ ...who, found, values, ttl })),
    mistake: diagnosis.mistake?.kind ?? null,
    /** Key-signing keys that the DNS root lists, and that are no trust anchors. */
    ...(root && root.unknownKeys.length > 0 && { unknown_root_keys: root.unknownKeys }),
    ...(advice !== null && { advice }),
    /** The redirect URI is the one to register there. */
    ...(sp && { sp }),
  };
}

/** Null if there is no database. */
async function fromDatabase<T>(address: string, read: (database: CommandDatabase) => Promise<T>) {
  if (!databaseExists(address)) return null;
  return withReadyDatabase(address, read);
}

/** What a sign-in would do with the accounts of the domain; null without a database that can be read. */
function changesOf(look: SpRecordLook, domain: string, { database, minAssurance }: CheckConfig) {
  return fromDatabase(database, async ({ store }) => {
    const accounts = await store.accounts.accountsOf(domain);
    return accounts.map((account) => changeOf(look, account, minAssurance));
  }).catch(() => null);
}

/** Checks the SP that the record names, as a sign-in would. */
async function spOf({ sp, acct }: { sp: string; acct: string }, config: CheckConfig) {
  const { issuer, dnsServers, database } = config;
  // Without a database there is no entry for the SP.
  const entry = await fromDatabase(database, (own) =>
    spRegistry({ ...own, ...own.store, seal: null }).entryOf(sp),
  );
  const allowLoopback = isLoopbackIssuer(issuer);
  const report = await reportOnSp(sp, { dnsServers, allowLoopback, entry, acct });
  return { ...report, redirect_uri: callbackUri(issuer, sp) };
}
