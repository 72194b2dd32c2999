// Routes a request by path, then by method.

import type { HttpRequest, HttpResponse } from "./message.ts";

export type Answer = (http: HttpRequest) => Promise<HttpResponse>;

/** The response to an unsupported method. `allow` lists the supported ones. */
export type MethodError = (method: string, allow: string) => HttpResponse;

interface Entry {
  readonly pattern: RegExp;
  readonly methods: Map<string, Answer>;
  readonly methodError: MethodError;
}

export function createRouter(notFound: Answer) {
  const entries = new Map<string, Entry>();
  return {
    /** `path` may contain segments such as `:id`. GET routes also answer HEAD. */
    add(method: "GET" | "POST", path: string, answer: Answer, methodError: MethodError): void {
      const added = { pattern: patternOf(path), methods: new Map(), methodError };
      const entry = entries.get(path) ?? added;
      entries.set(path, entry);
      entry.methods.set(method, answer);
      if (method === "GET") entry.methods.set("HEAD", answer);
    },
    async answer(http: HttpRequest): Promise<HttpResponse> {
      for (const { pattern, methods, methodError } of entries.values()) {
        const match = pattern.exec(http.path);
        if (match === null) continue;
        const answer = methods.get(http.method);
        if (answer === undefined) return methodError(http.method, [...methods.keys()].join(", "));
        return answer({ ...http, params: { ...match.groups } });
      }
      return notFound(http);
    },
  };
}

/** Converts `/a/:id` to `^/a/(?<id>[^/]+)$`. Paths contain no other special characters than dots. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
