// The cookies of one browser: kept for each host, whatever the port, as browsers do (RFC 6265 §8.5).

import { Cookie, MemoryCookieStore, CookieJar as ToughCookieJar } from "tough-cookie";

export interface CookieJar {
  /** The names of the cookies that a request for the URL carries. */
  names(url: string): string[];
  /** The value of the `Cookie` header; undefined if there are no cookies to send. */
  header(url: string): string | undefined;
  /** Stores the `Set-Cookie` header values of a response from the URL. */
  store(url: string, setCookies: readonly string[]): void;
  /** Removes the cookies whose names `test` accepts, and returns these names. */
  forget(test: (name: string) => boolean): string[];
}

export function createCookieJar(): CookieJar {
  const store = new MemoryCookieStore();
  const jar = new ToughCookieJar(store);
  return {
    names: (url) => jar.getCookiesSync(url).map(({ key }) => key),

    header: (url) => jar.getCookieStringSync(url) || undefined,

    store(url, setCookies) {
      // Invalid cookies are ignored, as in browsers.
      for (const text of setCookies) jar.setCookieSync(text, url, { ignoreError: true });
    },

    forget(test) {
      const all = jar.serializeSync()?.cookies ?? [];
      const forgotten = all
        .flatMap((cookie) => Cookie.fromJSON(cookie) ?? [])
        .filter(({ key }) => test(key));
      for (const { domain, path, key } of forgotten)
        store.removeCookie(domain ?? "", path ?? "", key, () => {});
      return forgotten.map(({ key }) => key);
    },
  };
}
