// Routes a request by path, then by method.

import type { HttpRequest, HttpResponse } from "./message.ts";

export type Answer = (http: HttpRequest) => Promise<HttpResponse>;

/** The response to an unsupported method. `allow` lists the supported ones. */
export type MethodError = (method: string, allow: string) => HttpResponse;

export interface Router {
  /** `path` may contain segments such as `:id`. GET routes also answer HEAD. */
  add(method: "GET" | "POST", path: string, answer: Answer, methodError: MethodError): void;
  readonly answer: Answer;
}

interface PathEntry {
  readonly methods: Map<string, Answer>;
  readonly methodError: MethodError;
}

export function createRouter(notFound: Answer): Router {
  const entries = new Map<string, PathEntry>();
  /** Entries whose paths contain variables. */
  const patterns: { readonly pattern: RegExp; readonly entry: PathEntry }[] = [];
  const find = (path: string): { entry: PathEntry; params?: Record<string, string> } | null => {
    const entry = entries.get(path);
    if (entry !== undefined && !path.includes(":")) return { entry };
    for (const { pattern, entry } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { entry, params: { ...match.groups } };
    }
    return null;
  };
  return {
    add(method, path, answer, methodError) {
      let entry = entries.get(path);
      if (entry === undefined) {
        entry = { methods: new Map(), methodError };
        entries.set(path, entry);
        if (path.includes(":")) patterns.push({ pattern: patternOf(path), entry });
      }
      entry.methods.set(method, answer);
      if (method === "GET") entry.methods.set("HEAD", answer);
    },
    async answer(http) {
      const found = find(http.path);
      if (found === null) return notFound(http);
      const { methods, methodError } = found.entry;
      const answer = methods.get(http.method);
      if (answer === undefined) return methodError(http.method, [...methods.keys()].join(", "));
      return answer(found.params === undefined ? http : { ...http, params: found.params });
    },
  };
}

/** Converts `/a/:id` to `^/a/(?<id>[^/]+)$`. Paths contain no other special characters than dots. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
