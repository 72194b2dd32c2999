// Tests of what a grant's row says of its resources: which of them a token is made for, and with which scopes.

import { describe, expect, it } from "vitest";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import {
  ownerInRow,
  permissionsOfGrant,
  resourceFor,
  scopesFor,
  storedResources,
} from "./grant-resources.ts";

const NOTES = { uri: "https://notes.example", scope: "notes:read notes:write", registered: true };
const FILES = { uri: "https://files.example", scope: "", registered: false };
const GONE = { uri: "https://gone.example", scope: "all", registered: true };

const storedOf = (...list: object[]) =>
  JSON.stringify({ domain: "alice.test", domain_since: 7, list });
const registered = {
  findByUri: async (uri: string) => (uri === NOTES.uri ? { uri } : null),
} as RegisteredResources;

describe("the scopes of an access token", () => {
  it.each([
    ["openid profile", null, ["openid", "profile"]],
    ["", null, []],
    ["openid", FILES, ["openid"]],
    ["openid", NOTES, ["openid", "notes:read", "notes:write"]],
    ["", NOTES, ["notes:read", "notes:write"]],
    ["", FILES, []],
  ])("%j with %j are %j", (scope, resource, expected) => {
    expect(scopesFor(scope, resource)).toEqual(expected);
  });
});

describe("the resource of the next access token", () => {
  const none = null;
  it.each([
    ["none, if the grant has none", none, undefined, null],
    ["refused, if the grant has none and one is named", none, NOTES.uri, "refused"],
    ["the first", storedOf(NOTES, FILES), undefined, NOTES],
    ["the named one", storedOf(NOTES, FILES), FILES.uri, FILES],
    ["the first that the operator has not removed", storedOf(GONE, FILES), undefined, FILES],
    ["none, if all are removed", storedOf(GONE), undefined, null],
    ["refused, if the named one is removed", storedOf(GONE, FILES), GONE.uri, "refused"],
    ["refused, if another is named", storedOf(NOTES), FILES.uri, "refused"],
  ])("is %s", async (_, stored, named, expected) => {
    expect(await resourceFor(stored, named, registered)).toEqual(expected);
  });
});

it("a person is shown the scopes of the service, and each resource with its own", () => {
  expect(permissionsOfGrant("openid profile", storedOf(NOTES, FILES))).toEqual([
    ...["openid", "profile", NOTES.uri, "notes:read", "notes:write", FILES.uri],
  ]);
  expect(permissionsOfGrant("", null)).toEqual([]);
});

it("the row names the owner", () => {
  expect(ownerInRow(storedOf(NOTES))).toEqual({ domain: "alice.test", createdAt: 7 });
});

it("a request without resources stores nothing of them", () => {
  expect(storedResources([], { domain: "alice.test", createdAt: 7 })).toBeNull();
});
