// `domain-signin check <domain>`: checks a domain's DNS as a sign-in would.

import type { Command } from "commander";
import { type CheckConfig, readCheckConfig } from "../config/config.ts";
import type { Asked, Mistake, Who } from "../dns/diagnosis.ts";
import { createLooks } from "../dns/looks.ts";
import { failureOf, type SpRecordLook, spRecordName } from "../dns/sp-record.ts";
import { callbackUri } from "../federation/authorization-request.ts";
import { accountRecord } from "../federation/id-token.ts";
import { spRegistry } from "../federation/sp-registry.ts";
import type { SpReport } from "../federation/sp-report.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { englishMessages } from "../pages/languages.ts";
import { disagree, mistakeNotice } from "../sign-in/lookup-notice.ts";
import { databaseExists } from "../store/open.ts";
import { reportOn, spLines, spStatus } from "./check-sp.ts";
import type { CommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf, sourcesOf } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Status 0 if the record names an SP that can be used, 3 if DNS or the SP does not respond, 1 otherwise.
 * With `--sub`, sends no request.
 */
export function addCheckCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, [
    ...(["issuer", "dns_servers", "min_assurance", "trust_anchors", "database"] as const),
    ...(["allowed_special_names", "allowed_private_suffixes"] as const),
  ])
    .option("--sub <sub>", "print the record for this account at --issuer, an OpenID Provider")
    .option("--json", "print JSON")
    .action(
      action(async (typed: string, options: GivenOptions) => {
        if (typeof options.sub === "string") {
          return writeRecord({ typed, sub: options.sub }, options, terminal);
        }
        const diagnosis = await checkDomain(readCheckConfig(sourcesOf(options, terminal)), typed);
        terminal.out(options.json ? `${asJson(diagnosis)}\n` : formatDiagnosis(diagnosis));
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
  // Not read as a setting: that one is this service's own issuer and has no path.
  if (typeof issuer !== "string") throw new OperatorError("--sub requires the option --issuer");
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

function formatDiagnosis(diagnosis: DomainDiagnosis): string {
  const { name, outcome, reason, assurance, records, servers, advice, sp } = diagnosis;
  return [
    `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`,
    ...records.flatMap(({ value, problems }) => [
      `  ${value}`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...(advice === undefined ? [] : ["", advice]),
    ...(sp === undefined ? [] : ["", ...spLines(sp), `  redirect URI: ${sp.redirect_uri}`]),
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

function describeServer({ kind, name, address, found, ttl }: DomainDiagnosis["servers"][number]) {
  const at = kind === "resolver" || address === name ? name : `${name} (${address})`;
  const isCached = kind === "resolver" && found !== "wanted";
  const until = ttl === null || !isCached ? "" : `, cached for up to ${ttl} s`;
  return `${at} ${englishMessages().servers.found[found]}${until}`;
}

type AllowedNames = Pick<CheckConfig, "allowedSpecialNames" | "allowedPrivateSuffixes">;

/** The result of `check`, as its JSON. */
interface DomainDiagnosis {
  readonly domain: string;
  /** The DNS name that was queried. */
  readonly name: string;
  readonly outcome: SpRecordLook["outcome"];
  readonly assurance: SpRecordLook["assurance"];
  /** TXT values, each with its problems in English. */
  readonly records: readonly { readonly value: string; readonly problems: readonly string[] }[];
  /** Epoch seconds. */
  readonly checked_at: number;
  readonly reason?: string;
  /** The answer of each server; "wanted" is the valid record above, or else any record of this issuer. */
  readonly servers: readonly (Who & Pick<Asked, "found" | "values" | "ttl">)[];
  readonly mistake: Mistake["kind"] | null;
  /** English description of the problem, and how to fix it. */
  readonly advice?: string;
  /** Report on the SP, if the record names another one, and the redirect URI to register there. */
  readonly sp?: SpReport & { readonly redirect_uri: string };
}

/** The record that a domain must publish for an account at any OpenID Provider. Sends no request. */
function recordFor(
  config: AllowedNames,
  { typed, issuer, sub }: { typed: string; issuer: string; sub: string },
) {
  const domain = readDomainOrThrow(typed, config);
  const { acct, value } = accountRecord(issuer, sub, domain);
  return { domain, acct, name: spRecordName(domain), type: "TXT", value };
}

function readDomainOrThrow(typed: string, config: AllowedNames): string {
  const input = readDomain(typed, config);
  if (input.ok) return input.domain;
  const { summary, details } = englishMessages().domainMistakes[input.mistake](input.about);
  throw new OperatorError([summary, ...details].join(" "));
}

/** Outcomes that take precedence over what the individual servers answered. */
function verdictNotice({ outcome }: SpRecordLook, domain: string) {
  const isVerdict = outcome === "bogus" || outcome === "not_permitted";
  return isVerdict ? englishMessages().lookOutcomes[outcome](domain) : null;
}

function disagreementNotice(look: SpRecordLook, domain: string) {
  const failure = failureOf(look);
  const isDisagreement = failure === "unconfirmed" || failure === "contradictory";
  return isDisagreement ? englishMessages().lookOutcomes[failure](domain) : null;
}

/**
 * Looks up a domain's record as a sign-in would. Rejects with `OperatorError`, with the text of the
 * sign-in page, if `typed` is not a domain.
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
    verdictNotice(look, domain) ??
    mistakeNotice(englishMessages(), diagnosis, domain) ??
    (disagree(diagnosis) ? englishMessages().looks.notCertain() : null) ??
    disagreementNotice(look, domain);
  return {
    domain,
    name,
    outcome,
    assurance,
    records,
    checked_at: checkedAt,
    ...(reason !== undefined && { reason }),
    servers: diagnosis.asked.map(({ who, found, values, ttl }) => ({ ...who, found, values, ttl })),
    mistake: diagnosis.mistake?.kind ?? null,
    ...(advice && { advice: [advice.summary, ...(advice.details ?? [])].join(" ") }),
    ...(look.outcome === "external" && { sp: await spOf(look, config) }),
  };
}

/** Checks the SP that the record names, as a sign-in would. */
async function spOf({ sp, acct }: { sp: string; acct: string }, config: CheckConfig) {
  const { issuer, dnsServers, database } = config;
  // Without a database there is no entry for the SP.
  const hasDatabase = database !== undefined && databaseExists(database);
  const entry = hasDatabase
    ? await withDatabase(database, (own) => spRegistry({ ...own, seal: null }).entryOf(sp))
    : null;
  const allowLoopback = issuer.startsWith("http:");
  const report = await reportOn(sp, { dnsServers, allowLoopback, entry, acct });
  return { ...report, redirect_uri: callbackUri(issuer, sp) };
}
