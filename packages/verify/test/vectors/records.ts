// Vectors of single records: a text, and what it says or what is wrong with it.

import type { Json } from "../support/jose.ts";
import { ISSUERS, LONG_HOST } from "./record-issuers.ts";
import type { RecordExpected, Vector } from "./vector.ts";

const SP = "https://auth.example.com";
const ACCT = "m3Zk0bq2vS1nF9o7b0uHqg";
const JKT = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const SPK = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const CHAL = "Qk1x9sV0eJ7tYw2LrB5cDA";
const REST = `sp=${SP} acct=${ACCT}`;
const GOOD = `v=dsi1 ${REST}`;

const ok = (more: Json = {}): RecordExpected => ({
  outcome: "ok",
  record: { sp: SP, acct: ACCT, jkt: [], spk: [], ...more },
});
const okChallenge = (chal = CHAL): RecordExpected => ({ outcome: "ok", record: { sp: SP, chal } });
const wrong = (...problems: string[]): RecordExpected => ({ outcome: "invalid", problems });
const OTHER: RecordExpected = { outcome: "not_ours" };
const newer = (version: string): RecordExpected => ({ outcome: "unsupported", version });
const MALFORMED = wrong("malformed_tag");
const VERSION = wrong("malformed_version");

/** `rule`: the one that alone decides it. */
type Row = readonly [
  name: string,
  text: string,
  expected: RecordExpected,
  rule?: string | undefined,
];

const PANELS: readonly Row[] = [
  ["a record as set-up shows it", GOOD, ok()],
  [
    "a record with keys",
    `${GOOD} jkt=${JKT} spk=${SPK},${JKT.toLowerCase()}`,
    ok({ jkt: [JKT], spk: [SPK, JKT.toLowerCase()] }),
  ],
  ["in any order", `v=dsi1 acct=${ACCT} sp=${SP}`, ok()],
  ["space before", ` ${GOOD}`, ok(), "White space before a record is removed."],
  ["tab before", `\t${GOOD}`, ok(), "A tab is white space."],
  ["space after", `${GOOD} `, ok()],
  ["quoted", `"${GOOD}"`, ok(), "One pair of quotation marks around the whole is removed."],
  [
    "quoted, space after",
    `"${GOOD}" `,
    ok(),
    "White space after the closing quotation mark is removed.",
  ],
  [
    "quoted, space inside",
    `" ${GOOD} "`,
    ok(),
    "White space after the opening quotation mark is removed.",
  ],
  ["quoted twice", `""${GOOD}""`, wrong("quotes")],
  ["opening quote alone", `"${GOOD}`, wrong("quotes")],
  ["closing quote alone", `${GOOD}"`, wrong("quotes")],
  ["escaped quotes", `\\"${GOOD}\\"`, wrong("quotes")],
  [
    "split",
    GOOD.replace("acct", 'ac" "ct'),
    ok(),
    "Quotation marks with white space between them, where a panel split the value, are removed.",
  ],
  ["split in its quotes", `"${GOOD.replace("acct", 'ac"  "ct')}"`, ok()],
  ["split in the version", `"v=ds" "i1 ${REST}"`, ok()],
  ["split with a tab", GOOD.replace("acct", 'ac"\t"ct'), ok(), "A tab is white space there, too."],
  ["split at a space, which is lost", `"v=dsi1" "${REST}"`, VERSION],
  [
    "split without white space",
    GOOD.replace("acct", 'ac""ct'),
    wrong("quotes"),
    "Without white space between them, they are not.",
  ],
  ["quoted value", `${GOOD} x="a"`, wrong("quotes"), "Any other quotation mark is a mistake."],
  ["curly quotes", `“${GOOD}”`, wrong("curly_quotes"), "Curly ones have a problem of their own."],
  ["curly quotes in a value", `${GOOD} x=‘a’`, wrong("curly_quotes")],
  ["spaces", GOOD, ok(), "A space separates tags."],
  ["tab", GOOD.replace(" acct", "\tacct"), ok(), "A tab separates tags."],
  ["semicolon", GOOD.replace(" acct", ";acct"), ok(), "A semicolon separates tags."],
  ["semicolons and spaces", `${GOOD.replaceAll(" ", "; ")};`, ok()],
  [
    "escaped semicolon",
    GOOD.replace(" acct", "\\;acct"),
    ok(),
    "An escaped semicolon separates tags.",
  ],
  ["escaped semicolons and spaces", `${GOOD.replaceAll(" ", "\\; ")}\\;`, ok()],
  ["two spaces", GOOD.replace(" acct", "  acct"), ok(), "Any number of them does."],
  ["any mix", GOOD.replaceAll(" ", "; \\;;\t "), ok()],
  ["semicolon at the end", `${GOOD};`, ok(), "They may follow the last tag."],
  [
    "semicolon at the start",
    `;${GOOD}`,
    wrong("before_version"),
    "They may not stand before the version.",
  ],
  [
    "spaces around an equals sign",
    `v=dsi1 sp = ${SP} acct=${ACCT}`,
    wrong("malformed_tag", "malformed_tag", "malformed_tag"),
    "No white space stands beside an equals sign.",
  ],
  [
    "spaces in the version",
    `v = dsi1 ${REST}`,
    wrong("spaced_version"),
    "No white space stands beside an equals sign.",
  ],
  [
    "comma between tags",
    GOOD.replace(" acct", ",acct"),
    wrong("bad_sp upper_case", "missing_acct"),
  ],
];

const VERSIONS: readonly Row[] = [
  ["upper-case v", `V=dsi1 ${REST}`, wrong("upper_case_version"), "The version is in lower case."],
  ["upper-case version", `v=DSI1 ${REST}`, wrong("upper_case_version")],
  ["longer version", `v=dsi1x ${REST}`, VERSION, "The version ends at the first gap."],
  ["version and comma", `v=dsi1, ${REST}`, VERSION, "The version ends at the first gap."],
  ["no v", `dsi1 ${REST}`, VERSION],
  ["colon", `v:dsi1 ${REST}`, VERSION],
  ["single quotes", `'${GOOD}'`, wrong("before_version")],
  ["name before", `x TXT ${GOOD}`, wrong("before_version")],
  ["byte order mark", `\ufeff${GOOD}`, wrong("not_ascii")],
  [
    "dsi1 that ends at octet 16",
    `${"x".repeat(12)}dsi1`,
    VERSION,
    "dsi and a digit within the first 16 octets is meant as a record.",
  ],
  [
    "dsi1 that ends at octet 17",
    `${"x".repeat(13)}dsi1`,
    OTHER,
    "What has them only after that is another record.",
  ],
  ["four curly quotes, which are 12 octets", `““““${GOOD}`, OTHER],
  [
    "twenty spaces before a mistake",
    `${" ".repeat(20)}v:dsi1 ${REST}`,
    VERSION,
    "White space before a record does not count for that.",
  ],
  [
    "colon and upper case",
    `V:DSI1 ${REST}`,
    VERSION,
    "What has them in upper case is meant as a record, too.",
  ],
  ["dsi without a digit", `v=dsix ${REST}`, OTHER, "What has no digit is another record."],
  ["another record", "v=spf1 -all", OTHER],
  ["empty", "", OTHER],
  [
    "newer version",
    "v=dsi2 any=thing",
    newer("dsi2"),
    "A version above 1 is not supported, which is no mistake.",
  ],
  ["version 10", "v=dsi10 any=thing", newer("dsi10"), "It may have more digits than one."],
  ["version 0", `v=dsi0 ${REST}`, VERSION, "No version begins with 0."],
  ["version 02", `v=dsi02 ${REST}`, VERSION, "No version begins with 0."],
  [
    "version 2 of a challenge",
    "v=dsi2-chal any=thing",
    newer("dsi2-chal"),
    "A version may have a suffix.",
  ],
  [
    "version 2 with what is a mistake here",
    'v=dsi2 any="thing',
    newer("dsi2"),
    "The rules of this version do not judge a newer one.",
  ],
  [
    "version 2, long",
    "v=dsi2 any=".padEnd(1025, "x"),
    newer("dsi2"),
    "The rules of this version do not judge a newer one.",
  ],
  [
    "challenge",
    `v=dsi1-chal sp=${SP} chal=${CHAL}`,
    { outcome: "other_version", version: "dsi1-chal" },
    "The other of the two versions is ignored.",
  ],
  [
    "challenge with mistakes",
    "v=dsi1-chal x y",
    { outcome: "other_version", version: "dsi1-chal" },
    "The other of the two versions is ignored.",
  ],
  ["longer version of a challenge", `v=dsi1-challenge ${REST}`, VERSION],
];

const LONG = `v=dsi1 acct=${ACCT} sp=${SP}/`.padEnd(1024, "y");
const withTag = (tag: string) => `${GOOD} ${tag}`;

const TAGS: readonly Row[] = [
  ["1,024 octets", LONG, ok({ sp: LONG.replace(/.* sp=/, "") }), "It may have exactly as many."],
  [
    "1,025 octets",
    withTag("x=").padEnd(1025, "y"),
    wrong("too_long"),
    "A record has at most 1,024 octets.",
  ],
  [
    "1,025 octets with spaces",
    GOOD.padEnd(1025, " "),
    wrong("too_long"),
    "White space at the ends counts for that.",
  ],
  ["1,025 octets of another record", "v=spf1 ".padEnd(1025, "y"), OTHER],
  ["letter above ASCII", withTag("x=é"), wrong("not_ascii"), "A record is printable ASCII."],
  ["control character", withTag("x=\u0000"), wrong("not_ascii"), "A record is printable ASCII."],
  ["line feed at the end", `${GOOD}\n`, wrong("not_ascii")],
  ["no-break space between tags", GOOD.replace(" acct", "\u00a0acct"), wrong("not_ascii")],
  ["< in a value", withTag("x=<a>"), MALFORMED, "A value contains no <."],
  ["backslash in a value", withTag("x=a\\b"), MALFORMED, "A value contains no backslash."],
  ["no value", withTag("x="), MALFORMED, "A value is not empty."],
  ["no equals sign", withTag("x"), MALFORMED],
  ["no name", withTag("=x"), MALFORMED],
  ["two equals signs", withTag("x==a"), MALFORMED, "A value does not begin with an equals sign."],
  [
    "equals sign at the end",
    withTag("x=a="),
    MALFORMED,
    "A value does not end with an equals sign.",
  ],
  [
    "equals sign in a value",
    GOOD.replace(SP, `${SP}/x=y`),
    ok({ sp: `${SP}/x=y` }),
    "A name ends at the first equals sign.",
  ],
  ["name that begins with a digit", withTag("1=x"), MALFORMED, "A name begins with a letter."],
  ["name with digit and hyphen", withTag("x-1=a"), ok(), "A name has letters, digits and hyphens."],
  ["name with an underscore", withTag("a_b=x"), MALFORMED, "A name has nothing else."],
  ["name of 16 characters", withTag("abcdefghijklmnop=x"), ok(), "A name may have 16 characters."],
  ["name of 17 characters", withTag("abcdefghijklmnopq=x"), MALFORMED, "A name has no more."],
  ["name in upper case", withTag("X=a"), wrong("upper_case_tag"), "A name is in lower case."],
  ["all in upper case", GOOD.toUpperCase(), wrong("upper_case_version")],
  ["unknown tag", withTag("later=x"), ok(), "An unknown tag is ignored."],
  ["tag twice", withTag(`acct=${ACCT}`), wrong("repeated_tag"), "No tag occurs twice."],
  ["unknown tag twice", withTag("x=1 x=1"), wrong("repeated_tag")],
  ["v twice", `v=dsi1 ${GOOD}`, wrong("repeated_tag"), "v is a tag."],
  [
    "ten mistakes, of which eight are told",
    `v=dsi1${" x".repeat(10)}`,
    wrong(...Array<string>(8).fill("malformed_tag")),
  ],
];

const list = (letters: string) => [...letters].map((letter) => letter.repeat(43));
const withAcct = (acct: string) => `v=dsi1 sp=${SP} acct=${acct}`;

const VALUES: readonly Row[] = [
  ["no sp", `v=dsi1 acct=${ACCT}`, wrong("missing_sp"), "sp is required."],
  ["version alone", "v=dsi1", wrong("missing_sp", "missing_acct")],
  [
    "sp=none and acct",
    `v=dsi1 sp=none acct=${ACCT}`,
    ok({ sp: "none" }),
    "sp may be none in an SP record.",
  ],
  [
    "sp=none without acct",
    "v=dsi1 sp=none",
    { outcome: "ok", record: { sp: "none", jkt: [], spk: [] } },
    "With sp=none, it is not.",
  ],
  ["no acct", `v=dsi1 sp=${SP}`, wrong("missing_acct"), "acct is required."],
  ["acct of 21", withAcct("a".repeat(21)), wrong("bad_acct"), "acct has at least 22 characters."],
  [
    "acct of 64",
    withAcct("a".repeat(64)),
    ok({ acct: "a".repeat(64) }),
    "acct may have 64 characters.",
  ],
  ["acct of 65", withAcct("a".repeat(65)), wrong("bad_acct"), "acct has no more."],
  ["acct with a dot", withAcct(`${ACCT}.`), wrong("bad_acct"), "acct is base64url."],
  [
    "jkt that is no thumbprint",
    withTag("jkt=x"),
    wrong("bad_jkt"),
    "jkt is a list of thumbprints.",
  ],
  [
    "spk that is no thumbprint",
    withTag("spk=x"),
    wrong("bad_spk"),
    "spk is a list of thumbprints.",
  ],
  [
    "thumbprint of 42",
    withTag(`spk=${SPK.slice(1)}`),
    wrong("bad_spk"),
    "A thumbprint has no fewer than 43 characters.",
  ],
  [
    "thumbprint of 44",
    withTag(`spk=${SPK}x`),
    wrong("bad_spk"),
    "A thumbprint has no more than 43 characters.",
  ],
  ["comma at the end of a list", withTag(`jkt=${JKT},`), wrong("bad_jkt")],
  ["space in a list", withTag(`jkt=${JKT}, ${SPK}`), MALFORMED],
  [
    "four keys",
    withTag(`jkt=${list("abcd").join()}`),
    ok({ jkt: list("abcd") }),
    "A list may have four thumbprints.",
  ],
  ["five keys", withTag(`jkt=${list("abcde").join()}`), wrong("bad_jkt"), "A list has no more."],
  [
    "key in both tags",
    withTag(`jkt=${JKT},${SPK} spk=${SPK}`),
    wrong("key_in_both"),
    "No key is in jkt and in spk.",
  ],
  ["key in both tags with sp=none", `v=dsi1 sp=none jkt=${SPK} spk=${SPK}`, wrong("key_in_both")],
];

const CHALLENGES: readonly Row[] = [
  ["challenge as the page shows it", `v=dsi1-chal sp=${SP} chal=${CHAL}`, okChallenge()],
  ["challenge as panels keep it", `"v=dsi1-chal; sp=${SP}\\; chal=${CHAL};" `, okChallenge()],
  [
    "challenge with semicolon before",
    `;v=dsi1-chal sp=${SP} chal=${CHAL}`,
    wrong("before_version"),
  ],
  [
    "SP record where a challenge is looked for",
    GOOD,
    { outcome: "other_version", version: "dsi1" },
    "The other of the two versions is ignored.",
  ],
  ["challenge without sp", `v=dsi1-chal chal=${CHAL}`, wrong("missing_sp")],
  ["challenge with sp=none", `v=dsi1-chal sp=none chal=${CHAL}`, wrong("bad_sp no_url")],
  ["no chal", `v=dsi1-chal sp=${SP}`, wrong("missing_chal"), "chal is required."],
  [
    "chal of 21",
    `v=dsi1-chal sp=${SP} chal=${CHAL.slice(1)}`,
    wrong("bad_chal"),
    "chal has at least 22 characters.",
  ],
  ["chal of 64", `v=dsi1-chal sp=${SP} chal=${"c".repeat(64)}`, okChallenge("c".repeat(64))],
  [
    "chal of 65",
    `v=dsi1-chal sp=${SP} chal=${"c".repeat(65)}`,
    wrong("bad_chal"),
    "chal has at most 64 characters.",
  ],
  [
    "chal with a dot",
    `v=dsi1-chal sp=${SP} chal=${CHAL}.`,
    wrong("bad_chal"),
    "chal is base64url.",
  ],
];

export async function recordVectors(): Promise<Vector[]> {
  const vector = (record: string, [name, text, expected, rule]: Row, options: Json): Vector => ({
    name,
    ...(rule !== undefined && { rule }),
    input: { record, ...octetsOf(text) },
    options,
    expected,
  });
  const records = [...PANELS, ...VERSIONS, ...TAGS, ...VALUES];
  return [
    ...records.map((row) => vector("dsi1", row, {})),
    ...CHALLENGES.map((row) => vector("dsi1-chal", row, {})),
    ...ISSUERS.map(([sp, expected, rule, options = {}]) => {
      const shown = sp === LONG_HOST ? "https://a.a.… of 254 characters" : sp.slice(0, 60);
      const name = [
        shown,
        ...Object.values(options).filter((one) => one !== true),
        ...Object.keys(options),
      ].join(", ");
      return vector(
        "dsi1",
        [`sp=${name}`, `v=dsi1 sp=${sp} acct=${ACCT}`, expected ?? ok({ sp }), rule],
        options,
      );
    }),
  ];
}

/** `hex` where a text would not show the octets. */
function octetsOf(text: string): Json {
  return /^[ -~]*$/.test(text) ? { text } : { hex: Buffer.from(text).toString("hex") };
}
