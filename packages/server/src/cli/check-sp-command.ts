// `domain-signin check-sp <issuer>`: checks whether an OpenID Provider can be used as an SP.

import type { Command } from "commander";
import { type ConfigSources, readSettings, withSecretFile } from "../config/config.ts";
import { databaseExists } from "../database/open.ts";
import { issuerMistake } from "../federation/provider.ts";
import { requireSeal, spRegistry } from "../federation/sp-registry.ts";
import { claimIssuer } from "../keys/claim-issuer.ts";
import { readSigner } from "../keys/keyring.ts";
import { OperatorError } from "../lib/errors.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import { sealFrom, withReadyDatabase } from "./command-database.ts";
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
import type { SpTrial } from "./sp-trial.ts";

/** With `--try`, sends the requests of a sign-in that need no person. */
export function addCommand(command: Command, { terminal, audit, onCall }: CommandContext): void {
  settingOptions(command, ["dns_servers", "issuer", "database"])
    .option(
      "--try",
      "register and send an authorization request, as the service --issuer; keeps the registration if there is a --database",
    )
    .option("--json", "print JSON");
  onCall(command, async (call) => {
    const { options, argument: issuer, sources } = call;
    const report = options.try
      ? await trySpAs(issuer, readTrialConfig(sources))
      : await checkSp(issuer, dnsServersOf(call));
    if (report.trial?.registration === "stored") await audit({ command: "check-sp", sp: issuer });
    const text = [...spLines(report), ""].map(printable).join("\n");
    terminal.out(options.json ? `${asJson(report)}\n` : text);
    return spStatus(report);
  });
}

function readTrialConfig(sources: ConfigSources) {
  const keys = ["issuer", "database", "secret", "previous_secret", "dns_servers"] as const;
  return withSecretFile(readSettings(sources, keys));
}

function dnsServersOf({ options, sources }: Call): readonly string[] {
  const useless = ["issuer", "database"].filter((name) => options[name] !== undefined);
  if (useless.length === 0) return readSettings(sources, ["dns_servers"]).dnsServers;
  const names = useless.map((name) => `--${name}`).join(" and ");
  throw new OperatorError(`${names} requires the option --try`);
}

/** Checks an SP as a service without an entry for it would. Rejects with `OperatorError` for an invalid issuer. */
export async function checkSp(issuer: string, dnsServers: readonly string[]): Promise<SpReport> {
  // An operator who types http://localhost:PORT wants the loopback interface.
  const allowLoopback = isLoopbackIssuer(issuer);
  const mistake = issuerMistake(issuer, { allowLoopbackIssuer: allowLoopback });
  if (mistake !== null) throw new OperatorError(mistake);
  return reportOnSp(issuer, { dnsServers, allowLoopback, entry: null });
}

/** Tries an SP as the service of the settings would, by the registrations and keys in the database of the service. */
export async function trySpAs(sp: string, config: ReturnType<typeof readTrialConfig>) {
  const { issuer, database, dnsServers } = config;
  const allowLoopback = isLoopbackIssuer(issuer);
  const mistake =
    sp === issuer
      ? `${issuer} is the issuer of this service`
      : issuerMistake(sp, {
          allowLoopbackIssuer: allowLoopback,
          allowIssuerPort: new URL(issuer).port !== "",
        });
  if (mistake !== null) throw new OperatorError(mistake);
  const context = { dnsServers, allowLoopback };
  if (!databaseExists(database)) {
    return reportOnSp(sp, { ...context, entry: null, trial: { issuer, database: null } });
  }
  const seal = requireSeal(sealFrom(config));
  return withReadyDatabase(database, async (own) => {
    const { store, clock } = own;
    const keyring = await readSigner(store.keys, seal);
    await claimIssuer(store.installation, issuer);
    const entry = await spRegistry({ ...own, ...store, seal }).entryOf(sp);
    const assertionKey = () => keyring.signingKeyAt("client-assertion", clock.seconds());
    const trial = { issuer, database: { spClients: store.spClients, seal, assertionKey } };
    return reportOnSp(sp, { ...context, entry, clock, trial });
  });
}

/** 0 if the SP can be used, 3 if it does not respond, 1 otherwise. */
export function spStatus({ problem }: SpReport): Status {
  if (problem === null) return STATUS.done;
  return problem.kind === "unreachable" ? STATUS.unavailable : STATUS.no;
}

/** Lines of text. They contain untrusted text: pass them through `printable`. */
export function spLines(report: SpReport): string[] {
  const { issuer, requirements, ways, binding, problem, trial } = report;
  return [
    `service provider ${issuer}`,
    ...(requirements.length === 0 ? [] : ["  metadata: found"]),
    ...requirements.map(({ name, met, needed, reason }) => {
      const mark = met ? "met    " : needed ? "NOT MET" : "waived ";
      return `  ${mark}  ${name}: ${reason}`;
    }),
    ...ways.map((way, index) => `  ${index === 0 ? "client" : "or    "}   ${METHODS[way]}`),
    ...(binding === null ? [] : [`  account  ${BINDINGS[binding]}`]),
    ...(trial ? trialLines(trial) : []),
    problem === null
      ? "  can be used for sign-in"
      : `  cannot be used for sign-in: ${problem.detail}`,
    ...(problem?.advice === undefined ? [] : [`  change   ${problem.advice}`]),
  ];
}

function trialLines({ service, client, sent, registration, steps }: SpTrial): string[] {
  return [
    `  tried    as the service ${service}`,
    ...(sent === null ? [] : [`  sent     ${JSON.stringify(sent)}`]),
    ...(client === null ? [] : [`  known as ${client.client_id.slice(0, 200)}`]),
    ...steps.map(({ name, ok, status, error, error_description, detail }) => {
      const mark = ok === null ? "skipped  " : ok ? "done     " : "FAILED   ";
      const answer = [status, error, error_description].filter((part) => part !== null);
      const shownAnswer = answer.length === 0 ? "" : ` [${answer.join(" ")}]`;
      return `  ${mark}${name}: ${detail}${shownAnswer}`;
    }),
    ...(registration === null ? [] : [`  kept     ${KEPT[registration]}`]),
  ];
}

const KEPT: Record<NonNullable<SpTrial["registration"]>, string> = {
  stored: "the registration is stored, and sign-ins use it",
  removed: "nothing: the registration was removed",
  left: "the registration is still at the SP",
};

const METHODS: Record<SpReport["ways"][number], string> = {
  operator: "registered by the operator (domain-signin sp)",
  document: "client ID metadata document, with private_key_jwt",
  public_document: "client ID metadata document, as a public client",
  registration: "dynamic client registration (RFC 7591)",
};

const BINDINGS: Record<NonNullable<SpReport["binding"]>, string> = {
  claims: "the domain and acct claims of the ID token must match the record",
  hash: "acct is a salted hash of issuer, sub and domain (see domain-signin check --issuer --sub)",
};
