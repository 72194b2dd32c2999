// Tests of the secrets of a request to an external SP, which nothing keeps.

import { expect, test } from "vitest";
import { interactionOf, isSameState, requestSecrets, spKey } from "./sp-authorization.ts";

const browser = "b".repeat(43);
const about = { interactionId: "i".repeat(22), salt: "salt" };

test("the same browser, interaction and salt make the same secrets, and anything else others", () => {
  const all = [
    requestSecrets(browser, about),
    requestSecrets("c".repeat(43), about),
    requestSecrets(browser, { ...about, interactionId: "j".repeat(22) }),
    requestSecrets(browser, { ...about, salt: "another" }),
  ];
  expect(requestSecrets(browser, about)).toEqual(all[0]);
  const values = all.flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
  expect(new Set(values).size).toBe(12);
  for (const { verifier } of all) expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("a state names its interaction, and only a whole one does", () => {
  const { state } = requestSecrets(browser, about);
  expect(interactionOf(state)).toBe(about.interactionId);
  for (const bad of [undefined, "", state.slice(1), `${state}a`, state.replace("i", ".")]) {
    expect(interactionOf(bad)).toBeNull();
  }
  expect(isSameState(state, state)).toBe(true);
  expect(isSameState(`${state.slice(0, -1)}_`, state)).toBe(false);
  expect(isSameState(state.slice(1), state)).toBe(false);
});

test("each issuer has a name of its own in our addresses", () => {
  expect(spKey("https://sp.example")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(spKey("https://sp.example")).not.toBe(spKey("https://sp.example/"));
});
