// Keeps what `npm pack` would publish to what somebody who installs it needs.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../src/pages/languages.ts";
import {
  dependenciesOf,
  exportedNames,
  installInto,
  linkInto,
  type Manifest,
  packInto,
} from "./support/packed.ts";
import { hasAllPrograms, programTest, programTests } from "./support/program-test.ts";
import { testVector } from "./support/test-vectors.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const published = ["packages/server", "packages/verify", "packages/resource", "packages/demo"];
const examined = hasAllPrograms ? published : published.slice(0, 1);

describe.each(examined)("%s", (folder) => {
  const cwd = root + folder;
  const read = (file: string) => readFileSync(`${cwd}/${file}`, "utf8");
  const manifest: Manifest = JSON.parse(read("package.json"));
  // Without prepack, which would write where other tests read; and without asking anybody.
  const options = ["--dry-run", "--json", "--ignore-scripts", "--offline"];
  const answer = execFileSync("npm", ["pack", ...options], {
    cwd,
    encoding: "utf8",
    stdio: "pipe",
  });
  const [packed] = JSON.parse(answer) as [{ files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);

  test("has all that its package.json names", () => {
    const exported = Object.values(manifest.exports).flatMap((targets) =>
      typeof targets === "string" ? targets : Object.values(targets),
    );
    const named = [...exported, ...Object.values(manifest.bin ?? {})];
    for (const target of named) {
      const [start = "", end = ""] = target.replace(/^\.\//, "").split("*");
      const found = paths.filter((path) => path.startsWith(start) && path.endsWith(end));
      expect([target, found.length > 0]).toEqual([target, true]);
    }
  });

  test("has its own README, the licence, every language, and nothing but the build besides", () => {
    const besides = paths.filter((path) => !/^dist\/.+\.(?:js|js\.map|d\.ts)$/.test(path));
    const languages = [...LANGUAGES.values()].map(({ lang }) => `messages/${lang}.ftl`);
    const assets = ["icon.svg", "page.js", "passkey.js", "style.css"].map(
      (name) => `assets/${name}`,
    );
    const data: Record<string, string[]> = {
      "packages/server": [...assets, "data/dns-panels.json", ...languages],
      "packages/demo": ["bin/domain-signin-demo.js"],
    };
    expect(besides.sort()).toEqual(
      ["LICENSE", "README.md", ...(data[folder] ?? []), "package.json"].sort(),
    );
    expect(read("LICENSE")).toBe(readFileSync(`${root}LICENSE`, "utf8"));
    expect(read("README.md")).toMatch(new RegExp(`^# ${manifest.name}\n`));
  });

  // What compilers with `moduleResolution: node` read, which know nothing of exports.
  test("has main, types and typesVersions for each import that its exports have", () => {
    const { exports, main, types, typesVersions = { "*": {} } } = manifest;
    expect(exports["."] ?? {}).toEqual({ types, default: main });
    const others = Object.entries(exports).flatMap(([subpath, targets]) =>
      subpath === "." || typeof targets === "string" ? [] : [[subpath.slice(2), [targets.types]]],
    );
    expect(typesVersions["*"]).toEqual(Object.fromEntries(others));
  });

  test("is built before it is packed", () => {
    const steps = ["node scripts/check-messages.mjs", "tsc -b", "node scripts/build.mjs"];
    const all = folder === "packages/server" ? steps : ["tsc -b"];
    expect(manifest.scripts?.prepack).toBe(all.join(" && "));
  });

  test("has every file that a script, a declaration or a map of it names", () => {
    for (const path of paths.filter((one) => /\.(?:js|d\.ts)$/.test(one) && one[0] !== "a")) {
      const text = read(path);
      const named =
        /(?:\bfrom |\bimport |\bimport\(|sourceMappingURL=)"?(\.{1,2}\/[^"\s)]+|[^"\s]+\.js\.map)/g;
      for (const [, specifier = ""] of text.matchAll(named)) {
        const target = join(dirname(path), specifier);
        const built = path.endsWith(".d.ts") ? target.replace(/\.[jt]s$/, ".d.ts") : target;
        expect([path, specifier, paths.includes(built)]).toEqual([path, specifier, true]);
      }
    }
  });
});

programTests(
  "the packed server and demo, installed beside the packed verifier without network",
  () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "packed-server-"));
      const packages = ["packages/verify", "packages/server", "packages/demo"];
      // What others wrote is taken from this repository, where it is installed.
      for (const name of new Set(packages.flatMap(dependenciesOf))) linkInto(folder, name);
      installInto(folder, ...packages.map((path) => packInto(folder, path)));
      // Of the compiler: npm has removed whatever no package depends on.
      linkInto(folder, "@types/node");
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        ...{ cwd: folder, encoding: "utf8", timeout: 60_000 },
      });
      return { status, stdout: stdout.trim(), stderr: stderr.trim() };
    };

    test("is a command, with every sentence of every language and the files of the pages", () => {
      const cli = join(folder, "node_modules/domain-signin/dist/cli.js");
      const { version } = JSON.parse(readFileSync(`${root}packages/server/package.json`, "utf8"));
      expect(run(cli, "--version")).toEqual({ status: 0, stdout: version, stderr: "" });
    });

    test("answers in the program of a host, which a strict compiler accepts", () => {
      const program = `
      import { createService, type Overrides, type Service, type ServiceConfig } from "domain-signin";
      const config: ServiceConfig = {
        issuer: "http://localhost:9", database: "sqlite::memory:",
        secret: "a secret for this test, and for nothing else", dnsServers: ["127.0.0.1:9"],
        minAssurance: "single", allowedSpecialNames: ["test"],
      };
      const overrides: Overrides = { events: new Proxy({} as any, { get: () => () => {} }) };
      const service: Service = createService(config, overrides);
      await service.ready();
      const client = await service.clients.add({
        name: "App", type: "public", redirect_uris: ["https://app.example/cb"],
      });
      const page = "http://localhost:9/oauth/authorize?response_type=code&state=1&scope=openid" +
        "&code_challenge_method=S256&code_challenge=" + "a".repeat(43) +
        "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=" + client.client_id;
      const answer = await service.fetch(
        new Request(page, { headers: { "accept-language": "ar" } }),
      );
      console.log(answer.status, /<html[^>]*>/.exec(await answer.text())?.[0]);
      await service.close();
    `;
      writeFileSync(join(folder, "host.ts"), program);
      const tsc = `${root}node_modules/typescript/bin/tsc`;
      const strict = ["--strict", "--target", "es2022", "--types", "node", "host.ts"];
      for (const [module, resolution] of [
        ["esnext", "bundler"],
        ["nodenext", "nodenext"],
      ] as const) {
        const how = ["--module", module, "--moduleResolution", resolution];
        expect(run(tsc, ...how, ...strict)).toEqual({ status: 0, stdout: "", stderr: "" });
      }
      const html = '<html lang="ar" dir="rtl">';
      expect(run("host.js")).toEqual({ status: 0, stdout: `200 ${html}`, stderr: "" });
    });

    test("gives a host nothing of its inside", () => {
      const inside = "domain-signin/dist/cli.js";
      writeFileSync(join(folder, "inside.mjs"), `import ${JSON.stringify(inside)};`);
      expect(run("inside.mjs").stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
      writeFileSync(
        join(folder, "names.mjs"),
        'import * as names from "domain-signin"; console.log(Object.keys(names).join());',
      );
      expect(run("names.mjs").stdout).toBe("createService");
    });

    test("walks through the demo to its end, by the command that the server's own names", () => {
      const command = (name: string) => join(folder, "node_modules/.bin", name);
      expect(run(command("domain-signin"), "demo")).toEqual({
        ...{ status: 2, stdout: "" },
        stderr: "The demo is now a separate package: run npx domain-signin-demo",
      });
      const { status, stdout, stderr } = run(command("domain-signin-demo"), "--exit");
      expect([status, stdout, stderr.split("\n").at(-1)]).toEqual([
        ...[0, "", expect.stringMatching(/^The walk succeeded: all \d+ steps passed\.$/)],
      ]);
    });
  },
);

programTests("the packed verifier, installed into an empty folder without network", () => {
  const installed = "node_modules/domain-signin-verify";
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "packed-verifier-"));
    installInto(folder, packInto(folder, "packages/verify"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program of Node in the folder. */
  function run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: folder, encoding: "utf8", timeout: 60_000 },
    });
    return { status, stdout: stdout.trim(), stderr: stderr.trim() };
  }

  test("brings nothing else along", () => {
    const packages = readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".");
    expect(packages).toEqual(["domain-signin-verify"]);
    const manifest = JSON.parse(readFileSync(join(folder, installed, "package.json"), "utf8"));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  test("has every import that its package.json names, with its types", () => {
    const names = exportedNames(join(folder, installed));
    expect(names).toContain("domain-signin-verify");
    expect(names).toContain("domain-signin-verify/dns/name");
    expect(names).toContain("domain-signin-verify/dnssec/chain");
    const imports = names.map((name, index) => `import * as m${index} from "${name}";`);
    // This one has types alone.
    const typesOnly = names.indexOf("domain-signin-verify/dnssec/run");
    const used = names
      .map((_, index) => `Object.keys(m${index}).length`)
      .toSpliced(typesOnly, 1)
      .join(", ");
    const program = `${imports.join("\n")}\nconsole.log(Math.min(${used}));\n`;
    writeFileSync(join(folder, "all.mjs"), program);
    expect(run("all.mjs")).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^[1-9]/),
      stderr: "",
    });

    writeFileSync(join(folder, "app.ts"), `${imports.join("\n")}\n${typedApp(names)}`);
    expect(compile("app.ts")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  /** With the strictest compiler that an app might have. */
  function compile(file: string) {
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
    return run(`${root}node_modules/typescript/bin/tsc`, ...strict, "--types", "", file);
  }

  test.each(["packages/verify/README.md", "docs/validation-data.md"])(
    "does what the code in %s says, to a strict compiler",
    (file) => {
      const blocks = readFileSync(root + file, "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm);
      const programs = [...blocks].map(([, code = ""]) => code);
      expect(programs.join("")).toContain("await verifyValidationData(");
      for (const program of programs) {
        writeFileSync(join(folder, "told.ts"), `${whatAnAppHas}${program}`);
        expect(compile("told.ts")).toEqual({ status: 0, stdout: "", stderr: "" });
      }
    },
  );

  test("verifies a sign-in by the program of the examples, and refuses what is not one", () => {
    const source = readFileSync(`${root}examples/verify-offline/verify.mjs`, "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    writeFileSync(join(folder, "verify.mjs"), source);
    const verify = (file: string, name: string) => {
      const { input, options } = testVector(file, name);
      const { jwks, access_token, ...request } = options;
      const response = { access_token, validation_data: input };
      for (const [path, value] of Object.entries({ response, request, jwks })) {
        writeFileSync(join(folder, `${path}.json`), JSON.stringify(value));
      }
      return run("verify.mjs", "response.json", "request.json", "jwks.json");
    };
    const good = verify("good-data.json", "attestation and chain, without an owner proof");
    expect(good).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(good.stdout)).toMatchObject({
      ...{ domain: "alice.test", how: "attestation_and_dnssec", sub: "acc_1" },
    });
    const withToken = "attestation with the hash of the access token";
    expect(verify("good-data.json", withToken)).toMatchObject({ status: 0 });
    expect(verify("bad-records.json", "a tampered record")).toMatchObject({
      ...{ status: 1, stdout: "", stderr: expect.stringMatching(/^not proven: bad_signature: /) },
    });

    const usage = "usage: node verify.mjs response.json request.json jwks.json";
    writeFileSync(join(folder, "bad.json"), "neither");
    for (const [args, message] of [
      [[], usage],
      [["response.json", "request.json"], usage],
      [["response.json", "none.json", "jwks.json"], "ENOENT: no such file or directory"],
      [["response.json", "request.json", "bad.json"], "Unexpected token"],
    ] as const) {
      const { status, stdout, stderr } = run("verify.mjs", ...args);
      expect([status, stdout, stderr.split("\n")]).toEqual([2, "", [expect.any(String)]]);
      expect(stderr).toContain(message);
    }
  });
});

/** What a strict compiler must make of the types: each module has them, and `how` tells proofs apart. */
function typedApp(names: readonly string[]): string {
  const main = names.indexOf("domain-signin-verify");
  return `
    const proven = await m${main}.verifyValidationData({}, {
      clientId: "a", redirectUri: "b", issuer: "c", nonce: "d",
      jwks: { keys: [] }, require: "attestation_and_dnssec",
    });
    const until: number = proven.until;
    const how: "attestation_and_dnssec" = proven.how;
    console.log(how, proven.record.notAfter, proven.sub);
    // @ts-expect-error No owner's key was required.
    console.log(proven.jkt);
    const own = { clientId: "a", redirectUri: "b", issuer: "c", nonce: "d" };
    const owned = await m${main}.verifyValidationData({}, { ...own, require: "owner_proof" });
    console.log(owned.jkt, owned.record.sp);
    // @ts-expect-error An owner proof has no sub.
    console.log(owned.sub);
    const stated = await m${main}.verifyValidationData({}, { ...own, require: "provider_proof" });
    console.log(stated.spk, stated.record.spk);
    // @ts-expect-error A provider proof has no sub.
    console.log(stated.sub);
    const any = async (options: m${main}.VerificationOptions) => {
      const one = await m${main}.verifyValidationData({}, options);
      // @ts-expect-error Who lets another say what is required has to look at how.
      console.log(one.sub);
      if (one.how === "both") console.log(one.sub, one.jkt);
    };
    void any;
    const wrap = (options: Omit<m${main}.VerificationOptions, "require" | "issuer">) =>
      m${main}.verifyValidationData({}, { ...options, issuer: "c", require: "attestation" });
    const { domain, sub, assurance } = await wrap({ clientId: "a", redirectUri: "b", nonce: "d" });
    console.log(domain, sub, assurance);
    // @ts-expect-error A misspelled option would be a check that is not made.
    void wrap({ clientId: "a", redirectUri: "b", nonce: "d", minAssurence: "secure" });
    export { until };
  `;
}

/** The names that the code in the documents takes for known. */
const whatAnAppHas = `
  declare const tokens: { validation_data: unknown };
  declare const clientId: string, redirectUri: string, codeVerifier: string, issuer: string;
  declare const jwks: { keys: object[] };
`;

programTest("a build for an operator does not check the types of tests", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
  const check =
    "npm run --silent messages && tsc -b packages/resource packages/server packages/demo";
  expect(scripts?.build).toBe(`${check} && npm run --silent bundle`);
  expect(scripts?.demo).toMatch(/^npm run --silent build && /);
  // Those for developers do.
  for (const file of ["scripts/steps.mjs", "scripts/check.mjs"]) {
    expect(readFileSync(`${root}${file}`, "utf8")).toContain('step("types", ["tsc", "-b"])');
  }
});
