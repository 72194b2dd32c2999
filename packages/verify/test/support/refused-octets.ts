// What octets that cannot be read are answered with: the one error of the DNS folder, in words.

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

/** For octets at random, which may be good as well. */
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
