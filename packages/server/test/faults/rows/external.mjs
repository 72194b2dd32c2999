// Faults in a sign-in at an external SP: whose answer it is, how often it counts, and for which account.

const signIn = (name) => `packages/server/src/sign-in/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;

export const EXTERNAL_FAULTS = [
  {
    file: signIn("external.ts"),
    guard: "an answer counts only at the address of its SP",
    find: 'if (key !== spKey(sp)) return "the response was sent to the redirect URI of another SP";',
    replace: 'if (key === "") return "the response was sent to the redirect URI of another SP";',
    test: flow("federation/mix-up"),
  },
  {
    file: signIn("external.ts"),
    guard: "an answer says who sent it (RFC 9207)",
    find: 'return asked.iss ? "the authorization response has no iss" : null;',
    replace: "return asked.iss ? null : null;",
    test: flow("federation/authorization-response"),
    title: "no iss",
  },
  {
    file: signIn("external.ts"),
    guard: "an answer of another issuer is refused",
    find: 'return iss === sp ? null : "the authorization response has the iss of another SP";',
    replace: "return iss === sp ? null : null;",
    test: flow("federation/authorization-response"),
    title: "another iss",
  },
  {
    file: signIn("external.ts"),
    guard: "the state is that of this try",
    find: 'if (!isSameState(values.get("state") ?? "", secrets.state)) throw new PageError(400, "expired");',
    replace: "",
    test: flow("federation/callback"),
  },
  {
    file: signIn("external.ts"),
    guard: "an answer that belongs to no request of this browser causes no request",
    find: "      acceptAnswer(http, interaction, deps);\n    },\n",
    replace: "    },\n",
    test: signIn("external.test.ts"),
  },
  {
    file: signIn("external.ts"),
    guard: "an answer is used once",
    find: 'if (state.taken) return refuse("bad_answer", ALREADY_USED);',
    replace: "",
    test: flow("federation/callback"),
  },
  {
    file: signIn("external.ts"),
    guard: "of answers at once one redeems the code",
    find: "if (taken === null) {",
    replace: "if (taken === null) {\n      return redeem(open, answer, deps);",
    test: signIn("external.test.ts"),
  },
  {
    file: signIn("external.ts"),
    guard: "the record still names the account when its owner comes back",
    find: "if (!namesAccount(look, { sp, acct })) {",
    replace: 'if (look.outcome === "absent") {',
    test: flow("federation/account-binding"),
    title: "a record that changes while its owner is at the SP",
  },
  {
    file: signIn("external.ts"),
    guard: "an authentication is never of the future",
    find: "Math.min(auth_time ?? iat, now)",
    replace: "auth_time ?? iat",
    test: flow("federation/callback"),
    title: "dates ahead of ours is one of now",
  },
  {
    file: signIn("external.ts"),
    guard: "one address cannot have us ask SPs without end",
    find: "await federation.count(http.clientAddress);\n    const taken",
    replace: "const taken",
    test: flow("external-bounds"),
  },
  {
    file: signIn("external.ts"),
    guard: "one address cannot have us prepare requests to SPs without end",
    find: "await federation.count(http.clientAddress);\n    const prepared",
    replace: "const prepared",
    test: flow("external-bounds"),
  },
];
