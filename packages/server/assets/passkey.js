// The script of the passkey pages: asks the browser for an assertion, or for a new passkey, when the form is
// submitted, and posts it.

(() => {
  const form = document.getElementById("passkey-form");
  const status = document.getElementById("passkey-status");
  const say = (id) => {
    status.textContent = document.getElementById(id).textContent;
  };
  if (!window.PublicKeyCredential) {
    say("passkey-unsupported");
    return;
  }
  // On a page on which it is only an offer.
  document.getElementById("passkey")?.removeAttribute("hidden");
  const octets = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const encode = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=/g, "");
  const get = (options) =>
    navigator.credentials.get({
      publicKey: { ...options, challenge: octets(options.challenge) },
    });
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
  const field = form.elements.credential;
  let isWaiting = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // A second request would cancel the first.
    if (isWaiting) return;
    isWaiting = true;
    status.textContent = "";
    const options = JSON.parse(form.dataset.options);
    try {
      const { id, type, response } = await (options.user ? create(options) : get(options));
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
      if (options.user) delete encoded.authenticatorData;
      field.value = JSON.stringify({ id, rawId: id, type, response: encoded });
      form.submit();
    } catch {
      // Cancelled, timed out, or no passkey: browsers do not tell which.
      say("passkey-failed");
    } finally {
      isWaiting = false;
    }
  });
})();
