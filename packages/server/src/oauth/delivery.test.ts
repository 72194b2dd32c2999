// Tests of deliveries: which failure marks the grant, and how.

import { afterEach, describe, expect, test, vi } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { makeOAuthWorld, type OAuthWorld, requestTo } from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import {
  ContendedError,
  MarkOwedError,
  NotBegunError,
  UnavailableError,
  UnknownOutcomeError,
} from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import type { Grant } from "../store/grant-row.ts";
import type { Undelivered } from "../store/undelivered.ts";
import { createDeliveries } from "./delivery.ts";

const world = fixture(makeOAuthWorld);

const code = (attempt: string) => ({
  ...{ id: "g", clientId: "c", redirectUri: "https://app.example.org/", codeChallenge: "x" },
  ...{ refreshExpiresAt: 1, now: 1, attempt },
});
const token = (attempt: string) => ({
  ...{ id: "g", clientId: "c", generation: 3, controlCheckedAfter: 0 },
  ...{ refreshExpiresAt: 1, now: 1, attempt },
});

async function deliveryFrom(
  isProven: boolean,
  clientAddress = "203.0.113.7",
  settings: Parameters<OAuthWorld["addClient"]>[0] = {},
) {
  const { client } = await world.addClient(settings);
  const marks: Undelivered[] = [];
  const markUndelivered = (mark: Undelivered) => void marks.push(mark);
  const http = { ...requestTo("/oauth/token"), clientAddress };
  const deps = { ...world.parts, grants: { ...world.store.grants, markUndelivered } };
  return { marks, delivery: createDeliveries(deps)({ client, isProven, from: SERVICE }, http) };
}

describe("a failure marks", () => {
  test("nothing before the request has presented a token of ours", async () => {
    const { delivery, marks } = await deliveryFrom(false);
    delivery.failed(new UnavailableError("no database"));
    expect(marks).toEqual([]);
  });

  test.each<[string, unknown, boolean]>([
    ["an outage after the change", new UnavailableError("no database"), false],
    ["a change whose outcome is not known", new UnknownOutcomeError("the disk"), true],
    ["a bug", new TypeError("x is undefined"), false],
    ["a read that was not begun", new NotBegunError("the database is locked"), false],
  ])("the change that a request made: %s", async (_, error, isUnknown) => {
    for (const present of [code, token]) {
      const { delivery, marks } = await deliveryFrom(false);
      delivery.begin(present(delivery.attempt));
      delivery.whenBegun();
      delivery.failed(error);
      expect(marks).toMatchObject([
        { isBegun: true, isUnknown, presented: { attempt: delivery.attempt } },
      ]);
    }
  });

  test("no code that was not redeemed: it can be redeemed later", async () => {
    const { delivery, marks } = await deliveryFrom(true);
    delivery.begin(code(delivery.attempt));
    delivery.failed(new NotBegunError("the disk"));
    expect(marks).toEqual([]);
  });

  test("a refresh that was not begun, if it was a retry in time: it keeps its right to the answer", async () => {
    const { delivery, marks } = await deliveryFrom(false);
    delivery.begin(token(delivery.attempt));
    delivery.failed(new NotBegunError("the disk"));
    const expected = { isBegun: false, isUnknown: false, changedSince: world.now - 30 };
    expect(marks).toMatchObject([expected]);
  });

  test("no refresh of a client that authenticated: such a client may repeat it anyway", async () => {
    const { delivery, marks } = await deliveryFrom(true);
    delivery.begin(token(delivery.attempt));
    delivery.failed(new UnknownOutcomeError("the disk"));
    expect(marks).toEqual([]);
  });

  test("the change of a client without retries, also if it authenticated, and no change of others", async () => {
    const { delivery, marks } = await deliveryFrom(true, "203.0.113.7", {
      refresh_retry_window: 0,
    });
    delivery.begin(token(delivery.attempt));
    delivery.whenBegun();
    delivery.failed(new UnknownOutcomeError("the disk"));
    expect(marks).toMatchObject([{ isUnknown: true, changedSince: null }]);
  });

  test.each([
    ["many requests for one row", new ContendedError("too many requests wait for one row")],
    ["an earlier failure, whose mark is owed", new MarkOwedError()],
  ])("nothing that a thief can cause by requests: %s", async (_, error) => {
    for (const present of [code, token]) {
      const { delivery, marks } = await deliveryFrom(false);
      delivery.begin(present(delivery.attempt));
      delivery.whenBegun();
      delivery.failed(error);
      expect(marks).toEqual([]);
    }
  });
});

describe("a client that hung up", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["before the grant was changed", null, 60_000, 0],
    ["two seconds after the change had begun", 5000, 7000, 0],
    ["later than that: the database took long", 5000, 7001, 1],
    ["before the change had begun", 5000, 3000, 0],
  ])(
    "only time in which the database works on the change counts: %s",
    async (_, begunAt, leftAt, marked) => {
      for (const present of [code, token]) {
        const { delivery, marks } = await deliveryFrom(false);
        delivery.begin(present(delivery.attempt));
        vi.spyOn(performance, "now").mockReturnValue(begunAt ?? 0);
        if (begunAt !== null) delivery.whenBegun();
        delivery.hungUp(leftAt);
        expect(marks).toHaveLength(marked);
      }
    },
  );
});

describe("another network", () => {
  const changed = (attempt: string) =>
    ({ attempt, rotatedAt: world.now, redeliveredAt: null }) as Grant;

  test.each([
    ["203.0.113.7", "203.0.113.7", false],
    ["203.0.113.7", "203.0.113.8", true],
    ["2001:db8::1", "2001:db8::2", false],
    ["2001:db8::1", "2001:db8:0:1::1", true],
    ["127.0.0.1", "203.0.113.7", false],
    ["203.0.113.7", "", false],
  ])("first %s, then %s: %s", async (first, then, isElsewhere) => {
    const { delivery: before } = await deliveryFrom(true, first);
    const { delivery: after } = await deliveryFrom(true, then);
    expect(after.isFromElsewhere(changed(before.attempt))).toBe(isElsewhere);
  });

  test("is recognized by the keys of the own service, not by those of another in the same process", async () => {
    const other = await makeOAuthWorld();
    const by = { client: {} as Client, isProven: true, from: SERVICE };
    const [a, b] = [world, other].map(({ parts }) =>
      createDeliveries(parts)(by, { ...requestTo("/oauth/token"), clientAddress: "203.0.113.77" }),
    );
    expect(a?.attempt.split(".")[1]).not.toBe(b?.attempt.split(".")[1]);
  });

  test("is not known of a change by an earlier version, and is not shown by the attempt", async () => {
    const { delivery } = await deliveryFrom(true);
    expect(delivery.isFromElsewhere(changed("AAAAAAAAAAAAAAAAAAAAAA"))).toBe(false);
    expect(delivery.attempt).toMatch(/^[\w-]{22}\.[\w-]{8}$/);
    expect(delivery.attempt).not.toContain("203");
  });
});
