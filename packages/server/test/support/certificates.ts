// Certificates for tests, made by the openssl command: an authority of their own, and what it signs.

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts. */
export type Certificate = { readonly key: string; readonly cert: string };

export type Authority = {
  /** The certificate to be trusted, as PEM. */
  readonly ca: string;
  /** Signed by the authority, for one name and so many days; below 0 it is expired. */
  issue(name: string, days?: number, more?: More): Certificate;
  /** An authority below this one. What it issues has its certificate, too, with that of this one. */
  below(isAuthority?: boolean): Authority;
};

/** `from`: valid only in so many days. `extensions`: lines of a configuration of openssl, in addition to the name. */
type More = { readonly from?: number; readonly extensions?: readonly string[] };

export function makeAuthority(): Authority {
  return authorityOf(inFolder((folder) => selfSigned(folder, "Authority of a test")));
}

/** `chain`: those that a server shows after its own, as PEM. */
function authorityOf(own: Certificate, chain = ""): Authority {
  return {
    ca: own.cert,
    issue(name, days = 2, { from = 0, extensions = [] } = {}) {
      const names = [`subjectAltName=DNS:${name}`, ...extensions];
      const issued = sign(own, name, { from, days }, names);
      return { ...issued, cert: `${issued.cert}${chain}` };
    },
    below(isAuthority = true) {
      const constraints = `basicConstraints=critical,CA:${isAuthority ? "TRUE" : "FALSE"}`;
      const next = sign(own, "Authority below", { from: 0, days: 2 }, [constraints]);
      return authorityOf(next, `${next.cert}${chain}`);
    },
  };
}

/** Signs a new key for this name. */
function sign(
  by: Certificate,
  name: string,
  { from, days }: { readonly from: number; readonly days: number },
  extensions: readonly string[],
): Certificate {
  return inFolder((folder) => {
    const at = (file: string) => join(folder, file);
    writeFileSync(at("ca.key"), by.key);
    writeFileSync(at("ca.pem"), by.cert);
    writeFileSync(at("extensions"), extensions.join("\n"));
    writeFileSync(at("index"), "");
    writeFileSync(at("serial"), `00${randomBytes(8).toString("hex")}\n`);
    writeFileSync(at("settings"), SETTINGS.replaceAll("FOLDER", folder));
    openssl(["req", "-new", ...newKey(at("key")), "-subj", `/CN=${name}`, "-out", at("csr")]);
    openssl([
      ...["ca", "-batch", "-notext", "-config", at("settings"), "-in", at("csr")],
      ...["-cert", at("ca.pem"), "-keyfile", at("ca.key"), "-extfile", at("extensions")],
      ...["-startdate", dateIn(Math.min(from, days - 1)), "-enddate", dateIn(days)],
      ...["-out", at("cert")],
    ]);
    return { key: readFileSync(at("key"), "utf8"), cert: readFileSync(at("cert"), "utf8") };
  });
}

const SETTINGS = `
[ca]
default_ca = this
[this]
database = FOLDER/index
serial = FOLDER/serial
new_certs_dir = FOLDER
default_md = sha256
policy = names
[names]
commonName = supplied
`;

/** As openssl reads it, so many days from now. */
function dateIn(days: number): string {
  const time = new Date(Date.now() + days * 86_400_000).toISOString();
  return `${time.replace(/\D/g, "").slice(0, 14)}Z`;
}

/** For one name, and signed by nobody but itself. */
export function makeSelfSigned(name: string): Certificate {
  return inFolder((folder) => selfSigned(folder, name, ["-addext", `subjectAltName=DNS:${name}`]));
}

function selfSigned(folder: string, name: string, more: string[] = []): Certificate {
  const at = (file: string) => join(folder, file);
  const ways = ["-x509", "-days", "2", "-subj", `/CN=${name}`, ...more];
  openssl(["req", ...ways, ...newKey(at("key")), "-out", at("cert")]);
  return { key: readFileSync(at("key"), "utf8"), cert: readFileSync(at("cert"), "utf8") };
}

function newKey(file: string): string[] {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  return [...curve, "-nodes", "-keyout", file];
}

function openssl(parts: string[]): void {
  execFileSync("openssl", parts, { stdio: ["ignore", "ignore", "pipe"] });
}

function inFolder<T>(make: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-certificates-"));
  try {
    return make(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
