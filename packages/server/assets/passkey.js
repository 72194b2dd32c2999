// The script of the pages with passkeys. Asks the browser for an assertion, or for a new passkey, when the form is
// submitted, and posts it. On the page that asks for a domain, lets the browser offer passkeys with the field. Tells the
// browser which passkeys sign nobody in any more.

function passkeyForm() {
  return document.getElementById("passkey-form");
}

function octets(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
}

// A page that may stay open for long takes its options when they are needed: a challenge is valid for five minutes.
async function freshOptions() {
  const { optionsAt = location.href } = passkeyForm().dataset;
  // Fails also where another tab has finished the sign-in: then the address leads to the app.
  const answer = await fetch(optionsAt).catch(() => null);
  const next = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const form = next.getElementById("passkey-form");
  if (!form?.dataset.options) {
    // Something else came of it, which that page says.
    location.assign(optionsAt);
    return null;
  }
  passkeyForm().action = form.action;
  return JSON.parse(form.dataset.options);
}

function getPasskey(options, how = {}) {
  const publicKey = { ...options, challenge: octets(options.challenge) };
  return navigator.credentials.get({ ...how, publicKey });
}

function postPasskey({ id, type, response }, isNew) {
  const encode = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=/g, "");
  const encoded = {};
  for (const name of [
    "clientDataJSON",
    "authenticatorData",
    "signature",
    "userHandle",
    "attestationObject",
  ]) {
    // A registration has no assertion, and an assertion no attestation.
    if (response[name]) encoded[name] = encode(response[name]);
  }
  if (isNew) delete encoded.authenticatorData;
  passkeyForm().elements.credential.value = JSON.stringify({
    ...{ id, rawId: id, type },
    response: encoded,
  });
  passkeyForm().submit();
}

// A page with a button, or what the script of a page shows in its place.
const startButton = () => {
  const status = document.getElementById("passkey-status");
  if (!status) return;
  const loadedAt = Date.now();
  const say = (id) => {
    status.replaceChildren(...document.getElementById(id).cloneNode(true).childNodes);
  };
  if (!window.PublicKeyCredential) {
    // Nobody is asked for what the browser cannot do.
    if (document.body.dataset.step === "set-up-passkey")
      document.getElementById("without-passkey-form").submit();
    say("passkey-unsupported");
    return;
  }
  const create = (options) =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: octets(options.challenge),
        user: { ...options.user, id: octets(options.user.id) },
        excludeCredentials: options.excludeCredentials.map((one) => ({
          ...one,
          id: octets(one.id),
        })),
      },
    });
  let isWaiting = false;
  passkeyForm().addEventListener("submit", async (event) => {
    event.preventDefault();
    // A second request would cancel the first.
    if (isWaiting) return;
    isWaiting = true;
    status.textContent = "";
    try {
      const given = passkeyForm().dataset.options;
      const isFresh = given && Date.now() - loadedAt < 240_000;
      const options = isFresh ? JSON.parse(given) : await freshOptions();
      if (!options) return;
      postPasskey(await (options.user ? create(options) : getPasskey(options)), options.user);
    } catch (error) {
      // An authenticator that already has a passkey of the account. Else it was cancelled or timed out, or there is no
      // passkey: browsers do not tell which.
      const exists =
        error.name === "InvalidStateError" && document.getElementById("passkey-exists");
      say(exists ? "passkey-exists" : "passkey-failed");
    } finally {
      isWaiting = false;
    }
  });
};
startButton();
document.addEventListener("replaced", startButton);

// The page that asks for a domain. Errors are ignored: the person can type.
(async () => {
  const { options, renewal } = passkeyForm().dataset;
  const isAvailable = window.PublicKeyCredential?.isConditionalMediationAvailable;
  if (!renewal || !isAvailable || !(await PublicKeyCredential.isConditionalMediationAvailable()))
    return;
  let asked;
  let askedAt;
  const ask = (json) => {
    asked?.abort();
    asked = new AbortController();
    askedAt = Date.now();
    const how = { mediation: "conditional", signal: asked.signal };
    getPasskey(JSON.parse(json), how).then(postPasskey, () => {});
  };
  ask(options);
  // A challenge is valid for five minutes.
  const renew = async () => {
    if (document.hidden || Date.now() - askedAt < 240_000) return;
    const answer = await fetch(renewal);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const form = next.getElementById("passkey-form");
    if (form) ask(form.dataset.options);
  };
  const again = () => renew().catch(() => {});
  setInterval(again, 60_000);
  document.addEventListener("visibilitychange", again);
})().catch(() => {});

// What the service knows of passkeys, and the password managers of the person do not. Errors are ignored: it is a favour.
(async () => {
  const element = document.getElementById("passkey-signals");
  if (!element) return;
  const { rpId, unknownCredentials, users, acceptedCredentials } = element.dataset;
  const wordsOf = (text) => text.split(" ").filter(Boolean);
  const signal = async (name, options) => {
    try {
      await window.PublicKeyCredential?.[name]?.({ rpId, ...options });
    } catch {}
  };
  for (const credentialId of wordsOf(unknownCredentials)) {
    await signal("signalUnknownCredential", { credentialId });
  }
  const allAcceptedCredentialIds = wordsOf(acceptedCredentials);
  for (const userId of wordsOf(users)) {
    await signal("signalAllAcceptedCredentials", { userId, allAcceptedCredentialIds });
  }
})().catch(() => {});
