// Two installations of this software sign each other's people in, with nothing set up by hand.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { verifyValidationData } from "domain-signin-verify";
import { beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../../support/fixture.ts";
import { claimsOf } from "../../support/flow.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  pkce,
  pkceParameters,
  redeemed,
  replaceRecord,
  signIn,
} from "../../support/sign-in.ts";
import { startSignedZones } from "../../support/signed-zones.ts";

const zones: Awaited<ReturnType<typeof startSignedZones>> = fixture(() =>
  startSignedZones(() => home.zone.records()),
);
const start = () => startTestService({ config: zones.config });
const [home, away] = [fixture(start), fixture(start)];

/** An account at one of the services, with the record in the zone that both see. */
async function ownerAt(sp: TestService, domain: string): Promise<UserAgent> {
  const agent = createUserAgent();
  await signIn({ ...sp, zone: home.zone }, await sp.addClient(), { agent, domain });
  return agent;
}

/** From a new app of `broker` as far as it goes; the steps are told with whose page it was. */
async function go(
  broker: TestService,
  { agent, domain }: { readonly agent: UserAgent; readonly domain: string },
) {
  const client = await broker.addClient({ consent: "never" });
  const proof = pkce();
  const stopAt = client.redirectUri;
  const url = authorizationUrl(broker, client, pkceParameters(proof));
  const steps: string[] = [];
  let page = await agent.open(url, { stopAt });
  while (!page.stopped && page.step !== "external" && page.step !== "problem") {
    const whose = page.url.startsWith(broker.issuer) ? "broker" : "SP";
    steps.push(`${page.step} at ${whose}`);
    if (steps.length > 8) throw new Error(`no end: ${steps.join(", ")}`);
    page = await answerPage(home, agent, page, { domain, stopAt });
  }
  return { client, page, steps, proof };
}

type Way = Awaited<ReturnType<typeof go>>;

async function tokensOf(broker: TestService, { client, page, proof }: Way) {
  const { status, body } = await redeemed(broker, client, page, proof.verifier);
  expect(status).toBe(200);
  return body;
}

/** What the app knows of its own request. */
const requestOf = ({ issuer }: TestService, { client, proof }: Way) => ({
  ...{ clientId: client.id, redirectUri: client.redirectUri, issuer },
  codeVerifier: proof.verifier,
});

describe.each([
  ["the first", () => ({ sp: home, broker: away }), "alice.test"],
  ["the second", () => ({ sp: away, broker: home }), "bob.test"],
] as const)("a domain whose record names %s", (_, pair, domain) => {
  let agent: UserAgent;
  beforeAll(async () => {
    agent = await ownerAt(pair().sp, domain);
  });

  test("signs in to an app of the other, by way of its own service", async () => {
    const { sp, broker } = pair();
    const way = await go(broker, { agent, domain });
    expect(way.page.url).toContain(way.client.redirectUri);
    expect(way.steps[0]).toBe("domain at broker");
    expect(way.steps.slice(1).every((step) => step.endsWith("at SP"))).toBe(true);
    const body = await tokensOf(broker, way);
    const [account] = JSON.parse(await broker.dump())[0].filter(
      (row: { domain: string; sp: string }) => row.domain === domain && row.sp === sp.issuer,
    );
    const { attestation } = body.validation_data as { attestation: string };
    expect(claimsOf(attestation)).toMatchObject({
      ...{ iss: broker.issuer, aud: way.client.id, sub: account.id, domain, sp: sp.issuer },
      ...{ acct: account.acct, method: "external", amr: ["external"] },
    });
  });

  test("has an attestation there that the verifier takes", async () => {
    const { broker } = pair();
    const way = await go(broker, { agent, domain });
    const { validation_data } = await tokensOf(broker, way);
    const jwks = await (await fetch(`${broker.issuer}/.well-known/jwks.json`)).json();
    const verified = await verifyValidationData(validation_data, {
      ...{ ...requestOf(broker, way), require: "attestation", jwks: jwks as never },
    });
    expect(verified.domain).toBe(domain);
  });

  test("has a proof there by its own service, for which the service in between is not trusted", async () => {
    const { sp, broker } = pair();
    const owned = `owned.${domain}`;
    const way = await go(broker, { agent: await ownerAt(sp, owned), domain: owned });
    const { validation_data } = await tokensOf(broker, way);
    const { provider_proof } = validation_data as { provider_proof: { statement: string } };
    expect(claimsOf(provider_proof.statement)).toMatchObject({
      ...{ typ: "domain-provider-statement", domain: owned, svc: broker.issuer, sp: sp.issuer },
      ...{ aud: way.client.id, redirect_uri: way.client.redirectUri, cch: way.proof.challenge },
    });
    const proven = await verifyValidationData(validation_data, {
      ...requestOf(broker, way),
      ...{ require: "provider_proof", trustAnchors: zones.trustAnchors },
    });
    expect(proven).toMatchObject({ domain: owned, sp: sp.issuer });
    expect(proven).not.toHaveProperty("sub");
  });

  test("has an account page there that offers no change of what its own service keeps", async () => {
    const { sp, broker } = pair();
    await go(broker, { agent, domain });
    const page = await agent.open(`${broker.issuer}/account?domain=${domain}`);
    expect(page.step).toBe("account");
    expect(page.text("provider")).toContain(new URL(sp.issuer).host);
    for (const id of ["add-passkey", "new-codes", "delete-account"])
      expect(page.has(id)).toBe(false);
    const own = await agent.open(`${sp.issuer}/account?domain=${domain}`);
    expect([own.has("provider"), own.has("add-passkey")]).toEqual([false, true]);
  });

  test("is remembered: the next app gets its answer without the other service", async () => {
    const { broker } = pair();
    const way = await go(broker, { agent, domain });
    expect(way.steps).toEqual(["continue at broker"]);
  });
});

test("the service that a person was sent to sends nobody on: there is no circle", async () => {
  const agent = await ownerAt(home, "carol.test");
  agent.cookies.forget(() => true);
  const client = await away.addClient({ consent: "never" });
  const url = authorizationUrl(away, client, pkceParameters(pkce()));
  const stopAt = `${home.issuer}/oauth/authorize`;
  const first = await agent.open(url);
  const handed = await agent.submit(first, "domain-form", { domain: "carol.test" }, { stopAt });
  expect(handed.stopped).toBe(true);
  const asked = new URL(handed.url).searchParams;
  expect([asked.get("ds_hop"), asked.get("login_hint")]).toEqual(["1", "carol.test"]);

  const name = "_domain-signin.carol.test";
  replaceRecord(home.zone, name, `v=dsi1 sp=${away.issuer} acct=${"a".repeat(22)}`);
  const there = await agent.open(handed.url);
  const page = await agent.submit(there, "domain-form", { domain: "carol.test" });
  expect([page.step, page.status]).toEqual(["domain", 422]);
  expect(page.html).toContain(new URL(away.issuer).host);
});
