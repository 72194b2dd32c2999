// The last part of the walk: a sign-in with a domain whose record names another service.

import {
  type JwkSet,
  type ProviderProofPart,
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

type WithProviderProof = ValidationData & { readonly provider_proof: ProviderProofPart };

/** `jwks` has the keys of the first service. */
export async function signInThroughSp(walk: Walk, jwks: JwkSet): Promise<void> {
  const record = await setUpAtSp(walk);
  const received = await signIn(walk);
  await verifySpProof(walk, received, jwks);
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
    const codes = await browser.submit(setUp.page, "check-form");
    expectPage(codes, "recovery-codes");
    const consent = await browser.submit(codes, "recovery-codes-form");
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
    let page = await browser.submit(asked, "consent-form", { decision: "allow" });
    // If the first service could not redeem the SP's code, it has sent the browser to the SP again.
    while (new URL(page.url).origin === demo.sp.issuer && page.step === "continue") {
      page = await browser.submit(page, "continue-form");
    }
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

async function verifySpProof(
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
    require: "provider_proof",
  } as const satisfies VerificationOptions;

  await step("sp-proof", async () => {
    const stated = await verifyValidationData(validation_data, withoutService);
    expectEqual("the proven domain", stated.domain, domain);
    expectEqual("the proven SP", stated.sp, sp.issuer);
    narrate(`   chain           The zone names ${stated.sp} and lists its key in spk.`);
    narrate("   provider proof  The SP states with that key which account signed in to this app,");
    narrate("                   in this request, through the first service and no other;");
    narrate(`                   valid until ${timeOf(stated.until)}`);
    const attested = { ...request, accessToken: access_token, jwks } as const;
    const options = { ...attested, require: "attestation_and_dnssec" } as const;
    const refused = await refusalCode(validation_data, options);
    narrate("   attestation     The first service says so too. For a domain that names another");
    narrate(`                   provider, the app must allow that: ${refused}`);
    expectEqual("the code without allowFederation", refused, "wrong_service_provider");
    const proven = await verifyValidationData(validation_data, {
      ...options,
      allowFederation: true,
    });
    expectEqual("the proven sub", proven.sub, sub);
    narrate(`                   With allowFederation, it proves the first service's ${proven.sub}`);
  });

  await step("changed-proof", async () => {
    const data = readProviderProof(validation_data);
    const { statement, key } = data.provider_proof;
    const [header = "", claims = "", signature = ""] = statement.split(".");
    const changed = [header, flipBit(claims, Buffer.from(client.clientId)), signature].join(".");
    const inClaims = await refusalCode(
      { ...data, provider_proof: { statement: changed, key } },
      withoutService,
    );
    narrate(`   refused  a statement for another app: ${inClaims}`);
    expectEqual("the code of the refusal", inClaims, "bad_signature");
    const byService = await refusalCode(
      { ...data, provider_proof: { statement, key: jwks.keys[0] } },
      withoutService,
    );
    narrate(`   refused  a statement with the first service's key: ${byService}`);
    expectEqual("the code of the refusal", byService, "key_not_in_record");
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

function readProviderProof(data: unknown): WithProviderProof {
  const { provider_proof } = (data ?? {}) as Partial<WithProviderProof>;
  expectThat("there is a provider proof", provider_proof !== undefined, data);
  return data as WithProviderProof;
}
