// Tests of the route table: the checks that each kind of route must require.

import { expect, test } from "vitest";
import { ROUTES } from "../test/support/routes.ts";

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const pages = ROUTES.filter(({ channel }) => channel === "page");

test("every post to a page must come from our own pages, but for those that only redirect", () => {
  const fromAnywhere = pages.filter(({ method, origin }) => method !== "GET" && origin === "any");
  expect(fromAnywhere.map(nameOf)).toEqual(["POST /oauth/authorize", "POST /oauth/logout"]);
  expect(fromAnywhere.map(({ required }) => required)).toEqual(["none", "none"]);
  expect(pages.filter(({ method }) => method !== "GET")).toHaveLength(27);
});

test("a JSON endpoint does not depend on where a request comes from, but for registration", () => {
  const bound = ROUTES.filter(({ channel, origin }) => channel === "json" && origin !== "any");
  const registration = ROUTES.filter(({ path }) => path.startsWith("/oauth/register"));
  expect(bound).toEqual(registration);
  expect(bound.map(({ origin }) => origin)).toEqual(["listed", "listed", "listed", "listed"]);
});

test("every page of an interaction requires one that is open", () => {
  const inside = pages.filter(({ path }) => path.startsWith("/interaction/"));
  expect(inside).toHaveLength(30);
  const outside = ["none", "request"];
  expect(inside.filter(({ required }) => outside.includes(required)).map(nameOf)).toEqual([]);
});

test("requests for pages are limited, and refusals where a client must prove itself", () => {
  expect(pages.filter(({ limit }) => limit !== "turns").map(nameOf)).toEqual([]);
  const kinds = ["refusals", "both"];
  const refusals = ROUTES.filter(({ limit }) => kinds.includes(limit)).map(nameOf);
  expect(refusals).toEqual([
    ...["POST /oauth/token", "POST /oauth/revoke", "POST /oauth/introspect"],
    ...["POST /oauth/register", "GET /oauth/register/:id", "PUT /oauth/register/:id"],
    "DELETE /oauth/register/:id",
  ]);
});
