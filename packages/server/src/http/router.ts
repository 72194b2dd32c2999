// Routes a request by path, then by method.

import type { HttpRequest, HttpResponse } from "./message.ts";

export type Answer = (http: HttpRequest) => Promise<HttpResponse>;

/** The response to an unsupported method. `allow` lists the supported ones. */
export type MethodError = (method: string, allow: string) => HttpResponse;

interface Entry {
  readonly methods: Map<string, Answer>;
  readonly methodError: MethodError;
}

export function createRouter(notFound: Answer) {
  const entries = new Map<string, Entry>();
  /** Of the paths with parameters. */
  const patterns: [RegExp, Entry][] = [];

  function find(path: string): { entry: Entry; params: HttpRequest["params"] } | null {
    const entry = path.includes(":") ? undefined : entries.get(path);
    if (entry !== undefined) return { entry, params: {} };
    for (const [pattern, other] of patterns) {
      const match = pattern.exec(path);
      if (match) return { entry: other, params: { ...match.groups } };
    }
    return null;
  }

  return {
    /** `path` may contain segments such as `:id`. GET routes also answer HEAD. */
    add(method: "GET" | "POST", path: string, answer: Answer, methodError: MethodError): void {
      const entry = entries.get(path) ?? { methods: new Map(), methodError };
      if (path.includes(":") && !entries.has(path)) patterns.push([patternOf(path), entry]);
      entries.set(path, entry);
      entry.methods.set(method, answer);
      if (method === "GET") entry.methods.set("HEAD", answer);
    },
    async answer(http: HttpRequest): Promise<HttpResponse> {
      const found = find(http.path);
      if (found === null) return notFound(http);
      const { methods, methodError } = found.entry;
      const answer = methods.get(http.method);
      if (answer === undefined) return methodError(http.method, [...methods.keys()].join(", "));
      return answer({ ...http, params: found.params });
    },
  };
}

/** Converts `/a/:id` to `^/a/(?<id>[^/]+)$`. Paths contain no other special characters than dots. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
