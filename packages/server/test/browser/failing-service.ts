// A service that fails in every way there is, each at a path of its own, to show what its pages say then.

import { listen } from "../../src/http/listen.ts";
import type { HttpRequest } from "../../src/http/message.ts";
import { OverloadedError } from "../../src/http/page-turns.ts";
import { pipeline } from "../../src/http/pipeline.ts";
import { TooManyRequestsError, unlimited } from "../../src/http/rate-limit.ts";
import { PageError } from "../../src/interaction/pending-request.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { createErrorResponses } from "../../src/oauth/error-channels.ts";
import { assets } from "../../src/pages/assets.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { logTo } from "../support/log-run.ts";

export interface FailingService {
  readonly origin: string;
  close(): Promise<void>;
}

const failures: ReadonlyMap<string, Error> = new Map([
  ["/too-many", new TooManyRequestsError(30, true)],
  ["/overloaded", new OverloadedError(5)],
  ["/too-many-accounts", new PageError(403, "tooManyAccounts")],
  ["/record-lost", new PageError(400, "recordLost")],
  ["/challenge-used", new PageError(400, "challengeUsed")],
  ["/challenge-over", new PageError(400, "challengeOver")],
  ["/broken", new Error("broken for a test")],
  ["/away", new UnavailableError("away for a test")],
]);

export async function startFailingService(): Promise<FailingService> {
  const events = jsonEvents(logTo("a failing service"));
  const fail = pipeline<HttpRequest>({
    ...{
      settle: () => null,
      limit: unlimited,
      mayComeFrom: null,
      prepare: (http) => ({ context: http }),
    },
    handler({ path }) {
      throw failures.get(path) ?? new Error(`no failure at ${path}`);
    },
    errorResponse: createErrorResponses({ events }).page,
    onResponse: () => {},
  });
  const { port, close } = await listen(
    (http) => {
      const asset = assets.get(http.path);
      if (asset === undefined) return fail(http);
      return { status: 200, headers: { "content-type": asset.contentType }, body: asset.body };
    },
    { host: "127.0.0.1", port: 0 },
  );
  return { origin: `http://localhost:${port}`, close: () => close() };
}
