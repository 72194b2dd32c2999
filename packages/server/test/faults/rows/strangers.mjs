// Faults in what strangers may cost: storage, the share of pages, and who goes first.

const src = (name) => `packages/server/src/${name}`;
const testOf = (name) => src(`${name}.test.ts`);
const store = (name) => `packages/server/test/conformance/store/${name}.test.ts`;

export const STRANGER_FAULTS = [
  {
    file: src("interaction/interaction.ts"),
    guard: "what a sign-in stores is counted before it is stored",
    find: "  deps.storageLimit.take(http, { octets: octetsOf(interaction, query), lifetimeS });\n",
    replace: "",
    test: testOf("interaction/interaction"),
  },
  {
    file: src("oauth/evidence.ts"),
    guard: "evidence is counted before it is stored",
    find: "  storageLimit.take(http, { octets: body.length, lifetimeS: expiresAt - now });\n",
    replace: "",
    test: testOf("oauth/evidence"),
  },
  {
    file: src("http/storage-limit.ts"),
    guard: "a row counts for as long as it is stored",
    find: " * Math.max(1, lifetimeS / WINDOW_S)",
    replace: "",
    test: testOf("http/storage-limit"),
  },
  {
    file: src("http/storage-limit.ts"),
    guard: "the addresses of one customer are counted together",
    find: '      if (network !== null) uses.push(["network", network]);\n',
    replace: "",
    test: testOf("http/storage-limit"),
  },
  {
    file: src("interaction/kept-request.ts"),
    guard: "a request from a cookie counts only if it is that of the row",
    find: "(query !== null && hashOf(query) === ofRow)",
    replace: "query !== null",
    test: testOf("interaction/kept-request"),
  },
  {
    file: src("oauth/authorization-request.ts"),
    guard: "parameters that are not read are not kept",
    find: "for (const name of KEPT_PARAMETERS) {",
    replace: "for (const name of values.keys()) {",
    test: testOf("oauth/authorization-request"),
  },
  {
    file: src("oauth/client-authentication.ts"),
    guard: "the assertions of self-registered clients are counted before they are stored",
    find: "  if (client.document) deps.assertionLimit.take(",
    replace: "  if (!client.document) deps.assertionLimit.take(",
    test: testOf("oauth/client-assertion"),
  },
  {
    file: src("oauth/token.ts"),
    guard:
      "a public client with a token that was issued here is not limited for others at its address",
    find: "by.isProven || (await isOurs(",
    replace: "by.isProven && (await isOurs(",
    test: testOf("oauth/token"),
  },
  {
    file: src("store/clean-up.ts"),
    guard: "the nonce of a code that nobody redeemed goes with its evidence",
    find: '      if (table === "evidence") await run(forgetNonces(removable), ...parameters);\n',
    replace: "",
    test: store("clean-up"),
  },
  {
    file: src("store/grants.ts"),
    guard: "the redemption removes the nonce",
    find: "attempt = given.new_attempt, nonce = NULL,",
    replace: "attempt = given.new_attempt,",
    test: store("grants"),
  },
  {
    file: src("store/grants.ts"),
    guard: "an interaction whose row is gone is no basis for a code",
    find: "THEN 0 ELSE 1 END AS interaction_ended",
    replace: "THEN 0 ELSE 0 END AS interaction_ended",
    test: store("revocation"),
  },
  {
    file: src("http/fair-share.ts"),
    guard: "returning browsers go first",
    find: "(lanes.returning.shift() ?? lanes.strangers.shift())?.start();",
    replace: "(lanes.strangers.shift() ?? lanes.returning.shift())?.start();",
    test: testOf("http/fair-share"),
  },
  {
    file: src("http/fair-share.ts"),
    guard: "in a lane, one request of each address in turn",
    find: "      lines.delete(key);\n      if (line.length > 0) lines.set(key, line);\n      size--;",
    replace: "      if (line.length === 0) lines.delete(key);\n      size--;",
    test: testOf("http/fair-share"),
  },
  {
    file: src("http/fair-share.ts"),
    guard: "a full lane takes from its longest line",
    find: "if (size >= WAITING.lane && !makeRoom(line.length)) return false;",
    replace: "if (size >= WAITING.lane) return false;",
    test: testOf("http/fair-share"),
    title: "keep no quiet person out",
  },
  {
    file: src("http/fair-share.ts"),
    guard: "of equally long lines, any may lose its request",
    find: "if (random() * equals < 1) longest",
    replace: "if (equals === 1) longest",
    test: testOf("http/fair-share"),
    title: "of equally long lines",
  },
  {
    file: src("http/fair-share.ts"),
    guard: "time in which the process did not run does not end a wait",
    find: "const TICK_MS = 1000;",
    replace: "const TICK_MS = WAITING.ms;",
    test: testOf("http/fair-share"),
    title: "does not end a wait",
  },
  {
    file: src("interaction/returning-browser.ts"),
    guard: "a returning browser proves it by a MAC",
    find: "timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(since, label))) ? label : null",
    replace: "timingSafeEqual(Buffer.from(mac), Buffer.from(mac)) ? label : null",
    test: testOf("interaction/returning-browser"),
  },
  {
    file: src("lib/lines.ts"),
    guard: "requests for one row run one after another",
    find: "if (line === undefined) {",
    replace: "if (line === undefined || line.waiting.size >= 0) {",
    test: testOf("lib/lines"),
  },
];
