// Tests of the two settings that say who may register clients.

import { expect, test } from "vitest";
import { registrationMistake } from "./registration-mode.ts";

const registrationToken = "an initial access token";

test.each([
  [{}, null],
  [{ registration: "off" }, null],
  [{ registration: "open" }, null],
  [{ registration: "token", registrationToken }, null],
  [{ registration: "token" }, "registration is token, so registration_token is required"],
  [
    { registrationToken },
    "registration_token is set, but registration is off: set registration to token",
  ],
  [
    { registration: "open", registrationToken },
    "registration_token is set, but registration is open: set registration to token",
  ],
] as const)("%j", (config, mistake) => {
  expect(registrationMistake(config)).toBe(mistake);
});
