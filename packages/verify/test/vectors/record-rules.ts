// The rules of the grammar of records. Each can be switched off in the parser's source, so that a test shows which
// vectors the rule decides.

/** `from` is found once in `file`. Where a rule needs more than one change, `more` has the others. */
interface Change {
  readonly file: "tag-list.ts" | "record.ts" | "issuer.ts" | "challenge-record.ts";
  readonly from: string;
  readonly to: string;
}

export interface RecordRule {
  readonly rule: string;
  readonly changes: readonly Change[];
  /** Rules without which this one means nothing: to switch them off may turn the vectors of this one, too. */
  readonly needs?: readonly string[];
  /** Without the rule, the text is refused all the same, with another problem. */
  readonly isNaming?: true;
  /** Nearly all vectors need it, whatever else decides them. */
  readonly isBasic?: true;
}

type More = Omit<RecordRule, "rule" | "changes">;

const inFile =
  (file: Change["file"]) =>
  (rule: string, from: string, to: string, more: More = {}): RecordRule => ({
    rule,
    changes: [{ file, from, to }],
    ...more,
  });
const list = inFile("tag-list.ts");
const record = inFile("record.ts");
const issuer = inFile("issuer.ts");
const challenge = inFile("challenge-record.ts");

const both = (one: RecordRule, other: RecordRule): RecordRule => ({
  ...one,
  changes: [...one.changes, ...other.changes],
});

const BEFORE = "White space before a record is removed.";
const QUOTED = "One pair of quotation marks around the whole is removed.";
const SPLIT =
  "Quotation marks with white space between them, where a panel split the value, are removed.";
const SPACE = "A space separates tags.";
const SEMICOLON = "A semicolon separates tags.";
const NEWER = "A version above 1 is not supported, which is no mistake.";
const LONG = "A record has at most 1,024 octets.";
const UNKNOWN = "An unknown tag is ignored.";
const REPEATED = "No tag occurs twice.";
const NONE = "sp may be none in an SP record.";
const JKT_LIST = "jkt is a list of thumbprints.";
const SPK_LIST = "spk is a list of thumbprints.";
const HTTPS = "It begins with https.";
const ANY_QUOTE = "Any other quotation mark is a mistake.";
const LOOPBACK = "With the option, sp may be http://localhost and a port.";

const panels: readonly RecordRule[] = [
  list(BEFORE, "= trim(text);", "= trim(`x${text}`).slice(1);"),
  list("A tab is white space.", ' || text[at] === "\\t"', "", { needs: [BEFORE] }),
  list(
    "White space after the closing quotation mark is removed.",
    "= trim(text);",
    "= trim(`${text}x`).slice(0, -1);",
    {
      needs: [QUOTED],
    },
  ),
  list(QUOTED, "const isQuoted = trimmed", "const isQuoted = false && trimmed"),
  list(
    "White space after the opening quotation mark is removed.",
    "trim(trimmed.slice(1, -1))",
    "trimmed.slice(1, -1)",
    {
      needs: [QUOTED],
    },
  ),
  list(SPLIT, 'inner.replace(SPLIT, "")', "inner"),
  list("A tab is white space there, too.", '/"[ \\t]+"/g', '/"[ ]+"/g', { needs: [SPLIT] }),
  list("Without white space between them, they are not.", '/"[ \\t]+"/g', '/"[ \\t]*"/g', {
    needs: [ANY_QUOTE],
  }),
  both(
    list(ANY_QUOTE, "list.includes('\"')", "false"),
    list("", "/^[!#-:=-[\\]-~]+$/", '/^[!"#-:=-[\\]-~]+$/'),
  ),
  list("Curly ones have a problem of their own.", "CURLY.test(list)", "false", { isNaming: true }),
  list(SPACE, "/(?:[ \\t;]|\\\\;)+/", "/(?:[\\t;]|\\\\;)+/", { isBasic: true }),
  list("A tab separates tags.", "/(?:[ \\t;]|\\\\;)+/", "/(?:[ ;]|\\\\;)+/"),
  list(SEMICOLON, "/(?:[ \\t;]|\\\\;)+/", "/(?:[ \\t]|\\\\;)+/"),
  list("An escaped semicolon separates tags.", "/(?:[ \\t;]|\\\\;)+/", "/(?:[ \\t;])+/"),
  list("Any number of them does.", "|\\\\;)+/", "|\\\\;)/", { needs: [SPACE] }),
  list("They may follow the last tag.", 'if (parts.at(-1) === "") parts.pop();', "", {
    needs: [SEMICOLON],
  }),
  list(
    "They may not stand before the version.",
    'inner.replace(SPLIT, "")',
    'inner.replace(SPLIT, "").replace(/^;/, "")',
  ),
  list(
    "No white space stands beside an equals sign.",
    'inner.replace(SPLIT, "")',
    'inner.replace(SPLIT, "").replace(/[ \\t]*=[ \\t]*/g, "=")',
  ),
];

const versions: readonly RecordRule[] = [
  list(
    "The version is in lower case.",
    "first !== `v=${version}`",
    "first.toLowerCase() !== `v=${version}`",
  ),
  list(
    "The version ends at the first gap.",
    "first !== `v=${version}`",
    "!first.startsWith(`v=${version}`)",
  ),
  list(
    "dsi and a digit within the first 16 octets is meant as a record.",
    "{0,12}dsi",
    "{0,11}dsi",
  ),
  list("What has them only after that is another record.", "{0,12}dsi", "{0,13}dsi"),
  list(
    "White space before a record does not count for that.",
    "LOOK_ALIKE.test(list)",
    "LOOK_ALIKE.test(text)",
    {
      needs: [BEFORE],
    },
  ),
  list(
    "What has them in upper case is meant as a record, too.",
    "dsi\\d/i;\n/** As",
    "dsi\\d/;\n/** As",
  ),
  list("What has no digit is another record.", "{0,12}dsi\\d", "{0,12}dsi"),
  list(NEWER, "NEWER.exec(first)", "/^$/.exec(`${first}x`)"),
  list("It may have more digits than one.", "(?:[2-9]|[1-9]\\d+)", "[2-9]", { needs: [NEWER] }),
  list("No version begins with 0.", "(?:[2-9]|[1-9]\\d+)", "(?:[02-9]|\\d\\d+)"),
  list("A version may have a suffix.", "(?:-[a-z0-9-]+)?)$", ")$", { needs: [NEWER] }),
  list(
    "The rules of this version do not judge a newer one.",
    "if (newer !== undefined)",
    "if (newer !== undefined && !list.includes('\"') && text.length <= MAX_OCTETS)",
    {
      needs: [NEWER],
    },
  ),
  list(
    "The other of the two versions is ignored.",
    "if (first === `v=${other}`)",
    "if (first === other)",
  ),
];

const tags: readonly RecordRule[] = [
  list(LONG, "text.length > MAX_OCTETS", "false"),
  list("It may have exactly as many.", "text.length > MAX_OCTETS", "text.length >= MAX_OCTETS"),
  list(
    "White space at the ends counts for that.",
    "text.length > MAX_OCTETS",
    "list.length > MAX_OCTETS",
    { needs: [LONG] },
  ),
  both(
    list("A record is printable ASCII.", "/[^\\t -~]/.test(list)", "false"),
    list("", "/^[!#-:=-[\\]-~]+$/", '/^[^"<\\\\]+$/'),
  ),
  list("A value contains no <.", "[!#-:=-[", "[!#-:<-["),
  list("A value contains no backslash.", "[!#-:=-[\\]-~]", "[!#-:=-~]"),
  list("A value is not empty.", "=-[\\]-~]+$/", "=-[\\]-~]*$/"),
  list("A value does not begin with an equals sign.", ' && !text.startsWith("=")', ""),
  list("A value does not end with an equals sign.", ' && !text.endsWith("=")', ""),
  list("A name ends at the first equals sign.", 'part.indexOf("=")', 'part.lastIndexOf("=")'),
  list("A name begins with a letter.", "/^[a-z][a-z0-9-]", "/^[a-z0-9-][a-z0-9-]"),
  list("A name has letters, digits and hyphens.", "/^[a-z][a-z0-9-]{0,15}", "/^[a-z][a-z]{0,15}", {
    needs: [UNKNOWN],
  }),
  list("A name has nothing else.", "/^[a-z][a-z0-9-]{0,15}", "/^[a-z][a-z0-9_-]{0,15}"),
  list("A name may have 16 characters.", "[a-z0-9-]{0,15}$/", "[a-z0-9-]{0,14}$/", {
    needs: [UNKNOWN],
  }),
  list("A name has no more.", "[a-z0-9-]{0,15}$/", "[a-z0-9-]{0,16}$/"),
  list(
    "A name is in lower case.",
    "} else if (!NAME.test(name)) {",
    "} else if (name === value) {",
  ),
  list(REPEATED, "} else if (names.has(name)) {", "} else if (names.has(part)) {"),
  list("v is a tag.", 'new Set(["v"])', "new Set()", { needs: [REPEATED] }),
  list(
    UNKNOWN,
    "names.add(name);",
    'names.add(name);\n      if (!/^(?:sp|acct|jkt|spk|chal)$/.test(name)) problems.push(problem("malformed_tag"));',
  ),
];

const values: readonly RecordRule[] = [
  issuer(
    "sp is required.",
    'const sp = tags.get("sp");',
    'const sp = tags.get("sp") ?? "https://auth.example.com";',
  ),
  record(NONE, 'tags.get("sp") === "none" ?', 'tags.get("sp") === "" ?'),
  record(
    "acct is required.",
    'const acct = tags.get("acct");',
    'const acct = tags.get("acct") ?? (sp === "none" ? undefined : "a".repeat(22));',
  ),
  record(
    "With sp=none, it is not.",
    'if (acct === undefined && sp !== "none")',
    "if (acct === undefined)",
    { needs: [NONE] },
  ),
  record("acct has at least 22 characters.", "_-]{22,64}", "_-]{21,64}"),
  record("acct may have 64 characters.", "_-]{22,64}", "_-]{22,63}"),
  record("acct has no more.", "_-]{22,64}", "_-]{22,65}"),
  record("acct is base64url.", "/^[A-Za-z0-9_-]{22,64}", "/^[A-Za-z0-9_.-]{22,64}"),
  record(JKT_LIST, 'readThumbprints(tags, "jkt", problems)', "[] as string[]"),
  record(SPK_LIST, 'readThumbprints(tags, "spk", problems)', "[] as string[]"),
  record(
    "A thumbprint has no fewer than 43 characters.",
    "/^[A-Za-z0-9_-]{43}(?:",
    "/^[A-Za-z0-9_-]{42,43}(?:",
    { needs: [SPK_LIST] },
  ),
  record(
    "A thumbprint has no more than 43 characters.",
    "/^[A-Za-z0-9_-]{43}(?:",
    "/^[A-Za-z0-9_-]{43,44}(?:",
    { needs: [SPK_LIST] },
  ),
  record("A list may have four thumbprints.", "{43}){0,3}$/", "{43}){0,2}$/", {
    needs: [JKT_LIST],
  }),
  record("A list has no more.", "{43}){0,3}$/", "{43}){0,4}$/", { needs: [JKT_LIST] }),
  record("No key is in jkt and in spk.", "jkt.some((key) => spk.includes(key))", "false", {
    needs: [JKT_LIST, SPK_LIST],
  }),
  challenge(
    "chal is required.",
    'const chal = list.tags.get("chal");',
    'const chal = list.tags.get("chal") ?? "c".repeat(22);',
  ),
  challenge("chal has at least 22 characters.", "_-]{22,64}", "_-]{21,64}"),
  challenge("chal has at most 64 characters.", "_-]{22,64}", "_-]{22,65}"),
  challenge("chal is base64url.", "/^[A-Za-z0-9_-]{22", "/^[A-Za-z0-9_.-]{22"),
];

const issuers: readonly RecordRule[] = [
  issuer("sp is a URL of https or http.", 'return "no_url";', "return null;"),
  issuer("It has no query.", 'value.includes("?")', "false", { isNaming: true }),
  issuer("It has no fragment.", 'value.includes("#")', "false", { isNaming: true }),
  issuer("It is not percent-encoded.", 'value.includes("%")', "false", { isNaming: true }),
  issuer("It has no user name.", '.includes("@")', '.includes("@@")', { isNaming: true }),
  issuer("Its path has only characters of paths.", "!PATH_RE.test(path)", "false"),
  issuer("Its path has no dot segments.", "/\\/\\.\\.?(?:\\/|$)/.test(path)", "false"),
  issuer(HTTPS, 'isLoopback ? null : "not_https"', "null"),
  issuer("Its host is in lower case.", "host !== host.toLowerCase()", "false", { isNaming: true }),
  issuer("Its host has a dot.", "\\.)+[a-z]", "\\.)*[a-z]"),
  issuer(
    "The last label of its host begins with a letter, so that it is no IP address.",
    "\\.)+[a-z](?:",
    "\\.)+[a-z0-9](?:",
  ),
  issuer(
    "A label of its host begins with a letter or digit.",
    "HOST_RE = /^(?:[a-z0-9]",
    "HOST_RE = /^(?:[a-z0-9-]",
  ),
  issuer("Its host has at most 253 characters.", "host.length > 253 || ", ""),
  issuer("It has a port only with the option.", "!options.allowIssuerPort", "false"),
  issuer("With the option, it may have one.", "!options.allowIssuerPort", "true"),
  issuer("A port is at most 65535.", "Number(text) <= 65535", "Number(text) <= 99999"),
  issuer("A port does not begin with 0.", "/^[1-9]\\d{0,4}$/", "/^\\d{1,5}$/"),
  issuer(
    LOOPBACK,
    "LOOPBACK_RE.test(host) && port !== undefined && options",
    "LOOPBACK_RE.test(value) && options",
  ),
  issuer(
    "Without the option, it may not.",
    "port !== undefined && options.allowLoopbackIssuer;\n    return",
    "port !== undefined;\n    return",
    { needs: [HTTPS] },
  ),
  issuer(
    "localhost needs a port there.",
    "LOOPBACK_RE.test(host) && port !== undefined &&",
    "LOOPBACK_RE.test(host) &&",
    { needs: [HTTPS] },
  ),
  issuer(
    "One label may stand before localhost.",
    "/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)?localhost$/",
    "/^localhost$/",
    { needs: [LOOPBACK] },
  ),
  issuer(
    "With the option, sp may be https://localhost.",
    'const isLocal = host === "localhost"',
    'const isLocal = host === ""',
  ),
  issuer(
    "The reader's own issuer with the other scheme is a mistake.",
    "scheme === ownScheme ? []",
    "scheme !== undefined ? []",
  ),
  issuer(
    "The reader's own issuer with a slash is a mistake.",
    "const hasPath = rest.startsWith(`${ownRest}/`)",
    "const hasPath = rest.startsWith(`${ownRest}//`)",
  ),
];

export const recordRules = [...panels, ...versions, ...tags, ...values, ...issuers];
