// A second node of a test service: it has the same database and DNS, and a clock and a log of its own.

import { createService, type Service } from "../../src/service.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { logTo } from "./log-run.ts";
import { TEST_SECRET, type TestService } from "./service.ts";
import { makeTestKey } from "./test-keys.ts";

interface NodeOptions extends NonNullable<Parameters<typeof createService>[1]> {
  readonly database: string;
  readonly secret?: string;
  /** Every line of the node's log. */
  readonly lines?: string[];
}

export async function startSecondNode(
  { issuer, zone }: Pick<TestService, "issuer" | "zone">,
  { database, secret = TEST_SECRET, lines = [], ...parts }: NodeOptions,
): Promise<Service> {
  const log = logTo("the other node");
  const write = (line: string) => {
    log.write(line);
    lines.push(line);
  };
  const node = createService(
    {
      ...{ issuer, database, secret, dnsServers: [zone.address], minAssurance: "single" },
      ...{ trustAnchors: [], allowedSpecialNames: ["test"] },
    },
    { makeKey: makeTestKey, events: jsonEvents({ write }), ...parts },
  );
  await node.ready();
  return node;
}
