// The issuer URL in the tag `sp`: its rules, and the first one that an invalid URL breaks.

import { problem, type RecordProblem, type Tags } from "./tag-list.ts";

/** A service provider's issuer. Compared by code point, never normalized (OpenID Connect Discovery §4.3). */
export type Issuer = `https://${string}` | `http://localhost:${string}`;

export interface IssuerOptions {
  /** Accepts `http://localhost:PORT` and `https://localhost`, for demos and tests. */
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
    problems.push(problem("missing_sp"));
    return undefined;
  }
  const broken = brokenRule(sp, options);
  if (broken === null) return sp as Issuer;
  problems.push(problem("bad_sp", broken));
  return undefined;
}

/** The rules of an issuer URL, in the order in which they are checked. */
export type IssuerRule =
  | "no_url"
  | "query"
  | "fragment"
  | "percent"
  | "userinfo"
  | "path"
  | "dot_segments"
  | "port_number"
  | "not_https"
  | "upper_case"
  | "host"
  | "port";

function brokenRule(value: string, options: IssuerOptions): IssuerRule | null {
  const [, scheme, host = "", port, path = ""] = ISSUER_RE.exec(value) ?? [];
  if (scheme === undefined) return "no_url";
  if (value.includes("?")) return "query";
  if (value.includes("#")) return "fragment";
  if (value.includes("%")) return "percent";
  if (value.slice(0, value.length - path.length).includes("@")) {
    return "userinfo";
  }
  if (!PATH_RE.test(path)) return "path";
  if (/\/\.\.?(?:\/|$)/.test(path)) return "dot_segments";
  if (port !== undefined && !isPort(port)) return "port_number";
  if (scheme === "http") {
    const loopback = host === "localhost" && port !== undefined && options.allowLoopbackIssuer;
    return loopback ? null : "not_https";
  }
  if (host !== host.toLowerCase()) return "upper_case";
  const isLocal = host === "localhost" && options.allowLoopbackIssuer;
  if (!isLocal && (host.length > 253 || !HOST_RE.test(host))) return "host";
  if (port !== undefined && !options.allowIssuerPort) return "port";
  return null;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535;
}
