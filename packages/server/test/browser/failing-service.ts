// A service that fails in every way there is, each at a path of its own, to show what its pages say then.

import { withChannel } from "../../src/http/channels.ts";
import { TooManyRequestsError } from "../../src/http/rate-limit.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { jsonEvents } from "../../src/lib/events.ts";
import { listen } from "../../src/lib/listen.ts";
import { pageErrors } from "../../src/oauth/error-channels.ts";
import { assets } from "../../src/pages/assets.ts";
import { logTo } from "../support/log-run.ts";

export interface FailingService {
  readonly origin: string;
  close(): Promise<void>;
}

const failures: ReadonlyMap<string, Error> = new Map([
  ["/too-many", new TooManyRequestsError(30, true)],
  ["/broken", new Error("broken for a test")],
  ["/away", new UnavailableError("away for a test")],
]);

export async function startFailingService(): Promise<FailingService> {
  const answer = pageErrors({ events: jsonEvents(logTo("a failing service")) });
  const { port, close } = await listen(
    (request, { clientAddress }) => {
      const { pathname: path, search } = new URL(request.url);
      const asset = assets.get(path);
      if (asset !== undefined) {
        return new Response(asset.body, { headers: { "content-type": asset.contentType } });
      }
      const fail = () => {
        throw failures.get(path) ?? new Error(`no failure at ${path}`);
      };
      const exchange = { request, path, query: search.slice(1), params: {}, clientAddress };
      return withChannel(fail, answer)(exchange);
    },
    { host: "127.0.0.1", port: 0 },
  );
  return { origin: `http://localhost:${port}`, close: () => close() };
}
