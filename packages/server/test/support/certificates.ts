// Certificates for tests, made by the openssl command: an authority of their own, and what it signs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts. */
export type Certificate = { readonly key: string; readonly cert: string };

export type Authority = {
  /** The certificate to be trusted, as PEM. */
  readonly ca: string;
  /** Signed by the authority, for one name and so many days; below 0 it is expired. */
  issue(name: string, days?: number): Certificate;
};

export function makeAuthority(): Authority {
  const root = inFolder((folder) => selfSigned(folder, "Authority of a test"));
  return {
    ca: root.cert,
    issue: (name, days = 2) =>
      inFolder((folder) => {
        const at = (file: string) => join(folder, file);
        writeFileSync(at("ca.key"), root.key);
        writeFileSync(at("ca.pem"), root.cert);
        writeFileSync(at("names"), `subjectAltName=DNS:${name}`);
        openssl(["req", "-new", ...newKey(at("key")), "-subj", `/CN=${name}`, "-out", at("csr")]);
        openssl([
          ...["x509", "-req", "-in", at("csr"), "-CA", at("ca.pem"), "-CAkey", at("ca.key")],
          ...["-CAcreateserial", "-days", `${days}`, "-extfile", at("names"), "-out", at("cert")],
        ]);
        return { key: readFileSync(at("key"), "utf8"), cert: readFileSync(at("cert"), "utf8") };
      }),
  };
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
