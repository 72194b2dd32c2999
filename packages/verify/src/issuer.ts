// The issuer URL in the tag `sp`: its rules, and the first one that an invalid URL breaks.

import { problem, type RecordProblem, type Tags } from "./tag-list.ts";

/** A service provider's issuer. Compared by code point, never normalized (OpenID Connect Discovery §4.3). */
export type Issuer = `https://${string}` | `http://${string}localhost:${string}`;

export interface IssuerOptions {
  /** Accepts `http://localhost:PORT`, `http://NAME.localhost:PORT` and `https://localhost`, for demos and tests. */
  readonly allowLoopbackIssuer?: boolean;
  /** Accepts a port in an https issuer. The operator of a service decides. */
  readonly allowIssuerPort?: boolean;
  /** The issuer of the service that reads: another spelling of it is a mistake, not another service. */
  readonly ownIssuer?: string;
}

const ISSUER_RE = /^(https?):\/\/(\[[^/]*\]|[^/:]*)(?::([^/]*))?(\/.*)?$/;
// The last label begins with a letter, so that no form of an IPv4 address passes as a host.
const HOST_RE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOOPBACK_RE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)?localhost$/;
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
  const misspelt = spellingMistakes(sp, options.ownIssuer ?? sp);
  if (misspelt.length > 0) {
    problems.push(...misspelt);
    return undefined;
  }
  const broken = brokenRule(sp, options);
  if (broken === null) return sp as Issuer;
  problems.push(problem("bad_sp", broken));
  return undefined;
}

/** How `sp` differs from `own`, if people could take the one for the other: the scheme, or a slash and a path. */
export function spellingMistakes(sp: string, own: string): readonly RecordProblem[] {
  const [scheme, rest = ""] = sp.split("://", 2);
  const [ownScheme, ownRest = ""] = own.split("://", 2);
  const hasPath = rest.startsWith(`${ownRest}/`);
  if (rest !== ownRest && !hasPath) return [];
  // Not cut off, as the text of a record would be: it is what the record should say.
  return [
    ...(scheme === ownScheme ? [] : [{ code: "own_sp_scheme", about: own } as const]),
    ...(hasPath ? [{ code: "own_sp_path", about: own } as const] : []),
  ];
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
    const isLoopback = LOOPBACK_RE.test(host) && port !== undefined && options.allowLoopbackIssuer;
    return isLoopback ? null : "not_https";
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
