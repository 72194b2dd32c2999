// `clients add` and `clients update` as an operator runs them, with every option and every mistake.

import { beforeAll, describe, expect, test } from "vitest";
import { command, complaints, refused } from "../support/command.ts";
import { noteSecret } from "../support/log-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const REDIRECT_URI = "https://app.example.org/callback";
const SECRET = /^dss_[\w-]{43}$/;

const folder = temporaryFolder();
const clients = (...args: string[]) => command(["clients", ...args], { folder: folder.path });

/** What the command answers in JSON when all is well. */
async function answerOf(...args: string[]): Promise<Record<string, unknown>> {
  const result = await clients(...args, "--json");
  expect([result.status, complaints(result)]).toEqual([0, ""]);
  const { stdout } = result;
  const answer = JSON.parse(stdout);
  if (answer.client_secret) noteSecret("client secret", answer.client_secret);
  return answer;
}

const DEFAULTS = {
  name: "App",
  type: "confidential",
  application_type: "web",
  redirect_uris: [REDIRECT_URI],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: "",
  owner_proof: "when_available",
  scope: "openid profile offline_access",
  default_scope: "",
  consent: "first",
  require_pkce: false,
  refresh_client_auth: "required",
  subject_type: "account",
  validation_data: true,
  id_token_signed_response_alg: "RS256",
  refresh_idle_lifetime: 30 * 86_400,
  refresh_absolute_lifetime: 365 * 86_400,
  refresh_retry_window: 30,
};

/** Each setting that may change, the options that change it, and what they make of it. */
const SETTINGS: [setting: keyof typeof DEFAULTS, options: string[], value: unknown][] = [
  ["name", ["--name", "Läden & Söhne"], "Läden & Söhne"],
  ["application_type", ["--application-type", "native"], "native"],
  [
    "redirect_uris",
    ["--redirect-uri", "https://one.example/cb", "https://two.example/cb?a=b"],
    ["https://one.example/cb", "https://two.example/cb?a=b"],
  ],
  ["scope", ["--scope", " openid  profile "], "openid profile"],
  ["default_scope", ["--default-scope", "openid"], "openid"],
  ["consent", ["--consent", "always"], "always"],
  ["require_pkce", ["--require-pkce"], true],
  [
    "post_logout_redirect_uris",
    ["--post-logout-redirect-uri", "https://one.example/bye", "https://two.example/"],
    ["https://one.example/bye", "https://two.example/"],
  ],
  [
    "backchannel_logout_uri",
    ["--backchannel-logout-uri", "https://two.example/logout"],
    "https://two.example/logout",
  ],
  ["refresh_client_auth", ["--refresh-client-auth", "optional"], "optional"],
  ["subject_type", ["--subject-type", "domain"], "domain"],
  ["validation_data", ["--validation-data", "false"], false],
  ["owner_proof", ["--owner-proof", "none"], "none"],
  ["id_token_signed_response_alg", ["--id-token-signed-response-alg", "EdDSA"], "EdDSA"],
  ["refresh_idle_lifetime", ["--refresh-idle-lifetime", "3600"], 3600],
  ["refresh_absolute_lifetime", ["--refresh-absolute-lifetime", "7200"], 7200],
  ["refresh_retry_window", ["--refresh-retry-window", "0"], 0],
];
const everyOption = SETTINGS.flatMap(([, options]) => options);
const everyValue = Object.fromEntries(SETTINGS.map(([setting, , value]) => [setting, value]));

describe("clients add", () => {
  test("with a name and a redirect_uri gives every other setting its default, and a secret", async () => {
    const added = await answerOf("add", "--name", "App", "--redirect-uri", REDIRECT_URI);
    expect(added).toEqual({
      ...DEFAULTS,
      client_id: expect.stringMatching(/^dsid_[\w-]{22}$/),
      client_secret: expect.stringMatching(SECRET),
    });
  });

  test("takes every option", async () => {
    const added = await answerOf("add", ...everyOption);
    expect(added).toEqual({
      ...DEFAULTS,
      ...everyValue,
      client_id: expect.any(String),
      client_secret: expect.stringMatching(SECRET),
    });
    const { client_secret: _, ...shown } = added;
    expect(await answerOf("show", String(added.client_id))).toEqual(shown);
  });

  test("--public has no secret, and needs PKCE whatever is said", async () => {
    const options = ["--public", "--no-require-pkce", "--name", "App"];
    const added = await answerOf("add", ...options, "--redirect-uri", REDIRECT_URI);
    expect(added).toMatchObject({ type: "public", client_secret: null, require_pkce: true });
  });

  test("without --json tells the same, line by line", async () => {
    const more = ["--name", "App", "--redirect-uri", REDIRECT_URI, "https://two.example/cb"];
    const { status, stdout } = await clients("add", ...more);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^client_id: dsid_[\w-]{22}$/m);
    expect(stdout).toMatch(/^client_secret: dss_[\w-]{43}$/m);
    expect(stdout).toMatch(
      new RegExp(`^redirect_uris: ${REDIRECT_URI} https://two.example/cb$`, "m"),
    );
    expect(stdout).toMatch(/^require_pkce: false$/m);
    expect(stdout).toMatch(/^registered in \.\/domain-signin\.db$/m);
    expect(stdout).toMatch(/ES256 saves this service about a millisecond .+\n$/);
    for (const option of [
      ["--id-token-signed-response-alg", "RS256"],
      ["--scope", "profile"],
    ]) {
      expect((await clients("add", ...more, ...option)).stdout).not.toContain("ES256");
    }
  });
});

describe("clients update", () => {
  let id = "";
  let standing: Record<string, unknown>;
  beforeAll(async () => {
    const { client_id } = await answerOf("add", "--name", "App", "--redirect-uri", REDIRECT_URI);
    id = String(client_id);
    standing = { ...DEFAULTS, client_id };
  });

  test.each(SETTINGS)("changes %s and nothing else", async (setting, options, value) => {
    standing = { ...standing, [setting]: value };
    expect(await answerOf("update", id, ...options)).toEqual(standing);
  });

  test("changes many at once, and can take PKCE back", async () => {
    const options = ["--no-require-pkce", "--consent", "never", "--name", "App"];
    standing = { ...standing, require_pkce: false, consent: "never", name: "App" };
    expect(await answerOf("update", id, ...options)).toEqual(standing);
  });

  test("with mistakes tells each, and changes nothing", async () => {
    const { status, stdout, stderr } = await clients("update", id, ...MISTAKEN);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expectMistakes(stderr);
    expect(await answerOf("show", id)).toEqual(standing);
  });

  test("leaves a client's type as it is", async () => {
    expect((await clients("update", id, "--public")).status).toBe(2);
  });
});

const MISTAKEN = [
  ...["--name", " ", "--scope", "openid email", "--refresh-idle-lifetime", "59"],
  ...["--refresh-absolute-lifetime", "0", "--refresh-retry-window", "601"],
  ...["--redirect-uri", "javascript:alert(1)", "https://app.example.org/#x"],
  ...["--redirect-uri", "https://*.example.org/", "https://app.example.org/?code=1"],
  ...["--post-logout-redirect-uri", "http://app.example.org/"],
  ...["--post-logout-redirect-uri", "https://app.example.org/?state=1"],
  ...["--backchannel-logout-uri", "https://evil.example/logout"],
];

function expectMistakes(stderr: string): void {
  const lines = stderr.trimEnd().split("\n");
  expect(lines.sort()).toEqual([
    "backchannel_logout_uri (--backchannel-logout-uri) must have the same origin as a redirect_uri",
    "name (--name) is empty",
    expect.stringMatching(/^post_logout_redirect_uris \(--post-logout-redirect-uri\) http:/),
    'post_logout_redirect_uris (--post-logout-redirect-uri) https://app.example.org/?state=1 has the parameter "state" in its query, which the response adds',
    "redirect_uris (--redirect-uri) https://*.example.org/ contains a wildcard (*), but redirect URIs are compared exactly",
    "redirect_uris (--redirect-uri) https://app.example.org/#x has a fragment",
    'redirect_uris (--redirect-uri) https://app.example.org/?code=1 has the parameter "code" in its query, which the response adds',
    expect.stringMatching(/^redirect_uris \(--redirect-uri\) javascript:alert\(1\) /),
    expect.stringMatching(/^refresh_absolute_lifetime \(--refresh-absolute-lifetime\) .*60$/),
    expect.stringMatching(/^refresh_idle_lifetime \(--refresh-idle-lifetime\) .*60$/),
    expect.stringMatching(/^refresh_retry_window \(--refresh-retry-window\) .*600$/),
    "scope (--scope) contains email, but the scopes are openid, profile, offline_access",
  ]);
}

describe("what is wrong", () => {
  test("about a new client is told at once, each mistake in its line, with status 2", async () => {
    const { status, stdout, stderr } = await clients("add", ...MISTAKEN);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expectMistakes(stderr);
    const nothing = await clients("add");
    expect(nothing.status).toBe(2);
    expect(nothing.stderr).toBe(
      "name (--name) is empty\nredirect_uris (--redirect-uri) must contain at least one entry\n",
    );
  });

  test.each([
    "add --consent sometimes",
    "add --application-type phone",
    "add --subject-type person",
    "add --validation-data yes",
    "add --id-token-signed-response-alg none",
    "add --refresh-client-auth maybe",
    "add --refresh-idle-lifetime 1.5",
    "add --refresh-retry-window -1",
    "add --refresh-absolute-lifetime year",
    "update",
    "update x --consent sometimes",
    "rotate-secret",
    "rotate-secret x --overlap -1",
    "rotate-secret x --overlap 1h",
    "show",
    "remove",
  ])("in the use of it is status 2: %s", async (args) => {
    const { status, stdout, stderr } = await clients(...args.split(" "));
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).not.toMatch(/\n +at /);
    expect(stderr).not.toBe("");
  });

  test.each([["update", "--name", "x"], ["rotate-secret"], ["show"], ["remove"]])(
    "about the id of a client is an answer, status 1: %s",
    async (name, ...options) => {
      const result = await clients(name, "dsid_nobody", ...options, "--json");
      expect(result).toEqual(refused("client not found: dsid_nobody\n"));
    },
  );
});
