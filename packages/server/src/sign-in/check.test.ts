// Tests of what the check of a domain asks, for whom, and what it says while the service is busy.

import { expect, test } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { ownRecord, someLook } from "../../test/support/some-look.ts";
import type { Diagnosis } from "../dns/diagnosis.ts";
import type { LookFor, SpRecordLook } from "../dns/sp-record.ts";
import { createCheck } from "./check.ts";

const ISSUER = "https://auth.example.com";
const ADDRESS = "203.0.113.7";

function checkWith(look: SpRecordLook) {
  const asked: LookFor[] = [];
  const diagnosis: Diagnosis = {
    ...{ name: look.name, checkedAt: 0, asked: [], mistake: null, zone: "seen" },
    ...{ wanted: null, panel: null, wildcard: null },
  };
  const { showCheck } = createCheck({
    issuer: ISSUER,
    domainNames: { allowedSpecialNames: ["test"] },
    newRecords: {
      lookForStranger: async (_, looked) => {
        asked.push(looked);
        return look;
      },
    },
    diagnoses: {
      look: async (_, __, ___, { freshness = "now", from }) => {
        asked.push({ freshness, from });
        return diagnosis;
      },
    },
  });
  const show = (headers: Record<string, string> = {}) => {
    const request = new Request(`${ISSUER}/check?domain=alice.test`, { headers });
    return showCheck(httpRequest(request, { clientAddress: ADDRESS }));
  };
  return { asked, show };
}

test("each look counts for the network of who asks, without the reserve, whatever cookies there are", async () => {
  const { asked, show } = checkWith(someLook(ownRecord("a".repeat(22))));
  const page = await show({ cookie: "__Host-ds_session=x; __Host-ds_setup_1=y" });
  expect(page.status).toBe(200);
  const from = { keys: ["203.0.113.0/24", ADDRESS], group: "203.0.0.0/16", isReserved: false };
  expect(asked).toEqual(Array(2).fill({ freshness: "recent", from }));
});

test("while the service is busy, the page says so, keeps what was typed, and asks nothing more", async () => {
  const { asked, show } = checkWith(someLook({ outcome: "indeterminate", reason: "busy" }));
  const { status, headers, body } = await show();
  expect([status, headers["retry-after"]]).toEqual([503, "2"]);
  expect(body).toContain("Our service is busy, so we could not look up alice.test.");
  expect(body).toContain('value="alice.test"');
  expect(asked).toHaveLength(1);
});

test("the assurance is named if resolvers have agreed, and only then", async () => {
  const pageOf = async (changes: Partial<SpRecordLook>) => {
    const look = someLook({ outcome: "absent" }, changes);
    return String((await checkWith(look).show()).body);
  };
  expect(await pageOf({ assurance: "secure" })).toContain("DNSSEC protects this answer");
  expect(await pageOf({ assurance: "corroborated" })).toContain(
    "At least two of our DNS resolvers",
  );
  expect(await pageOf({ assurance: "single", resolvers: 1 })).toContain(
    "One DNS resolver gave it.",
  );
  // The name servers of the zone alone have answered.
  expect(await pageOf({ assurance: "single", resolvers: 0 })).not.toContain("DNSSEC");
});
