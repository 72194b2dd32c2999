// What the walk prints for each step, in the order of the steps.

export const NARRATION = {
  authorize: "The app sends the browser to the service to start a sign-in.",
  "set-up":
    "The user enters a domain without a record. This browser runs no script, so the set-up skips the passkey and shows the record.",
  "publish-record": "The domain owner publishes the record in DNS.",
  "check-record": "The service checks DNS again and finds the record.",
  "save-codes": "The account exists now. The owner saves the recovery codes and continues.",
  consent: "The user allows access, and the service sends the app a code.",
  "code-exchange": "The app exchanges the code for tokens.",
  userinfo: "The app asks the userinfo endpoint who signed in.",
  refresh: "The app refreshes its tokens, and the service replaces both.",
  "refresh-retry":
    "The app lost that response, so it repeats the request and gets the same refresh token.",
  successor: "The app refreshes again, now with its current refresh token.",
  replay: "A thief tries the first refresh token, and the service refuses it.",
  "grant-ended": "The replay revoked the whole grant, so the newest tokens are refused too.",
  "continue-as": 'The user signs in again in the same browser with one click on "Continue as …".',
  "sign-out": "The app starts another sign-in, and the user signs out of this browser first.",
  "dns-challenge":
    "There is no session any more, so the service asks this known browser for a short-lived record.",
  "publish-challenge": "The domain owner publishes the short-lived record.",
  "check-challenge": "The service finds the record and does not ask for consent again.",
  "same-account": "The app gets tokens for the same account as before.",
  "clean-up": "The domain owner deletes both records again.",
  keys: "The app fetches the service's public keys, once for many sign-ins.",
  "verify-offline":
    "The app verifies the validation data of the token response, offline. This is what each part proves.",
  "provider-proof":
    "The app verifies it again without the service's published keys: the record says who may speak.",
  "flipped-octet": "The app changes one octet of the data, and verification fails.",
  "sp-set-up":
    "The owner of another domain chooses another service, the SP, and starts the set-up there.",
  "sp-record": "The domain owner publishes the SP's record and signs in to the SP's app.",
  "hand-over":
    "The user enters that domain at the first service, which redirects to the SP that its record names.",
  "sp-consent": "The user continues at the SP and allows it to identify them to the first service.",
  "external-consent":
    "The first service accepts the SP's answer, and the user allows access for the app.",
  "external-tokens": "The app exchanges the code for tokens and asks userinfo who signed in.",
  "sp-proof":
    "The app verifies the SP's provider proof offline, without trusting the first service.",
  "changed-proof": "The app rejects the proof if it was changed or has another signing key.",
  "sp-clean-up": "The domain owner deletes that record again.",
  "passkey-set-up":
    "The owner of a third domain starts the set-up in Chromium and creates a passkey, which the record then names.",
  "passkey-record": "The domain owner publishes that record, and the open page finds it.",
  "passkey-first":
    "The owner continues with the passkey, saves the recovery codes and allows access: the app gets tokens.",
  "owner-proof": "The app verifies offline that the owner approved this very request.",
  "passkey-again":
    "The app asks for another sign-in. Chromium offers the passkey, and nobody types anything.",
  "passkey-clean-up": "The domain owner deletes that record, too.",
} as const;
