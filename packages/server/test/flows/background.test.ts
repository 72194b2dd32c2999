// The work that nobody asks for goes on in a running service, and ends with it.

import { afterAll, expect, test, vi } from "vitest";

/** Every wait of the work in the background: how long it is, and a way to end it. */
const waits = vi.hoisted(() => [] as { milliseconds: number; end: () => void }[]);
vi.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number, _: unknown, options?: { signal?: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      waits.push({ milliseconds, end: resolve });
      options?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    }),
}));

const { startTestService } = await import("../support/service.ts");
const { signIn } = await import("../support/sign-in.ts");
const { createUserAgent } = await import("../../src/demo/user-agent.ts");

const at = await startTestService();
afterAll(() => at.close());

const TEN_MINUTES = 600_000;
const MINUTE = 60_000;

/** Ends the waits of that length, and then the short ones between the steps that follow. */
async function pass(milliseconds: number): Promise<void> {
  for (const wait of waits.splice(0)) {
    if (wait.milliseconds <= 1000 || wait.milliseconds === milliseconds) wait.end();
    else waits.push(wait);
  }
  await new Promise((resolve) => setImmediate(resolve));
}

test("every ten minutes accounts are looked at, every minute what has ended is removed", async () => {
  const client = await at.addClient({ consent: "never" });
  await signIn(at, client, { agent: createUserAgent() });
  for (const record of at.zone.records()) at.zone.remove(record);
  at.advance(40 * 86_400);

  expect(await at.dump()).toContain('"asleep_since":null');
  await expect
    .poll(() => pass(TEN_MINUTES).then(() => at.dump()))
    .not.toContain('"asleep_since":null');

  const before = at.statements.filter((sql) => sql.startsWith("DELETE FROM grants")).length;
  await expect
    .poll(async () => {
      await pass(MINUTE);
      return at.statements.filter((sql) => sql.startsWith("DELETE FROM grants")).length;
    })
    .toBeGreaterThan(before);
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
