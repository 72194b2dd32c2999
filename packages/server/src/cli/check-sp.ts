// `domain-signin check-sp <issuer>`: what an SP lacks, for whoever runs it.

import type { Command } from "commander";
import { checkSp } from "../operator.ts";
import type { CommandContext } from "./command-context.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";
import { spLines, spStatus } from "./sp-words.ts";

/** Status 0 if people can sign in there, 1 if not, 3 if it does not answer. Needs no service of ours. */
export function addCheckSpCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command.description("tell whether an OpenID Provider can be named in records"), [
    "dns_servers",
  ])
    .option("--json", "print JSON")
    .action(
      action(async (issuer: string, options: GivenOptions) => {
        const { dns_servers } = settingsOf(options, terminal, ["dns_servers"]);
        const report = await checkSp({ dnsServers: dns_servers }, issuer);
        const text = [...spLines(report), ""].map(printable).join("\n");
        terminal.out(options.json ? `${asJson(report)}\n` : text);
        return spStatus(report);
      }),
    );
}
