// A person's year: what each event asks of them, with a passkey and without, and who they are to the app.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import type { SoftPasskey } from "../support/authenticator.ts";
import { flow, hasCode } from "../support/flow.ts";
import { registrationFor, usePasskey } from "../support/passkeys.ts";
import { recoveryCodesIn } from "../support/sign-in.ts";

const DAY = 86_400;

const at = flow({ client: "file" });
const stopAt = "https://app.example.org/";

/** A person, with the browser that they use. What they keep stays with them in another one. */
interface Person {
  agent: UserAgent;
  passkey: SoftPasskey | null;
  codes: string[];
  /** The DNS edits of the last sign-in. */
  edits: number;
}
// Passkeys need script.
const browser = (hasScript: boolean) => createUserAgent({ hasScript });
const someone = (hasScript = false): Person => {
  return { agent: browser(hasScript), passkey: null, codes: [], edits: 0 };
};

/** What the page is called in the table. */
function nameOf(page: Page): string {
  const asksCode = page.step === "dns-challenge" && page.has("recovery_code");
  return asksCode ? "recovery code" : (page.step ?? "?");
}

async function answer(person: Person, page: Page, domain: string, makesPasskey: boolean) {
  const { agent } = person;
  const submit = (form: string, fields = {}) => agent.submit(page, form, fields, { stopAt });
  switch (nameOf(page)) {
    case "domain":
      return submit("domain-form", { domain });
    case "continue":
      return page.html.includes(`value="${domain}"`)
        ? submit("continue-form")
        : submit("other-domain-form");
    case "set-up-passkey": {
      if (!makesPasskey) return submit("without-passkey-form");
      const { passkey, json } = registrationFor(page);
      person.passkey = passkey;
      return submit("passkey-form", { credential: json });
    }
    case "dns-setup":
      at.publish(page);
      person.edits++;
      return submit("check-form");
    case "recovery code": {
      const recovery_code = person.codes.pop();
      if (recovery_code === undefined) return submit("lost-access-form");
      return submit("check-form", { recovery_code });
    }
    case "dns-challenge":
      at.publish(page);
      person.edits++;
      return submit("check-form");
    case "passkey":
      // The seller's account: somebody without its passkey goes on without it.
      if (person.passkey === null) return submit("without-passkey-form");
      return usePasskey(agent, page, person.passkey, { stopAt });
    case "new-passkey": {
      const { passkey, json } = registrationFor(page);
      person.passkey = passkey;
      return submit("passkey-form", { credential: json });
    }
    case "account-change":
      return submit("continue-form");
    case "recovery-codes":
      person.codes = [...recoveryCodesIn(page)];
      return submit("recovery-codes-form");
    default:
      throw new Error(`stuck at ${page.step}: ${page.html.slice(0, 1000)}`);
  }
}

/** Signs in. Gives back what was asked, such as `domain, passkey`, with the number of DNS edits. */
async function signIn(person: Person, domain: string, makesPasskey = false): Promise<string> {
  person.edits = 0;
  const asked: string[] = [];
  let page = await at.open({}, person);
  while (!page.stopped) {
    asked.push(nameOf(page));
    if (asked.length > 9) throw new Error(`no end: ${asked.join(", ")}`);
    page = await answer(person, page, domain, makesPasskey);
  }
  expect(hasCode(page)).toBe(true);
  return `${asked.join(", ")}; DNS edits: ${person.edits}`;
}

/** The year of somebody who uses this domain, as rows of a table. */
async function year(domain: string, other: string, makesPasskey: boolean) {
  const rows: Record<string, string> = {};
  const person = someone(makesPasskey);
  rows["first sign-in"] = await signIn(person, domain, makesPasskey);
  const sub = await at.accountId({ domain });
  const passkey = person.passkey;
  at.advance(DAY);
  rows["a new day"] = await signIn(person, domain);
  at.advance(40 * DAY);
  rows["after 40 idle days"] = await signIn(person, domain);

  const computer = person.agent;
  person.agent = browser(makesPasskey);
  rows["a new browser, or a phone"] = await signIn(person, domain);
  for (let count = 2; count <= 10; count++) {
    person.agent = browser(makesPasskey);
    await signIn(person, domain);
  }
  person.agent = browser(makesPasskey);
  rows["the eleventh new browser"] = await signIn(person, domain);
  rows["codes left"] = String(person.codes.length);
  if (makesPasskey) {
    [person.agent, person.passkey] = [browser(makesPasskey), null];
    rows["the passkey is lost"] = await signIn(person, domain);
    person.agent = browser(makesPasskey);
    rows["with the new passkey"] = await signIn(person, domain);
  }

  person.agent = computer;
  person.passkey = null;
  const codes = person.codes;
  rows["a second domain, same browser"] = await signIn(person, other, makesPasskey);
  person.passkey = passkey;
  person.codes = codes;
  rows["back to the first"] = await signIn(person, domain);
  expect(await at.accountId({ domain })).toBe(sub);

  // Sold: the buyer publishes a record of their own, and the seller's browsers open nothing.
  const buyer = someone(makesPasskey);
  rows["the buyer's first sign-in"] = await signIn(buyer, domain, makesPasskey);
  expect(await at.accountId({ domain })).not.toBe(sub);
  at.advance(400);
  const page = await at.open({ login_hint: domain }, person);
  const asked = await person.agent.submit(page, "domain-form", { domain }, { stopAt });
  const tried =
    passkey === null
      ? await person.agent.submit(asked, "check-form", { recovery_code: "a".repeat(26) })
      : await usePasskey(person.agent, asked, passkey, { stopAt });
  rows["the seller, afterwards"] = `${nameOf(asked)}, which is refused (${tried.status})`;
  return rows;
}

test("with a passkey: one DNS edit, once, then a gesture", async () => {
  const rows = await year("alice.test", "shop.alice.test", true);
  console.info("with a passkey");
  console.table(rows);
  expect(rows).toEqual({
    "first sign-in": "domain, set-up-passkey, dns-setup, passkey, recovery-codes; DNS edits: 1",
    "a new day": "continue; DNS edits: 0",
    "after 40 idle days": "domain, passkey; DNS edits: 0",
    "a new browser, or a phone": "domain, passkey; DNS edits: 0",
    "the eleventh new browser": "domain, passkey; DNS edits: 0",
    "codes left": "10",
    // The record with the new passkey is shown before the sign-in goes on.
    "the passkey is lost":
      "domain, passkey, recovery code, dns-challenge, new-passkey, account-change; DNS edits: 1",
    "with the new passkey": "domain, passkey; DNS edits: 0",
    "a second domain, same browser":
      "continue, domain, set-up-passkey, dns-setup, passkey, recovery-codes; DNS edits: 1",
    "back to the first": "continue; DNS edits: 0",
    // The record is still the seller's: "I cannot use my passkey", "I lost my codes", and a new record.
    "the buyer's first sign-in":
      "domain, passkey, recovery code, set-up-passkey, dns-setup, passkey, recovery-codes; DNS edits: 1",
    "the seller, afterwards": "passkey, which is refused (400)",
  });
});

test("without a passkey: a DNS edit for each sign-in after a while, and a code for each new browser", async () => {
  const rows = await year("bob.test", "shop.bob.test", false);
  console.info("without a passkey");
  console.table(rows);
  expect(rows).toEqual({
    "first sign-in": "domain, dns-setup, recovery-codes; DNS edits: 1",
    "a new day": "continue; DNS edits: 0",
    "after 40 idle days": "domain, dns-challenge; DNS edits: 1",
    "a new browser, or a phone": "domain, recovery code, dns-challenge; DNS edits: 1",
    "the eleventh new browser": "domain, recovery code, dns-challenge; DNS edits: 1",
    // The eighth sign-in by a code offered ten new ones.
    "codes left": "7",
    "a second domain, same browser": "continue, domain, dns-setup, recovery-codes; DNS edits: 1",
    "back to the first": "continue; DNS edits: 0",
    "the buyer's first sign-in": "domain, recovery code, dns-setup, recovery-codes; DNS edits: 1",
    "the seller, afterwards": "recovery code, which is refused (400)",
  });
});

test("a colleague publishes the record a week later: the setup is found again, in the same browser", async () => {
  const domain = "carol.test";
  const person = someone();
  const shown = await at.begin({ agent: person.agent, domain });
  at.advance(7 * DAY);
  at.publish(shown);
  expect(await signIn(person, domain)).toBe("domain, recovery-codes; DNS edits: 0");
});
