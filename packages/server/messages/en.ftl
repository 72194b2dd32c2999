### The texts of the pages in English.

## All pages

common-serviceName = domain-signin
common-copy = Copy
common-copied = Copied
common-backTo = Back to { $client }
common-backToApp = Back to the app
common-problemTitle = Problem: { $title }
common-step = { $step } of { $steps }
common-through = { $service } says that this sign-in is for { $app }.

## The page that asks for the domain

domain-title = Sign in to { $client }
domain-returnTo = Use a domain you own. You return to { $host }.
domain-label = Your domain
domain-hint = For example, alice.com
domain-submit = Continue
domain-how-title = How does this work?
domain-how-paragraphs =
    .paragraph1 = The owner of a domain name controls its DNS. A small record there names the service that can sign you in as your domain.
    .paragraph2 = If your domain does not have this record yet, we show you one to publish. It takes a few minutes, and you do it only once.

## The page that offers to continue with a remembered domain

continue-heading = Continue as { $domain }
continue-client = to { $client } at { $host }
continue-submit = Continue
continue-other = Use another domain
continue-news = New activity for { $domain } since your last visit:
continue-newsCheck = If that was not you, check your account.
continue-newsAccount = Open the account
news-heading = Was this you?
continue-choose = Choose a domain
continue-as = Continue as { $domain }

## Signing out

signOut-title = Sign out
signOut-effect = This signs you out of this service in this browser. The apps that you use keep their access.
signOut-domain = Sign out { $domain }
signOut-all = Sign out all domains in this browser
signOut-everywhere = Sign out { $domain } everywhere
logout-heading = Sign out { $domain }?
logout-headingAll = Sign out in this browser?
logout-client = { $client } asks to sign you out.
logout-clientAt = { $client } at { $host } asks to sign you out.
logout-unknownClient = An app asks to sign you out. It did not say which app it is.
logout-stay = Stay signed in
logout-backTo = Continue to { $host }
logout-notSignedIn = This browser is not signed in to the account that you use in this app

## The front page, and the page that checks a domain

home-title = Sign in with your own domain
home-lead = With this service, people sign in to apps as a domain they own. No password or registration needed.
home-operator = It is run by { $host }. To sign in, start from the app you want to use.
home-account = Your account
check-title = Check a domain
check-lead = See whether people can sign in with a domain, and what its DNS says.
check-label = Domain name
check-hint = For example, alice.com
check-submit = Check
check-assurance-secure = DNSSEC protects this answer: its signatures are valid.
check-assurance-corroborated = This answer is not signed with DNSSEC. At least two of our DNS resolvers agree on it.
check-assurance-single = This answer is not signed with DNSSEC. One DNS resolver gave it.

## The account page

account-heading = Your account: { $domain }
account-inOrder = { $domain } is in order.
account-recordHeld = The record in your DNS names this account. Checked at { $time }.
account-recordTitle = The record in DNS
account-recordNone = There is no sign-in record at { $name }.
account-record_lost = Your DNS record does not name this account at the moment.
    .detail1 = Until the record is back, nobody can use this account to sign in as { $domain }.
account-record_unknown = We could not look up your record.
    .detail1 = The DNS servers of { $domain } did not answer, or their answers were not reliable. You can still sign out and revoke apps here.
account-record_former = This is a former account of { $domain }.
    .detail1 = The record in your DNS names another account. You can sign out of this one here and revoke the access of its apps.
account-betterRecord_lost = To use this account again, publish this record:
account-betterRecord_signed = Your DNS is signed (DNSSEC). If you publish this record instead, apps can verify your sign-ins themselves:
account-appsTitle = Apps with access
account-noApps = No app has access.
account-appScopes = Allowed to:
account-usedSince = Since { $since }, last used { $last }
account-revoke = Revoke access
account-more-apps = Show more apps
account-more-sessions = Show more browsers
account-more-browsers = Show more signed-out browsers
account-more-passkeys = Show more passkeys
account-revokeEffect = If you revoke access, the app loses it immediately. To use the app again, sign in to it again.
account-sessionsTitle = Where you are signed in
account-thisBrowser = (this browser)
account-browserOn = { $browser } on { $system }
account-unknownBrowser = Unknown browser
account-signOutOther = Sign out
account-browsersTitle = Browsers where you are signed out
account-browsersWhy = We still recognize these browsers. If your account has no passkey, they can sign in with a DNS record and no recovery code. Forget the browsers that you no longer use.
account-forget = Forget this browser
account-passkeysTitle = Passkeys
account-providerTitle = Passkeys and recovery codes
account-provider = { $sp } signs you in. Manage your passkeys and recovery codes there.
account-providerDelete = To end the account here, remove the record from your DNS. The account ends 30 days later.
account-addPasskey = Add a passkey
account-removePasskey = Remove
account-renamePasskey = Rename
account-passkeyName = Name of the passkey
account-savePasskeyName = Save
account-codesTitle = Recovery codes
account-codesLeft = { $count ->
       [one] One of your ten recovery codes is left.
      *[other] { $count } of your ten recovery codes are left.
    }
account-newCodes = Make new recovery codes
account-fewCodes = You have fewer than three recovery codes left.
    .detail1 = Make new ones: they are for the day on which you lose all your devices.
account-noPasskey = { $domain } has no passkey.
    .detail1 = Add one, and you no longer need to edit DNS to sign in.
account-signOutHere = Sign out in this browser
account-signOutEverywhere = Sign out everywhere
account-everywhereEffect = Signing out everywhere ends all sessions of this domain, in all browsers.
account-everywhereApps = Sign out everywhere and revoke all apps
account-others = Other domains in this browser
account-otherDomain = Sign in with another domain
account-former = Former account of { $domain } in this browser
account-isFormer = (former account)
account-present = Present account of { $domain }
account-choose = Which domain?
account-delete = Delete this account
account-signedOut = You are signed out
account-signedOutLead = This browser is not signed in to any account.
account-notSignedIn = This browser is not signed in as { $domain }
account-othersSignedIn = It is still signed in to other accounts.
account-signIn = Sign in to your account

## The history on the account page

history-title = History
history-lead = What has happened to this account since { $since }, newest first. All times are in UTC.
history-none = Nothing has been recorded.
history-older = Older entries
history-event-account_created = Account created
history-event-signed_in = Signed in to { $client }
history-event-signed_in_passkey = Signed in to { $client } with a passkey
history-event-new_browser = First sign-in from a new browser
history-event-set_up_reused = The setup was opened in another browser after it was finished
history-event-challenge_reused = The record for a sign-in was used a second time, after someone had signed in with it
history-event-session_reused = Someone used an old copy of a browser’s cookies; the copied session was ended
history-event-recovery_code_used = A recovery code was used
history-event-recovery_codes_renewed = New recovery codes were made
history-event-passkey_added = Passkey added: { $name }
history-event-passkey_removed = Passkey removed: { $name }
history-event-passkey_renamed = Passkey renamed: { $name }
history-event-app_allowed = Access allowed for { $client }
history-event-app_revoked = Access revoked for { $client }
history-event-app_revoked_all = Access revoked for all apps
history-event-token_repeated_elsewhere = { $client } repeated an earlier request for access, from another network
history-event-record_found = The record in your DNS names this account again
history-event-record_lost = The record in your DNS no longer names this account
history-event-signed_out = Signed out of one browser
history-event-signed_out_everywhere = Signed out everywhere
history-event-operator_signed_out = The operator of this service signed you out everywhere
history-event-operator_revoked = The operator of this service revoked the access of { $client }
history-event-operator_revoked_all = The operator of this service revoked the access of all apps
history-event-account_ended = Account ended

## The page that adds a passkey

newPasskey-heading = Add a passkey for { $domain }
newPasskey-lead = Your device creates and stores the passkey. After that, you no longer need to edit DNS to sign in.
newPasskey-leadRecovery = You used a recovery code. Create a new passkey now. Then you need neither a code nor a DNS edit the next time you sign in.
newPasskey-beforeChange = Afterwards, start your change again and confirm it with the new passkey.
newPasskey-submit = Create passkey
newPasskey-failed = No passkey was created. Try again.
newPasskey-exists = This device already has a passkey for { $domain }. Use another device.
newPasskey-unsupported = This browser does not support passkeys. Use another browser.
newPasskey-unsupportedHere = This browser does not support passkeys. You can continue without one.
newPasskey-without = If you continue without a passkey, you need another recovery code the next time you sign in.
newPasskey-without-submit = Continue without a passkey
newPasskey-back = Back to your account
newPasskeyProblems-missing = This browser sent no passkey. Turn on JavaScript.
newPasskeyProblems-failed = The passkey could not be verified. Try again.
newPasskeyProblems-tooLarge = This passkey is too large for the setup. Continue without it, and add one in your account later. You can delete it from your device.
newPasskeyProblems-full = This account has as many passkeys as it can have. Remove one that you no longer use, then add this one.
removePasskey-heading = Remove a passkey of { $domain }
removePasskey-lead = You will no longer be able to sign in with the passkey { $name }.
removePasskey-last = This is the last passkey of this account. Without it, you must publish a temporary DNS record each time you sign in, and use either a browser that we recognize or a recovery code.
removePasskey-submit = Remove passkey
passkeyChanged-removed = The passkey was removed
passkeyChanged-removed_effect = You can no longer sign in with it. If your record lists its key, replace the record with the one below. Until DNS caches and signatures expire, apps can still accept proofs that are signed with the removed key.
passkeyChanged-added = The passkey was added
passkeyChanged-added_effect = You can sign in with it now. If you publish the record below, apps can also verify that you approved a sign-in yourself.
passkeyChanged-record = Your record should now read
passkeyChanged-continue = Continue

## Why a session ended

sessionEnded-reused = Someone used an old copy of this browser’s session for { $domain }.
    .detail1 = We ended the session, for this browser and for the copy. Sign in again to continue.
    .detail2 = If you did not copy this browser’s data to another browser, someone else may have. Check this device for malware.
sessionEnded-elsewhere = { $domain } was signed out here by someone in another browser.
    .detail1 = If that was not you, sign in again and check who has access to your DNS zone.
sessionEnded-operator = The operator of this service signed { $domain } out.
    .detail1 = Sign in again to continue.

## The two pages that show a record to publish

dns-name = Name
dns-fullName = Full name
dns-type = Type
dns-value = Value
dns-showAll = Show all
dns-wantsFullName = My panel wants the full name
dns-twoStrings = My panel has a field for each string of 255 characters
dns-panelAt = Your DNS is at { $panel }.
dns-panelOpen = Open { $panel }
dns-serversOrCheck = Server answers · Check now
dns-looking = Looking every 3 seconds.
dns-lookingSlowly = Looking every 15 seconds.
dns-ttl = TTL: { $ttl }, or what the panel suggests.
dns-checksByItself = This page checks automatically. You can leave it open.
dns-stopChecking = Stop automatic checks
dns-checksNoMore = Automatic checks are off.
dns-checksEnded = This page no longer checks automatically. Check now.
dns-checksEndedReload = This page no longer checks automatically. Reload it.
dns-checkAgain = Resume automatic checks
dns-checkedAt = Last checked: { $time }
dns-found = { $count ->
       [one] Found in DNS
      *[other] Found in DNS: { NUMBER($count, useGrouping: 0) } records
    }
dns-panel-title = Where do I add it?
dns-panel-relative = Open the DNS settings at the company where you registered the domain or that hosts its DNS, and add a new TXT record. Many DNS panels add the domain to the end of the name automatically. In such a panel, enter only the first part:
dns-panel-inZone = In the DNS settings for { $zone }:
dns-panel-paragraphs =
    .paragraph1 = If the panel shows the full name before you save, it must match the name above and contain the domain only once.
    .paragraph2 = Do not change your other records. Enter the value without quotation marks. If you cannot choose a TTL, keep the default.

## The setup: a passkey, and the record to publish

setUpPasskey-heading = Create a passkey for { $domain }
setUpPasskey-lead = Sign in with it later. No password.

dnsSetup-heading = Add this record to { $domain }
dnsSetup-effect = The record lets this browser sign in as { $domain }.
dnsSetup-webView = Stay in this window until you have finished: this app’s window does not share the setup with your browser.
dnsSetup-foundHeading = { $domain } is yours here
dnsSetup-found = Your DNS has the record. Leave it there.
dnsSetup-finish = Continue with your passkey
dnsSetup-record = Publish this record
dnsSetup-submit = Check now
dnsSetup-startOver-title = Start over or restore
dnsSetup-startOver-explanation = You get a new value to publish. The present one will stop working.
dnsSetup-startOver-submit = Create a new record
dnsSetup-resume = Resume the setup that you started on { $date }
dnsSetup-resumeFor = Resume the setup of { $date } for { $client }
dnsSetup-handOn = Someone else manages the DNS
dnsSetup-former = If you used this service before, restore your previous record instead
dnsSetup-known = You have used { $domain } here before, in this browser.
dnsSetup-knownEffect = To keep your account, restore its record. A new record creates a new account, and apps will treat you as a different person.
dnsSetup-restore = Restore the previous record

## Recovery codes on the setup page

recoveryCodes-done = { $domain } is set up
recoveryCodes-heading = Save your recovery codes
recoveryCodes-why = Save these codes: you need one when this browser is gone. Each works once.
recoveryCodes-whyPasskey = Save these codes for the day you lose all devices. Each works once.
recoveryCodes-download = Download
recoveryCodes-print = Print
recoveryCodes-saved = I have saved them
recoveryCodes-lost = We cannot show the codes: this browser no longer has them, or new ones have replaced them.
recoveryCodes-continue = Continue
recoveryCodes-all = all ten codes
newCodes-heading = New recovery codes for { $domain }
newCodes-few = You have fewer than three recovery codes left. Here are ten new ones.
newCodes-lead = They replace your old codes once you confirm below that you have saved them. Until then, the old codes stay valid.
newCodes-keep = Keep my current codes
deleteAccount-heading = Delete the account of { $domain }
deleteAccount-lead = This cannot be undone.
deleteAccount-paragraphs =
    .paragraph1 = Apps will no longer recognize you. They know you by an identifier that is lost with the account. If you set up this domain again, you get a new identifier, and every app sees a new account.
    .paragraph2 = All sessions, app access, passkeys and recovery codes end immediately. The history is deleted. Data that apps have stored about you is not deleted.
deleteAccount-confirm = To confirm, type the domain: { $domain }
deleteAccount-wrong = That is not the domain of this account.
deleteAccount-submit = Delete account
deleteAccount-done = The account of { $domain } was deleted
deleteAccount-doneLead = You can now remove the record from your DNS. To use this service again, set up the domain with a new record.

## The link that hands a setup on, and the page that it leads to

handOn-heading = Share the record for { $domain }
handOn-lead = Send this link to the person who manages the domain’s DNS. It shows the record and its status. It cannot be used to sign in.
handOn-again = If you start over after you send the link, send a new link.
handOn-link = The link
handOn-linkUntil = Works until { $date }
handOn-qr = QR code of the link
handOn-mailSubject = DNS record for { $domain }
handOn-mailAsk = Please add a TXT record to the DNS of { $domain }. Until { $date }, this page shows the record and whether it has been published:
handOn-mailWarning = The record lets my browser sign in as { $domain } at { $issuer }. If you do not know who sent this, do not publish it.
handOn-openMail = Send by e-mail
handOn-back = Back to the setup
setUpLink-heading = A record for { $domain }
setUpLink-lead = Someone wants to use this domain to sign in to { $client } through { $issuer }, and asks you to publish this record.
setUpLink-leadUnknownApp = Someone wants to use this domain to sign in through { $issuer } to an app that is no longer registered there, and asks you to publish this record.
setUpLink-warning = Publishing this record lets the sender’s browser sign in as { $domain }. If you do not know who sent you this link, do not publish it.
setUpLink-status = Status
setUpLink-seen = The record is published. The person who sent you this link can now continue.
setUpLink-done = The setup is finished. There is nothing left to do here. Leave the record in place.
setUpLink-outdated = The record of this link contains a key that this service has withdrawn. Ask the person who sent you the link to start over and to send you a new one.
setUpLink-until = This link works until { $date }.

## The page with the record of a former account

formerRecord-heading = Restore your previous record for { $domain }
formerRecord-lead = Publish this record again to restore your previous account. Apps will recognize you.
formerRecord-leadCode = We show the previous record only to the owner of its account. Enter one of that account’s recovery codes. The code stays valid.
formerRecord-record = Publish this record in place of the current one
formerRecord-published = I have published it: sign in
formerRecord-submit = Show the previous record
formerRecord-earlier = Another earlier account?
formerRecord-earlierLead = If this is not the record of the account that you want to restore, enter one of that account’s recovery codes.
formerRecord-codeHint = One of the ten codes you saved when you set up that account.
formerRecord-newInstead = Set up the domain with a new record instead

## The page for a sign-in with a passkey

passkey-heading = Sign in as { $domain }
passkey-lead = Use your passkey to prove that the domain is still yours.
passkey-client = You are signing in to { $client } at { $host }.
passkey-submit = Use passkey
passkey-failed = The passkey was not used. Try again, or sign in without it below.
passkey-failedSetUp = The passkey was not used. Try again, or start over below.
passkey-unsupported = This browser does not support passkeys. Use another browser, or sign in without a passkey below.
passkey-unsupportedSetUp = This browser does not support passkeys. Use the browser in which you created the passkey.
passkey-noScript = Passkeys need JavaScript, which is turned off in this browser.
passkey-without-title = I cannot use my passkey
passkey-without-explanation = You can sign in with one of your recovery codes and a temporary record in your domain’s DNS. The code is used up only after you are signed in.
passkey-without-submit = Sign in without the passkey

## The page for a later sign-in by DNS

dnsChallenge-heading = Sign in as { $domain }
dnsChallenge-lead = Add a temporary record to your domain’s DNS to prove that the domain is still yours. You can remove the record once you are signed in.
dnsChallenge-leadWithCode = First enter a recovery code. Then add a temporary record to your domain’s DNS to prove that the domain is still yours.
dnsChallenge-deadline = You have 24 hours. You can close this page and come back to it in this browser.
dnsChallenge-client = You are signing in to { $client } at { $host }.
dnsChallenge-warning = Publish this record only if you started this sign-in yourself at { $issuer }.
dnsChallenge-warningReason = It lets this browser sign in as { $domain }. If someone else sent you this record, do not publish it.
dnsChallenge-codeFirst = Enter a recovery code
dnsChallenge-submit = Check now
dnsChallenge-continue = Continue
dnsChallenge-next = The record to publish next
dnsChallenge-codeKept = Your recovery code is valid. It is used up once you are signed in.
dnsChallenge-passkeyKept = Your passkey was verified. This service was restored from a backup, so you must confirm the passkey once: publish this record.
dnsChallenge-recoveryCode-label = Recovery code
dnsChallenge-recoveryCode-hint = One of the ten codes you saved when you set up the domain. We ask for it because we do not recognize this browser.
dnsChallenge-recoveryCode-insteadOfPasskey = One of the ten codes you saved when you set up the domain. We ask for it because you are signing in without your passkey.
dnsChallenge-lostAccess-title = I lost my codes or the browser I used
dnsChallenge-lostAccess-explanation = You can start over with a new record, which replaces the current record for { $domain }.
dnsChallenge-lostAccess-consequence = Apps will then see a new account. Anything you saved in them under the old account will not carry over.
dnsChallenge-lostAccess-submit = Start over with a new record

## The page for a setup that was started in another browser

ownUnknown-heading = The record of { $domain } cannot be used in this browser
ownUnknown-lead = The domain’s record already names this service, but it belongs to a setup that was started in another browser, or to an account that has ended.
ownUnknown-finishedHeading = The setup of { $domain } was finished elsewhere
ownUnknown-finished = Somebody finished this setup, but not in this tab. If that was not you, start over with a new record.
ownUnknown-endedHeading = The record of { $domain } was used before
ownUnknown-ended = The account that was created with this record has ended, and a record cannot create another one. Start over with a new record.
ownUnknown-restoredHeading = The setup of { $domain } can no longer be finished
ownUnknown-restored = This service was restored from a backup after you started the setup. To protect your domain, the record is no longer accepted. Start over with a new record.
ownUnknown-client = You are signing in to { $client } at { $host }.
ownUnknown-finish-explanation = If you started it, finish in that browser. A private window or another device counts as another browser.
ownUnknown-startOver-explanation = To start over, you get a new record to publish in place of the current record for { $domain }. If you do not know where the current record came from, replace it.
ownUnknown-startOver-submit = Start over with a new record

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = Continue the setup of { $domain }
earlierSetUps-lead = { $count ->
       [one] This browser keeps three setups. You have already started one for this domain: continue it. If you have published or sent a record, its setup still works.
      *[other] This browser keeps three setups. You have already started { NUMBER($count, useGrouping: 0) } for this domain: continue one of them. If you have published or sent a record, its setup still works.
    }
earlierSetUps-startOver = You get a new record to publish. Your setup of { $domain } from { $date } then stops working.

## The consent page

consent-heading = Sign in to { $client }?
consent-known = { $host } will know you as { $domain }.
consent-scopesTitle = It will also be able to
# $resource is the name and the host of an API, or its host alone. What follows is a list, as after consent-scopesTitle.
consent-resource = At { $resource } it will be able to
# An entry of that list, if the API has named no scopes that the app asked for
consent-resourceUse = use it on your behalf
consent-allow = Allow
consent-deny = Don’t allow

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = know that you control this domain
scopes-profile = know the name and website of this domain
scopes-offline_access = keep you signed in while you are away

## All problem pages

problem-errorId = Error ID:
problem-client = You were signing in at { $host }.
problem-setUpFor = You were setting up a domain to sign in to { $client }.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = Not signed in as { $domain }
external-lead = The record for { $domain } says that you sign in at { $sp }.
external-again = Try again
external-detail = Details for the operator of that service:
external-problems-own_issuer = { $sp } is this service.
    .detail1 = If the domain is yours, correct the sp value in its record: it must be exactly the address of this service, without a slash at the end.
external-problems-unreachable = { $sp } is not responding.
    .detail1 = Wait a minute, then try again.
external-problems-busy = Our service is busy, so we could not contact { $sp }.
    .detail1 = Wait a few seconds, then try again.
external-problems-not_public = { $sp } does not have a public address.
    .detail1 = For security reasons, we do not connect to it. If the domain is yours, check the sp value in its record.
external-problems-bad_metadata = { $sp } does not seem to be a sign-in service.
    .detail1 = If the domain is yours, check the sp value in its record. Otherwise, only the operator of { $sp } can fix this.
external-problems-unmet_requirements = { $sp } lacks a security feature that we require.
    .detail1 = The operator of { $sp } can add it. If the domain is yours, you can also name another service in its record.
external-problems-no_client = { $sp } does not know this service, and we could not register with it.
    .detail1 = Try again. If this keeps happening, the operator of this service must register this service with { $sp }.
external-problems-bad_answer = { $sp } sent an invalid response.
    .detail1 = We could not use it to sign you in. Try again. If this happens again, tell the operator of { $sp }.
external-problems-refused_by_sp = { $sp } sent you back without signing you in.
    .detail1 = You may have canceled there. You can try again.
external-problems-other_account = The account you used at { $sp } is not the one that the record for { $domain } names.
    .detail1 = Sign out there, then try again with the right account. If the domain is yours, you can instead change its record to name the account that you used.
external-problems-other_domain = You signed in at { $sp } as a different domain, not as { $domain }.
    .detail1 = Sign in there as { $domain }, then try again.
external-problems-record_changed = The record for { $domain } changed while you were at { $sp }.
    .detail1 = To sign in with the new record, try again.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = Enter the domain name you want to sign in with.
domainMistakes-email_address = That looks like an email address at { $domain }.
    .detail1 = If you own { $domain }, enter it without the part before the @. An address at an email provider cannot be used here.
domainMistakes-url_with_path = Enter only the domain, not the full address of a page.
    .detail1 = Enter { $domain } instead.
domainMistakes-single_label = “{ $domain }” is not a full domain name.
    .detail1 = Include the ending, as in alice.com.
domainMistakes-ip_address = { $domain } is an IP address.
    .detail1 = Enter a domain name, such as alice.com.
domainMistakes-numeric_tld = “{ $domain }” ends in a number.
    .detail1 = A domain name never does. Check whether the ending is missing.
domainMistakes-too_long = That domain name is too long.
    .detail1 = Enter at most 228 characters, with at most 63 between two dots.
domainMistakes-public_suffix = { $domain } is an ending that many domains share.
    .detail1 = Enter your own domain with this ending, such as { $example }.
domainMistakes-special_use = { $domain } ends in a name that is reserved for special use.
    .detail1 = Nobody can own a domain with this ending. Enter one that you have registered.
domainMistakes-bad_characters = “{ $domain }” contains characters that are not allowed in a domain name.
    .detail1 = Look for spaces, underscores and symbols that were copied by mistake.

## Results of looking up a domain's record

lookOutcomes-absent = { $domain } has no sign-in record yet.
    .detail1 = You get one when you first sign in to an app with it.
lookOutcomes-disabled = Sign-in as { $domain } is turned off.
    .detail1 = Its record says sp=none. If the domain is yours, you can change this in your DNS settings.
lookOutcomes-invalid = The sign-in record for { $domain } contains an error.
    .detail1 = Correct it in your DNS settings.
lookOutcomes-own_issuer = The sign-in record for { $domain } names this service in another spelling.
    .detail1 = Correct sp in your DNS settings.
lookOutcomes-ambiguous = { $domain } has more than one sign-in record.
    .detail1 = There must be exactly one. Delete the others in your DNS settings.
lookOutcomes-unsupported = The sign-in record for { $domain } has a version that this service does not support.
    .detail1 = The record must begin with v=dsi1.
lookOutcomes-alias_invalid = The sign-in record for { $domain } is an alias of a name that is not meant for sign-in.
    .detail1 = The usual cause is a wildcard CNAME record. Publish a TXT record at _domain-signin instead, or point the alias to a name that contains _domain-signin.
lookOutcomes-indeterminate = The DNS servers for { $domain } did not answer.
    .detail1 = We could not read the domain’s record. Wait a minute, then try again. If this keeps happening, contact the company that hosts the domain’s DNS.
lookOutcomes-busy = Our service is busy, so we could not look up { $domain }.
    .detail1 = Wait a few seconds, then try again.
lookOutcomes-unconfirmed = We could not confirm the DNS answer for { $domain }.
    .detail1 = At least two of our DNS resolvers must give the same answer. After a DNS change, this can take a few minutes. Then try again.
lookOutcomes-contradictory = DNS servers disagree about { $domain }.
    .detail1 = Our DNS resolvers gave different answers. After a DNS change, this can last until the old answer has expired. Try again in a few minutes.
lookOutcomes-validation_failed = DNSSEC validation failed for { $domain }.
    .detail1 = The domain’s DNS is signed, but the signatures are not valid, so we cannot trust it. The company that hosts the domain’s DNS can fix this.
lookOutcomes-reason = Reason: { $reason }
lookOutcomes-dname = A DNAME record redirects the sign-in record for { $domain }.
    .detail1 = Sign-in through a DNAME record is not supported. Remove it and publish the sign-in record in the domain’s own zone, or sign in with the domain that it points to.
lookOutcomes-unsigned_subzone = The sign-in record for { $domain } is in a separate zone without DNSSEC.
    .detail1 = The domain itself is signed, so we cannot trust an unsigned zone below it. Publish the record in the zone of { $domain }, or sign the separate zone.
lookOutcomes-unsupported_dnssec = { $domain } is signed in a way that we cannot check.
    .detail1 = Its DNSSEC uses only algorithms or settings that this service or its DNS resolvers do not support. The company that hosts the domain’s DNS can change them.
lookOutcomes-too_large = The DNS answers for { $domain } are too large to check.
    .detail1 = They contain too many keys, signatures or records. The company that hosts the domain’s DNS can reduce them.
lookOutcomes-malformed = A DNS record for { $domain } is malformed.
    .detail1 = We could not read the answer. The company that hosts the domain’s DNS can fix this.
lookOutcomes-was_signed = { $domain } is no longer signed with DNSSEC.
    .detail1 = It was signed until recently, so this could be an attack. If you turned DNSSEC off, two checks, at least a day apart, must confirm this.
lookOutcomes-firstConfirmed = The first check has confirmed it. We make the second check automatically after { $time }.
lookOutcomes-notConfirmed = We have not been able to confirm it yet. Try again in an hour.
lookOutcomes-blocked = Our DNS resolvers block { $domain }.
    .detail1 = They refuse to look up this name, for example because it is on a block list. Contact the operator of this service.
lookOutcomes-no_authority = Our DNS resolvers cannot reach the name servers of { $domain }.
    .detail1 = Try again in a few minutes. If this keeps happening, contact the company that hosts the domain’s DNS.
lookOutcomes-stale = Our DNS resolvers have only an old answer for { $domain }.
    .detail1 = They could not reach the domain’s name servers, and an old answer does not show what the record says now. Try again in a few minutes.
lookOutcomes-unregistered = { $domain } is not a registered domain.
    .detail1 = Check the spelling. If you have just registered the domain, try again in a few minutes.
lookOutcomes-external = The record for { $domain } now names another service.
    .detail1 = To sign in with that service, go back to the app and start again.
lookOutcomes-names_another = The record for { $domain } names another service: { $sp }.
    .detail1 = { $client } sent you here as if the record named this service. Either the record has just changed, or two services point at each other. Go back to the app and try again. If this keeps happening, check the record in your DNS settings.
lookOutcomes-own_unknown = The record for { $domain } belongs to a setup that was started in another browser, or to an account that has ended.
    .detail1 = Finish in that browser, or replace the old record with the one shown here.
lookOutcomes-not_permitted = You cannot sign in here as { $domain }.
    .detail1 = This service accepts only domains whose DNS is signed (DNSSEC). The company that hosts the domain’s DNS can sign it.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = { $domain } can sign in here.
    .detail1 = Its record is valid and names this service.
verdicts-external = { $domain } signs in through { $sp }.
    .detail1 = Its record is valid. This check does not contact { $sp }.
verdicts-invalid = The record of { $domain } is not valid: { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = Found.
looks-absent = Not there yet.
looks-absentRemembered = Not there yet.
    .detail1 = { $seconds ->
       [one] We could not reach your domain’s name servers. For up to { NUMBER($seconds, useGrouping: 0) } second, other DNS servers can still report that there is no record.
      *[other] We could not reach your domain’s name servers. For up to { NUMBER($seconds, useGrouping: 0) } seconds, other DNS servers can still report that there is no record.
    }
looks-absentBusy = Not there yet.
    .detail1 = { $seconds ->
       [one] We are busy, so we did not ask your domain’s name servers. For up to { NUMBER($seconds, useGrouping: 0) } second, other DNS servers can still report that there is no record.
      *[other] We are busy, so we did not ask your domain’s name servers. For up to { NUMBER($seconds, useGrouping: 0) } seconds, other DNS servers can still report that there is no record.
    }
looks-otherValue = We found a record, but not this one.
    .detail1 = If you have just changed { $name }, the old value can stay visible until its TTL expires. Otherwise, compare the values.
looks-atDomain = The record is at { $domain } instead.
    .detail1 = It belongs at { $name }. Move it there.
looks-doubledName = The record is at { $name }, which contains the domain twice.
    .detail1 = Your DNS panel adds the domain automatically. As the name, enter only { $entry }.
looks-cutAtSemicolon = The record is cut off after v=dsi1.
    .detail1 = Your DNS panel treats the space or semicolon as the end. Enter the value in quotation marks.
looks-inQuotes = The record’s value contains quotation marks.
    .detail1 = Your DNS panel adds them automatically. Enter the value without them.
looks-noUnderscore = The record is at { $domain }, without the underscore.
    .detail1 = It belongs at { $name }, with the underscore at the beginning.
looks-curlyQuotes = The record’s value contains curly quotation marks.
    .detail1 = A text editor has probably added them. Copy the value from this page and enter it without them.
looks-spacesLost = The spaces in the record’s value are missing.
    .detail1 = Your DNS panel removes them. Enter the value in quotation marks, or with a semicolon in place of each space.
looks-spaceInside = The record’s value contains a space in the wrong place.
    .detail1 = Copy the value again and enter it in one piece.
looks-wrongCase = The record’s value has the wrong upper-case or lower-case letters.
    .detail1 = Copy the value from this page and enter it as it is.
looks-wrongCharacter = One character of the record is wrong.
    .detail1 = Copy the value from this page instead of typing it.
looks-incomplete = The record is incomplete.
    .detail1 = Part of the value is missing. Copy the whole value from this page again.
looks-tooLong = The record’s value is too long.
    .detail1 = Enter only the value from this page.
looks-ownEarlier = This is the record of an earlier setup in this browser.
    .detail1 = Replace its value with the one shown here.
looks-otherService = The record is for another service.
    .detail1 = To sign in here, replace its value with the one shown on this page.
looks-oldBesideNew = The record is there, but another sign-in record is beside it.
    .detail1 = There must be exactly one. Delete the other one in your DNS settings.
looks-splitInTwo = The value is split into two records.
    .detail1 = Enter the whole value in one record, and delete the other one.
looks-malformed = We found the record, but it contains a mistake.
looks-oldValue = Your name servers have the record. Other DNS servers still have the old data.
    .detail1 = { $seconds ->
       [one] They will update within { NUMBER($seconds, useGrouping: 0) } second. You do not need to do anything.
      *[other] They will update within { NUMBER($seconds, useGrouping: 0) } seconds. You do not need to do anything.
    }
looks-someServers = { $have ->
       [one] { NUMBER($have, useGrouping: 0) } of { $all } name servers has it.
      *[other] { NUMBER($have, useGrouping: 0) } of { $all } name servers have it.
    }
looks-notCertain = Some DNS servers have the record, but others do not have it yet.
    .detail1 = This usually takes a few minutes. You do not need to do anything.
dnsSetup-wildcard = With this record in place, the wildcard { $wildcard } no longer applies to { $domain }. To keep its website and email, copy the wildcard’s records (such as A, AAAA and MX) to that name.

## The answer of each DNS server

servers-title = What each DNS server answered
servers-question = We asked each server for the TXT record at { $name }.
servers-resolver = Resolver { $address }
servers-nameServer = Name server { $name }
servers-found-wanted = has this record
servers-found-other = has a different value
servers-found-absent = does not have the record
servers-found-silent = did not answer
servers-found-failed = answered with an error
servers-found-not_asked = was not asked because its address is not public
servers-repeats = { $seconds ->
       [one] It can keep giving this answer for { NUMBER($seconds, useGrouping: 0) } second.
      *[other] It can keep giving this answer for { NUMBER($seconds, useGrouping: 0) } seconds.
    }

## Problems of a record that was found; $about is the part of the record that has the problem. The parser
## has the English sentences about its own problems.

recordProblem-alias_leads_away = This alias points to a name that is not meant for sign-in, so it is not followed.
recordProblem-wildcard = A wildcard record (*) does not count: publish a record with exactly this name.

## Problems with a recovery code

recoveryProblems-missing = Enter one of your recovery codes.
recoveryProblems-wrong = That code is not valid for this domain, or it was already used.
recoveryProblems-tooMany = Too many attempts. Wait a few minutes, then try again.

## Problems with a passkey

passkeyProblems-missing = This browser sent no passkey. Turn on JavaScript, or sign in without a passkey.
passkeyProblems-expired = The request for your passkey is no longer valid. Try again.
passkeyProblems-unknown = This passkey cannot be used for this domain. Choose another one.
passkeyProblems-notUsable = This passkey could not be used. Choose another one, or type your domain.
passkeyProblems-notVerified = Your device did not verify that it was you. Try again, and confirm with your PIN, fingerprint or face.
passkeyProblems-failed = The passkey could not be verified. Try again, or choose another one.

## Problem pages

requestProblems-unknownClient = The app that sent you here is not registered with this service.
    .title = We do not know this app
    .detail1 = Nothing was shared with the app. If you are its developer, check the client_id.
requestProblems-missingClientId = The link that brought you here does not contain the app’s identifier.
    .title = The app did not identify itself
    .detail1 = Go back to the app and try again. If you are its developer, send a client_id.
requestProblems-missingRedirectUri = Without that address, we cannot sign you in.
    .title = The app did not say where to send you back
    .detail1 = Nothing was shared. If you are the app’s developer, send a redirect_uri.
requestProblems-redirectUriNotRegistered = The app asked us to send you to an address that is not registered for it.
    .title = We cannot send you back to that address
    .detail1 = For your safety, we stopped here. Nothing was shared. If you are the app’s developer, make sure that redirect_uri exactly matches a registered one.
requestProblems-postLogoutRedirectUriNotRegistered = The app asked us to sign you out and then send you to an address that is not registered for it.
    .title = We cannot send you back to that address
    .detail1 = You were not signed out. To sign out here, open /account on this site. If you are the app’s developer, make sure that post_logout_redirect_uri exactly matches a registered one.
requestProblems-hintOfAnotherClient = The app’s sign-out request contains a token that was issued to another app.
    .title = The app’s request is not consistent
    .detail1 = You were not signed out. If you are the app’s developer, send an id_token_hint that was issued to your client_id.
requestProblems-passkeyNeeded = You used a recovery code. It lets you add a passkey, but it does not let you make this change.
    .title = This change needs a passkey
    .detail1 = Go back to your account. Add a passkey, unless you have just added one. Then start this change again and confirm it with your passkey.
requestProblems-ownerProofRequired = This app requires you to approve each sign-in with a passkey. Your DNS record must list the passkey, and your zone must be signed with DNSSEC.
    .title = This app requires a passkey
    .detail1 = This sign-in had no such approval. Nothing was sent to the app.
    .detail2 = Add a passkey on your account page at /account, and publish the record that it shows. Then go back to the app and sign in again.
requestProblems-repeatedParameter = It contains “{ $name }” more than once, so we cannot tell which one is meant.
    .title = The app’s request is not clear
    .detail1 = Go back to the app and try again.
requestProblems-malformedRequest = Part of it is not valid.
    .title = We could not read the request
    .detail1 = Go back to the app and try again.
requestProblems-badClientDocument = { $host } sent you here, but its description of the app is not valid.
    .title = We cannot accept this app
    .detail1 = Nothing was shared with the app. If you are its developer, correct its metadata document ({ $reason }).
requestProblems-unreachableClient = { $host } sent you here, but we could not load its description of the app.
    .title = We cannot reach the app
    .detail1 = Wait a minute, then try again. Nothing was shared with the app. If you are its developer: { $reason }
requestProblems-setUpLinkInvalid = The link was cut off on its way, or it is older than 30 days.
    .title = This link does not work
    .detail1 = Open the whole link, or ask the person who sent it for a new one.
requestProblems-expired = It was open for too long, so we ended this sign-in for your safety.
    .title = This page has expired
    .detail1 = Go back to the app and sign in again. If you have published a record, it is still valid.
requestProblems-recordLost = The record in your DNS no longer names this account, so we cannot sign you in.
    .title = Your record has changed
    .detail1 = If the domain is yours, put the record back and leave it there. Then go back to the app and sign in again.
requestProblems-challengeUsed = The record for this sign-in was already used, in another tab or another browser. It counts only once.
    .title = This sign-in was finished elsewhere
    .detail1 = If that was not you, sign in again. Then end the session that you do not know on your account page, and look at its history.
requestProblems-challengeOver = A record for one sign-in is valid for 24 hours, and only if this service has not been restored from a backup in the meantime.
    .title = The time for this record is over
    .detail1 = You can remove the record. Go back to the app and sign in again: you get a new record.
requestProblems-wrongBrowser = You can continue only in the browser where you started. If you started in this one, it may be blocking cookies.
    .title = This sign-in was started in another browser
    .detail1 = Allow cookies for this site, then go back to the app and sign in again. If someone sent you the link to this page, do not continue.
requestProblems-crossSitePost = Another site tried to press a button here for you, so we did nothing.
    .title = That request did not come from our page
    .detail1 = If it was you, go back to the app and sign in again.
requestProblems-tooManyAccounts = The names of this registrable domain have as many accounts here as this service allows. No account was made for this one.
    .title = No more accounts for this domain
    .detail1 = The operator of this service can raise the limit (accounts_per_domain). Accounts that exist still work.
requestProblems-alreadyUsed = This page works only once, and you have already continued from it.
    .title = This sign-in is already complete
    .detail1 = Go back to the app. If you are not signed in there, start again.
requestProblems-signedOut = You signed out in another tab or window while this sign-in was open.
    .title = You have signed out
    .detail1 = Go back to the app and sign in again.
requestProblems-overloaded = More people want to sign in right now than we can serve.
    .title = Too many people at once
    .detail1 = Wait a few seconds, then try again.
requestProblems-tooManyRequests = We have just received too many requests from your network.
    .title = Too many requests
    .detail1 = { $minutes ->
       [one] Try again in about a minute.
      *[other] Try again in about { NUMBER($minutes, useGrouping: 0) } minutes.
    }
requestProblems-notFound = The address may be mistyped, or the page no longer exists.
    .title = Page not found
    .detail1 = To sign in, start from the app you want to use.
requestProblems-serverError = This is not your fault, and nothing was shared.
    .title = Something went wrong on our side
    .detail1 = Try again. If this happens again, tell the operator of this service.
requestProblems-temporarilyUnavailable = Part of this service is not available at the moment.
    .title = We cannot sign you in right now
    .detail1 = Wait a minute, then try again. Nothing you have set up is lost.
