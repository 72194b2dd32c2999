// `domain-signin check-sp <issuer>`: checks whether an OpenID Provider can be used as an SP.

import type { Command } from "commander";
import { hostAddresses } from "../dns/host-addresses.ts";
import { createResolvers } from "../dns/resolvers.ts";
import { issuerMistake } from "../federation/provider.ts";
import { reportOnSp, type SpReport, type SpReportContext } from "../federation/sp-report.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import { asJson, type CommandContext, printable, STATUS, type Status } from "./command-context.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

/** Status 0 if the SP can be used, 1 if not, 3 if it does not respond. Needs no running service. */
export function addCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, ["dns_servers"])
    .option("--json", "print JSON")
    .action(
      action(async (issuer: string, options: GivenOptions) => {
        const { dnsServers } = settingsOf(options, terminal, ["dns_servers"]);
        const report = await checkSp(issuer, dnsServers);
        const text = [...spLines(report), ""].map(printable).join("\n");
        terminal.out(options.json ? `${asJson(report)}\n` : text);
        return spStatus(report);
      }),
    );
}

/** Checks an SP as a service without an entry for it would. Rejects with `OperatorError` for an invalid issuer. */
export async function checkSp(issuer: string, dnsServers: readonly string[]): Promise<SpReport> {
  // An operator who types http://localhost:PORT wants the loopback interface.
  const allowLoopback = isLoopbackIssuer(issuer);
  const mistake = issuerMistake(issuer, { allowLoopbackIssuer: allowLoopback });
  if (mistake !== null) throw new OperatorError(mistake);
  return reportOn(issuer, { dnsServers, allowLoopback, entry: null });
}

export function reportOn(
  issuer: string,
  context: SpReportContext & { readonly dnsServers: readonly string[] },
): Promise<SpReport> {
  const resolve = hostAddresses(createResolvers(context.dnsServers));
  const clock = systemClock;
  const fetch = createGuardedFetch({ resolve, allowLoopback: context.allowLoopback, clock });
  return reportOnSp(issuer, { ...context, fetch, clock });
}

/** 0 if the SP can be used, 3 if it does not respond, 1 otherwise. */
export function spStatus({ problem }: SpReport): Status {
  if (problem === null) return STATUS.done;
  return problem.kind === "unreachable" ? STATUS.unavailable : STATUS.no;
}

/** Lines of text. They contain untrusted text: pass them through `printable`. */
export function spLines({ issuer, requirements, ways, binding, problem }: SpReport): string[] {
  return [
    `service provider ${issuer}`,
    ...(requirements.length === 0 ? [] : ["  metadata: found"]),
    ...requirements.map(({ name, met, needed, reason }) => {
      const mark = met ? "met    " : needed ? "NOT MET" : "waived ";
      return `  ${mark}  ${name}: ${reason}`;
    }),
    ...ways.map((way, index) => `  ${index === 0 ? "client" : "or    "}   ${METHODS[way]}`),
    ...(binding === null ? [] : [`  account  ${BINDINGS[binding]}`]),
    problem === null
      ? "  can be used for sign-in"
      : `  cannot be used for sign-in: ${problem.detail}`,
  ];
}

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
