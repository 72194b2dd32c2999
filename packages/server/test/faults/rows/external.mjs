// Faults in a sign-in at an external SP: whose answer it is, how often it counts, and for which account.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const EXTERNAL_FAULTS = [
  ...inFile(src("sign-in/external"), flow("federation/authorization-response"), {
    "an answer counts only at the address of its SP": {
      find: 'if (key !== spKey(sp)) return "the response was sent to the redirect URI of another SP";',
      replace: 'if (key === "") return "the response was sent to the redirect URI of another SP";',
      test: flow("federation/mix-up"),
    },
    "an answer says who sent it (RFC 9207)": {
      find: 'return asked.iss ? "the authorization response has no iss" : null;',
      replace: "return asked.iss ? null : null;",
      title: "no iss",
    },
    "an answer of another issuer is refused": {
      find: 'return iss === sp ? null : "the authorization response has the iss of another SP";',
      replace: "return iss === sp ? null : null;",
      title: "another iss",
    },
  }),
  ...inFile(src("sign-in/external"), flow("federation/callback"), {
    "the state is that of this try": {
      find: 'if (!isSameState(values.get("state") ?? "", secrets.state)) throw new PageError(400, "expired");',
    },
    "an answer that belongs to no request of this browser causes no request": {
      find: "      acceptAnswer(http, interaction, cookies);\n    },\n",
      replace: "    },\n",
      test: testOf("sign-in/external"),
    },
    "an answer is used once": {
      find: 'if (state.taken) return refuse("bad_answer", ALREADY_USED);',
    },
    "of answers at once one redeems the code": {
      find: 'if (!taken.isChanged || progress.step !== "external") {',
      replace: "if (!taken.isChanged) {\n      return redeem(open, answer);",
      test: testOf("sign-in/external"),
    },
    "the record still names the account when its owner comes back": {
      find: "if (!namesAccount(look, { sp, acct })) {",
      replace: 'if (look.outcome === "absent") {',
      title: "a record that changes while its owner is at the SP",
      test: flow("federation/account-binding"),
    },
    "an authentication is never of the future": {
      find: "Math.min(auth_time ?? iat, now)",
      replace: "auth_time ?? iat",
      title: "dates ahead of ours is one of now",
    },
  }),
];
