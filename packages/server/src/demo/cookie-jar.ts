// The cookies of one browser: kept for each host, whatever the port, as browsers do (RFC 6265 §8.5).

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** As it was sent; requests are not held to it. */
  readonly sameSite: string | undefined;
  /** Epoch milliseconds; without it the cookie lasts as long as the jar. */
  readonly expiresAt: number | undefined;
}

export interface CookieJar {
  /** The cookies that a request for the URL carries. */
  at(url: string): Cookie[];
  /** The value of the request header `Cookie`; undefined when there is none to send. */
  header(url: string): string | undefined;
  /** Takes the values of `Set-Cookie` headers of an answer from the URL. */
  store(url: string, setCookies: readonly string[]): void;
  /** Removes the cookies for which `test` says so, and tells their names. */
  forget(test: (cookie: Cookie) => boolean): string[];
}

export function createCookieJar(now: () => number = Date.now): CookieJar {
  let cookies: Cookie[] = [];

  function live(): Cookie[] {
    cookies = cookies.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now());
    return cookies;
  }

  const jar: CookieJar = {
    at(url) {
      const { hostname, pathname } = new URL(url);
      return live().filter(
        ({ host, path, secure }) =>
          host === hostname && covers(path, pathname) && (!secure || isTrustworthy(url)),
      );
    },

    header(url) {
      const pairs = jar.at(url).map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join("; ");
    },

    store(url, setCookies) {
      for (const text of setCookies) {
        const cookie = readSetCookie(text, url, now());
        if (cookie === undefined) continue;
        const { name, host, path } = cookie;
        const others = cookies.filter(
          (other) => other.name !== name || other.host !== host || other.path !== path,
        );
        cookies = [...others, cookie];
      }
    },

    forget(test) {
      const gone = live().filter(test);
      cookies = cookies.filter((cookie) => !gone.includes(cookie));
      return gone.map(({ name }) => name);
    },
  };
  return jar;
}

/** Undefined for a cookie that a browser would not take. */
function readSetCookie(text: string, url: string, now: number): Cookie | undefined {
  const [pair = "", ...rest] = text.split(";").map((part) => part.trim());
  const [name, value] = split(pair);
  const attributes = new Map(
    rest.map(split).map(([key, content]) => [key.toLowerCase(), content] as const),
  );
  const { hostname, pathname } = new URL(url);
  const given = attributes.get("path");
  const path = given?.startsWith("/") ? given : pathname.replace(/\/[^/]*$/, "") || "/";
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase();
  const secure = attributes.has("secure");
  if (name === "" || (domain !== undefined && domain !== hostname)) return undefined;
  if (secure && !isTrustworthy(url)) return undefined;
  if (name.startsWith("__Secure-") && !secure) return undefined;
  if (name.startsWith("__Host-") && (!secure || given !== "/" || domain !== undefined)) {
    return undefined;
  }
  return {
    name,
    value,
    host: hostname,
    path,
    secure,
    httpOnly: attributes.has("httponly"),
    sameSite: attributes.get("samesite"),
    expiresAt: expiryOf(attributes, now),
  };
}

function split(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text, ""] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

/** `Max-Age` has precedence over `Expires`. */
function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | undefined {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?[0-9]+$/.test(maxAge)) return now + Number(maxAge) * 1000;
  const expires = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expires) ? undefined : expires;
}

function covers(path: string, pathname: string): boolean {
  const folder = path.endsWith("/") ? path : `${path}/`;
  return pathname === path || pathname.startsWith(folder);
}

/** Browsers take the loopback hosts for as good as https. */
function isTrustworthy(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
