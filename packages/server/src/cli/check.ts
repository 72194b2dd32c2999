// `domain-signin check <domain>`: what a sign-in would find in the domain's DNS.

import type { Command } from "commander";
import { type CheckConfig, readCheckConfig } from "../config/config.ts";
import type { Asked, Mistake, Who } from "../dns/diagnosis.ts";
import { createLooks } from "../dns/looks.ts";
import { failureOf, type SpRecordLook, spRecordName } from "../dns/sp-record.ts";
import { accountRecord } from "../federation/account.ts";
import { callbackUri } from "../federation/authorization-request.ts";
import { spRegistry } from "../federation/sp-registry.ts";
import type { SpReport } from "../federation/sp-report.ts";
import { domainNameOptions, readDomain } from "../interaction/domain-name.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { englishMessages } from "../pages/languages.ts";
import { disagree, mistakeWords } from "../sign-in/look-words.ts";
import { isThere } from "../store/open.ts";
import { reportOn, spLines, spStatus } from "./check-sp.ts";
import type { CommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf, sourcesOf } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Status 0 for a record that names a service which people can sign in at, 1 for any other, 3 when DNS or
 * that service does not answer. With `--sub` nobody is asked.
 */
export function addCheckCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, [
    ...(["issuer", "dns_servers", "min_assurance", "trust_anchors", "database"] as const),
    ...(["allowed_special_names", "allowed_private_suffixes"] as const),
  ])
    .option("--sub <sub>", "write the record for this account at --issuer, any OpenID Provider")
    .option("--json", "print JSON")
    .action(
      action(async (typed: string, options: GivenOptions) => {
        if (typeof options.sub === "string") {
          return writeRecord({ typed, sub: options.sub }, options, terminal);
        }
        const diagnosis = await checkDomain(readCheckConfig(sourcesOf(options, terminal)), typed);
        terminal.out(options.json ? `${asJson(diagnosis)}\n` : inWords(diagnosis));
        return statusOf(diagnosis);
      }),
    );
}

function writeRecord(
  { typed, sub }: { typed: string; sub: string },
  options: GivenOptions,
  terminal: Terminal,
): Status {
  const { issuer, ...others } = options;
  // Not the setting, which is our own issuer and has no path.
  if (typeof issuer !== "string") throw new OperatorError("--sub needs --issuer, the provider's");
  const names = ["allowed_special_names", "allowed_private_suffixes"] as const;
  const { allowed_special_names, allowed_private_suffixes } = settingsOf(others, terminal, names);
  const record = recordFor(
    {
      allowedSpecialNames: allowed_special_names,
      allowedPrivateSuffixes: allowed_private_suffixes,
    },
    { typed, issuer, sub },
  );
  const text = `${record.acct}\n\n${record.name}  TXT  ${record.value}`;
  terminal.out(`${options.json ? asJson(record) : text}\n`);
  return STATUS.done;
}

function statusOf({ outcome, sp }: DomainDiagnosis): Status {
  if (sp !== undefined) return spStatus(sp);
  if (outcome === "own" || outcome === "external") return STATUS.done;
  return outcome === "unavailable" || outcome === "bogus" ? STATUS.unavailable : STATUS.no;
}

function inWords(diagnosis: DomainDiagnosis): string {
  const { name, outcome, reason, assurance, records, servers, advice, sp } = diagnosis;
  return [
    `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`,
    ...records.flatMap(({ value, problems }) => [
      `  ${value}`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...(advice === undefined ? [] : ["", advice]),
    ...(sp === undefined ? [] : ["", ...spLines(sp), `  answers  to ${sp.redirect_uri}`]),
    "",
    ...servers.flatMap((server) => [
      `${server.kind === "resolver" ? "resolver" : "name server"} ${serverWords(server)}`,
      ...(server.found === "other" ? server.values.map((value) => `  ${value}`) : []),
    ]),
    "",
  ]
    .map(printable)
    .join("\n");
}

function serverWords({ kind, name, address, found, ttl }: DomainDiagnosis["servers"][number]) {
  const at = kind === "resolver" || address === name ? name : `${name} (${address})`;
  const isRemembered = kind === "resolver" && found !== "wanted";
  const until = ttl === null || !isRemembered ? "" : `, for ${ttl} s at most`;
  return `${at} ${englishMessages().servers.found[found]}${until}`;
}

type AllowedNames = Pick<CheckConfig, "allowedSpecialNames" | "allowedPrivateSuffixes">;

/** What `check` says of a domain, in the names of its JSON. */
interface DomainDiagnosis {
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

/** What a domain has to publish for an account at any OpenID Provider. Asks nobody. */
function recordFor(
  config: AllowedNames,
  { typed, issuer, sub }: { typed: string; issuer: string; sub: string },
) {
  const domain = readDomainOrThrow(typed, config);
  const { acct, value } = accountRecord(issuer, sub, domain);
  return { domain, acct, name: spRecordName(domain), type: "TXT", value };
}

function readDomainOrThrow(typed: string, config: AllowedNames): string {
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
async function checkDomain(config: CheckConfig, typed: string): Promise<DomainDiagnosis> {
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
  // Without a database nobody has entered the SP.
  const hasDatabase = database !== undefined && isThere(database);
  const entry = hasDatabase
    ? await withDatabase(database, (own) => spRegistry({ ...own, seal: null }).entryOf(sp))
    : null;
  const allowLoopback = issuer.startsWith("http:");
  const report = await reportOn(sp, { dnsServers, allowLoopback, entry, acct });
  return { ...report, redirect_uri: callbackUri(issuer, sp) };
}
