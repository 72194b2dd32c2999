// Keeps what the packages may import of each other, of the platform and of libraries.

import { expect, test } from "vitest";
import {
  demoFindings,
  resourceFindings,
  type Source,
  verifierFindings,
} from "./support/architecture.ts";
import { readManifests, readSources } from "./support/repository-sources.ts";

const sources = readSources();

test("the verifier imports nothing but itself", () => {
  const planted = [
    verifierFile("verify", `import { createHash } from "node:crypto"; import "./errors.ts";`),
    verifierFile("record", `import { toASCII } from "tr46"; import(name);`),
    verifierFile("dns/name", `import { c } from "../../../server/src/lib/clock.ts";`),
  ];
  const rule = "the verifier imports only itself";
  expect(verifierFindings(planted)).toEqual([
    `packages/verify/src/verify.ts imports node:crypto: ${rule}`,
    `packages/verify/src/record.ts imports tr46: ${rule}`,
    `packages/verify/src/record.ts imports a computed path: ${rule}`,
    `packages/verify/src/dns/name.ts imports ../../../server/src/lib/clock.ts: ${rule}`,
  ]);
  expect(verifierFindings(sources)).toEqual([]);
});

test("the middleware for APIs imports nothing but itself and jose", () => {
  const planted = [
    resourceFile("key-set", `import "jose"; import "./errors.ts"; import "node:crypto";`),
    resourceFile("express", `import type { Request } from "express"; import "jose/jwt/verify";`),
    resourceFile("hono", `import "../../verify/src/errors.ts"; import(name);`),
  ];
  const rule = "it may import only itself and jose";
  expect(resourceFindings(planted)).toEqual([
    `packages/resource/src/key-set.ts imports node:crypto: ${rule}`,
    `packages/resource/src/express.ts imports express: ${rule}`,
    `packages/resource/src/express.ts imports jose/jwt/verify: ${rule}`,
    `packages/resource/src/hono.ts imports ../../verify/src/errors.ts: ${rule}`,
    `packages/resource/src/hono.ts imports a computed path: ${rule}`,
  ]);
  expect(resourceFindings(sources)).toEqual([]);
});

test("the demo uses the server as any host does, and imports nothing else that is not its own", () => {
  const planted = [
    demoFile(
      "site",
      `import { createService } from "domain-signin"; import "node:os"; import "hono/html";`,
    ),
    demoFile("zones/zone", `import "domain-signin-verify/dns/name"; import "./zone-keys.ts";`),
    demoFile("walk/walk", `import { a } from "../../../server/src/lib/clock.ts"; import(name);`),
    demoFile("walk/client", `import { b } from "domain-signin/dist/lib/clock.js"; import "jose";`),
    demoFile("walk/proof", `import "../../test/support/ask.ts";`),
    demoFile("site.test", `import "vitest"; import "../test/support/ask.ts";`),
    demoFile("demo.test", `import "../../server/src/service.ts"; import "domain-signin/service";`),
  ];
  const folder = "packages/demo/src/";
  expect(demoFindings(planted, { name: "demo", dependencies: { hono: "4" } })).toEqual([
    `${folder}walk/walk.ts may not import ../../../server/src/lib/clock.ts`,
    `${folder}walk/walk.ts may not import a computed path`,
    `${folder}walk/client.ts may not import domain-signin/dist/lib/clock.js`,
    `${folder}walk/client.ts may not import jose`,
    `${folder}walk/proof.ts may not import ../../test/support/ask.ts`,
    `${folder}demo.test.ts may not import ../../server/src/service.ts`,
    `${folder}demo.test.ts may not import domain-signin/service`,
  ]);
  const manifest = readManifests()["packages/demo"];
  expect(demoFindings(sources, manifest ?? { name: "none" })).toEqual([]);
});

function verifierFile(unit: string, text: string): Source {
  return { path: `packages/verify/src/${unit}.ts`, text };
}

function resourceFile(unit: string, text: string): Source {
  return { path: `packages/resource/src/${unit}.ts`, text };
}

function demoFile(unit: string, text: string): Source {
  return { path: `packages/demo/src/${unit}.ts`, text };
}
