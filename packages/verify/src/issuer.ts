// The issuer URL in a record's `sp`: what it may look like, and which rule a bad one breaks.

import { problem, type RecordProblem, type Tags } from "./tag-list.ts";

/** A service provider's issuer. Compared by code point, never normalised (OpenID Connect Discovery §4.3). */
export type Issuer = `https://${string}` | `http://localhost:${string}`;

export type IssuerOptions = {
  /** Accepts `http://localhost:PORT`, for demos and tests. */
  readonly allowLoopbackIssuer?: boolean;
  /** Accepts a port in an https issuer, which needs the operator's leave. */
  readonly allowIssuerPort?: boolean;
};

const form = /^(https?):\/\/(\[[^/]*\]|[^/:]*)(?::([^/]*))?(\/.*)?$/;
// The last label begins with a letter, so that no spelling of an IPv4 address passes as a host.
const dottedHost = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const plainPath = /^[A-Za-z0-9\-._~!$&'()*+,=:@/]*$/;

/** Reads the issuer in the tag `sp`; the first rule that it breaks goes into `problems`. */
export function readIssuer(
  tags: Tags,
  options: IssuerOptions,
  problems: RecordProblem[],
): Issuer | undefined {
  const sp = tags.get("sp");
  if (sp === undefined) {
    problems.push(problem("missing_sp", missingSp));
    return undefined;
  }
  const broken = brokenRule(sp, options);
  if (broken === null) return sp as Issuer;
  problems.push(problem("bad_sp", broken));
  return undefined;
}

const missingSp =
  "The tag sp is missing. Some DNS panels cut a value at its first semicolon unless it stands in quotes.";

function brokenRule(value: string, options: IssuerOptions): string | null {
  const [, scheme, host = "", port, path = ""] = form.exec(value) ?? [];
  if (scheme === undefined) return "sp must be a URL that begins with https://.";
  if (value.includes("?")) return "The URL in sp must not have a query.";
  if (value.includes("#")) return "The URL in sp must not have a fragment.";
  if (value.includes("%")) return "The URL in sp must not be percent-encoded.";
  if (value.slice(0, value.length - path.length).includes("@")) {
    return "The URL in sp must not hold a user name or password.";
  }
  if (!plainPath.test(path))
    return "The path of the URL in sp holds a character that is not allowed.";
  if (/\/\.\.?(?:\/|$)/.test(path))
    return "The path of the URL in sp must not hold . or .. segments.";
  if (port !== undefined && !isPort(port)) return "The port of the URL in sp is not a port number.";
  if (scheme === "http") {
    const loopback = host === "localhost" && port !== undefined && options.allowLoopbackIssuer;
    return loopback ? null : "The URL in sp must begin with https://.";
  }
  if (host !== host.toLowerCase()) return "The host of the URL in sp must be in lower case.";
  if (host.length > 253 || !dottedHost.test(host)) {
    return "The host of the URL in sp must be a full domain name.";
  }
  if (port !== undefined && !options.allowIssuerPort) return "The URL in sp must not name a port.";
  return null;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535;
}
