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
/** Of its scopes, one was removed, and one was removed and added again. */
const MAIL = {
  ...{ uri: "https://mail.example", scope: "read send drop", registered: true },
  ids: ["a", "b", "c"],
};
const EMPTIED = { ...MAIL, uri: "https://emptied.example", scope: "drop", ids: ["c"] };
const scopesOf: Record<string, readonly { name: string; id?: string }[]> = {
  [NOTES.uri]: [{ name: "notes:write" }, { name: "notes:read" }],
  [MAIL.uri]: [
    { name: "read", id: "a" },
    { name: "send", id: "x" },
  ],
  [EMPTIED.uri]: [{ name: "drop", id: "y" }],
};
const registered = {
  readByUri: async (uri: string) => (uri in scopesOf ? { uri, scopes: scopesOf[uri] } : null),
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
    [
      ...(["the first", storedOf(NOTES, FILES), undefined] as const),
      { resource: NOTES, scopes: ["notes:read", "notes:write"] },
    ],
    ["the named one", storedOf(NOTES, FILES), FILES.uri, { resource: FILES, scopes: [] }],
    [
      ...(["the first that the operator has not removed", storedOf(GONE, FILES)] as const),
      ...([undefined, { resource: FILES, scopes: [] }] as const),
    ],
    [
      ...(["one without the scopes that were removed since", storedOf(MAIL), undefined] as const),
      { resource: MAIL, scopes: ["read"] },
    ],
    ["emptied, if all scopes of the named one were", storedOf(EMPTIED), EMPTIED.uri, "emptied"],
    [
      ...(["another one, if all scopes of the first were", storedOf(EMPTIED, NOTES)] as const),
      ...([undefined, { resource: NOTES, scopes: ["notes:read", "notes:write"] }] as const),
    ],
    ["none, if all scopes of all were", storedOf(EMPTIED), undefined, null],
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
