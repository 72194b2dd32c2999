// The judgement of a run: it believes no driver that says more, or less, than what its library did.

import { afterAll, beforeAll, expect, test } from "vitest";
import { arcticClient } from "./clients/arctic.ts";
import { passportOauth2 } from "./clients/passport-oauth2.ts";
import type { Driver, SignedIn } from "./driver.ts";
import { type HttpsService, startHttpsService } from "./https-service.ts";
import { measure } from "./measure.ts";
import { renderPage } from "./page.ts";

let at: HttpsService;
let signIns = 0;
beforeAll(async () => {
  at = await startHttpsService();
});
afterAll(() => at.close());

const cases: [title: string, driver: Driver, mistake: string][] = [
  [
    "a step that no request to the service was made for",
    { ...arcticClient, lacks: { userinfo: "", logout: "" } },
    'arctic did not perform "discovery"',
  ],
  [
    "a step that is said to be lacking, but was performed",
    { ...arcticClient, lacks: { ...arcticClient.lacks, PKCE: "not offered" } },
    'arctic did perform "PKCE"',
  ],
  [
    "a setting that the step does not need",
    { ...arcticClient, knobs: { PKCE: "`pkce: true`" } },
    'arctic performs "PKCE" without `pkce: true`',
  ],
  [
    "a setting that does not lead to the step",
    { ...passportOauth2, signIn: (world) => passportOauth2.signIn(world, false) },
    'passport-oauth2 did not perform "PKCE"',
  ],
  [
    "an ID token with ES256 that is said to be refused, but was taken",
    { ...arcticClient, lacks: { ...arcticClient.lacks, ES256: "refused" } },
    'arctic did perform "ES256"',
  ],
  [
    "an ID token with ES256 that the library did not take",
    {
      ...arcticClient,
      async signIn(world, turned) {
        const done = await arcticClient.signIn(world, turned);
        // What arctic returns leaves out the header, so the order of the sign-ins says which one this is.
        if (++signIns === 2) throw new Error("another algorithm was expected");
        return done;
      },
    },
    'arctic did not perform "ES256"',
  ],
  [
    "a revocation after which the token still works",
    after({ revoke: async () => {} }),
    "the revocation endpoint was asked",
  ],
  [
    "a refresh that returns the former token",
    after({ refresh: async () => "" }, (done) => ({ refresh: async () => done.accessToken })),
    "a refresh gives another access token",
  ],
  [
    "the claims of an ID token of somebody else",
    after({ claims: { sub: "sub_somebody" } }),
    "the claims are those of the ID token",
  ],
  [
    "an access token of its own invention",
    after({ accessToken: "of nobody" }),
    "the access token is not that of a redeemed code",
  ],
];

test.for(cases)("refuses %s", async ([, driver, mistake]) => {
  await expect(measure(at, driver)).rejects.toThrow(mistake);
});

test("the row of a client that did not run stays as it is on the page", () => {
  const debian: Driver = { ...arcticClient, name: "A client", debian: ["not-installed"] };
  const former = "| A client | 1.0 | yes | yes | no | yes | yes | no | no | no | no |";
  const page = renderPage([debian], new Map(), `text\n${former}\n`, { keepDebianVersions: true });
  expect(page.split("\n")).toContain(former);
});

/** The driver of arctic, with another result. */
function after(
  changes: Partial<SignedIn>,
  more: (done: SignedIn) => Partial<SignedIn> = () => ({}),
): Driver {
  return {
    ...arcticClient,
    async signIn(world, turned) {
      const done = await arcticClient.signIn(world, turned);
      return { ...done, ...changes, ...more(done) };
    },
  };
}
