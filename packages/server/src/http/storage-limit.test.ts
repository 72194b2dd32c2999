// Tests of the limit of what requests cause to be stored.

import { beforeEach, expect, it } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { clockFrom } from "../lib/clock.ts";
import { TooManyRequestsError } from "./rate-limit.ts";
import { createStorageLimit, STORED_OCTETS } from "./storage-limit.ts";

let now = 0;
const clock = clockFrom(() => now);
let limit: ReturnType<typeof createStorageLimit>;
beforeEach(() => {
  now = 1_800_000_000_000;
  limit = createStorageLimit({ clock, readReturning: ({ header }) => header("returning") });
});

/** 100 kB with the overhead, for as long as one window. */
const ROW = { octets: 99_600, lifetimeS: 600 };

function from(clientAddress: string, returning?: string) {
  const headers = returning === undefined ? {} : { returning };
  return httpRequest(new Request("https://auth.example.com/", { headers }), { clientAddress });
}

/** How many rows until the limit; at most 20,000. */
function rowsFrom(address: () => string, row = ROW, returning?: string): number {
  for (let count = 0; count < 20_000; count++) {
    try {
      limit.take(from(address(), returning), row);
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyRequestsError);
      return count;
    }
  }
  return 20_000;
}

it("an address may cause 8 MB to be stored, for ten minutes or a fraction of it for longer", () => {
  expect(rowsFrom(() => "192.0.2.1")).toBe(80);
  expect(rowsFrom(() => "192.0.2.2", { octets: 99_600, lifetimeS: 3600 })).toBe(14);
  expect(rowsFrom(() => "192.0.2.3", { octets: 0, lifetimeS: 1 })).toBe(20_000);
});

it("ends with its window, and one refusal in a window is the first", () => {
  rowsFrom(() => "192.0.2.1");
  const refusal = () => {
    try {
      limit.take(from("192.0.2.1"), ROW);
    } catch (error) {
      return error instanceof TooManyRequestsError && [error.retryAfter, error.isFirst];
    }
    return "none";
  };
  now += 60_000;
  expect(refusal()).toEqual([540, false]);
  now += 540_000;
  expect(refusal()).toBe("none");
  expect(rowsFrom(() => "192.0.2.1")).toBe(79);
  expect(refusal()).toEqual([600, false]);
});

it("counts a household's IPv6 as one address, and one customer's /48 together", () => {
  let host = 0;
  expect(rowsFrom(() => `2001:db8:1:1::${(++host).toString(16)}`)).toBe(80);
  expect(rowsFrom(() => `2001:db8:1:${(++host).toString(16)}::1`)).toBe(40);
  expect(rowsFrom(() => "2001:db8:2:1::1")).toBe(80);
});

it("counts strangers together", () => {
  let host = 0;
  const next = () => `10.${host >> 16}.${(host >> 8) & 255}.${host++ & 255}`;
  expect(rowsFrom(next)).toBe(STORED_OCTETS.strangers / 100_000);
  // Who has signed in here before is none.
  expect(rowsFrom(() => "192.0.2.1", ROW, "alice")).toBe(40);
});

it("counts a returning browser for itself, and beyond that as a stranger", () => {
  rowsFrom(() => "192.0.2.1");
  expect(rowsFrom(() => "192.0.2.1", ROW, "alice")).toBe(40);
  expect(rowsFrom(() => "192.0.2.1", ROW, "bob")).toBe(40);
  expect(rowsFrom(() => "192.0.2.1", ROW, "carol")).toBe(40);
  // All of them at an address have a limit too.
  expect(rowsFrom(() => "192.0.2.1", ROW, "dave")).toBe(0);
  expect(rowsFrom(() => "192.0.2.2", ROW, "dave")).toBe(120);
});

it("is one for all whose address is loopback or not known", () => {
  expect(rowsFrom(() => "127.0.0.1")).toBe(80);
  for (const address of ["::1", "", "unknown"]) expect(rowsFrom(() => address)).toBe(0);
  expect(rowsFrom(() => "192.0.2.1")).toBe(80);
});
