### English: every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = Copy
common-copied = Copied
common-backTo = Back to { $client }
common-backToApp = Back to the app
common-problemTitle = Problem: { $title }
common-through = { $service } says that this sign-in is for { $app }.

## The page that asks for the domain

domain-title = Sign in to { $client }
domain-returnTo = Use a domain name you own. You return to { $host } afterwards.
domain-label = Your domain
domain-hint = For example alice.com. No password, and nothing to sign up for.
domain-submit = Continue
domain-how-title = How does this work?
domain-how-paragraphs =
    .paragraph1 = Whoever owns a domain name decides what its DNS says. A small record there names the service that may sign you in as your domain.
    .paragraph2 = If your domain has no such record yet, you are shown one to publish. That takes a few minutes, once.

## The page that offers to go on as a domain

continue-heading = Continue as { $domain }
continue-client = to { $client } at { $host }
continue-submit = Continue
continue-other = Use another domain

## Both pages that show a record to publish

dns-name = Name
dns-type = Type
dns-value = Value
dns-ttl = TTL
dns-seconds = seconds
dns-checksByItself = This page also checks by itself every few seconds. You may leave it open.
dns-stopChecking = Stop checking by itself
dns-checksNoMore = This page does not check by itself now.
dns-checkAgain = Check by itself again
dns-checkedAt = Last looked: { $time }
dns-found = { $count ->
       [one] Found in DNS
      *[other] Found in DNS: { NUMBER($count, useGrouping: 0) } records
    }
dns-panel-title = Where do I enter this?
dns-panel-relative = In the DNS settings at the company where you registered the domain, or that runs its DNS. Add a new TXT record. Many of these panels put the domain at the end of the name by themselves. In such a panel enter only the first part:
dns-panel-inZone = In the settings of { $zone }:
dns-panel-paragraphs =
    .paragraph1 = If the panel shows you the full name before saving, it must be the one above, with the domain in it once.
    .paragraph2 = Leave your other records as they are. Enter the value without quotation marks. If the panel does not let you choose a TTL, keep the one it offers.

## The set-up page

dnsSetup-heading = Show that you own { $domain }
dnsSetup-lead = Add one record to the DNS of your domain. You do this once, and then leave it there.
dnsSetup-client = You are signing in to { $client } at { $host }.
dnsSetup-warning = Publishing this lets the browser showing it sign in as { $domain }. If someone sent it to you, stop.
dnsSetup-record = Publish this record
dnsSetup-check = Let us look for it
dnsSetup-submit = I have published it, check now
dnsSetup-startOver-title = Start over with a new record
dnsSetup-startOver-explanation = You get a new value to publish, and new recovery codes. The ones on this page stop working.
dnsSetup-startOver-submit = Make a new record

## Recovery codes, on the set-up page

recoveryCodes-heading = While you wait: keep these ten codes
recoveryCodes-why = A code lets you back in as { $domain } from another browser, or after this one has forgotten you. The record alone is not enough for that, since anyone can read it. Save the codes in a password manager, or print this page.
recoveryCodes-valid = They become valid when your record is seen. Each works once.
recoveryCodes-all = all ten codes

## The page of a later sign-in by DNS

dnsChallenge-heading = Sign in as { $domain }
dnsChallenge-lead = Add a short-lived record to the DNS of your domain, to show that it is still yours. You can remove it once you are signed in.
dnsChallenge-client = You are signing in to { $client } at { $host }.
dnsChallenge-warning = Publish this only if you started it at { $issuer }.
dnsChallenge-warningReason = It lets this browser sign in as { $domain }. If someone sent it to you, stop.
dnsChallenge-record = Publish this record for now
dnsChallenge-check = Let us look for it
dnsChallenge-checkWithCode = Enter a recovery code, and let us look
dnsChallenge-submit = I have published it, check now
dnsChallenge-recoveryCode-label = Recovery code
dnsChallenge-recoveryCode-hint = One of the ten codes you kept when you set up the domain. It is asked for because this browser is new to us.
dnsChallenge-lostAccess-title = I lost my codes, or the browser I used
dnsChallenge-lostAccess-explanation = You can start over with a new record, which replaces the one that { $domain } has now.
dnsChallenge-lostAccess-consequence = Apps will then see a new account. What you kept in them under the old one does not come along.
dnsChallenge-lostAccess-submit = Start over with a new record

## The page of a set-up that another browser began

ownUnknown-heading = Another browser began with { $domain }
ownUnknown-lead = The domain’s record already names this service, but the set-up it belongs to was not begun in this browser.
ownUnknown-client = You are signing in to { $client } at { $host }.
ownUnknown-finish-title = Did you begin it?
ownUnknown-finish-explanation = Then finish in the browser where you began. A private window or another device counts as another browser.
ownUnknown-startOver-title = Or start over here
ownUnknown-startOver-explanation = You get a new record to publish in place of the one that { $domain } has now. If you do not know where that one came from, replacing it is the right thing to do.
ownUnknown-startOver-submit = Start over with a new record

## The consent page

consent-heading = Sign in to { $client }?
consent-sentTo = You are sent to
consent-shared = It learns that you are
consent-scopesTitle = It may
consent-allow = Allow
consent-deny = Don’t allow
consent-caution = Apps choose their own names. Allow this only if { $host } is where you want to sign in.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = know that you control this domain
scopes-offline_access = stay signed in while you are away

## Every problem page

problem-errorId = If you ask for help, name this error:
problem-client = You were signing in at { $host }.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = Not signed in as { $domain }
external-lead = You sign in as { $domain } at { $sp }: its record says so.
external-again = Try again
external-detail = In words for whoever runs that service:
external-problems-unreachable = { $sp } does not answer.
    .detail1 = Wait a minute, then try again.
external-problems-not_public = { $sp } is not at a public address.
    .detail1 = So we do not ask it. If the domain is yours, check the sp in its record.
external-problems-bad_metadata = { $sp } does not describe itself as a service that signs people in.
    .detail1 = If the domain is yours, check the sp in its record. Else whoever runs that service can repair this.
external-problems-unmet_requirements = { $sp } lacks something that we need to be safe.
    .detail1 = Whoever runs that service can add it. If the domain is yours, you can also name another service in its record.
external-problems-no_client = { $sp } does not know us, and we could not introduce ourselves.
    .detail1 = Try again. If it stays so, whoever runs this service has to register it there.
external-problems-bad_answer = What { $sp } answered is not in order.
    .detail1 = So we did not believe it. Try again; if it happens again, tell whoever runs that service.
external-problems-refused_by_sp = { $sp } sent you back without signing you in.
    .detail1 = Perhaps you stopped there. You can try again.
external-problems-other_account = At { $sp } you are signed in with another account than { $domain } names.
    .detail1 = Sign out there, then try again with the right account. If the domain is yours, you can also name this account in its record.
external-problems-other_domain = At { $sp } you signed in as another domain than { $domain }.
    .detail1 = Sign in there as { $domain }, then try again.
external-problems-record_changed = While you were at { $sp }, the record of { $domain } changed.
    .detail1 = We go by what it says now. Begin again.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = Enter the domain name you want to sign in with.
domainMistakes-email_address = { $domain } is the domain of that address; do you own it?
    .detail1 = If { $domain } is yours, enter it without the part before the @. An address at a mail provider cannot be used here.
domainMistakes-url_with_path = Enter only the domain, not the whole address of a page.
    .detail1 = That would be { $domain }.
domainMistakes-single_label = “{ $domain }” is not a full domain name.
    .detail1 = Enter it with its ending, such as alice.com.
domainMistakes-ip_address = { $domain } is an IP address.
    .detail1 = Enter a domain name, such as alice.com.
domainMistakes-numeric_tld = “{ $domain }” ends in a number.
    .detail1 = No domain name does. Is the ending missing?
domainMistakes-too_long = That is longer than a domain name can be here.
    .detail1 = A domain may have 228 characters, and at most 63 between two dots.
domainMistakes-public_suffix = { $domain } is an ending that many domains share.
    .detail1 = Enter your own name under it, such as { $example }.
domainMistakes-special_use = { $domain } ends in a name that is set aside for special use.
    .detail1 = Nobody can own a domain under it. Enter one that you have registered.
domainMistakes-bad_characters = “{ $domain }” has characters that a domain name cannot have.
    .detail1 = Look for spaces, underscores and signs that came along when copying.

## What the look-up of a domain's record came to

lookOutcomes-absent = { $domain } has no sign-in record yet.
lookOutcomes-disabled = Nobody may sign in as { $domain }.
    .detail1 = Its record says so (sp=none). If the domain is yours, you can change that in its DNS.
lookOutcomes-invalid = The sign-in record of { $domain } has a mistake in it.
    .detail1 = Correct it in your DNS settings.
lookOutcomes-ambiguous = { $domain } has more than one sign-in record.
    .detail1 = There must be exactly one. Remove the others in your DNS settings.
lookOutcomes-unsupported = The sign-in record of { $domain } is of a newer kind than this service understands.
    .detail1 = It needs a record that begins with v=dsi1.
lookOutcomes-alias_invalid = The sign-in record of { $domain } is an alias of a name that is not meant for sign-in.
    .detail1 = Most often this comes from a wildcard CNAME record. Publish a TXT record at _domain-signin instead, or let the alias end at a name with _domain-signin in it.
lookOutcomes-unavailable = The DNS of { $domain } did not answer.
    .detail1 = So we cannot tell what it says. This is often over in a minute: try again. If it stays, ask who runs the DNS of the domain.
lookOutcomes-unconfirmed = Too few of our resolvers say the same about the DNS of { $domain }.
    .detail1 = Two of them must say the same before we believe it. After a change in DNS this takes a few minutes: try again.
lookOutcomes-bogus = The DNS of { $domain } is signed (DNSSEC), but the signatures do not hold.
    .detail1 = We believe nothing it says until they do. Whoever runs the DNS of the domain can repair this.
lookOutcomes-external = The record of { $domain } names another service now.
    .detail1 = That one signs you in. Go back to the app, and begin again.
lookOutcomes-names_another = The record of { $domain } names another service: { $sp }.
    .detail1 = { $client } sent you here as if it named this one. Either the record was changed a moment ago, or two services point at each other. Go back to the app and try again; if it stays so, look at the record in your DNS settings.
lookOutcomes-own_unknown = The record of { $domain } belongs to a set-up that another browser began.
    .detail1 = Finish in that browser, or publish the record shown here in place of the old one.
lookOutcomes-not_permitted = This service is not open to { $domain }.
    .detail1 = This service accepts only domains whose DNS is signed (DNSSEC). Whoever runs the DNS of the domain can sign it.

## What a look for a record to publish saw, while its owner waits

looks-seen = The record is there.
looks-absent = The record is not there yet.
    .detail1 = We looked for { $name }. A new record is mostly seen within a few minutes, at some companies within an hour.
looks-otherValue = There is a record, but not this one.
    .detail1 = If you have just changed { $name }, the old value may be seen until its TTL is over. Otherwise compare the values.
looks-atDomain = The record is at { $domain } itself.
    .detail1 = It belongs at { $name }. Move it there.
looks-doubledName = The record is at { $name }, with the domain in its name twice.
    .detail1 = Your panel puts the domain at the end by itself: as the name, enter only { $entry }.
looks-cutAtSemicolon = The record ends at its first semicolon.
    .detail1 = Your panel takes the semicolon as an end. Enter the value in quotation marks.
looks-inQuotes = The record has quotation marks in its value.
    .detail1 = Your panel adds them by itself: enter the value without them.
looks-oldValue = Your name servers have the record. Others still remember what was there before.
    .detail1 = That is over in { NUMBER($seconds, useGrouping: 0) } seconds at the latest. You need not do anything.
looks-notCertain = Some servers see the record, others do not yet.
    .detail1 = This mostly takes a few minutes. You need not do anything.

## What each DNS server said

servers-title = What each DNS server says
servers-question = We asked each of them for the TXT record at { $name }.
servers-resolver = Resolver { $address }
servers-nameServer = Name server { $name }
servers-found-wanted = has this record
servers-found-other = has another value
servers-found-absent = has no such record
servers-found-silent = did not answer
servers-found-failed = answered with an error
servers-found-not_asked = was not asked, since its address is not a public one
servers-repeats = It may go on saying so for { NUMBER($seconds, useGrouping: 0) } seconds.

## What is wrong with a record that was found; $about is the part of it that is meant

## What is wrong with a recovery code

recoveryProblems-missing = Enter one of your recovery codes.
recoveryProblems-wrong = That is not one of the codes for this domain, or it was used before.
recoveryProblems-tooMany = Too many codes were tried here. Wait a few minutes, then try again.

## Problem pages

requestProblems-unknownClient = The app that sent you here is not registered with this service.
    .title = We do not know this app
    .detail1 = Nothing was shared with it. If you build the app: check its client_id.
requestProblems-missingClientId = The link that brought you here lacks the app’s identifier.
    .title = The app did not say who it is
    .detail1 = Go back to the app and try again. If you build it: send client_id.
requestProblems-missingRedirectUri = Without that we cannot sign you in.
    .title = The app did not say where to send you back
    .detail1 = Nothing was shared. If you build the app: send redirect_uri.
requestProblems-redirectUriNotRegistered = The app asked us to send you to an address that is not registered for it.
    .title = We cannot send you back to that address
    .detail1 = We stopped here for your safety, and nothing was shared. If you build the app: redirect_uri must equal a registered one, character by character.
requestProblems-repeatedParameter = It says “{ $name }” more than once, so we cannot tell what is meant.
    .title = The app’s request is not clear
    .detail1 = Go back to the app and try again.
requestProblems-malformedRequest = Something in it is not as it should be.
    .title = We could not read that request
    .detail1 = Go back to the app and try again.
requestProblems-badClientDocument = { $host } sent you here, and describes itself in a way that we cannot accept.
    .title = We cannot let this app in
    .detail1 = Nothing was shared with it. If you build the app: there is a mistake in its metadata document ({ $reason }).
requestProblems-unreachableClient = { $host } sent you here, but does not tell us now what it is.
    .title = We cannot reach the app
    .detail1 = Wait a minute, then try again. Nothing was shared with it. If you build the app: { $reason }
requestProblems-expired = It was open for so long that we let go of it, for your safety.
    .title = This page is too old
    .detail1 = Go back to the app and sign in again. A record that you have published stays good.
requestProblems-wrongBrowser = It can be continued only where it was begun. Or this browser does not keep cookies, which we need for that.
    .title = This sign-in belongs to another browser
    .detail1 = Allow cookies for this site, then go back to the app and sign in again. If someone sent you the link to this page, do not go on.
requestProblems-crossSitePost = Another site tried to press a button here for you, so we did nothing.
    .title = That did not come from our page
    .detail1 = If it was you: go back to the app and sign in again.
requestProblems-alreadyUsed = You went on from this page before, and it works only once.
    .title = This sign-in is already done
    .detail1 = Go back to the app. If you are not signed in there, begin again.
requestProblems-tooManyRequests = We have had many requests from your network just now.
    .title = That was a little too often
    .detail1 = Wait a minute, then try again.
requestProblems-notFound = The address is mistyped, or the page has gone.
    .title = There is nothing here
    .detail1 = To sign in, begin at the app you want to use.
requestProblems-serverError = It is not your fault, and nothing was shared.
    .title = Something went wrong on our side
    .detail1 = Try again. If it happens again, tell whoever runs this service.
requestProblems-temporarilyUnavailable = A part of this service is not available at the moment.
    .title = We cannot answer right now
    .detail1 = Wait a minute, then try again. Nothing you have set up is lost.
