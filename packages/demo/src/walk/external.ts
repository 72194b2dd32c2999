// The last part of the walk: a sign-in with a domain whose record names another service.

import {
  type JwkSet,
  parseTrustAnchor,
  type ValidationData,
  type VerificationOptions,
  verifyValidationData,
} from "domain-signin-verify";
import type { Page } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import { expectPage, readRecord } from "./browser.ts";
import type { TxtRecord } from "./client.ts";
import { flipBit, type Received, refusalCode, timeOf, type Walk } from "./proof.ts";
import { expectEqual, expectThat, type Narrate } from "./steps.ts";

type JwsProof = { readonly kind: "jws"; readonly key: object; readonly jws: string };
type WithOwnerProof = ValidationData & { readonly owner_proof: JwsProof };

/** `jwks` has the keys of the first service. */
export async function signInThroughSp(walk: Walk, jwks: JwkSet): Promise<void> {
  const record = await setUpAtSp(walk);
  const received = await signIn(walk);
  await verifyOwnerProof(walk, received, jwks);
  await walk.step("sp-clean-up", () => walk.client.withdraw(record));
}

/** The domain owner chooses the second service, and signs in to an app of that service first. */
async function setUpAtSp({
  demo,
  domain,
  browser,
  client,
  narrate,
  step,
}: Walk): Promise<TxtRecord> {
  const { sp } = demo;
  const setUp = await step("sp-set-up", async () => {
    const start = await browser.submit(await browser.open(sp.app), "sign-in-form");
    expectPage(start, "domain");
    const page = await browser.submit(start, "domain-form", { domain });
    expectPage(page, "dns-setup");
    return { page, record: readRecord(page, `_domain-signin.${domain}`, sp, narrate) };
  });

  await step("sp-record", async () => {
    await client.publish(setUp.record);
    const consent = await browser.submit(setUp.page, "check-form");
    expectPage(consent, "consent");
    const page = await browser.submit(consent, "consent-form", { decision: "allow" });
    expectPage(page, "signed-in");
    expectEqual("the domain at the SP's app", page.text("domain"), domain);
  });
  return setUp.record;
}

/** At the app of the first service, which has not seen the domain or the SP before. */
async function signIn({ demo, domain, browser, client, narrate, step }: Walk): Promise<Received> {
  const handedOver = await step("hand-over", async () => {
    const begun = client.begin();
    const start = await browser.open(begun.url);
    expectPage(start, "domain");
    const page = await browser.submit(start, "domain-form", { domain });
    expectPage(page, "continue");
    expectBothHosts(page, demo, narrate);
    return { ...begun, page };
  });

  const consent = await step("sp-consent", async () => {
    const asked = await browser.submit(handedOver.page, "continue-form");
    expectPage(asked, "consent");
    expectBothHosts(asked, demo, narrate);
    const page = await browser.submit(asked, "consent-form", { decision: "allow" });
    expectPage(page, "consent");
    expectEqual("the site of the next consent page", new URL(page.url).origin, demo.issuer);
    return page;
  });

  const code = await step("external-consent", async () => {
    const options = { stopAt: client.redirectUri };
    const end = await browser.submit(consent, "consent-form", { decision: "allow" }, options);
    return client.readCode(end, handedOver.state);
  });

  return step("external-tokens", async () => {
    const tokens = await client.exchange(code, handedOver.verifier);
    const { body } = await client.userinfo(tokens.access_token);
    expectEqual("the domain of userinfo", body.domain, domain);
    return { tokens, verifier: handedOver.verifier, sub: String(body.sub) };
  });
}

async function verifyOwnerProof(
  { demo, domain, client, narrate, step }: Walk,
  { tokens, verifier, sub }: Received,
  jwks: JwkSet,
): Promise<void> {
  const { sp } = demo;
  const { access_token, validation_data } = tokens;
  const request = {
    clientId: client.clientId,
    redirectUri: client.redirectUri,
    issuer: demo.issuer,
    codeVerifier: verifier,
    trustAnchors: demo.trust_anchors.map(parseTrustAnchor),
  };
  const withoutService = {
    ...request,
    require: "owner_proof",
  } as const satisfies VerificationOptions;

  await step("owner-proof", async () => {
    const owned = await verifyValidationData(validation_data, withoutService);
    expectEqual("the proven domain", owned.domain, domain);
    expectEqual("the proven SP", owned.sp, sp.issuer);
    narrate(
      `   proven   by the DNS root's key: the record of ${domain} names ${owned.sp} and its key`,
    );
    narrate(`            ${owned.jkt}; valid until ${timeOf(owned.record.notAfter)}`);
    narrate(`   proven   by that key: ${domain} signed in to this app, in this request;`);
    narrate(`            valid until ${timeOf(owned.until)}`);
    const all = { ...request, accessToken: access_token, jwks, require: "both" } as const;
    const proven = await verifyValidationData(validation_data, all);
    expectEqual("the proven sub", proven.sub, sub);
    narrate(`   proven   by the first service's key: its sub for this account is ${proven.sub}`);
  });

  await step("changed-proof", async () => {
    const data = readOwnerProof(validation_data);
    const { owner_proof } = data;
    const [header = "", claims = "", signature = ""] = owner_proof.jws.split(".");
    const other = flipBit(claims, Buffer.from(client.clientId));
    const jws = [header, other, signature].join(".");
    const inClaims = await refusalCode(
      { ...data, owner_proof: { ...owner_proof, jws } },
      withoutService,
    );
    narrate(`   refused  a statement for another app: ${inClaims}`);
    expectEqual("the code of the refusalCode", inClaims, "bad_signature");
    const key = jwks.keys[0];
    const byService = await refusalCode(
      { ...data, owner_proof: { ...owner_proof, key } },
      withoutService,
    );
    narrate(`   refused  a statement with the first service's key: ${byService}`);
    expectEqual("the code of the refusalCode", byService, "key_not_in_record");
  });
}

/** The SP's page must name the app, and the service that sent the request for it. */
function expectBothHosts({ html }: Page, { app, issuer }: DemoDescription, narrate: Narrate): void {
  const hosts = [app, issuer].map((address) => new URL(address).host);
  const [sentence = ""] = /(?<=<p class="through">).*?(?=<\/p>)/s.exec(html) ?? [];
  const text = sentence.replace(/<[^>]*>/g, "");
  for (const host of hosts) expectThat(`the SP's page names ${host}`, text.includes(host), text);
  narrate(`   page     "${text}"`);
}

function readOwnerProof(data: unknown): WithOwnerProof {
  const { owner_proof } = (data ?? {}) as Partial<WithOwnerProof>;
  expectThat("there is an owner proof", owner_proof?.kind === "jws", data);
  return data as WithOwnerProof;
}
