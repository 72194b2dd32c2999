// Compares docs/configuration.md with the table of settings.

import { expect, test } from "vitest";
import { SETTINGS, type Setting } from "../src/config/settings.ts";
import { configurationPage } from "./support/configuration-page.ts";

test("docs/configuration.md is up to date (run this test with -u to update it)", async () => {
  await expect(configurationPage()).toMatchFileSnapshot("../../../docs/configuration.md");
});

const settings: [string, Setting][] = Object.entries(SETTINGS);

test.each(settings)("the example and the default of %s are valid values", (key, setting) => {
  if (key !== "secret") expect(setting.parse(setting.example)).toHaveProperty("value");
  const { fallback } = setting;
  if (fallback === undefined) return;
  const written = Array.isArray(fallback) ? fallback.join(",") : String(fallback);
  expect(setting.parse(written)).toEqual({ value: fallback });
});
