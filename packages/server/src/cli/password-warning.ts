// Warns of a password in the arguments of a command, which other users of the machine can read.

import { envName } from "../config/settings.ts";
import type { GivenOptions } from "./command-frame.ts";

/** The options that take the address of a database, and what to use in their place. */
const ALTERNATIVES = {
  database: `${envName("database")}, ${envName("database")}_FILE or ~/.pgpass`,
  to: "~/.pgpass",
};

/** The first option with a password, without the password; null if there is none. */
export function passwordInOptions(options: GivenOptions) {
  for (const [name, instead] of Object.entries(ALTERNATIVES)) {
    const given = options[name];
    if (typeof given !== "string" || !hasPassword(given)) continue;
    const hint = `other users of this machine can read the password: use ${instead} instead`;
    return { option: `--${name}`, hint };
  }
  return null;
}

function hasPassword(address: string): boolean {
  if (!/^postgres(?:ql)?:/.test(address)) return false;
  // A URL that cannot be read is refused later, but it was on the command line.
  if (!URL.canParse(address)) return /:\/\/[^/@]*:[^/]+@|[?&]password=./.test(address);
  const { password, searchParams } = new URL(address);
  return password !== "" || (searchParams.get("password") ?? "") !== "";
}
