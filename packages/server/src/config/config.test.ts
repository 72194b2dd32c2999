// Tests of the settings: their sources, their precedence, and the messages about mistakes.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it, test } from "vitest";
import { inNewFolder } from "../../test/support/new-folder.ts";
import { OperatorError } from "../lib/errors.ts";
import { LIMITS } from "../lib/limits.ts";
import { HISTORY_DAYS } from "../store/shared-values.ts";
import { type ConfigSources, readServeConfig } from "./config.ts";
import { envName, kebab, SETTINGS, type SettingKey } from "./settings.ts";

const issuer = "https://auth.example.com";
const secret = "a secret that is long enough for this";
const keys = Object.keys(SETTINGS) as SettingKey[];

inNewFolder();

/** Reads with a good issuer and secret unless the test gives its own. */
function read(sources: Partial<ConfigSources> = {}) {
  const env = { DOMAIN_SIGNIN_ISSUER: issuer, DOMAIN_SIGNIN_SECRET: secret, ...sources.env };
  return readServeConfig({ flags: sources.flags ?? {}, env });
}

/** The lines of the error message. */
function mistakesIn(sources: Partial<ConfigSources>): string[] {
  try {
    read(sources);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message.split("\n");
  }
}

function file(name: string, content: unknown): string {
  writeFileSync(name, typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const token = { registration_token: "t".repeat(32) };
test.each<[string, Record<string, string>, string | null]>([
  ["open, without a token", { registration: "open" }, null],
  ["by token, with one", { registration: "token", ...token }, null],
  ["by token, without one", { registration: "token" }, "registration_token is required"],
  ["open, with a token", { registration: "open", ...token }, "set registration to token"],
  ["off, with a token", token, "registration is off"],
  ["by token, with a short one", { registration_token: "t".repeat(31) }, "at least 32 letters"],
  ["by token, with a space", { registration_token: `t ${"t".repeat(32)}` }, "at least 32 letters"],
  ["in another way", { registration: "on" }, "must be off, open or token, not on"],
])("registration %s", (_, settings, words) => {
  const env = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [`DOMAIN_SIGNIN_${key.toUpperCase()}`, value]),
  );
  if (words === null) expect(read({ env })).toMatchObject({ registration: settings.registration });
  else expect(() => read({ env })).toThrow(words);
});

describe("a setting", () => {
  it("has a default, apart from the issuer", () => {
    expect(read()).toEqual({
      issuer,
      host: "127.0.0.1",
      ...{ hsts: "on", resourceDocuments: "on", registration: "off" },
      ...{ registrationOrigins: [], registrationPkce: "optional" },
      port: 8080,
      database: "sqlite:./domain-signin.db",
      secret,
      dnsServers: expect.any(Array),
      minAssurance: "corroborated",
      ...{ zoneNameServers: "on", recordSpk: "auto" },
      trustAnchors: undefined,
      previousSecret: undefined,
      allowedSpecialNames: [],
      allowedPrivateSuffixes: [],
      accountsPerDomain: 1000,
      trustedProxies: ["loopback"],
      managementHost: "127.0.0.1",
      logLevel: "info",
      stopDelay: 0,
      historyDays: HISTORY_DAYS,
      sessionIdleDays: 30,
      sessionAbsoluteDays: 180,
      limits: LIMITS,
    });
    const names = read().dnsServers.map((server) => /^tls:.*:853#(.*)$/.exec(server)?.[1]);
    expect(names).toEqual(["cloudflare-dns.com", "dns.google", "dns.quad9.net"]);
    const [mistake] = mistakesIn({ env: { DOMAIN_SIGNIN_ISSUER: undefined } });
    expect(mistake).toMatch(/issuer.*--issuer.*DOMAIN_SIGNIN_ISSUER/);
  });

  it("is taken from the flag before the environment before the file before the default", () => {
    const config = file("settings.json", { port: 1, host: "0.0.0.1", database: "sqlite:file.db" });
    const set = { DOMAIN_SIGNIN_PORT: "2", DOMAIN_SIGNIN_HOST: "0.0.0.2" };
    const env = { DOMAIN_SIGNIN_CONFIG: config, ...set };
    const expected = { port: 3, host: "0.0.0.2", database: "sqlite:file.db" };
    expect(read({ env, flags: { port: "3" } })).toMatchObject({
      ...expected,
      minAssurance: "corroborated",
    });
  });

  it("may stand in a file that DOMAIN_SIGNIN_…_FILE names, as a secret in a container does", () => {
    const env = {
      DOMAIN_SIGNIN_SECRET: undefined,
      DOMAIN_SIGNIN_SECRET_FILE: file("secret", `${secret} of a file\n`),
      DOMAIN_SIGNIN_PORT_FILE: file("port", "4\n"),
    };
    expect(read({ env })).toMatchObject({ secret: `${secret} of a file`, port: 4 });
    expect(read({ env, flags: { port: "5" } }).port).toBe(5);
    expect(existsSync("domain-signin.secret")).toBe(false);
  });

  it("that is a list has commas between, or is a list in the file", () => {
    const given = " 192.0.2.1:53, [2001:db8::1]:5353 ,,tls://192.0.2.3:853#dns.test";
    const listed = ["192.0.2.1:53", "[2001:db8::1]:5353", "tls://192.0.2.3:853#dns.test"];
    expect(read({ env: { DOMAIN_SIGNIN_DNS_SERVERS: given } }).dnsServers).toEqual(listed);
    const config = file("settings.json", {
      dns_servers: ["192.0.2.2:53", "tls://[2001:db8::3]:853#dns.test"],
      min_assurance: "single",
      allowed_special_names: ["test", "home.arpa"],
    });
    expect(read({ flags: { config } })).toMatchObject({
      dnsServers: ["192.0.2.2:53", "tls://[2001:db8::3]:853#dns.test"],
      allowedSpecialNames: ["test", "home.arpa"],
    });
  });

  it.each([
    ["loopback", ["loopback"]],
    ["loopback,10.0.0.0/8", ["loopback", "10.0.0.0/8"]],
    ["2001:db8::1", ["2001:db8::1"]],
    ["", []],
  ])("trusts the proxies %j", (given, trustedProxies) => {
    expect(read({ env: { DOMAIN_SIGNIN_TRUSTED_PROXIES: given } })).toMatchObject({
      trustedProxies,
    });
    const config = file("settings.json", { trusted_proxies: trustedProxies });
    expect(read({ flags: { config } })).toMatchObject({ trustedProxies });
  });

  it.each([
    ["https://app.example.com,http://localhost:6274,http://127.0.0.1:1", null],
    ["https://app.example.com:8443,http://[::1]:6274", null],
    ["https://app.example.com/", "https://app.example.com/"],
    ["https://app.example.com:443", "https://app.example.com:443"],
    ["http://app.example.com", "http://app.example.com"],
    ["https://*.example.com", "https://*.example.com"],
    ["null", "null"],
    ["*", "*"],
  ])("that lets pages of %s register apps has the mistake %s", (given, wrong) => {
    const flags = { registration_origins: given };
    if (wrong === null) expect(read({ flags }).registrationOrigins).toEqual(given.split(","));
    else expect(mistakesIn({ flags }).join()).toContain(`on loopback; invalid: ${wrong}`);
  });

  it("that trusts a proxy by another word is refused", () => {
    const [mistake] = mistakesIn({ flags: { trusted_proxies: "loopback,localhost" } });
    expect(mistake).toContain("or the word loopback; invalid: localhost");
  });

  it("that lists a resolver twice is refused, in any spelling: the resolver would confirm itself", () => {
    const mistake = (dns_servers: string) => mistakesIn({ flags: { dns_servers } }).join();
    const tls = "tls://[2001:db8::1]:853#dns.test";
    for (const [first, twice] of [
      ["192.0.2.1:53,192.0.2.2:53", "192.0.2.1:053"],
      ["[2001:db8::1]:53", "[2001:DB8:0::1]:53"],
      ["[fe80::1%eth0]:53", "[FE80:0::1%eth0]:53"],
      [tls, "tls://[2001:DB8::1]:853#other.test"],
      // Once by TLS and once without it is the same resolver as well, whatever the ports.
      ["[2001:DB8:0::1]:53", tls],
      [tls, "[2001:db8::1]:853"],
    ]) {
      expect(mistake(`${first},${twice}`)).toBe(`dns_servers lists ${twice} twice`);
    }
    for (const two of [
      ...["192.0.2.1:53,192.0.2.1:54", "[fe80::1%eth0]:53,[fe80::1%eth1]:53"],
      "tls://192.0.2.1:853#dns.test,tls://192.0.2.1:854#dns.test",
    ]) {
      const flags = { dns_servers: two, min_assurance: "single" };
      expect(read({ flags }).dnsServers).toHaveLength(2);
    }
  });

  it.each([
    ["tls://192.0.2.1:853", "lacks #name"],
    ["tls://192.0.2.1#dns.test", "is not of the form"],
    ["tls://dns.test:853#dns.test", "is not of the form"],
    ["tls://2001:db8::1:853#dns.test", "is not of the form"],
    ["tls://192.0.2.1:853#", "is not a host name"],
    ["tls://192.0.2.1:853#192.0.2.1", "is not a host name"],
    ["tls://192.0.2.1:853#dns_.test", "is not a host name"],
    [`tls://192.0.2.1:853#${"a".repeat(64)}.test`, "is not a host name"],
    ["tls://192.0.2.1:0#dns.test", "a port that is not 1 to 65535"],
    ["tls://192.0.2.1:65536#dns.test", "a port that is not 1 to 65535"],
    ["192.0.2.1:99999", "a port that is not 1 to 65535"],
    ["192.0.2.1:853#dns.test", "not tls://"],
    ["https://192.0.2.1:443#dns.test", "is not of the form"],
    ["192.0.2.1", "is not of the form"],
  ])("that lists the resolver %s is refused: it %s", (given, wrong) => {
    const [mistake, ...others] = mistakesIn({ flags: { dns_servers: `192.0.2.9:53,${given}` } });
    expect(mistake).toContain(`dns_servers must be a list of resolvers: ${given} `);
    expect(mistake).toContain(wrong);
    expect(others).toEqual([]);
  });

  it("that wants answers confirmed needs three resolvers, and is told with all other mistakes", () => {
    const two = "192.0.2.1:53,192.0.2.2:53";
    for (const min_assurance of ["corroborated", "secure"]) {
      const flags = { dns_servers: two, min_assurance, port: "x" };
      const [other, mistake, ...more] = mistakesIn({ flags });
      expect(other).toContain("port");
      const words = `^min_assurance ${min_assurance} needs at least 3 .* lists 2: list 3 .* single`;
      expect(mistake).toMatch(new RegExp(words));
      expect(more).toEqual([]);
      const three = { ...flags, port: "1", dns_servers: `${two},192.0.2.3:53` };
      expect(read({ flags: three }).minAssurance).toBe(min_assurance);
    }
    // The default is not `single` either.
    expect(mistakesIn({ flags: { dns_servers: "192.0.2.1:53" } })).toHaveLength(1);
  });

  it("of the file named by the flag counts, not of the file of the environment", () => {
    const env = { DOMAIN_SIGNIN_CONFIG: file("env.json", { port: 6 }) };
    expect(read({ env, flags: { config: file("flag.json", { port: 7 }) } }).port).toBe(7);
  });

  it("of somebody else's is left alone", () => {
    const env = { PATH: "/bin", DOMAIN_SIGNINX: "1", SECRET_FILE: "/no" };
    expect(mistakesIn({ env })).toEqual([]);
  });

  test.each(keys)("%s is named in one way everywhere, and says what it is for", (key) => {
    expect(envName(key)).toBe(`DOMAIN_SIGNIN_${key.toUpperCase()}`);
    expect(kebab(key)).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(SETTINGS[key].about.length).toBeGreaterThan(10);
  });
});

describe("an issuer", () => {
  test.each([
    ...["https://auth.example.com", "https://auth.example.com:8443"],
    ...["http://localhost:8080", "https://localhost", "https://localhost:8443"],
  ])("may be %s", (given) => {
    expect(read({ env: { DOMAIN_SIGNIN_ISSUER: given } }).issuer).toBe(given);
  });

  test.each([
    "http://auth.example.com",
    "http://localhost.example.com",
    "https://localhost/",
    "https://localhost.",
    "https://auth.example.com/",
    "https://auth.example.com/path",
    "https://auth.example.com?q",
    "https://auth.example.com#f",
    "https://me@auth.example.com",
    "https://AUTH.example.com",
    "https://auth.example.com:443",
    "https://münchen.example",
    "https://",
    "auth.example.com",
    "ftp://auth.example.com",
    "",
  ])("may not be %j", (given) => {
    const mistakes = mistakesIn({ env: { DOMAIN_SIGNIN_ISSUER: given } });
    expect(mistakes).toEqual([expect.stringMatching(/^issuer must be/)]);
  });

  test.each(["https://auth", "https://192.0.2.1", "http://localhost", "http://127.0.0.1:8080"])(
    "may not be %s, which no sp of a record could ever name",
    (given) => {
      expect(mistakesIn({ env: { DOMAIN_SIGNIN_ISSUER: given } })).toHaveLength(1);
    },
  );
});

describe("a mistake", () => {
  test.each<[string, string]>([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["PORT", "http"],
    ["HOST", ""],
    ...[
      ...[
        "security@example.com",
        "http://example.com/",
        "https://",
        "https:example.com",
        "mailto:",
      ],
      ...["mailto:security", "tel:", "tel:security", "javascript:alert(1)", "https://a@b.example/"],
      ...["mailto:a@b.example\nContact: mailto:c@d.example", "mailto:a@b.example,c@d.example"],
    ].map((contact): [string, string] => ["SECURITY_CONTACT", contact]),
    ["DATABASE", "mysql://db"],
    ["DATABASE", "sqlite:"],
    ["DATABASE", "./domain-signin.db"],
    ["SECRET", "x".repeat(31)],
    ["DNS_SERVERS", ""],
    ["DNS_SERVERS", "192.0.2.1"],
    ["DNS_SERVERS", "dns.example:53"],
    ["DNS_SERVERS", "192.0.2.1:53,2001:db8::1:53"],
    ["MIN_ASSURANCE", "none"],
    ["ALLOWED_SPECIAL_NAMES", "test,foo bar"],
    ["ALLOWED_SPECIAL_NAMES", "*.test"],
    ["ALLOWED_SPECIAL_NAMES", "prüfung"],
    ["ALLOWED_PRIVATE_SUFFIXES", "github.io blogspot.com"],
    ["ALLOWED_PRIVATE_SUFFIXES", "com"],
    ["HISTORY_DAYS", "0"],
    ["HISTORY_DAYS", "3651"],
    ["SESSION_IDLE_DAYS", "0"],
    ["SESSION_IDLE_DAYS", "366"],
    ["SESSION_ABSOLUTE_DAYS", "0"],
    ["SESSION_ABSOLUTE_DAYS", "401"],
  ])("in %s=%s is reported", (name, value) => {
    const mistakes = mistakesIn({ env: { [`DOMAIN_SIGNIN_${name}`]: value } });
    expect(mistakes).toEqual([expect.stringMatching(new RegExp(`^${name.toLowerCase()} `))]);
  });

  it.each([
    "MAILTO:a.b+c@d.example?subject=x",
    "https://d.example/security",
    "tel:+1-201-555-0123",
  ])("is not %s as a contact", (contact) => {
    const env = { DOMAIN_SIGNIN_SECURITY_CONTACT: contact };
    expect(read({ env })).toMatchObject({ securityContact: contact });
  });

  it("in two settings of sessions is reported: a session cannot be idle for longer than it lasts", () => {
    const config = file("settings.json", { session_absolute_days: 20 });
    const message = (absolute: number) =>
      `session_idle_days is 30, which is more than session_absolute_days (${absolute}): set it to ${absolute} or less`;
    expect(mistakesIn({ flags: { config } })).toEqual([message(20)]);
    const env = { DOMAIN_SIGNIN_SESSION_ABSOLUTE_DAYS: "29" };
    expect(mistakesIn({ env, flags: { config } })).toEqual([message(29)]);
    const flags = { config, session_idle_days: "29" };
    expect(read({ env, flags })).toMatchObject({ sessionIdleDays: 29, sessionAbsoluteDays: 29 });
    // One mistake in a setting is not reported twice.
    expect(mistakesIn({ env: { DOMAIN_SIGNIN_SESSION_IDLE_DAYS: "366" } })).toHaveLength(1);
  });

  test.each(["", " ", "1e3", "0x50"])("in a port %j is reported", (value) => {
    expect(mistakesIn({ env: { DOMAIN_SIGNIN_PORT: value } })).toHaveLength(1);
  });

  test.each(["999.0.2.1:53", "192.0.2.1:0", "192.0.2.1:65536", "[1.2.3]:53"])(
    "in a resolver %s is reported here, and not by a stack trace at the start",
    (value) => {
      expect(mistakesIn({ env: { DOMAIN_SIGNIN_DNS_SERVERS: value } })).toHaveLength(1);
    },
  );

  it("never shows the secret", () => {
    const short = "hunter2 is not 32 characters";
    expect(mistakesIn({ env: { DOMAIN_SIGNIN_SECRET: short } }).join()).not.toContain("hunter2");
  });

  it("in a name is reported: unknown keys are errors in the environment and in the file", () => {
    const env = { DOMAIN_SIGNIN_PROT: "1", DOMAIN_SIGNIN_SECRETS_FILE: "/x" };
    const config = file("settings.json", { prot: 1, DNS_SERVERS: "192.0.2.1:53" });
    const message = mistakesIn({ env, flags: { config } }).join("\n");
    expect(message.split("\n")).toHaveLength(4);
    for (const name of ["DOMAIN_SIGNIN_PROT", "DOMAIN_SIGNIN_SECRETS_FILE", "prot in", "DNS_S"]) {
      expect(message).toContain(name);
    }
  });

  it("in a name that is a property of every object is reported too", () => {
    const config = file("settings.json", '{"toString": "1", "constructor": "2"}');
    const env = { DOMAIN_SIGNIN_CONSTRUCTOR: "1" };
    expect(mistakesIn({ env, flags: { config } })).toHaveLength(3);
  });

  test.each([
    ["a file that is not there", "absent.json"],
    ["a file that is no JSON", () => file("bad.json", "{port: 1}")],
    ["a file that is no object", () => file("bad.json", "[1]")],
    ["a folder", tmpdir()],
  ])("with %s is reported", (_, given) => {
    const config = typeof given === "string" ? given : given();
    expect(mistakesIn({ flags: { config } })).toEqual([expect.stringContaining(config)]);
  });

  it("is reported together with all others", () => {
    const secret = { DOMAIN_SIGNIN_SECRET: undefined, DOMAIN_SIGNIN_SECRET_FILE: "absent" };
    const wrong = { DOMAIN_SIGNIN_ISSUER: "http://x", DOMAIN_SIGNIN_PORT: "x" };
    const env = { ...wrong, ...secret, DOMAIN_SIGNIN_FOO: "x" };
    const config = file("settings.json", { database: "x", bar: 1 });
    const mistakes = mistakesIn({ env, flags: { config, min_assurance: "x" } });
    expect(mistakes).toHaveLength(7);
    for (const about of ["issuer", "port", "absent", "FOO", "database", "bar", "min_assurance"]) {
      expect(mistakes.filter((line) => line.includes(about))).toHaveLength(1);
    }
    expect(readdirSync(".")).toEqual(["settings.json"]);
  });
});
