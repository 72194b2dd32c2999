// What sign-ins may ask of an external SP: registrations and requests have their bounds.

import { expect, test } from "vitest";
import { type Json, withRegistration } from "../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefusal,
  startFederatedWorld,
  visit,
} from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { registered } from "../support/sp-trial.ts";

const world = fixture(() => startFederatedWorld());

test("an SP that has forgotten us is registered at anew, and the sign-in goes on", async () => {
  const metadata = (right: Json) => ({
    ...withRegistration(right),
    id_token_signing_alg_values_supported: ["ES256"],
  });
  const sp = await world.sp({ metadata });
  sp.bends.reply = {
    register: (request) => {
      const n = sp.asked("register").length;
      const client = { client_id: `client-${n}`, client_secret: `the secret number ${n} of ours` };
      return registered({ ...client, client_secret_expires_at: 0 })(request);
    },
  };
  const first = await visit(world, domainAt(world, sp));
  expect(codeOf(first)).toMatch(/^dsc_/);
  world.test.advance(61);
  const right = sp.bends.reply;
  sp.bends.reply = {
    ...right,
    token: () => {
      sp.bends.reply = right;
      return { status: 401, body: { error: "invalid_client" } };
    },
  };
  const second = await visit(world, domainAt(world, sp));
  expect(codeOf(second)).toMatch(/^dsc_/);
  expect(sp.asked("register")).toHaveLength(2);
  expect(sp.asked("authorize").map(({ url }) => url.searchParams.get("client_id"))).toEqual([
    ...["client-1", "client-1", "client-2"],
  ]);
});

test("an SP that people come back from is not asked whether it knows us; one that they did not for an hour is", async () => {
  const sp = await world.sp({ metadata: withRegistration });
  for (const seconds of [0, 3000, 3000]) {
    world.advance(seconds);
    codeOf(await visit(world, domainAt(world, sp)));
  }
  expect(sp.asked("token")).toHaveLength(3);
  world.advance(3600);
  codeOf(await visit(world, domainAt(world, sp)));
  expect([sp.asked("token").length, sp.asked("register").length]).toEqual([5, 1]);
});

test("an SP that knows no client ever ends the sign-in, and is not registered at again and again", async () => {
  const sp = await world.sp({ metadata: withRegistration });
  sp.bends.reply = {
    register: (request) => {
      const client_id = `c${sp.asked("register").length}`;
      return registered({ client_id, client_secret_expires_at: 0 })(request);
    },
    token: () => ({ status: 400, body: { error: "invalid_client" } }),
  };
  const { page, agent } = await visit(world, domainAt(world, sp));
  expectRefusal(world, { page, agent }, { sp, says: /does not know/ });
  expect(sp.asked("register")).toHaveLength(1);
});
