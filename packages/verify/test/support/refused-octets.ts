// Expectations for malformed octets: DnsMessageError, with a message of several words.

import { expect } from "vitest";
import { DnsMessageError } from "../../src/dns/octets.ts";

export function expectRefused(read: () => unknown): void {
  let error: unknown;
  try {
    read();
  } catch (thrown) {
    error = thrown;
  }
  expectOurs(error);
}

/** For random octets, which may be valid. */
export function expectOnlyOurError(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expectOurs(error);
  }
}

function expectOurs(error: unknown): void {
  if (!(error instanceof DnsMessageError)) throw error ?? new Error("it was read");
  expect(error.message).toMatch(/^\S+( \S+){2,}$/);
}
