// Tests of the `claims` parameter (OIDC Core §5.5).

import { describe, expect, test } from "vitest";
import { readClaimsRequest as readWith } from "./claims-request.ts";
import type { Check } from "./protocol-errors.ts";

const check: Check = (isValid, description) => {
  if (!isValid) throw new Error(description);
};
const readClaimsRequest = (text: string | undefined) => readWith(text, check);
const NOTHING = { requiredAcr: null, requiredSub: null, inIdToken: [], needsProfile: false };
const read = (claims: object) => readClaimsRequest(JSON.stringify(claims));

describe("what is honoured", () => {
  test("nothing without the parameter, and of claims that are unknown or always there", () => {
    expect(readClaimsRequest(undefined)).toEqual(NOTHING);
    expect(read({})).toEqual(NOTHING);
    const unknown = { email: null, auth_time: { essential: true }, "http://a.example/b": {} };
    expect(read({ id_token: unknown, userinfo: { ...unknown, sub: null }, other: 1 })).toEqual(
      NOTHING,
    );
    expect(read({ id_token: null, userinfo: null })).toEqual(NOTHING);
  });

  test("an essential acr with values, and a voluntary one not", () => {
    const acr = (wish: object) => read({ id_token: { acr: wish } }).requiredAcr;
    expect(acr({ essential: true, values: ["phr", "x"] })).toEqual(["phr", "x"]);
    expect(acr({ essential: true, value: "phr" })).toEqual(["phr"]);
    expect(acr({ essential: true })).toBeNull();
    expect(acr({ values: ["phr"] })).toBeNull();
    expect(acr({ essential: false, values: ["phr"] })).toBeNull();
  });

  test("the value of sub, wherever it is", () => {
    const sub = { value: "sub_1" };
    for (const claims of [
      { id_token: { sub } },
      { userinfo: { sub } },
      { id_token: { sub }, userinfo: { sub } },
    ])
      expect(read(claims).requiredSub).toBe("sub_1");
  });

  test("the claims of profile, where they were asked for", () => {
    const some = { website: null, name: { essential: true }, nickname: null };
    expect(read({ id_token: some })).toEqual({ ...NOTHING, inIdToken: ["name", "website"] });
    expect(read({ userinfo: some })).toEqual({ ...NOTHING, needsProfile: true });
  });
});

test.each([
  ["", "claims is not JSON"],
  ["{", "claims is not JSON"],
  ["[]", "claims must be a JSON object"],
  ["null", "claims must be a JSON object"],
  ['"id_token"', "claims must be a JSON object"],
  ['{"id_token":[]}', "claims: id_token must be a JSON object"],
  ['{"userinfo":"sub"}', "claims: userinfo must be a JSON object"],
  ['{"id_token":{"acr":"phr"}}', "claims: acr in id_token must be a JSON object"],
  [
    '{"id_token":{"acr":{"essential":"yes"}}}',
    "claims: acr in id_token: essential must be true or false",
  ],
  [
    '{"id_token":{"acr":{"values":"phr"}}}',
    "claims: acr in id_token: value must be a string, and values a list of strings",
  ],
  [
    '{"userinfo":{"sub":{"value":1}}}',
    "claims: sub in userinfo: value must be a string, and values a list of strings",
  ],
  [
    '{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}',
    "claims requests several values of sub",
  ],
  [`{"a":"${"ü".repeat(1022)}"}`, "claims is longer than 2,048 bytes"],
])("%s is refused by name", (text, message) => {
  expect(() => readClaimsRequest(text)).toThrow(new Error(message));
});
