// The script of the passkey page: asks the browser for an assertion when the form is submitted, and posts it.

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
  const octets = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const encode = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=/g, "");
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
      const publicKey = { ...options, challenge: octets(options.challenge) };
      const { id, type, response } = await navigator.credentials.get({ publicKey });
      const { clientDataJSON, authenticatorData, signature, userHandle } = response;
      field.value = JSON.stringify({
        id,
        rawId: id,
        type,
        response: {
          clientDataJSON: encode(clientDataJSON),
          authenticatorData: encode(authenticatorData),
          signature: encode(signature),
          userHandle: userHandle && encode(userHandle),
        },
      });
      form.submit();
    } catch {
      // Cancelled, timed out, or no passkey: browsers do not tell which.
      say("passkey-failed");
    } finally {
      isWaiting = false;
    }
  });
})();
