// Faults in a sign-in at an external SP: whose answer it is, how often it counts, and for which account.

const signIn = (name) => `packages/server/src/sign-in/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;

export const EXTERNAL_FAULTS = [
  {
    file: signIn("external-callback.ts"),
    guard: "an answer counts only at the address of its SP",
    find: 'if (key !== spKey(sp)) return "the response was sent to the redirect URI of another SP";',
    replace: 'if (key === "") return "the response was sent to the redirect URI of another SP";',
    test: flow("federation/mix-up"),
  },
  {
    file: signIn("external-callback.ts"),
    guard: "an answer says who sent it (RFC 9207)",
    find: 'return asked.iss ? "the authorization response has no iss" : null;',
    replace: "return asked.iss ? null : null;",
    test: flow("federation/authorization-response"),
    title: "no iss",
  },
  {
    file: signIn("external-callback.ts"),
    guard: "an answer of another issuer is refused",
    find: 'return iss === sp ? null : "the authorization response has the iss of another SP";',
    replace: "return iss === sp ? null : null;",
    test: flow("federation/authorization-response"),
    title: "another iss",
  },
  {
    file: signIn("external-callback.ts"),
    guard: "the state is that of this try",
    find: 'if (!isSameState(sent, secrets.state)) throw new PageError(400, "expired", request);',
    replace: "",
    test: flow("federation/callback"),
  },
  {
    file: signIn("external-callback.ts"),
    guard: "an answer is used once",
    find: 'if (pending.state.taken) return refuse("bad_answer", ALREADY_USED);',
    replace: "",
    test: flow("federation/callback"),
  },
  {
    file: signIn("external-callback.ts"),
    guard: "of answers at once one redeems the code",
    find: "if (taken === null) return alreadyTaken(open, refuse, deps);",
    replace: "if (taken === null) return redeem(open, { ...pending, values }, deps);",
    test: signIn("external-callback.test.ts"),
  },
  {
    file: signIn("external-callback.ts"),
    guard: "the record still names the account when its owner comes back",
    find: "if (!namesAccount(look, { sp, acct })) return",
    replace: 'if (look.outcome === "absent") return',
    test: flow("federation/account-binding"),
    title: "a record that changes while its owner is at the SP",
  },
  {
    file: signIn("external-callback.ts"),
    guard: "an authentication is never of the future",
    find: "Math.min(auth_time ?? iat, now)",
    replace: "auth_time ?? iat",
    test: flow("federation/callback"),
    title: "dates ahead of ours is one of now",
  },
  {
    file: signIn("external-callback.ts"),
    guard: "one address cannot have us ask SPs without end",
    find: "  await deps.federation.count(http.clientAddress);\n",
    replace: "",
    test: flow("external-bounds"),
  },
  {
    file: signIn("external.ts"),
    guard: "one address cannot have us prepare requests to SPs without end",
    find: "  await federation.count(http.clientAddress);\n",
    replace: "",
    test: flow("external-bounds"),
  },
];
