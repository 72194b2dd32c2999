// What the page does: reads its fields, verifies, and says in words what is proven or why nothing is.

import { parseTrustAnchor, VerificationError, verifyValidationData } from "domain-signin-verify";

const answer = byId("answer");

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  answer.removeAttribute("data-outcome");
  answer.replaceChildren();
  for (const part of document.querySelectorAll(".status")) part.replaceChildren();
  const [outcome, ...content] = await result();
  answer.dataset.outcome = outcome;
  answer.replaceChildren(...content);
  answer.focus();
});

async function result() {
  let fields;
  try {
    fields = readFields();
    await showParts(fields);
    const proven = await verify(byId("require").value, fields);
    return ["proven", element("h2", `${proven.domain} is proven`), ...textsFor(proven, fields)];
  } catch (error) {
    if (error instanceof FieldError) return ["refused", element("h2", error.message)];
    return ["refused", element("h2", "What you require is not proven"), reasonOf(error)];
  }
}

/** Passes the options that have an effect with `require`: the verifier refuses others. */
function verify(require, { data, request, ofAttestation, ofChain, allowFederation }) {
  return verifyValidationData(data, {
    ...request,
    require,
    ...(!require.endsWith("_proof") && ofAttestation),
    ...(require !== "attestation" && ofChain),
    ...(require === "attestation_and_dnssec" && { allowFederation }),
  });
}

/** By `how`. */
const sentences = {
  attestation: (issuer) =>
    `${issuer} says that the person who signed in to your app, in this request, controls the domain.`,
  attestation_and_dnssec: (issuer) =>
    `${issuer} says that the person who signed in to your app, in this request, controls the domain. The domain's own record names the same account.`,
  provider_proof: () =>
    "The service provider that the domain's own record names says that its account signed in to your app, in this request. Nothing is proven about sub.",
  owner_proof: () =>
    "A key that the domain's own record lists as the owner's approved this request of your app. Nothing is proven about sub.",
  both: (issuer) =>
    `A key that the domain's own record lists as the owner's approved this request of your app, and ${issuer} says the same.`,
};

function textsFor(proven, { request }) {
  return [
    element("p", sentences[proven.how](request.issuer)),
    list([
      ["sub", proven.sub],
      ["Assurance", proven.assurance],
      ["Service provider", proven.sp],
      ["Account there", proven.acct],
      ["Provider's key", proven.spk],
      ["Owner's key", proven.jkt],
      ["Proven until", dateOf(proven.until)],
    ]),
  ];
}

/** Verifies each part, also those that are not required. */
async function showParts(fields) {
  const { data, ofAttestation } = fields;
  const all = { ...fields, allowFederation: true };
  const check = (require) => verify(require, all).catch((error) => ({ error }));
  const attested = await check("attestation");
  const chained = await check("attestation_and_dnssec");
  const provided = await check("provider_proof");
  const owned = await check("owner_proof");
  if (ofAttestation.jwks) show("attestation", data.attestation, attested);
  else showText("attestation", "Not checked: the key set of the service is missing.");
  show("provider_proof", data.provider_proof, provided);
  show("owner_proof", data.owner_proof, owned);
  const { record } = [chained, provided, owned].find((proven) => proven.record) ?? {};
  if (data.dnssec && attested.error && !record) {
    showText("chain", "Not checked: this needs a valid attestation or proof with it.");
  } else show("chain", data.dnssec, record ? {} : chained);
  if (record) byId("chain").querySelector(".status").append(recordList(record));
}

function show(id, part, { error }) {
  if (part === undefined) showText(id, "Not in this response.");
  else if (/options|time/.test(error?.code)) showText(id, "Not checked", "", reasonOf(error));
  else if (error) showText(id, "Not valid", "invalid", reasonOf(error));
  else showText(id, "Valid", "valid");
}

function showText(id, text, className = "", ...more) {
  const line = element("p", text);
  line.className = className;
  byId(id)
    .querySelector(".status")
    .replaceChildren(line, ...more);
}

function recordList({ sp, acct, spk, jkt, notBefore, notAfter }) {
  return list([
    ["Service provider", sp],
    ["Account there", acct],
    ["Provider's keys", spk.join("\n") || "none"],
    ["Owner's keys", jkt.join("\n") || "none"],
    ["Signed", `${dateOf(notBefore)} to ${dateOf(notAfter)}`],
  ]);
}

function reasonOf(error) {
  if (!(error instanceof VerificationError)) throw error;
  return list([
    ["Code", error.code],
    ["Reason", error.message],
  ]);
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
  return {
    data,
    request: {
      clientId: text("client"),
      redirectUri: text("redirect"),
      issuer: text("issuer"),
      codeVerifier: text("verifier"),
      nonce: text("nonce"),
      now: now === undefined ? undefined : Number(now),
    },
    ofAttestation: { jwks, accessToken: response.access_token },
    ofChain: {
      trustAnchors: anchors?.filter((line) => line.trim() !== "").map(parseTrustAnchor),
    },
    allowFederation: byId("federation").checked,
  };
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
    // The parser's own message has an offset, which helps nobody here.
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
