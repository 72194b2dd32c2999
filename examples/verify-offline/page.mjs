// What the page does: reads its fields, verifies, and says in words what is proven or why nothing is.

import { parseTrustAnchor, VerificationError, verifyValidationData } from "domain-signin-verify";

const answer = byId("answer");

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  answer.removeAttribute("data-outcome");
  answer.replaceChildren();
  const [outcome, ...content] = await judged();
  answer.dataset.outcome = outcome;
  answer.replaceChildren(...content);
  answer.focus();
});

async function judged() {
  try {
    const { data, options } = readFields();
    const proven = await verifyValidationData(data, options);
    return [
      "proven",
      element("h2", `${proven.domain} is proven`),
      ...wordsFor(proven, options),
      ...(await wordsForRecord(proven, data, options)),
    ];
  } catch (error) {
    if (error instanceof FieldError) return ["refused", element("h2", error.message)];
    return ["refused", element("h2", "Nothing is proven"), ...wordsForError(error)];
  }
}

/** By `how`. */
const onWhoseWord = {
  attestation: ({ issuer }) =>
    `${issuer} says that whoever signed in to your app by this request controls the domain. Nothing but its word stands for that.`,
  attestation_and_dnssec: ({ issuer }) =>
    `${issuer} says that whoever signed in to your app by this request controls the domain, and the domain's own record names the same account.`,
  owner_proof: () =>
    "A key that the domain's own record lists approved this request of your app. No word of the service stands behind that.",
  both: ({ issuer }) =>
    `A key that the domain's own record lists approved this request of your app, and ${issuer} says the same.`,
};

function wordsFor(proven, options) {
  return [
    element("p", onWhoseWord[proven.how](options)),
    list([
      ["sub", proven.sub],
      ["Service provider", proven.sp],
      ["Account there", proven.acct],
      ["Owner's key", proven.jkt],
      ["Proven until", dateOf(proven.until)],
    ]),
  ];
}

/** What the zone says, also where nobody required it: then its failure takes nothing back. */
async function wordsForRecord(proven, data, options) {
  if (proven.record) return recordWords(proven.domain, proven.record);
  if (data.dnssec === undefined) {
    return [element("h3", "The DNS root"), element("p", "Nothing from DNS came along.")];
  }
  try {
    const { record } = await verifyValidationData(data, {
      ...options,
      require: "attestation_and_dnssec",
    });
    return recordWords(proven.domain, record);
  } catch (error) {
    return [element("h3", "The DNS root proves nothing here"), ...wordsForError(error)];
  }
}

function recordWords(domain, { sp, acct, jkt, notBefore, notAfter }) {
  const times = `${dateOf(notBefore)} to ${dateOf(notAfter)}`;
  return [
    element("h3", "What the DNS root proves"),
    element(
      "p",
      `The zone of ${domain} says this, signed from the root down. Anybody can look it up: by itself it says nothing about who signed in.`,
    ),
    list([
      ["Service provider", sp],
      ["Account there", acct],
      ["Owner's keys", jkt.join(" ") || "none"],
      ["Signed", times],
    ]),
  ];
}

function wordsForError(error) {
  if (!(error instanceof VerificationError)) throw error;
  return [
    list([
      ["Code", error.code],
      ["Reason", error.message],
    ]),
  ];
}

class FieldError extends Error {}

function readFields() {
  const response = readJson("response", "The token response");
  const data = response.validation_data ?? response;
  if (data.attestation === undefined) {
    throw new FieldError(
      "The token response has no member validation_data: ask GET /oauth/validation_data",
    );
  }
  const jwks = text("jwks") === undefined ? undefined : readJson("jwks", "The key set");
  const now = text("now");
  const anchors = text("anchors")?.split("\n");
  const options = {
    clientId: text("client"),
    redirectUri: text("redirect"),
    issuer: text("issuer"),
    codeVerifier: text("verifier"),
    nonce: text("nonce"),
    accessToken: response.access_token,
    jwks,
    require: byId("require").value,
    now: now === undefined ? undefined : Number(now),
    trustAnchors: anchors?.filter((line) => line.trim() !== "").map(parseTrustAnchor),
  };
  return { data, options };
}

/** What is in a field; undefined for nothing. */
function text(id) {
  return byId(id).value.trim() || undefined;
}

function readJson(id, what) {
  try {
    const value = JSON.parse(text(id) ?? "");
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The parser's own words are about offsets, which nobody counts.
  }
  throw new FieldError(`${what} is not a JSON object`);
}

function dateOf(seconds) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function list(rows) {
  const dl = element("dl");
  for (const [term, value] of rows) {
    if (value !== undefined) dl.append(element("dt", term), element("dd", value));
  }
  return dl;
}

function element(name, content = "") {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

function byId(id) {
  return document.getElementById(id);
}
