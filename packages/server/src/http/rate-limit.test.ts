// Tests of the rate limits, with fake handlers and a fake clock.

import { beforeEach, describe, expect, it } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { clockFrom } from "../lib/clock.ts";
import type { Handler, HttpResponse } from "./message.ts";
import { type FloodLimit, limitRefusals, TooManyRequestsError } from "./rate-limit.ts";

class Refusal extends Error {}

/** Sends a request: returns the status, "refused", "broken" or "wait SECONDS". */
async function ask(
  guarded: Handler,
  clientAddress: string,
  headers: Record<string, string> = {},
): Promise<number | string> {
  const request = new Request("http://localhost/oauth/token", { headers });
  const http = httpRequest(request, { clientAddress });
  try {
    return (await guarded(http)).status;
  } catch (error) {
    if (error instanceof TooManyRequestsError) return `wait ${error.retryAfter}`;
    return error instanceof Refusal ? "refused" : "broken";
  }
}

async function askTimes(
  count: number,
  guarded: Handler,
  address: string,
  headers: Record<string, string> = {},
) {
  const answers = new Set<number | string>();
  for (let asked = 0; asked < count; asked++) answers.add(await ask(guarded, address, headers));
  return [...answers];
}

/** A handler that counts its calls. */
function handler(act: () => HttpResponse) {
  const reached = { count: 0 };
  const handle: Handler = () => {
    reached.count++;
    return act();
  };
  return { reached, handle };
}

const fine = () => ({ status: 200, headers: {}, body: "" });
const refuse = () => {
  throw new Refusal("refused");
};
const breakDown = () => {
  throw new Error("the database is gone");
};

const [ONE, OTHER] = ["192.0.2.7", "192.0.2.8"];

let now = 1_700_000_000_000;
const clock = clockFrom(() => now);

describe("a limit of refusals", () => {
  let limit: FloodLimit;
  beforeEach(() => {
    limit = limitRefusals(5, (error) => error instanceof Refusal, clock);
  });

  it("turns a sixth refusal into a 429, and never what is right", async () => {
    const { reached, handle } = handler(fine);
    expect(await askTimes(5, limit(refuse), ONE)).toEqual(["refused"]);
    expect(await ask(limit(refuse), ONE)).toBe("wait 60");
    expect(await askTimes(3, limit(handle), ONE)).toEqual([200]);
    expect(await ask(limit(breakDown), ONE)).toBe("broken");
    expect(reached.count).toBe(3);
  });

  it("counts refusals that come later than their request", async () => {
    const later: Handler = async () => {
      await Promise.resolve();
      throw new Refusal("refused");
    };
    expect(await askTimes(5, limit(later), ONE)).toEqual(["refused"]);
    expect(await ask(limit(later), ONE)).toBe("wait 60");
  });

  it("does not count what went well, nor what failed on our side", async () => {
    expect(await askTimes(2000, limit(fine), ONE)).toEqual([200]);
    expect(await askTimes(2000, limit(breakDown), ONE)).toEqual(["broken"]);
    expect(await askTimes(4, limit(refuse), ONE)).toEqual(["refused"]);
    expect(await ask(limit(fine), ONE)).toBe(200);
  });

  it("is one for each address", async () => {
    await askTimes(6, limit(refuse), ONE);
    expect(await ask(limit(refuse), OTHER)).toBe("refused");
    expect(await ask(limit(refuse), ONE)).toBe("wait 60");
  });

  it("ends a minute after its first refusal, and is not drawn out by asking on", async () => {
    await ask(limit(refuse), ONE);
    now += 30_000;
    await askTimes(4, limit(refuse), ONE);
    for (const seconds of [30, 20, 10]) {
      expect(await askTimes(100, limit(refuse), ONE)).toEqual([`wait ${seconds}`]);
      now += 10_000;
    }
    expect(await askTimes(5, limit(refuse), ONE)).toEqual(["refused"]);
    expect(await ask(limit(refuse), ONE)).toBe("wait 60");
  });

  it("is one for all whose address is loopback or not known", async () => {
    expect(await askTimes(5, limit(refuse), "127.0.0.1")).toEqual(["refused"]);
    for (const address of ["::1", ""]) expect(await ask(limit(refuse), address)).toBe("wait 60");
    expect(await ask(limit(fine), "127.0.0.1")).toBe(200);
    expect(await ask(limit(refuse), ONE)).toBe("refused");
  });
});
