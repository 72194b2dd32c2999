// `clock show` and `clock accept`, and commands on a machine whose clock is behind.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { expect, onTestFinished, test } from "vitest";
import { sqlOf } from "../../src/database/rows.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { type Floor, floorStore } from "../../src/store/floor.ts";
import { flow } from "../support/flow.ts";
import { startOperatedService } from "../support/operated-service.ts";
import { makeRootWorld } from "../support/root-world.ts";
import { refresh } from "../support/sign-in.ts";
import { startValidatorWorld } from "../support/validator-world.ts";

const HOUR = 3600;
const DAY = 86_400;

const at = flow({ start: startOperatedService, service: "test", domain: "alice.test" });

/** As a service stores it whose clock was an hour ahead for long. */
async function setFloor(seconds: number, more: Partial<Floor> = {}): Promise<void> {
  const engine = openSqlite(`${at.folder}/domain-signin.db`);
  const store = floorStore(sqlOf(engine));
  // The service may write the row meanwhile.
  for (let isStored = false; !isStored; ) {
    const row = await store.readFloor();
    isStored = await store.replaceFloor(row, { ...row, seconds, jumps: [], ...more });
  }
  await engine.close();
}

test("a clock that is behind stops commands and the service, until it is accepted", async () => {
  const { refresh_token } = await at.tokens();
  const now = Math.floor(Date.now() / 1000);
  await setFloor(now + HOUR);
  const refused = await at.operate(["accounts", "sign-out", "alice.test"]);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /^the clock says \S+Z, 3\d\d\d s behind the newest time that is proven, \S+Z: correct the clock; if it is right, run domain-signin clock accept\n$/,
  );
  at.advance(2);
  expect((await fetch(`${at.issuer}/readyz`)).status).toBe(503);
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(503);

  const accepted = (await at.ask("clock", "accept")) as { now: number; before: number };
  // The floor goes on while the service runs.
  expect(Math.abs(accepted.before - now - HOUR)).toBeLessThan(HOUR / 2);
  expect(Math.abs(accepted.now - now)).toBeLessThan(HOUR);
  at.advance(2);
  expect((await fetch(`${at.issuer}/readyz`)).status).toBe(200);
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(200);
  expect((await at.operate(["accounts", "sign-out", "alice.test"])).status).toBe(0);
});

test("a clock that is behind stops neither backup nor verify nor migrate", async () => {
  await setFloor(Math.floor(Date.now() / 1000) + HOUR);
  const statusOf = async (...args: string[]) => (await at.operate(args)).status;
  expect(await statusOf("clients", "list")).toBe(2);
  expect(await statusOf("backup", "copy.db")).toBe(0);
  expect(await statusOf("verify")).toBe(0);
  expect(await statusOf("migrate")).toBe(0);
});

test("what it prints names both times and what becomes valid or is deleted, and the change is logged", async () => {
  const { status, stdout, stderr } = await at.operate(["clock", "accept"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^the floor is now 2\d{3}-[\d-]+T[\d:]+Z; before, it was 2\d{3}-[\d-]+T[\d:]+Z\nwhat expired more than seven days before the new floor may be deleted now\n$/,
  );
  expect(JSON.parse(stderr)).toMatchObject({ msg: "operator change", command: "clock accept" });

  const now = Math.floor(Date.now() / 1000);
  const jumps = [{ ran: 0, at: now, seconds: HOUR, isRefuted: false }];
  await setFloor(now + HOUR, { jumps, quietUntil: 7 * DAY });
  expect((await at.operate(["clock", "accept"])).stdout.split("\n").slice(1)).toEqual([
    "codes and tokens that expired between the two are valid again",
    "jumps of the clock that are believed now: 1",
    "deletion goes on at once, not after seven days",
    "",
  ]);
});

test("`clock show` names all that proves the time, or what contradicts it, and changes nothing", async () => {
  const world = await startValidatorWorld([]);
  const dns = await startNameServer(world.zones);
  onTestFinished(async () => {
    await dns.close();
    await world.close();
  });
  const [anchor] = world.zones.trustAnchors;
  const root = ["--dns-servers", `127.0.0.1:${dns.port}`, "--trust-anchors", String(anchor)];
  const now = Math.floor(Date.now() / 1000);
  const jumps = [{ ran: 60, at: now - HOUR, seconds: 7200, isRefuted: false }];
  await setFloor(now - 2 * HOUR, { ran: 3 * HOUR, quietUntil: 4 * HOUR, jumps });
  const shown = await at.operate(["clock", "show", ...root]);
  expect(shown.status).toBe(0);
  expect(shown.stdout.replace(/\d{4}-\S+Z/g, "TIME").replace(/72\d\d s/, "7200 s")).toBe(
    [
      "verdict    certain",
      "clock      TIME",
      "floor      TIME, 7200 s before the clock",
      "DNS root   signed at TIME",
      "has run    3 h",
      "jump       of 7200 s, found at TIME, not believed yet",
      "quiet      nothing is deleted for another 3600 s",
      "",
    ].join("\n"),
  );
  const json = JSON.parse((await at.operate(["clock", "show", "--json", ...root])).stdout);
  expect(json).toMatchObject({
    ...{ verdict: "certain", floor: now - 2 * HOUR, ran: 3 * HOUR, quiet_for: HOUR },
    ...{ jumps: [{ ran: 60, at: now - HOUR, seconds: 7200, refuted: false }] },
    unknown_root_keys: [],
  });
  expect(now - json.root_signed_at).toBeLessThan(2 * HOUR);

  world.clock.ahead = 40 * DAY;
  const wrong = await at.operate(["clock", "show", ...root]);
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toMatch(
    /^verdict {4}contradicted: the clock says \S+Z, and the newest signature of the DNS root is of \S+Z: correct the clock, unless the resolvers show old answers\n/,
  );
  world.clock.ahead = 0;

  // While the service is stopped, the stop itself is no fault, however long: only a signature from another time is.
  const verdictAfter = async (stopped: number, signedAgo = 0) => {
    await setFloor(now - stopped);
    world.clock.ahead = -signedAgo;
    const { stdout } = await at.operate(["clock", "show", "--json", ...root]);
    return JSON.parse(stdout).verdict;
  };
  expect(await verdictAfter(600)).toBe("certain");
  expect(await verdictAfter(40 * DAY)).toBe("certain");
  expect(await verdictAfter(40 * DAY, 40 * DAY)).toBe("contradicted");
  await setFloor(now - HOUR, { jumps: [{ ran: 60, at: now, seconds: HOUR, isRefuted: true }] });
  const refuted = await at.operate(["clock", "show", "--dns-servers", "127.0.0.1:9"]);
  expect([refuted.status, refuted.stdout]).toEqual([
    1,
    expect.stringMatching(/^verdict {4}contradicted: .*^jump .*, contradicted by the DNS root$/ms),
  ]);
  // Neither a command that would be dated by that clock nor an operator who believes it does harm.
  const { status, stderr } = await at.operate(["accounts", "sign-out", "alice.test"]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/the DNS root has contradicted it/)]);
  const accepted = await at.operate(["clock", "accept"]);
  expect([accepted.status, accepted.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^the DNS root has contradicted this clock, which says \S+Z: correct the clock\. If the resolvers have shown old answers, and the clock is right, use --force\n$/,
    ),
  ]);
  expect((await at.operate(["clock", "accept", "--force"])).status).toBe(0);
  await setFloor(now - HOUR);
  const closed = await at.operate(["clock", "show", "--dns-servers", "127.0.0.1:9"]);
  expect([closed.status, closed.stdout.split("\n")[0]]).toEqual([0, "verdict    unwitnessed"]);
  expect(closed.stdout).toContain("DNS root   no resolver showed a signature\n");
});

test("`clock show` and `check` name the keys of the root that are no trust anchors", async () => {
  const root = await makeRootWorld([257], Math.floor(Date.now() / 1000) - HOUR);
  const dns = await root.serve();
  onTestFinished(dns.close);
  const options = ["--dns-servers", `127.0.0.1:${dns.port}`, "--trust-anchors", root.anchor];
  const [tag] = root.tags;
  const shown = await at.operate(["clock", "show", ...options]);
  expect([shown.status, shown.stdout]).toEqual([0, expect.stringContaining(`root keys  ${tag}: `)]);
  const of = ["--issuer", "https://auth.example.com", "--min-assurance", "single"];
  const check = ["check", "alice.com", ...of, "--zone-name-servers", "off", ...options];
  expect((await at.operate(check)).stdout).toContain(
    `\nthe DNS root lists keys that are no trust anchors: ${tag}. Update domain-signin, or trust_anchors, before it signs with them\n`,
  );
  const json = JSON.parse((await at.operate([...check, "--json"])).stdout);
  expect(json.unknown_root_keys).toEqual([tag]);
});
