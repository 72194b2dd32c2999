// A refresh holds only while the zone names the account: looked at once a day, patient while DNS fails.

import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { refresh, type Tokens } from "../support/sign-in.ts";

const DAY = 86_400;
/** From the first look to the second. The floor of the time has whole seconds, so it may be one behind the clock. */
const UNTIL_SECOND_LOOK = DAY + 1;
const at = flow({ service: "test" });
let tokens: Tokens;
beforeEach(async () => {
  tokens = await at.tokens();
});

const next = async (token: string) => {
  const { status, body } = await at.token(refresh(token), at.client);
  return { status, error: body.error, token: String(body.refresh_token) };
};

const sleeps = () => expect.poll(() => at.dump()).not.toContain('"asleep_since":null');

test("a day after the last look a refresh looks again in the background, and the grant remembers it", async () => {
  at.advance(DAY + 1);
  at.statements.length = 0;
  const looked = await next(tokens.refresh_token);
  expect(looked.status).toBe(200);
  const notes = () => at.statements.filter((sql) => sql.includes("SET control_checked_at"));
  await expect.poll(notes).toHaveLength(1);
  at.statements.length = 0;
  expect((await next(looked.token)).status).toBe(200);
  expect(at.statements.filter((sql) => sql.includes("grants"))).toHaveLength(1);
});

test("when the record has gone a refresh gets 503 until a second look a day later, then invalid_grant, and wakes with the record", async () => {
  const records = at.zone.records();
  at.replaceRecord(null);
  at.advance(DAY + 1);
  const { status, token } = await next(tokens.refresh_token);
  expect(status).toBe(200);
  await sleeps();
  const unavailable = { status: 503, error: "temporarily_unavailable" };
  const { headers } = await at.token(refresh(token), at.client);
  expect(headers.get("retry-after")).toBe("60");
  // It is no failure of the service.
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
  expect(await next(token)).toMatchObject(unavailable);
  expect((await at.userinfo(tokens.access_token)).status).toBe(401);
  // The clock of the test goes on meanwhile.
  at.advance(DAY - 60);
  await at.walk();
  expect(await next(token)).toMatchObject(unavailable);
  at.advance(UNTIL_SECOND_LOOK - (DAY - 60));
  await at.walk();
  expect(await next(token)).toMatchObject({ status: 400, error: "invalid_grant" });
  expect(await at.dump()).not.toMatch(/"revoked_at":\d/);
  for (const record of records) at.zone.add(record);
  at.advance(301);
  expect((await next(token)).status).toBe(200);
});

test("a request that is repeated gets 503 too, and the same successor when the account is awake", async () => {
  const records = at.zone.records();
  const first = await next(tokens.refresh_token);
  at.replaceRecord(null);
  const [account] = JSON.parse(await at.dump())[0];
  await at.store.accounts.putToSleep(account.id, account.created_at);
  expect(await next(tokens.refresh_token)).toMatchObject({ status: 503 });
  for (const record of records) at.zone.add(record);
  await expect.poll(() => at.dump()).toContain('"asleep_since":null');
  expect(await next(tokens.refresh_token)).toMatchObject({ status: 200, token: first.token });
});

test("a record with another acct ends it for the old account", async () => {
  at.replaceRecord(`v=dsi1 sp=${at.issuer} acct=bbbbbbbbbbbbbbbbbbbbbb`);
  at.advance(3 * DAY);
  expect(await next(tokens.refresh_token)).toMatchObject({ status: 503 });
  await sleeps();
  at.advance(UNTIL_SECOND_LOOK);
  expect(await next(tokens.refresh_token)).toMatchObject({ status: 503 });
  await expect.poll(() => at.dump()).not.toContain('"lost_confirmed_at":null');
  expect(await next(tokens.refresh_token)).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("a record that is put back wakes the account, and with it the session of its browser", async () => {
  const records = at.zone.records();
  at.replaceRecord(null);
  at.advance(301);
  expect(await at.silently()).toBe("login_required");
  for (const record of records) at.zone.add(record);
  const back = await at.signIn();
  expect(back.steps).toEqual(["domain"]);
});

test("when DNS fails nobody goes on as anybody, but everybody back to the app", async () => {
  await at.zone.close();
  at.advance(301);
  const failed = await at.submit(await at.open(), "continue-form");
  expect([failed.status, failed.step]).toEqual([503, "problem"]);
  expect(failed.link("back-to-app")).toContain("error=access_denied");
  expect(await at.silently()).toBe("temporarily_unavailable");
});

test.each([
  ["names another account", "v=dsi1 sp=ISSUER acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["names another service", "v=dsi1 sp=https://sp.example.net acct=bbbbbbbbbbbbbbbbbbbbbb"],
  ["has gone", null],
])(
  "a challenge is worth nothing when the record %s by the time it is answered",
  async (_, value) => {
    at.agent.cookies.forget((name) => name.includes("_session_"));
    const challenge = await at.begin();
    expect(challenge.step).toBe("dns-challenge");
    at.replaceRecord(value?.replace("ISSUER", at.issuer) ?? null);
    at.publish(challenge);
    const answered = await at.submit(challenge, "check-form");
    expect([answered.stopped, answered.step]).toEqual([false, "dns-challenge"]);
  },
);

test("while DNS fails refreshing goes on for 72 hours, then answers 503 and never invalid_grant", async () => {
  await at.zone.close();
  at.advance(DAY + 1);
  const second = await next(tokens.refresh_token);
  expect(second.status).toBe(200);
  at.advance(DAY);
  const third = await next(second.token);
  expect(third.status).toBe(200);
  at.advance(DAY);
  const late = await at.token(refresh(third.token), at.client);
  expect([late.status, late.body.error]).toEqual([503, "temporarily_unavailable"]);
  expect(late.headers.get("retry-after")).not.toBeNull();
});
