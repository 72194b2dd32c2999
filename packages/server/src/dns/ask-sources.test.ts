// Tests of which sources are asked, when, and how long they are waited for.

import { describe, expect, it, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { askSources, type MajorityVerdict, type Rules, type Vote } from "./majority.ts";
import type { Unusable } from "./record-source.ts";

interface Script {
  readonly says: Vote | Unusable | "nothing" | "an error";
  readonly afterMs?: number;
}

const secure = (key: string, inception = 100): Script => ({
  says: { security: "secure", key, inception },
});
const insecure = (key: string): Script => ({
  says: { security: "insecure", key },
});
const bogus: Script = {
  says: { security: "bogus", cause: "validation_failed", reason: "DNSSEC Bogus" },
};
const failed: Script = { says: { security: "indeterminate", reason: "servfail" } };
const silent: Script = { says: "nothing" };
const broken: Script = { says: "an error" };
const late = (script: Script, afterMs = 600): Script => ({ ...script, afterMs });

const TWO: Rules = { needed: 2, accepted: null };
const ONE: Rules = { needed: 1, accepted: null };

fakeTimers();

/** The verdict, after how many milliseconds it came, and which sources were asked by the end. */
async function ask(scripts: readonly Script[], rules = TWO): Promise<string> {
  const began = Date.now();
  const asked: number[] = [];
  const verdict = askSources(
    scripts.map((_, index) => index),
    async (index) => {
      asked.push(index);
      const { says, afterMs = 5 } = scripts[index] ?? silent;
      if (says === "nothing") return new Promise<never>(() => {});
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      if (says === "an error") throw new Error("broken");
      return says;
    },
    rules,
  );
  let result = "no verdict";
  const settle = (words: string) => {
    result = `${words} after ${Date.now() - began} ms`;
  };
  verdict.then(
    (one) => settle(inWords(one)),
    (error) => settle(String(error)),
  );
  await vi.advanceTimersByTimeAsync(5000);
  return `${result}, asked ${asked.join(" ")}`;
}

function inWords(verdict: MajorityVerdict<Vote>): string {
  if (verdict.outcome === "bogus") return "bogus";
  if (verdict.outcome === "indeterminate") {
    const { reason } = verdict;
    return reason === "contradictory" || reason === "unconfirmed" ? reason : "indeterminate";
  }
  const [{ security, key }] = verdict.answers;
  return `${security} ${key} by ${verdict.answers.length}`;
}

describe("sources that answer", () => {
  const [a, b] = [secure("a"), secure("b")];
  const [x, y] = [insecure("x"), insecure("y")];

  it.each<[string, readonly Script[]]>([
    ["secure a by 2 after 5 ms, asked 0 1", [a, a, b]],
    ["insecure x by 2 after 5 ms, asked 0 1", [x, x, y]],
    ["secure a by 2 after 10 ms, asked 0 1 2", [b, a, a]],
    ["secure a by 2 after 10 ms, asked 0 1 2", [x, a, a]],
    ["insecure x by 2 after 10 ms, asked 0 1 2", [y, x, x]],
    ["secure a by 2 after 10 ms, asked 0 1 2", [failed, a, a]],
    ["secure a by 2 after 10 ms, asked 0 1 2", [bogus, a, a]],
    ["unconfirmed after 10 ms, asked 0 1 2", [failed, failed, a]],
    ["unconfirmed after 10 ms, asked 0 1 2", [a, x, x]],
    ["contradictory after 10 ms, asked 0 1 2", [x, y, insecure("z")]],
    ["bogus after 10 ms, asked 0 1 2", [bogus, failed, bogus]],
    ["indeterminate after 10 ms, asked 0 1 2", [failed, failed, failed]],
    ["unconfirmed after 5 ms, asked 0 1", [a, failed]],
    ["contradictory after 5 ms, asked 0 1", [a, b]],
  ])("are asked in their order, and no more than are needed: %s", async (words, scripts) => {
    expect(await ask(scripts)).toBe(words);
  });

  it("are asked one after another, as long as one fails or contradicts", async () => {
    expect(await ask([failed, bogus, a, b, a, a])).toBe(
      "secure a by 3 after 20 ms, asked 0 1 2 3 4 5",
    );
    expect(await ask([failed, failed, failed, a, a, b])).toBe(
      "secure a by 2 after 15 ms, asked 0 1 2 3 4",
    );
  });

  it("are all asked about an answer that is older than the accepted one", async () => {
    const old = secure("old", 99);
    const rules = { needed: 2, accepted: { key: "new", inception: 100 } };
    expect(await ask([old, old, secure("new")], rules)).toBe(
      "contradictory after 10 ms, asked 0 1 2",
    );
    expect(await ask([old, old, old], rules)).toBe("secure old by 3 after 10 ms, asked 0 1 2");
    expect(await ask([old, old, silent], rules)).toBe("secure old by 2 after 1700 ms, asked 0 1 2");
  });

  it("are enough if only one is configured", async () => {
    expect(await ask([x], ONE)).toBe("insecure x by 1 after 5 ms, asked 0");
    expect(await ask([bogus], ONE)).toBe("bogus after 5 ms, asked 0");
  });
});

describe("a source that is late", () => {
  const a = secure("a");

  it("is joined by another, and still counts", async () => {
    expect(await ask([late(a), a, silent])).toBe("secure a by 2 after 600 ms, asked 0 1 2");
    expect(await ask([late(a), secure("b"), a])).toBe("secure a by 2 after 600 ms, asked 0 1 2");
  });

  it("is not waited for if two others prove the same", async () => {
    expect(await ask([late(a), a, a])).toBe("secure a by 2 after 405 ms, asked 0 1 2");
    expect(await ask([silent, a, a])).toBe("secure a by 2 after 405 ms, asked 0 1 2");
  });

  it("is waited for if the others prove nothing: it could", async () => {
    const x = insecure("x");
    expect(await ask([late(a), x, x])).toBe("unconfirmed after 600 ms, asked 0 1 2");
    expect(await ask([late(x), x, x])).toBe("insecure x by 3 after 600 ms, asked 0 1 2");
    expect(await ask([silent, x, x])).toBe("insecure x by 2 after 1700 ms, asked 0 1 2");
  });

  it("is silent after 1.7 seconds", async () => {
    expect(await ask([late(a, 1699), a])).toBe("secure a by 2 after 1699 ms, asked 0 1");
    expect(await ask([late(a, 1701), a])).toBe("unconfirmed after 1700 ms, asked 0 1");
    expect(await ask([late(a, 1701)], ONE)).toBe("indeterminate after 1700 ms, asked 0");
  });
});

describe("sources that are silent", () => {
  it("are joined by all others, and are not waited for longer than 1.7 seconds", async () => {
    expect(await ask([silent, silent, silent])).toBe("indeterminate after 1700 ms, asked 0 1 2");
    expect(await ask([silent, insecure("x"), silent])).toBe(
      "unconfirmed after 1700 ms, asked 0 1 2",
    );
    expect(await ask([insecure("x"), silent, insecure("y")])).toBe(
      "contradictory after 1700 ms, asked 0 1 2",
    );
  });

  it("lead to no further question after the verdict", async () => {
    const slow = late(failed, 1800);
    const words = await ask(Array.from({ length: 12 }, () => slow));
    expect(words).toBe("indeterminate after 1700 ms, asked 0 1 2 3 4 5 6 7 8 9");
  });
});

describe("a source that rejects", () => {
  it("ends the look with its error, at once", async () => {
    expect(await ask([broken, secure("a"), secure("a")])).toBe(
      "Error: broken after 5 ms, asked 0 1",
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is no matter after the verdict", async () => {
    const words = await ask([late(broken), secure("a"), secure("a")]);
    expect(words).toBe("secure a by 2 after 405 ms, asked 0 1 2");
  });
});
