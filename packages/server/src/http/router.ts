// Routes a request by path, then by method.

import type { HttpRequest, HttpResponse } from "./message.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

export type Answer = (http: HttpRequest) => Promise<HttpResponse>;

/** The path does not have the method of the request. Answered with 405. */
export class MethodError extends Error {
  override name = "MethodError";
  readonly method: string;
  /** The methods that the path has. */
  readonly allow: string;

  constructor(method: string, allow: string) {
    super(`method not allowed: use ${allow}`);
    this.method = method;
    this.allow = allow;
  }
}

/** Answers a request with an unsupported method. `allow` lists the supported ones. */
export type OtherMethod = (http: HttpRequest, allow: string) => Promise<HttpResponse>;

interface PathEntry {
  readonly methods: Map<string, Answer>;
  readonly otherMethod: OtherMethod;
}

/** For a path without parameters, whose requests are passed on unchanged. */
const NO_PARAMS = {};

export function createRouter(notFound: Answer) {
  const entries = new Map<string, PathEntry>();
  /** The paths with parameters. */
  const patterns: [RegExp, PathEntry][] = [];

  function find(path: string): { entry: PathEntry; params: HttpRequest["params"] } | null {
    const entry = path.includes(":") ? undefined : entries.get(path);
    if (entry !== undefined) return { entry, params: NO_PARAMS };
    for (const [pattern, other] of patterns) {
      const match = pattern.exec(path);
      if (match) return { entry: other, params: { ...match.groups } };
    }
    return null;
  }

  return {
    /** `path` may contain segments such as `:id`. GET routes also answer HEAD. */
    add(method: HttpMethod, path: string, answer: Answer, otherMethod: OtherMethod): void {
      const entry = entries.get(path) ?? { methods: new Map(), otherMethod };
      if (path.includes(":") && !entries.has(path)) patterns.push([patternOf(path), entry]);
      entries.set(path, entry);
      entry.methods.set(method, answer);
      if (method === "GET") entry.methods.set("HEAD", answer);
    },
    answer(http: HttpRequest): Promise<HttpResponse> {
      const route = find(http.path);
      if (route === null) return notFound(http);
      const { methods, otherMethod } = route.entry;
      const answer = methods.get(http.method);
      if (answer === undefined) return otherMethod(http, [...methods.keys()].join(", "));
      return answer(route.params === NO_PARAMS ? http : { ...http, params: route.params });
    },
  };
}

/** Converts `/a/:id` to `^/a/(?<id>[^/]+)$`. Paths contain no other special characters than dots. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
