// The issuer URL in the tag `sp`: its rules, and the first one that an invalid URL breaks.

import { problem, type RecordProblem, type Tags } from "./tag-list.ts";

/** A service provider's issuer. Compared by code point, never normalized (OpenID Connect Discovery §4.3). */
export type Issuer = `https://${string}` | `http://localhost:${string}`;

export interface IssuerOptions {
  /** Accepts `http://localhost:PORT`, for demos and tests. */
  readonly allowLoopbackIssuer?: boolean;
  /** Accepts a port in an https issuer. The operator of a service decides. */
  readonly allowIssuerPort?: boolean;
}

const ISSUER_RE = /^(https?):\/\/(\[[^/]*\]|[^/:]*)(?::([^/]*))?(\/.*)?$/;
// The last label begins with a letter, so that no form of an IPv4 address passes as a host.
const HOST_RE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PATH_RE = /^[A-Za-z0-9\-._~!$&'()*+,=:@/]*$/;

/** Reads the issuer from the tag `sp`. Adds the first rule that it breaks to `problems`. */
export function readIssuer(
  tags: Tags,
  options: IssuerOptions,
  problems: RecordProblem[],
): Issuer | undefined {
  const sp = tags.get("sp");
  if (sp === undefined) {
    problems.push(problem("missing_sp", MISSING_SP));
    return undefined;
  }
  const broken = brokenRule(sp, options);
  if (broken === null) return sp as Issuer;
  problems.push(problem("bad_sp", broken));
  return undefined;
}

const MISSING_SP =
  "The tag sp is missing. Some DNS panels cut a value at the first semicolon unless it is quoted.";

function brokenRule(value: string, options: IssuerOptions): string | null {
  const [, scheme, host = "", port, path = ""] = ISSUER_RE.exec(value) ?? [];
  if (scheme === undefined) return "sp must be a URL that begins with https://.";
  if (value.includes("?")) return "The URL in sp must not have a query.";
  if (value.includes("#")) return "The URL in sp must not have a fragment.";
  if (value.includes("%")) return "The URL in sp must not be percent-encoded.";
  if (value.slice(0, value.length - path.length).includes("@")) {
    return "The URL in sp must not contain a user name or password.";
  }
  if (!PATH_RE.test(path))
    return "The path of the URL in sp contains a character that is not allowed.";
  if (/\/\.\.?(?:\/|$)/.test(path))
    return "The path of the URL in sp must not contain . or .. segments.";
  if (port !== undefined && !isPort(port)) return "The URL in sp has an invalid port number.";
  if (scheme === "http") {
    const loopback = host === "localhost" && port !== undefined && options.allowLoopbackIssuer;
    return loopback ? null : "The URL in sp must begin with https://.";
  }
  if (host !== host.toLowerCase()) return "The host of the URL in sp must be in lower case.";
  if (host.length > 253 || !HOST_RE.test(host)) {
    return "The host of the URL in sp must be a full domain name, such as sp.example.com.";
  }
  if (port !== undefined && !options.allowIssuerPort) return "The URL in sp must not have a port.";
  return null;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535;
}
