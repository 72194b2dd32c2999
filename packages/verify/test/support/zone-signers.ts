// Two zone signers that share no code with this project or each other: those of BIND and ldns.

import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe } from "vitest";

export type SignerName = "bind" | "ldns";

export interface ZoneToSign {
  /** Without a final dot; the root is "". */
  readonly name: string;
  readonly signer: SignerName;
  readonly algorithm: ZoneAlgorithm;
  readonly denial: "NSEC" | "NSEC3";
  /** NSEC3 records that leave out insecure delegations (RFC 5155 §6). */
  readonly isOptOut?: boolean;
  /** First and last second of the signatures, counted from now. By default an hour ago, and in a week. */
  readonly validity?: readonly [from: number, to: number];
  /** Lines of a master file: the zone's records other than SOA and NS. */
  readonly lines: readonly string[];
}

export interface SignedZone {
  /** The signed zone as the program wrote it. */
  readonly text: string;
  /** The program's DS record for the key signing key, as a line of a master file. */
  readonly ds: string;
}

/** Algorithm names that both programs accept. */
const algorithms = {
  8: "RSASHA256",
  10: "RSASHA512",
  13: "ECDSAP256SHA256",
  14: "ECDSAP384SHA384",
  15: "ED25519",
} as const;
export type ZoneAlgorithm = keyof typeof algorithms;

const programs = ["dnssec-keygen", "dnssec-signzone", "ldns-keygen", "ldns-signzone"] as const;
const paths = new Map(programs.map((name) => [name, programPath(name)]));
const runMs = 20_000;
const run = promisify(execFile);
const usualValidity = [-3600, 604_800] as const;

/** Tests that need both signers: skipped with a warning if one is missing, but failed in CI. */
export function signerTests(title: string, tests: () => void): void {
  const missing = programs.filter((name) => !paths.get(name)).join(", ");
  const packages = "(Debian: bind9-utils, ldnsutils)";
  // An unnoticed skip would let an untested release pass.
  if (missing && process.env.CI === "true") throw new Error(`There is no ${missing} ${packages}.`);
  if (missing) process.stderr.write(`\nSKIPPED: ${title}: there is no ${missing} ${packages}\n\n`);
  describe.skipIf(missing !== "")(title, tests);
}

/** Signs with new keys. Creates files in `folder`. */
export async function signZone(zone: ZoneToSign, folder: string): Promise<SignedZone> {
  const origin = `${zone.name}.`;
  // The name of the root, a single dot, is not a usable file name.
  const file = `zone-${zone.name}`;
  const lines = [
    `${origin} 3600 IN SOA ns.invalid. hostmaster.invalid. 1 3600 600 86400 60`,
    `${origin} 3600 IN NS ns.invalid.`,
    ...zone.lines,
  ];
  await writeFile(join(folder, file), `${lines.join("\n")}\n`);
  const sign = zone.signer === "bind" ? signWithBind : signWithLdns;
  return sign(zone, origin, file, folder);
}

async function signWithBind(
  { algorithm, denial, isOptOut, validity = usualValidity }: ZoneToSign,
  origin: string,
  file: string,
  folder: string,
): Promise<SignedZone> {
  const sized = algorithm < 13 ? ["-b", "2048"] : [];
  const how = ["-q", "-a", algorithms[algorithm], ...sized, "-K", "."];
  const keys: string[] = [];
  for (const flags of [["-f", "KSK"], []]) {
    keys.push((await runIn(folder, "dnssec-keygen", [...how, ...flags, origin])).trim());
  }
  const [ksk = "", zsk = ""] = keys;
  const files = await Promise.all(keys.map((key) => readFile(join(folder, `${key}.key`), "utf8")));
  const unsigned = await readFile(join(folder, file), "utf8");
  await writeFile(join(folder, file), `$TTL 3600\n${unsigned}${files.join("")}`);
  const [start, end] = validity.map((second) => `now${second < 0 ? "" : "+"}${second}`);
  const times = ["-s", start ?? "", "-e", end ?? ""];
  const proofs = denial === "NSEC3" ? ["-3", "aabbccdd", ...(isOptOut ? ["-A"] : [])] : [];
  // It checks what it signed, unless that is meant to be out of date.
  const check = validity === usualValidity ? [] : ["-P"];
  const output = [...check, "-O", "full", "-f", `${file}.signed`];
  await runIn(folder, "dnssec-signzone", [
    ...["-o", origin, ...times, ...proofs, ...output],
    ...["-k", ksk, file, zsk],
  ]);
  return {
    text: await readFile(join(folder, `${file}.signed`), "utf8"),
    ds: await readFile(join(folder, `dsset-${origin}`), "utf8"),
  };
}

async function signWithLdns(
  { algorithm, denial, isOptOut, validity = usualValidity }: ZoneToSign,
  origin: string,
  file: string,
  folder: string,
): Promise<SignedZone> {
  const sized = algorithm < 13 ? ["-b", "1024"] : [];
  const how = ["-a", algorithms[algorithm], ...sized];
  const ksk = (await runIn(folder, "ldns-keygen", [...how, "-k", origin])).trim();
  const zsk = (await runIn(folder, "ldns-keygen", [...how, origin])).trim();
  const seconds = Math.floor(Date.now() / 1000);
  const times = ["-i", `${seconds + validity[0]}`, "-e", `${seconds + validity[1]}`];
  const proofs = denial === "NSEC3" ? ["-n", "-s", "aabbccdd", ...(isOptOut ? ["-p"] : [])] : [];
  const output = ["-o", origin, "-f", `${file}.signed`];
  await runIn(folder, "ldns-signzone", [...times, ...proofs, ...output, file, zsk, ksk]);
  const ds = await readFile(join(folder, `${ksk}.ds`), "utf8");
  return {
    text: await readFile(join(folder, `${file}.signed`), "utf8"),
    // Its line has no TTL.
    ds: ds.replace(/\sIN\s/, " 3600 IN "),
  };
}

async function runIn(
  folder: string,
  program: (typeof programs)[number],
  args: readonly string[],
): Promise<string> {
  const { stdout } = await run(paths.get(program) ?? program, args, {
    cwd: folder,
    timeout: runMs,
  });
  return stdout;
}

function programPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
