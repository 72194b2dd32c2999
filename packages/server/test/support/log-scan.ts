// Scans logs for secrets: each in several spellings, whole or cut short.

export interface Log {
  /** The test file whose service wrote it. */
  readonly test: string;
  /** Who wrote it. */
  readonly what: string;
  readonly text: string;
}

export interface Secret {
  readonly kind: string;
  readonly value: string;
}

/** A secret in a log. None of its words tells the secret. */
export interface Find {
  readonly test: string;
  readonly what: string;
  /** The name of the event, or `?` for a line that is none. */
  readonly event: string;
  readonly kind: string;
  readonly spelling: string;
  /** The first characters of the secret. */
  readonly begins: string;
}

/** A shorter value could stand in a log by chance, so it is not looked for. */
const LEAST = 16;
/** So much of a secret's beginning is a leak. */
const BEGINNING = 20;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** What the log and stack traces leave in one piece. */
const RUN = /[^\s"\\]{16,}/g;
const IN_RUN = /^[^\s"\\]{16}/;
/** What is decoded of `dsc_AAAA…`, `xxxx…` and the like, which tests make up. */
const ONE_LETTER = /^(.)\1*$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** At most one find per log, kind and spelling. */
export function scan(logs: readonly Log[], secrets: Iterable<Secret>): Find[] {
  const windows = windowsOf(logs);
  const finds = new Map<string, Find>();
  for (const { kind, value } of secrets) {
    if (value.length < LEAST) continue;
    for (const [spelling, text] of spellingsOf(value)) {
      const beginning = text.slice(0, BEGINNING);
      if (IN_RUN.test(beginning) && !windows.has(beginning.slice(0, LEAST))) continue;
      for (const { test, what, text: log } of logs) {
        const at = log.indexOf(beginning);
        const key = [test, what, kind, spelling].join();
        if (at < 0 || finds.has(key)) continue;
        const event = eventAt(log, at);
        finds.set(key, { test, what, event, kind, spelling, begins: value.slice(0, 4) });
      }
    }
  }
  return [...finds.values()];
}

/** Every 16 characters in a row that stand in a log: secrets are many more than these. */
function windowsOf(logs: readonly Log[]): Set<string> {
  const runs = new Set<string>();
  for (const { text } of logs) {
    for (const [run] of text.matchAll(RUN)) if (!INSTANT.test(run)) runs.add(run);
  }
  const windows = new Set<string>();
  for (const run of runs) {
    for (let at = 0; at + LEAST <= run.length; at++) windows.add(run.slice(at, at + LEAST));
  }
  return windows;
}

function spellingsOf(secret: string): [spelling: string, text: string][] {
  // More than any spelling needs for its beginning.
  const value = secret.slice(0, 3 * BEGINNING);
  const octets = Buffer.from(value);
  const spellings: [string, string][] = [
    ["plain", value],
    ["percent-encoded", encodeURIComponent(octets.toString())],
    ["form-encoded", new URLSearchParams({ "": value }).toString().slice(1)],
    ["as a JSON string", JSON.stringify(value).slice(1, -1)],
    ["in base64", octets.toString("base64")],
    ["in base64url", octets.toString("base64url")],
    ["in hex", octets.toString("hex")],
  ];
  // As somebody would print what the secret is made of.
  const own = value.replace(/^ds[acrs]_/, "");
  if (BASE64URL.test(own)) {
    const decoded = Buffer.from(own, "base64url");
    spellings.push(["decoded, in hex", decoded.toString("hex")]);
    spellings.push(["decoded, in base64", decoded.toString("base64")]);
  }
  const seen = new Set<string>();
  return spellings.filter(([, text]) => {
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew && text.length >= LEAST && !ONE_LETTER.test(text.slice(0, BEGINNING));
  });
}

/** What `wire-secrets.mjs` and `noteSecret` write: a line of JSON for each. */
export function readSecrets(text: string): Secret[] {
  return text.split("\n").flatMap((line): Secret[] => (line === "" ? [] : [JSON.parse(line)]));
}

function eventAt(log: string, at: number): string {
  const end = log.indexOf("\n", at);
  const line = log.slice(log.lastIndexOf("\n", at) + 1, end < 0 ? undefined : end);
  return /"msg":"([^"]+)"\}$/.exec(line)?.[1] ?? "?";
}

export function told({ test, what, event, kind, spelling, begins }: Find): string {
  return `${test}: the log of ${what}, event ${event}: ${kind}, ${spelling} (${begins}…)`;
}
