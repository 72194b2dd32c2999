// Tests of the options: what can never work is refused at the start.

import { describe, expect, test } from "vitest";
import { checkOptions, type ResourceOptions, readRequiredScopes } from "./options.ts";

const good: ResourceOptions = {
  ...{ issuer: "https://auth.example.com", resource: "https://notes.example/api" },
  scopes: ["notes:read", "notes:write"],
};
const secret = { clientId: "dsr_1", clientSecret: "secret" };

describe("options", () => {
  test.each<[string, Partial<ResourceOptions>]>([
    ["https", {}],
    ["an issuer with a port", { issuer: "https://auth.example.com:8443" }],
    [
      "loopback by name",
      { issuer: "http://localhost:8080", resource: "http://localhost:3000/api" },
    ],
    ["loopback by IPv4", { issuer: "http://127.0.0.1:8080", resource: "http://127.0.0.1:3000" }],
    ["loopback by IPv6", { issuer: "http://[::1]:8080", resource: "http://[::1]:3000/" }],
    ["introspection", { introspection: secret }],
    ["a short cache", { introspection: { ...secret, cacheSeconds: 10 } }],
  ])("may have %s", (_, changes) => {
    expect(() => checkOptions({ ...good, ...changes })).not.toThrow();
  });

  test.each<[string, Partial<Record<keyof ResourceOptions, unknown>>, string]>([
    ["an http issuer", { issuer: "http://auth.example.com" }, "issuer must be an https URL"],
    [
      "an issuer on a name that begins like loopback",
      { issuer: "http://localhost.example" },
      "https",
    ],
    ["an issuer with a slash", { issuer: "https://auth.example.com/" }, "issuer must have no path"],
    ["an issuer with a path", { issuer: "https://auth.example.com/a" }, "issuer must have no path"],
    ["an issuer with capitals", { issuer: "https://Auth.example.com" }, "issuer must have no path"],
    [
      "an issuer with its default port",
      { issuer: "https://a.example:443" },
      "issuer must have no path",
    ],
    ["an issuer that is no URL", { issuer: "auth.example.com" }, "issuer must be a URL"],
    ["no issuer", { issuer: undefined }, "issuer must be a URL"],
    ["an http resource", { resource: "http://notes.example/api" }, "resource must be an https URL"],
    ["a resource that is no URL", { resource: "notes" }, "resource must be a URL"],
    ["a URN as resource", { resource: "urn:notes" }, "resource must be an https URL"],
    ["a resource with a backslash", { resource: "https://notes.example/?a\\b" }, "not allowed"],
    ["a resource with a quotation mark", { resource: 'https://notes.example/"' }, "not allowed"],
    ["a resource with a space", { resource: "https://notes.example/api " }, "not allowed"],
    ["a resource with a fragment", { resource: "https://notes.example/#a" }, "no fragment"],
    ["a resource with an empty fragment", { resource: "https://notes.example/#" }, "no fragment"],
    ["a resource with a user name", { resource: "https://a@notes.example/" }, "no user name"],
    ["a resource with a password", { resource: "https://:b@notes.example/" }, "no user name"],
    ["another protocol on loopback", { resource: "ftp://localhost/" }, "https URL"],
    ["a scope with a space", { scopes: ["notes:read notes:write"] }, "is not a scope"],
    ["a scope with a quotation mark", { scopes: ['a"b'] }, "is not a scope"],
    ["an empty scope", { scopes: [""] }, "is not a scope"],
    ["introspection without a secret", { introspection: { clientId: "a" } }, "clientSecret"],
    ["a long cache", { introspection: { ...secret, cacheSeconds: 11 } }, "from 0 to 10"],
    ["a negative cache", { introspection: { ...secret, cacheSeconds: -1 } }, "from 0 to 10"],
    ["a cache of no number", { introspection: { ...secret, cacheSeconds: Number.NaN } }, "0 to 10"],
  ])("may not have %s", (_, changes, message) => {
    const options = { ...good, ...changes } as ResourceOptions;
    expect(() => checkOptions(options)).toThrow(TypeError);
    expect(() => checkOptions(options)).toThrow(message);
  });
});

describe("the scopes that a route requires", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["notes:read", ["notes:read"]],
    ["notes:read notes:write", ["notes:read", "notes:write"]],
  ])("of %j are %j", (scope, required) => {
    expect(readRequiredScopes(scope, good)).toEqual(required);
  });

  test.each(["notes:reed", "notes:read,notes:write", "notes:read  notes:write", " ", "Notes:read"])(
    "cannot be %j, which no token could have",
    (scope) => {
      expect(() => readRequiredScopes(scope, good)).toThrow(TypeError);
      expect(() => readRequiredScopes(scope, good)).toThrow(/^scope ".*" is not one of this/);
    },
  );

  test("can be anything if the resource lists none", () => {
    const { issuer, resource } = good;
    expect(readRequiredScopes("other", { issuer, resource })).toEqual(["other"]);
    expect(() => readRequiredScopes('a"b', { issuer, resource })).toThrow(TypeError);
  });
});
