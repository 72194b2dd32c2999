// Finds what answers a request: by path, then by method.

import type { HttpRequest, HttpResponse } from "./message.ts";

export type Answer = (http: HttpRequest) => Promise<HttpResponse>;

/** The response to a method that a path does not have. `allow` lists those that it has. */
export type MethodError = (method: string, allow: string) => HttpResponse;

export interface Router {
  /** `path` may have segments such as `:id`. A path answers HEAD as it answers GET. */
  add(method: "GET" | "POST", path: string, answer: Answer, methodError: MethodError): void;
  readonly answer: Answer;
}

interface Place {
  readonly methods: Map<string, Answer>;
  readonly methodError: MethodError;
}

export function createRouter(notFound: Answer): Router {
  const places = new Map<string, Place>();
  /** The places whose paths have variables. */
  const patterns: { readonly pattern: RegExp; readonly place: Place }[] = [];
  const find = (path: string): { place: Place; params?: Record<string, string> } | null => {
    const place = places.get(path);
    if (place !== undefined && !path.includes(":")) return { place };
    for (const { pattern, place } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { place, params: { ...match.groups } };
    }
    return null;
  };
  return {
    add(method, path, answer, methodError) {
      let place = places.get(path);
      if (place === undefined) {
        place = { methods: new Map(), methodError };
        places.set(path, place);
        if (path.includes(":")) patterns.push({ pattern: patternOf(path), place });
      }
      place.methods.set(method, answer);
      if (method === "GET") place.methods.set("HEAD", answer);
    },
    async answer(http) {
      const found = find(http.path);
      if (found === null) return notFound(http);
      const { methods, methodError } = found.place;
      const answer = methods.get(http.method);
      if (answer === undefined) return methodError(http.method, [...methods.keys()].join(", "));
      return answer(found.params === undefined ? http : { ...http, params: found.params });
    },
  };
}

/** `/a/:id` as `^/a/(?<id>[^/]+)$`; the paths of a route have no other special characters. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
