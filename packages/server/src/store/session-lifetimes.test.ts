// How long sessions last, and which two settings do not go together.

import { expect, test } from "vitest";
import { sessionDaysMistake, sessionLifetimes } from "./session-lifetimes.ts";

test("sessions last for 30 days without use and 180 days at most, unless the operator says otherwise", () => {
  expect(sessionLifetimes({})).toEqual({ idleS: 2_592_000, absoluteS: 15_552_000 });
  expect(sessionLifetimes({ sessionIdleDays: 1, sessionAbsoluteDays: 2 })).toEqual({
    ...{ idleS: 86_400, absoluteS: 172_800 },
  });
});

test("a session cannot rest for longer than it lasts, and the mistake names both settings", () => {
  expect(sessionDaysMistake({})).toBeNull();
  expect(sessionDaysMistake({ sessionIdleDays: 180 })).toBeNull();
  expect(sessionDaysMistake({ sessionIdleDays: 181 })).toBe(
    "session_idle_days is 181, which is more than session_absolute_days (180): set it to 180 or less",
  );
  expect(sessionDaysMistake({ sessionAbsoluteDays: 7 })).toBe(
    "session_idle_days is 30, which is more than session_absolute_days (7): set it to 7 or less",
  );
});
