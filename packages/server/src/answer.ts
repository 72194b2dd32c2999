// Answers the requests of a service: each by the row of the route table for its path and method.

import { type Everything, handlersOf, requirementsOf } from "./assemble.ts";
import type { HttpRequest } from "./http/message.ts";
import { createPageGate } from "./http/page-gate.ts";
import { limitPages } from "./http/page-turns.ts";
import { pipeline } from "./http/pipeline.ts";
import { limitRefusals, unlimited } from "./http/rate-limit.ts";
import { preflight, staticFile, withOrigins } from "./http/responses.ts";
import { type Answer, createRouter, MethodError, type OtherMethod } from "./http/router.ts";
import { PageError } from "./interaction/pending-request.ts";
import { createErrorResponses, isRefusal } from "./oauth/error-channels.ts";
import { assets } from "./pages/assets.ts";
import { originCheck, type RouteDeps, type Row, routeTable, row } from "./routes.ts";

/** Refused requests of other endpoints, per address. */
const REFUSALS_PER_MINUTE = 300;

export function answerOf(all: Everything): Answer {
  const deps = routeDepsOf(all);
  const table = routeTable(handlersOf(all));
  const knownStart = knownStartIn([...assets.keys(), ...table.map(({ path }) => path)]);
  const unknown = row("GET", "none", "page", "turns", "any", "none", notFound).answer(deps);
  const router = createRouter((http) => unknown({ ...http, path: knownStart(http.path) }));
  const others = { page: otherMethod("page", deps), json: otherMethod("json", deps) };
  const listed = otherMethod("json", deps, "listed");
  for (const [path, asset] of assets) {
    const answer = async (http: HttpRequest) => staticFile(asset, http.header("accept-encoding"));
    router.add("GET", path, answer, others.page);
  }
  for (const { method, path, channel, origin, answer } of table) {
    router.add(method, path, answer(deps), origin === "listed" ? listed : others[channel]);
  }
  return router.answer;
}

/** The limit of refusals counts the requests of an address to all its paths together. */
function routeDepsOf(all: Everything): RouteDeps {
  const { issuer, events, time, clock, returningBrowsers, cookies } = all;
  const gate = createPageGate({ share: all.pageShare });
  const pages = limitPages({
    ...{ gate, clock, waiting: all.limits.pagesWaiting, readReturning: returningBrowsers.read },
    ...{ weightOf: all.networkWeights.weightOf, budget: all.budgets.budget("pages") },
    readBrowser: cookies.readGivenBrowser,
  });
  const refusals = limitRefusals(REFUSALS_PER_MINUTE, isRefusal, clock);
  return {
    ...{ issuer, events, cookies, gate, settle: time.settle },
    listedOrigins: [issuer, ...all.registrationOrigins],
    limits: {
      none: unlimited,
      turns: pages,
      refusals,
      // Registrations take as much time as pages, and apps must not wait for them either.
      both: (handler) => pages(refusals(handler)),
    },
    errorResponses: createErrorResponses(all),
    prepare: requirementsOf(all),
  };
}

/** Cuts a path for the log after the segments that `paths` have too: what is pasted into an address may be a secret. */
function knownStartIn(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths.flatMap((path) => path.split("/")));
  return (path) => {
    const segments = path.split("/");
    const end = segments.findIndex((segment) => !known.has(segment));
    return end === -1 ? path : [...segments.slice(0, end), "…"].join("/");
  };
}

/** Needs no time and is not counted as a route, but as a refusal. */
function otherMethod(
  channel: Row["channel"],
  deps: RouteDeps,
  origin: Row["origin"] = "any",
): OtherMethod {
  return async (http, allow) => {
    const answer = pipeline({
      settle: () => null,
      limit: deps.limits.refusals,
      mayComeFrom: originCheck(origin, deps),
      prepare: (context) => ({ context }),
      handler: ({ method }) => {
        if (channel === "json" && method === "OPTIONS") return preflight(allow);
        throw new MethodError(method, allow);
      },
      errorResponse: deps.errorResponses[channel],
      onResponse: () => {},
    });
    return (origin === "listed" ? withOrigins(answer, deps.listedOrigins) : answer)(http);
  };
}

function notFound(): never {
  throw new PageError(404, "notFound");
}
