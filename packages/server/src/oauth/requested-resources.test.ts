// Tests of the resources of a request: which are found, and which refuse it.

import { describe, expect, it } from "vitest";
import type { FoundResource, KnownResources } from "../clients/known-resources.ts";
import type { RedirectTarget } from "../clients/redirect-target.ts";
import type { Resource } from "../clients/resource.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { findRequested } from "./grant-resources.ts";

const target = { uri: "https://app.example.org/callback" } as RedirectTarget;
const resource = (uri: string) => ({ uri, scopes: [] }) as unknown as Resource;

function requested(found: Readonly<Record<string, FoundResource>>) {
  const asked: string[] = [];
  const known = {
    async find(uri: string) {
      asked.push(uri);
      return found[uri] ?? { outcome: "unknown", problem: "is not known" };
    },
  } as unknown as KnownResources;
  const find = (...uris: string[]) =>
    findRequested(uris, { mayFetch: false, acceptsOld: true, from: SERVICE }, { known, target });
  return { find, asked };
}

describe("the resources of a request", () => {
  it("are found in their order, and those that were not read are not among them", async () => {
    const { find } = requested({
      a: { outcome: "found", resource: resource("a"), isRegistered: true },
      b: { outcome: "unread" },
      c: { outcome: "found", resource: resource("c"), isRegistered: false },
    });
    const all = await find("c", "b", "a");
    expect(all.map((one) => one && [one.uri, one.isRegistered])).toEqual([
      ["c", false],
      null,
      ["a", true],
    ]);
  });

  it("are five at most, and no other is looked for", async () => {
    const { find, asked } = requested({});
    await expect(find("a", "b", "c", "d", "e", "f")).rejects.toMatchObject({
      ...{ code: "invalid_target", target },
      message: "more than 5 resources were requested",
    });
    expect(asked).toEqual([]);
  });

  it("are refused with what is wrong with one", async () => {
    const { find } = requested({ a: { outcome: "unreachable", problem: "does not answer" } });
    await expect(find("a")).rejects.toMatchObject({
      ...{ code: "temporarily_unavailable", message: "resource a does not answer" },
    });
    await expect(find("b")).rejects.toMatchObject({
      ...{ code: "invalid_target", message: "resource b is not known" },
    });
  });
});
