// Tests of what an error about a client may say.

import { expect, test } from "vitest";
import { sanitizeDescription } from "./client-errors.ts";

test("a description has only the characters of RFC 6749 §5.2, and at most 200 of them", () => {
  expect(sanitizeDescription('redirect_uri "é\\\n" is [not] ~right!')).toBe(
    "redirect_uri  is [not] ~right!",
  );
  expect(sanitizeDescription("x".repeat(201))).toBe("x".repeat(200));
});
