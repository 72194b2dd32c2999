// Whose records list keys of the service: those in signed zones, and all if the operator says so.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import { flow, recordIn } from "../support/flow.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";

describe.each([
  ["a signed zone", () => startAssuredService("secure"), true],
  ["an unsigned zone", () => startTestService(), false],
  [
    "an unsigned zone, with record_spk: always",
    () => startTestService({ config: { recordSpk: "always" } }),
    true,
  ],
] as const)("in %s", (_, start, isListed) => {
  const at = flow({ start });
  const keys = isListed ? " spk=[\\w-]{43},[\\w-]{43}" : "";
  const plain = new RegExp(`^v=dsi1 sp=\\S+ acct=[\\w-]{22}${keys}$`);
  const withPasskey = new RegExp(`^v=dsi1 sp=\\S+ acct=[\\w-]{22} jkt=[\\w-]{43}${keys}$`);

  test("the record of a set-up, also when it begins anew with a passkey or another record", async () => {
    at.agent = createUserAgent({ hasScript: true });
    const asked = await at.begin();
    expect(recordIn(await at.submit(asked, "without-passkey-form"))).toMatch(plain);
    const credential = registrationFor(asked).json;
    const made = await at.submit(asked, "passkey-form", { credential });
    expect(recordIn(made)).toMatch(withPasskey);
    const again = await at.submit(made, "start-over-form");
    expect(recordIn(await at.submit(again, "without-passkey-form"))).toMatch(plain);
  });

  test("the record of a former account", async () => {
    const begun = await at.begin();
    await at.finish(begun);
    at.replaceRecord(null);
    at.advance(400);
    const page = await at.agent.open((await at.begin()).link("former"));
    expect(recordIn(page)).toBe(recordIn(begun));
  });

  test("the record after a passkey was removed", async () => {
    await at.signIn();
    const passkey = await givePasskey(at, at.domain);
    const [, href = ""] =
      /id="remove-passkey-\d+"[^>]* href="([^"]*)"/.exec((await at.account()).html) ?? [];
    const page = await at.agent.open(new URL(href.replaceAll("&amp;", "&"), at.issuer).href);
    const asked = await at.submit(page, "domain-form", { domain: at.domain });
    const stopAt = at.client.redirectUri;
    const removal = await usePasskey(at.agent, asked, passkey, { stopAt });
    expect(recordIn(await at.submit(removal, "remove-passkey-form"))).toMatch(plain);
  });
});
