// Headers by which browsers protect people: https for a year, no opener for pages that are no sign-in, and policies.

import { expect, test } from "vitest";
import type { ServiceConfig } from "../../src/config/config.ts";
import { assets } from "../../src/pages/assets.ts";
import { createService } from "../../src/service.ts";
import { makeTestKey } from "../support/test-keys.ts";

const PATHS = [
  "/livez",
  "/oauth/token",
  "/oauth/authorize",
  "/sign-in",
  "/interaction/x/consent",
  "/federation/callback/x",
  "/oauth/logout",
  "/account",
  "/account/revoke",
  "/set-up/x",
  "/",
  "/check?domain=alice",
  "/nothing",
];

async function headersOf(
  name: string,
  issuer: string,
  config: Partial<ServiceConfig> = {},
  paths: readonly string[] = PATHS,
) {
  const service = createService(
    {
      ...{ issuer, database: "sqlite::memory:", secret: "a secret for this test alone" },
      ...{ dnsServers: ["127.0.0.1:53"], minAssurance: "single", trustAnchors: [] },
      ...{ allowedSpecialNames: [], ...config },
    },
    { makeKey: makeTestKey, log: { write() {} } },
  );
  const entries = paths.map(async (path) => {
    const response = await service.fetch(new Request(issuer + path));
    return [path, response.headers.get(name)] as const;
  });
  return new Map(await Promise.all(entries).finally(() => service.close()));
}

test.each<[string, Partial<ServiceConfig>, string | null]>([
  ["https://auth.example.org", {}, "max-age=31536000"],
  ["https://auth.example.org", { hsts: "on" }, "max-age=31536000"],
  ["https://auth.example.org", { hsts: "off" }, null],
  ["http://localhost:8080", { hsts: "on" }, null],
  // It would hold for whatever else the developer runs at localhost.
  ["https://localhost:8443", { hsts: "on" }, null],
])(
  "every response of %s with %o has Strict-Transport-Security: %s",
  async (issuer, config, value) => {
    const headers = await headersOf("strict-transport-security", issuer, config);
    expect(headers).toEqual(new Map(PATHS.map((path) => [path, value])));
  },
);

test("a popup of an app keeps its opener during a sign-in, and no other page has one", async () => {
  const headers = await headersOf("cross-origin-opener-policy", "https://auth.example.org");
  const others = [
    "/account",
    "/account/revoke",
    "/set-up/x",
    "/",
    "/check?domain=alice",
    "/nothing",
  ];
  expect(headers).toEqual(
    new Map(PATHS.map((path) => [path, others.includes(path) ? "same-origin" : null])),
  );
});

const POLICIES = ["permissions-policy", "cross-origin-resource-policy"];

test.each(POLICIES)(
  "pages and their files have %s, and what every site may read has not",
  async (name) => {
    const paths = [...PATHS, ...assets.keys(), "/.well-known/jwks.json"];
    const of = (header: string) => headersOf(header, "https://auth.example.org", {}, paths);
    const [policies, types] = [await of(name), await of("content-type")];
    const kinds = new Set<string>();
    for (const [path, policy] of policies) {
      const type = types.get(path) ?? "no content";
      const isFile = path.startsWith("/assets/");
      const hasPolicy = isFile
        ? name === "cross-origin-resource-policy"
        : type.startsWith("text/html");
      expect([path, policy !== null]).toEqual([path, hasPolicy]);
      kinds.add(type);
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(["text/html; charset=utf-8", "application/json"]),
    );
  },
);

test("pages may use passkeys, ask for no camera, and are embedded by no other site", async () => {
  const of = async (name: string) =>
    (await headersOf(name, "https://auth.example.org", {}, ["/nothing"])).get("/nothing");
  const allowed = await of("permissions-policy");
  for (const part of ["publickey-credentials-get=(self)", "publickey-credentials-create=(self)"]) {
    expect(allowed).toContain(part);
  }
  expect(allowed).toContain("camera=()");
  expect(await of("cross-origin-resource-policy")).toBe("same-origin");
});

test("the setting securityContact turns security.txt on", async () => {
  const path = "/.well-known/security.txt";
  const typeWith = async (config: Partial<ServiceConfig>) =>
    (await headersOf("content-type", "https://auth.example.org", config, [path])).get(path);
  expect(await typeWith({})).toBe("application/json");
  expect(await typeWith({ securityContact: "tel:+1-201-555-0123" })).toBe(
    "text/plain; charset=utf-8",
  );
});
