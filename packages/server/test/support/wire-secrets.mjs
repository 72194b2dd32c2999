// Loaded into every process that serves in a test: notes each secret that its HTTP exchanges carry.
//
// It listens as octets pass and touches none: bodies, their pace and what breaks off stay as they are.
// JavaScript, since a `serve` process loads it too (`--import`), and Node reads no types there.

import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What these carry is a secret, in a query or a form, and in a JSON answer. */
const NAMED = {
  access_token: "access token",
  client_secret: "client secret",
  code: "code",
  code_verifier: "code verifier",
  id_token: "ID token",
  id_token_hint: "ID token",
  nonce: "nonce",
  recovery_code: "recovery code",
  refresh_token: "refresh token",
  state: "state",
  token: "access token",
};
const PREFIXES = { a: "access token", c: "code", r: "refresh token", s: "client secret" };
const TOKEN = /\bds([acrs])_[A-Za-z0-9_-]{20,}/g;
const COOKIE = /\bds_([a-z]+)(?:_[0-9a-f]{8}){1,2}=([^;\s]+)/g;
const RECOVERY_CODE = /\b(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}\b/g;
/** Octets of a body that are looked at. */
const MOST = 65_536;

const file = join(process.env.LOG_SCAN_FOLDER, `${process.pid}.secrets`);
const noted = new Set();
let lines = "";

function note(kind, value) {
  // Whoever says less has said nothing that could be told from other text.
  if (value.length < 16 || noted.has(value)) return;
  noted.add(value);
  lines += `${JSON.stringify({ kind, value })}\n`;
}

function write() {
  if (lines !== "") appendFileSync(file, lines);
  lines = "";
}

/** What is a secret by its form, wherever it stands. */
function noteForms(text) {
  for (const [token, letter] of text.matchAll(TOKEN)) {
    note(PREFIXES[letter], token);
    // Key id, then the id of the grant: it "never appears outside tokens".
    const grantId = Buffer.from(token.slice(4), "base64url").subarray(1, 17);
    if (letter !== "s") note("grant id", grantId.toString("hex"));
  }
  for (const [, kind, value] of text.matchAll(COOKIE)) note(`${kind} cookie`, value);
  for (const [code] of text.matchAll(RECOVERY_CODE)) {
    note("recovery code", code);
    note("recovery code", code.replaceAll("-", ""));
  }
}

function noteParameters(text) {
  noteForms(text);
  for (const [name, value] of new URLSearchParams(text)) {
    noteForms(value);
    if (Object.hasOwn(NAMED, name)) note(NAMED[name], value);
  }
}

function noteJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  for (const [name, kind] of Object.entries(NAMED)) {
    if (typeof value?.[name] === "string") note(kind, value[name]);
  }
}

function noteAuthorization(header) {
  const [, scheme, credentials = ""] = /^(\w+) +(.+)$/.exec(header) ?? [];
  if (scheme?.toLowerCase() !== "basic") return note("access token", credentials);
  note("Basic pair", credentials);
  const pair = Buffer.from(credentials, "base64").toString();
  noteForms(pair);
  note("client secret", pair.slice(pair.indexOf(":") + 1));
}

function noteExchange({ request, response, asked, told }) {
  noteParameters(request.url.replace(/^[^?]*\??/, ""));
  noteForms(request.headers.cookie ?? "");
  if (request.headers.authorization) noteAuthorization(request.headers.authorization);
  noteParameters(asked());
  // The head as it was written: headers that `writeHead` was given stand nowhere else.
  const head = response._header ?? "";
  noteForms(head);
  const [, location] = /^location: *(.+?)\r?$/im.exec(head) ?? [];
  if (location !== undefined) noteParameters(location.replace(/^[^?]*\??/, ""));
  const answer = told();
  noteForms(answer);
  noteJson(answer);
  write();
}

/** Keeps what passes through a method of this very stream. */
function tap(stream, methods, afterwards = () => {}) {
  const chunks = [];
  let size = 0;
  for (const method of methods) {
    const original = stream[method];
    stream[method] = function tapped(chunk, ...more) {
      if ((typeof chunk === "string" || chunk instanceof Uint8Array) && size < MOST) {
        chunks.push(Buffer.from(chunk));
        size += chunk.length;
      }
      const result = original.call(this, chunk, ...more);
      afterwards(method);
      return result;
    };
  }
  return () => Buffer.concat(chunks).toString();
}

function noteSettings() {
  const { DOMAIN_SIGNIN_SECRET: secret = "", DOMAIN_SIGNIN_DATABASE: database = "" } = process.env;
  note("operator's secret", secret);
  if (URL.canParse(database)) note("database password", new URL(database).password);
  // What `serve` makes where it is given none. A developer's own in the checkout is not our business.
  const made = "domain-signin.secret";
  if (process.argv[2] === "serve" && existsSync(made))
    note("operator's secret", readFileSync(made, "utf8").trim());
  write();
}

let began = false;
subscribe("http.server.request.start", ({ request, response }) => {
  if (!began) noteSettings();
  began = true;
  let over = false;
  const end = () => {
    if (!over) noteExchange({ request, response, asked, told });
    over = true;
  };
  const asked = tap(request, ["push"]);
  const told = tap(response, ["write", "end"], (method) => method === "end" && end());
  response.once("close", end);
});
