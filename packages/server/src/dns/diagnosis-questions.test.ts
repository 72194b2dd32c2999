// Tests of how many questions a diagnosis asks: a page asks for one every few seconds.

import { expect, it, onTestFinished } from "vitest";
import { startDiagnosedZone } from "../../test/support/diagnosed-zone.ts";
import { record, textRecord } from "../../test/support/dns-server.ts";

const [A, TXT] = [1, 16];
const wanted = `v=dsi1 sp=https://auth.example.com acct=${"a".repeat(22)}`;

async function start() {
  const zone = await startDiagnosedZone();
  onTestFinished(zone.close);
  return zone;
}

it.each([
  // Without the name without an underscore and the name below www, there were 3, 5 and 5.
  ["alice.test", 5],
  ["shop.alice.test", 7],
  ["www.alice.test", 6],
])("a diagnosis of %s asks the name server for %i names, each once", async (domain, count) => {
  const { look, asked } = await start();
  await look(domain, wanted);
  const { own } = asked();
  expect(own.every((question) => question.startsWith(`${TXT} `))).toBe(true);
  expect(new Set(own).size).toBe(count);
  expect(own).toHaveLength(count);
});

it("the names are the right one, and those where people publish by mistake", async () => {
  const { look, asked } = await start();
  await look("shop.alice.test", wanted);
  expect(
    asked()
      .own.map((question) => question.replace(/^16 /, ""))
      .sort(),
  ).toEqual([
    "_domain-signin.alice.test",
    "_domain-signin.shop.alice.test",
    "_domain-signin.shop.alice.test.alice.test",
    "_domain-signin.shop.alice.test.shop.alice.test",
    "_domain-signin.www.shop.alice.test",
    "domain-signin.shop.alice.test",
    "shop.alice.test",
  ]);
});

it("a wildcard over the name costs four questions more, and they are put once a minute", async () => {
  const { look, asked, advance, records } = await start();
  records.push(record("*.alice.test", A, Uint8Array.of(192, 0, 2, 1)));
  for (let times = 1; times <= 5; times++) {
    await look("shop.alice.test", wanted);
    // Of the seven without a wildcard, six are for names at which there is no record by mistake.
    expect(asked().own).toHaveLength(7 + 4 + times - 1);
    advance(3000);
  }
});

it("a name without a record by mistake is asked for again after fifteen seconds, and one with a record each time", async () => {
  const { look, asked, advance, records } = await start();
  const own = async () => {
    const before = asked().own.length;
    const { mistake } = await look("alice.test", wanted);
    return [asked().own.length - before, mistake?.kind ?? null];
  };
  expect(await own()).toEqual([5, null]);
  records.push(textRecord("domain-signin.alice.test", wanted));
  advance(14_999);
  expect(await own()).toEqual([1, null]);
  advance(3000);
  expect(await own()).toEqual([5, "no_underscore"]);
  advance(3000);
  expect(await own()).toEqual([2, "no_underscore"]);
});

it("where the record is, the questions are the same", async () => {
  const { look, asked, records } = await start();
  records.push(textRecord("_domain-signin.alice.test", wanted));
  expect((await look("alice.test", wanted)).zone).toBe("seen");
  expect(asked().own).toHaveLength(5);
});
