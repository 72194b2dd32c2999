// Which Debian packages this machine has.

import { execFileSync } from "node:child_process";

/** Of the interpreter that Debian's packages are for, whatever `PATH` says. */
export const PYTHON = "/usr/bin/python3";

/** The version of an installed package, without the epoch and the revision of Debian. */
export function debianVersion(name: string): string | undefined {
  try {
    const said = execFileSync("dpkg-query", ["--show", name], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, version = ""] = said.toString().trim().split("\t");
    return version.replace(/^\d+:/, "").replace(/(\+[^-]*)?-[^-]*$/, "") || undefined;
  } catch {
    return undefined;
  }
}

/** What to install; undefined if all of these packages are there. */
export function missingPackages(names: readonly string[]): string | undefined {
  const missing = names.filter((name) => debianVersion(name) === undefined);
  return missing.length > 0 ? `install ${missing.join(" ")}` : undefined;
}
