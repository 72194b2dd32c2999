// Tests of the rate limits, with fake handlers and a fake clock.

import { beforeEach, describe, expect, it } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { clockFrom } from "../lib/clock.ts";
import type { Handler, HttpRequest, HttpResponse } from "./message.ts";
import {
  type FloodLimit,
  limitRefusals,
  limitRequests,
  TooManyRequestsError,
} from "./rate-limit.ts";

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

describe("a limit of requests", () => {
  let limit: FloodLimit;
  beforeEach(() => {
    const readReturning = ({ header }: HttpRequest) => header("returning");
    const perMinute = { address: 5, browser: 3, browsers: 7 };
    limit = limitRequests(perMinute, { clock, readReturning, share: null });
  });

  it("lets five pass, and not the sixth, which does not reach the handler", async () => {
    const { reached, handle } = handler(fine);
    expect(await askTimes(5, limit(handle), ONE)).toEqual([200]);
    expect(await ask(limit(handle), ONE)).toBe("wait 60");
    expect(reached.count).toBe(5);
  });

  it("counts whatever became of them, over all handlers together", async () => {
    expect(await askTimes(2, limit(refuse), ONE)).toEqual(["refused"]);
    expect(await askTimes(2, limit(breakDown), ONE)).toEqual(["broken"]);
    expect(await askTimes(1, limit(fine), ONE)).toEqual([200]);
    expect(await ask(limit(fine), ONE)).toBe("wait 60");
  });

  it("is one for each address, however it is written", async () => {
    await askTimes(6, limit(fine), ONE);
    expect(await ask(limit(fine), OTHER)).toBe(200);
    expect(await ask(limit(fine), `::ffff:${ONE}`)).toBe("wait 60");
  });

  it("is one for the whole of a household's IPv6", async () => {
    for (let host = 1; host <= 5; host++) await ask(limit(fine), `2001:db8:0:1::${host}`);
    expect(await ask(limit(fine), "2001:db8:0:1:ffff::1")).toBe("wait 60");
    expect(await ask(limit(fine), "2001:db8:0:2::1")).toBe(200);
  });

  it("ends a minute after its first request, not after its last", async () => {
    await ask(limit(fine), ONE);
    now += 50_000;
    await askTimes(4, limit(fine), ONE);
    expect(await ask(limit(fine), ONE)).toBe("wait 10");
    now += 9_999;
    expect(await ask(limit(fine), ONE)).toBe("wait 1");
    now += 1;
    expect(await askTimes(5, limit(fine), ONE)).toEqual([200]);
    expect(await ask(limit(fine), ONE)).toBe("wait 60");
  });

  it("does not shut out a returning browser for others at its address, nor others for it", async () => {
    await askTimes(6, limit(fine), ONE);
    const alice = { returning: "alice" };
    expect(await askTimes(3, limit(fine), ONE, alice)).toEqual([200]);
    // It used up its own, and is like others now.
    expect(await ask(limit(fine), ONE, alice)).toBe("wait 60");
    expect(await ask(limit(fine), ONE, { returning: "bob" })).toBe(200);
    expect(await askTimes(5, limit(fine), OTHER, alice)).toEqual([200]);
    expect(await ask(limit(fine), OTHER, alice)).toBe("wait 60");
  });

  it("bounds the returning browsers at one address too", async () => {
    await askTimes(6, limit(fine), ONE);
    for (const browser of ["a", "b", "c"]) {
      await askTimes(3, limit(fine), ONE, { returning: browser });
    }
    expect(await ask(limit(fine), ONE, { returning: "d" })).toBe("wait 60");
    expect(await ask(limit(fine), OTHER, { returning: "d" })).toBe(200);
  });

  it("is one for all whose address is loopback or not known", async () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "", "unknown"]) {
      expect(await ask(limit(fine), address)).toBe(200);
    }
    for (const address of ["127.0.0.1", "::1", ""]) {
      expect(await ask(limit(fine), address)).toBe("wait 60");
    }
    expect(await ask(limit(fine), ONE)).toBe(200);
    expect(await ask(limit(fine), "127.0.0.1", { returning: "alice" })).toBe(200);
  });
});

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
