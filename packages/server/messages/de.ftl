### The texts of the pages in German.

## All pages

common-serviceName = domain-signin
common-copy = Kopieren
common-copied = Kopiert
common-backTo = Zurück zu { $client }
common-backToApp = Zurück zur App
common-problemTitle = Fehler: { $title }
common-step = { $step } von { $steps }
common-through = { $service } gibt an, dass diese Anmeldung für { $app } ist.

## The page that asks for the domain

domain-title = Bei { $client } anmelden
domain-returnTo = Verwenden Sie einen Domainnamen, der Ihnen gehört. Danach kehren Sie zu { $host } zurück.
domain-label = Ihre Domain
domain-hint = Zum Beispiel alice.com
domain-submit = Weiter
domain-how-title = Wie funktioniert das?
domain-how-paragraphs =
    .paragraph1 = Wer einen Domainnamen besitzt, bestimmt, was dafür im DNS steht. Ein kleiner Eintrag dort nennt den Dienst, der Sie mit Ihrer Domain anmelden kann.
    .paragraph2 = Wenn Ihre Domain diesen Eintrag noch nicht hat, zeigen wir Ihnen, was Sie eintragen müssen. Das dauert ein paar Minuten und ist nur einmal nötig.

## The page that offers to continue with a remembered domain

continue-heading = Weiter als { $domain }
continue-client = zu { $client } unter { $host }
continue-submit = Weiter
continue-other = Andere Domain verwenden
continue-news = Neue Aktivität bei { $domain } seit Ihrem letzten Besuch:
continue-newsCheck = Wenn Sie das nicht waren, prüfen Sie Ihr Konto.
continue-newsAccount = Konto öffnen
news-heading = Waren Sie das?
continue-choose = Domain auswählen
continue-as = Als { $domain } fortfahren

## Signing out

signOut-title = Abmelden
signOut-effect = Damit melden Sie sich in diesem Browser von diesem Dienst ab. Apps, bei denen Sie sich angemeldet haben, behalten ihren Zugriff.
signOut-domain = { $domain } abmelden
signOut-all = Alle Domains in diesem Browser abmelden
signOut-everywhere = { $domain } überall abmelden
logout-heading = { $domain } abmelden?
logout-headingAll = In diesem Browser abmelden?
logout-client = { $client } möchte Sie abmelden.
logout-clientAt = { $client } unter { $host } möchte Sie abmelden.
logout-unknownClient = Eine App möchte Sie abmelden. Sie hat nicht gesagt, welche App sie ist.
logout-stay = Angemeldet bleiben
logout-backTo = Weiter zu { $host }
logout-notSignedIn = Das Konto, das Sie in dieser App benutzen, ist in diesem Browser nicht angemeldet

## The front page, and the page that checks a domain

home-title = Mit Ihrer eigenen Domain anmelden
home-lead = Mit diesem Dienst melden sich Menschen mit ihrer eigenen Domain bei Apps an. Ohne Passwort und ohne Registrierung.
home-operator = Er wird von { $host } betrieben. Um sich anzumelden, beginnen Sie in der App, die Sie benutzen möchten.
home-account = Ihr Konto
check-title = Eine Domain prüfen
check-lead = Sehen Sie, ob die Anmeldung mit einer Domain möglich ist und was in ihrem DNS steht.
check-label = Domainname
check-hint = Zum Beispiel alice.com
check-submit = Prüfen
check-assurance-secure = DNSSEC schützt diese Antwort: Die Signaturen sind gültig.
check-assurance-corroborated = Diese Antwort ist nicht mit DNSSEC signiert. Mindestens zwei unserer DNS-Resolver geben sie übereinstimmend.
check-assurance-single = Diese Antwort ist nicht mit DNSSEC signiert. Sie stammt von einem einzigen DNS-Resolver.

## The account page

account-heading = Ihr Konto: { $domain }
account-inOrder = { $domain } ist in Ordnung.
account-recordHeld = Der Eintrag in Ihrem DNS nennt dieses Konto. Geprüft um { $time }.
account-recordTitle = Der Eintrag im DNS
account-recordNone = Unter { $name } gibt es keinen Anmelde-Eintrag.
account-record_lost = Ihr DNS-Eintrag nennt dieses Konto derzeit nicht.
    .detail1 = Bis der Eintrag wieder da ist, kann sich niemand mit diesem Konto als { $domain } anmelden.
account-record_unknown = Wir konnten Ihren Eintrag nicht abfragen.
    .detail1 = Die DNS-Server von { $domain } haben nicht oder nicht zuverlässig geantwortet. Sie können sich hier trotzdem abmelden und Apps den Zugriff entziehen.
account-record_former = Das ist ein früheres Konto von { $domain }.
    .detail1 = Der Eintrag in Ihrem DNS nennt ein anderes Konto. Hier können Sie sich von diesem Konto abmelden und seinen Apps den Zugriff entziehen.
account-betterRecord_lost = Um dieses Konto wieder zu verwenden, veröffentlichen Sie diesen Eintrag:
account-betterRecord_signed = Ihr DNS ist signiert (DNSSEC). Wenn Sie stattdessen diesen Eintrag veröffentlichen, können Apps Ihre Anmeldungen selbst prüfen:
account-appsTitle = Apps mit Zugriff
account-noApps = Keine App hat Zugriff.
account-appScopes = Darf:
account-usedSince = Seit { $since }, zuletzt verwendet { $last }
account-revoke = Zugriff entziehen
account-more-apps = Weitere Apps anzeigen
account-more-sessions = Weitere Browser anzeigen
account-more-browsers = Weitere abgemeldete Browser anzeigen
account-more-passkeys = Weitere Passkeys anzeigen
account-revokeEffect = Wenn Sie den Zugriff entziehen, verliert ihn die App sofort. Um sie wieder zu verwenden, melden Sie sich erneut bei ihr an.
account-sessionsTitle = Wo Sie angemeldet sind
account-thisBrowser = (dieser Browser)
account-browserOn = { $browser } unter { $system }
account-unknownBrowser = Unbekannter Browser
account-signOutOther = Abmelden
account-browsersTitle = Browser, in denen Sie abgemeldet sind
account-browsersWhy = Wir erkennen diese Browser noch. Wenn Ihr Konto keinen Passkey hat, genügt dort ein DNS-Eintrag zur Anmeldung, ohne Wiederherstellungscode. Vergessen Sie die Browser, die Sie nicht mehr verwenden.
account-forget = Diesen Browser vergessen
account-passkeysTitle = Ihre Passkeys
account-providerTitle = Passkeys und Wiederherstellungscodes
account-provider = { $sp } meldet Sie an. Verwalten Sie dort Ihre Passkeys und Wiederherstellungscodes.
account-providerDelete = Um das Konto hier zu beenden, entfernen Sie den Eintrag aus Ihrem DNS. 30 Tage später endet das Konto.
account-addPasskey = Passkey hinzufügen
account-removePasskey = Entfernen
account-renamePasskey = Umbenennen
account-passkeyName = Name des Passkeys
account-savePasskeyName = Speichern
account-codesTitle = Wiederherstellungscodes
account-codesLeft = { $count ->
       [one] Einer Ihrer zehn Wiederherstellungscodes ist noch übrig.
      *[other] { $count } Ihrer zehn Wiederherstellungscodes sind noch übrig.
    }
account-newCodes = Neue Wiederherstellungscodes erstellen
account-fewCodes = Sie haben weniger als drei Wiederherstellungscodes übrig.
    .detail1 = Erstellen Sie neue: Sie sind für den Tag, an dem Sie alle Ihre Geräte verlieren.
account-noPasskey = { $domain } hat keinen Passkey.
    .detail1 = Fügen Sie einen hinzu, dann müssen Sie zum Anmelden das DNS nicht mehr ändern.
account-signOutHere = In diesem Browser abmelden
account-signOutEverywhere = Überall abmelden
account-everywhereEffect = „Überall abmelden“ beendet alle Sitzungen dieser Domain in allen Browsern.
account-everywhereApps = Überall abmelden und allen Apps den Zugriff entziehen
account-others = Andere Domains in diesem Browser
account-otherDomain = Mit einer anderen Domain anmelden
account-former = Früheres Konto von { $domain } in diesem Browser
account-isFormer = (früheres Konto)
account-present = Aktuelles Konto von { $domain }
account-choose = Welche Domain?
account-delete = Dieses Konto löschen
account-signedOut = Sie sind abgemeldet
account-signedOutLead = In diesem Browser sind Sie bei keinem Konto angemeldet.
account-notSignedIn = { $domain } ist in diesem Browser nicht angemeldet
account-othersSignedIn = Andere Konten sind in diesem Browser noch angemeldet.
account-signIn = Bei Ihrem Konto anmelden

## The history on the account page

history-title = Verlauf
history-lead = Was mit diesem Konto seit dem { $since } geschehen ist, das Neueste zuerst. Alle Zeiten sind in UTC.
history-none = Es ist nichts verzeichnet.
history-older = Ältere Einträge
history-event-account_created = Konto erstellt
history-event-signed_in = Anmeldung bei { $client }
history-event-signed_in_passkey = Anmeldung bei { $client } mit einem Passkey
history-event-new_browser = Erste Anmeldung in einem neuen Browser
history-event-set_up_reused = Die Einrichtung wurde nach ihrem Abschluss in einem anderen Browser geöffnet
history-event-challenge_reused = Der Eintrag für eine Anmeldung wurde ein zweites Mal benutzt, nachdem sich jemand damit angemeldet hatte
history-event-session_reused = Jemand verwendete eine alte Kopie der Cookies eines Browsers; die kopierte Sitzung wurde beendet
history-event-recovery_code_used = Ein Wiederherstellungscode wurde verwendet
history-event-recovery_codes_renewed = Neue Wiederherstellungscodes wurden erstellt
history-event-passkey_added = Passkey hinzugefügt: { $name }
history-event-passkey_removed = Passkey entfernt: { $name }
history-event-passkey_renamed = Passkey umbenannt: { $name }
history-event-app_allowed = Zugriff erlaubt für { $client }
history-event-app_revoked = Zugriff entzogen für { $client }
history-event-app_revoked_all = Zugriff allen Apps entzogen
history-event-token_repeated_elsewhere = { $client } hat eine frühere Zugriffsanfrage aus einem anderen Netz wiederholt
history-event-record_found = Der Eintrag in Ihrem DNS nennt dieses Konto wieder
history-event-record_lost = Der Eintrag in Ihrem DNS nennt dieses Konto nicht mehr
history-event-signed_out = In einem Browser abgemeldet
history-event-signed_out_everywhere = Überall abgemeldet
history-event-operator_signed_out = Der Betreiber dieses Dienstes hat Sie überall abgemeldet
history-event-operator_revoked = Der Betreiber dieses Dienstes hat { $client } den Zugriff entzogen
history-event-operator_revoked_all = Der Betreiber dieses Dienstes hat allen Apps den Zugriff entzogen
history-event-account_ended = Konto beendet

## The page that adds a passkey

newPasskey-heading = Passkey für { $domain } hinzufügen
newPasskey-lead = Ihr Gerät erstellt und speichert den Passkey. Danach müssen Sie das DNS zum Anmelden nicht mehr ändern.
newPasskey-leadRecovery = Sie haben einen Wiederherstellungscode verwendet. Erstellen Sie jetzt einen neuen Passkey. Dann brauchen Sie bei der nächsten Anmeldung weder einen Code noch eine Änderung am DNS.
newPasskey-beforeChange = Beginnen Sie Ihre Änderung danach noch einmal, und bestätigen Sie sie mit dem neuen Passkey.
newPasskey-submit = Passkey erstellen
newPasskey-failed = Es wurde kein Passkey erstellt. Versuchen Sie es erneut.
newPasskey-exists = Dieses Gerät hat bereits einen Passkey für { $domain }. Verwenden Sie ein anderes Gerät.
newPasskey-unsupported = Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen anderen Browser.
newPasskey-unsupportedHere = Dieser Browser unterstützt keine Passkeys. Sie können ohne Passkey weitermachen.
newPasskey-without = Wenn Sie ohne Passkey weitermachen, brauchen Sie bei der nächsten Anmeldung einen weiteren Wiederherstellungscode.
newPasskey-without-submit = Ohne Passkey weiter
newPasskey-back = Zurück zu Ihrem Konto
newPasskeyProblems-missing = Dieser Browser hat keinen Passkey gesendet. Schalten Sie JavaScript ein.
newPasskeyProblems-failed = Der Passkey konnte nicht geprüft werden. Versuchen Sie es erneut.
newPasskeyProblems-tooLarge = Dieser Passkey ist zu groß für die Einrichtung. Machen Sie ohne ihn weiter, und fügen Sie später in Ihrem Konto einen hinzu. Sie können ihn auf Ihrem Gerät löschen.
newPasskeyProblems-full = Dieses Konto hat so viele Passkeys, wie es haben kann. Entfernen Sie einen, den Sie nicht mehr benutzen, und fügen Sie dann diesen hinzu.
removePasskey-heading = Passkey von { $domain } entfernen
removePasskey-lead = Mit dem Passkey { $name } können Sie sich dann nicht mehr anmelden.
removePasskey-last = Das ist der letzte Passkey dieses Kontos. Ohne ihn müssen Sie für jede Anmeldung vorübergehend einen DNS-Eintrag anlegen und entweder einen Browser verwenden, den wir erkennen, oder einen Wiederherstellungscode.
removePasskey-submit = Passkey entfernen
passkeyChanged-removed = Der Passkey wurde entfernt
passkeyChanged-removed_effect = Sie können sich nicht mehr damit anmelden. Wenn Ihr Eintrag seinen Schlüssel nennt, ersetzen Sie den Eintrag durch den unten gezeigten. Bis DNS-Zwischenspeicher und Signaturen abgelaufen sind, können Apps Nachweise, die mit dem entfernten Schlüssel signiert sind, noch annehmen.
passkeyChanged-added = Der Passkey wurde hinzugefügt
passkeyChanged-added_effect = Sie können sich ab sofort damit anmelden. Wenn Sie den Eintrag unten veröffentlichen, können Apps auch prüfen, dass Sie einer Anmeldung selbst zugestimmt haben.
passkeyChanged-record = So sollte Ihr Eintrag jetzt lauten
passkeyChanged-continue = Weiter

## Why a session ended

sessionEnded-reused = Jemand hat eine alte Kopie der Sitzung dieses Browsers für { $domain } verwendet.
    .detail1 = Wir haben die Sitzung beendet, für diesen Browser und für die Kopie. Melden Sie sich erneut an, um fortzufahren.
    .detail2 = Falls Sie die Daten dieses Browsers nicht selbst in einen anderen kopiert haben, war es vielleicht jemand anders. Prüfen Sie dieses Gerät auf Schadsoftware.
sessionEnded-elsewhere = { $domain } wurde hier von einem anderen Browser aus abgemeldet.
    .detail1 = Falls Sie das nicht waren, melden Sie sich erneut an und prüfen Sie, wer Zugriff auf Ihre DNS-Zone hat.
sessionEnded-operator = Der Betreiber dieses Dienstes hat { $domain } abgemeldet.
    .detail1 = Melden Sie sich erneut an, um fortzufahren.

## The two pages that show a record to publish

dns-name = Name
dns-fullName = Vollständiger Name
dns-type = Typ
dns-value = Wert
dns-showAll = Alles anzeigen
dns-wantsFullName = Mein DNS-Anbieter verlangt den vollständigen Namen
dns-twoStrings = Mein DNS-Anbieter hat ein Feld für je 255 Zeichen
dns-panelAt = Ihr DNS ist bei { $panel }.
dns-panelOpen = { $panel } öffnen
dns-serversOrCheck = Antworten · Jetzt prüfen
dns-looking = Wir prüfen alle 3 Sekunden.
dns-lookingSlowly = Wir prüfen alle 15 Sekunden.
dns-ttl = TTL: { $ttl }, oder was Ihr DNS-Anbieter vorschlägt.
dns-checksByItself = Diese Seite prüft selbst. Sie können sie offen lassen.
dns-stopChecking = Automatische Prüfung beenden
dns-checksNoMore = Die automatische Prüfung ist ausgeschaltet.
dns-checksEnded = Diese Seite prüft nicht mehr automatisch. Prüfen Sie jetzt.
dns-checksEndedReload = Diese Seite prüft nicht mehr automatisch. Laden Sie sie neu.
dns-checkAgain = Automatische Prüfung fortsetzen
dns-checkedAt = Zuletzt geprüft: { $time }
dns-found = { $count ->
       [one] Im DNS gefunden
      *[other] Im DNS gefunden: { NUMBER($count, useGrouping: 0) } Einträge
    }
dns-panel-title = Wo trage ich das ein?
dns-panel-relative = Öffnen Sie die DNS-Einstellungen bei dem Anbieter, bei dem Sie die Domain registriert haben oder der ihr DNS betreibt, und legen Sie einen neuen TXT-Eintrag an. Viele DNS-Verwaltungen hängen die Domain automatisch an den Namen an. Geben Sie dann nur den ersten Teil ein:
dns-panel-inZone = In den DNS-Einstellungen von { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Wenn die DNS-Verwaltung vor dem Speichern den vollständigen Namen anzeigt, muss er dem Namen oben entsprechen und die Domain nur einmal enthalten.
    .paragraph2 = Ändern Sie Ihre anderen Einträge nicht. Geben Sie den Wert ohne Anführungszeichen ein. Wenn Sie keine TTL wählen können, übernehmen Sie die vorgegebene.

## The setup page

setUpPasskey-heading = Einen Passkey für { $domain } erstellen
setUpPasskey-lead = Damit melden Sie sich künftig an. Ohne Passwort.
dnsSetup-heading = Fügen Sie diesen Eintrag zu { $domain } hinzu
dnsSetup-effect = Mit dem Eintrag kann sich dieser Browser als { $domain } anmelden.
dnsSetup-webView = Bleiben Sie in diesem Fenster, bis Sie fertig sind: Das Fenster dieser App teilt die Einrichtung nicht mit Ihrem Browser.
dnsSetup-foundHeading = { $domain } gehört hier Ihnen
dnsSetup-found = Ihr DNS hat den Eintrag. Lassen Sie ihn stehen.
dnsSetup-finish = Mit Ihrem Passkey fortfahren
dnsSetup-record = Diesen Eintrag anlegen
dnsSetup-submit = Jetzt prüfen
dnsSetup-startOver-title = Neu beginnen oder wiederherstellen
dnsSetup-startOver-explanation = Sie erhalten einen neuen Wert. Der bisherige gilt dann nicht mehr.
dnsSetup-startOver-submit = Neuen Eintrag erstellen
dnsSetup-resume = Die am { $date } begonnene Einrichtung fortsetzen
dnsSetup-resumeFor = Einrichtung vom { $date } für { $client } fortsetzen
dnsSetup-handOn = Jemand anders verwaltet das DNS
dnsSetup-former = Wenn Sie diesen Dienst schon benutzt haben, stellen Sie stattdessen Ihren früheren Eintrag wieder her.
dnsSetup-known = Sie haben { $domain } hier in diesem Browser schon verwendet.
dnsSetup-knownEffect = Um Ihr Konto zu behalten, stellen Sie seinen Eintrag wieder her. Mit einem neuen Eintrag entsteht ein neues Konto, und Apps behandeln Sie wie eine andere Person.
dnsSetup-restore = Früheren Eintrag wiederherstellen

## Recovery codes on the setup page

recoveryCodes-done = { $domain } ist eingerichtet
recoveryCodes-heading = Speichern Sie Ihre Wiederherstellungscodes
recoveryCodes-why = Speichern Sie diese Codes: Sie brauchen einen, wenn dieser Browser nicht mehr da ist. Jeder gilt einmal.
recoveryCodes-whyPasskey = Speichern Sie diese Codes für den Tag, an dem Sie alle Geräte verlieren. Jeder gilt einmal.
recoveryCodes-download = Herunterladen
recoveryCodes-print = Drucken
recoveryCodes-saved = Ich habe sie gespeichert
recoveryCodes-lost = Wir können die Codes nicht anzeigen: Dieser Browser hat sie nicht mehr, oder neue haben sie ersetzt.
recoveryCodes-continue = Weiter
recoveryCodes-all = alle zehn Codes
newCodes-heading = Neue Wiederherstellungscodes für { $domain }
newCodes-few = Sie haben weniger als drei Wiederherstellungscodes übrig. Hier sind zehn neue.
newCodes-lead = Die neuen Codes ersetzen Ihre bisherigen, sobald Sie unten bestätigen, dass Sie sie gespeichert haben. Bis dahin bleiben die bisherigen gültig.
newCodes-keep = Meine bisherigen Codes behalten
deleteAccount-heading = Konto von { $domain } löschen
deleteAccount-lead = Das kann nicht rückgängig gemacht werden.
deleteAccount-paragraphs =
    .paragraph1 = Apps erkennen Sie dann nicht mehr. Sie kennen Sie unter einer Kennung, die mit dem Konto verloren geht. Wenn Sie diese Domain erneut einrichten, erhalten Sie eine neue Kennung, und jede App sieht ein neues Konto.
    .paragraph2 = Alle Sitzungen, Zugriffe von Apps, Passkeys und Wiederherstellungscodes enden sofort. Der Verlauf wird gelöscht. Daten, die Apps über Sie gespeichert haben, werden nicht gelöscht.
deleteAccount-confirm = Geben Sie zur Bestätigung die Domain ein: { $domain }
deleteAccount-wrong = Das ist nicht die Domain dieses Kontos.
deleteAccount-submit = Konto löschen
deleteAccount-done = Das Konto von { $domain } wurde gelöscht
deleteAccount-doneLead = Sie können den Eintrag jetzt aus Ihrem DNS entfernen. Um diesen Dienst wieder zu verwenden, richten Sie die Domain mit einem neuen Eintrag ein.

## The link that hands a setup on, and the page that it leads to

handOn-heading = Den Eintrag für { $domain } weitergeben
handOn-lead = Senden Sie diesen Link der Person, die das DNS der Domain verwaltet. Er zeigt den Eintrag und seinen Stand. Man kann sich damit nicht anmelden.
handOn-again = Wenn Sie neu beginnen, nachdem Sie den Link verschickt haben, senden Sie den neuen Link.
handOn-link = Der Link
handOn-linkUntil = Gültig bis { $date }
handOn-qr = QR-Code des Links
handOn-mailSubject = DNS-Eintrag für { $domain }
handOn-mailAsk = Bitte fügen Sie dem DNS von { $domain } einen TXT-Eintrag hinzu. Bis zum { $date } zeigt diese Seite den Eintrag und ob er veröffentlicht ist:
handOn-mailWarning = Mit dem Eintrag kann sich mein Browser bei { $issuer } als { $domain } anmelden. Wenn Sie nicht wissen, wer Ihnen das gesendet hat, veröffentlichen Sie ihn nicht.
handOn-openMail = Per E-Mail senden
handOn-back = Zurück zur Einrichtung
setUpLink-heading = Ein Eintrag für { $domain }
setUpLink-lead = Jemand möchte sich mit dieser Domain über { $issuer } bei { $client } anmelden und bittet Sie, diesen Eintrag zu veröffentlichen.
setUpLink-leadUnknownApp = Jemand möchte sich mit dieser Domain über { $issuer } bei einer App anmelden, die dort nicht mehr registriert ist, und bittet Sie, diesen Eintrag zu veröffentlichen.
setUpLink-warning = Wenn Sie diesen Eintrag veröffentlichen, kann sich der Browser des Absenders als { $domain } anmelden. Wenn Sie nicht wissen, wer Ihnen diesen Link gesendet hat, veröffentlichen Sie ihn nicht.
setUpLink-status = Stand
setUpLink-seen = Der Eintrag ist veröffentlicht. Die Person, die Ihnen diesen Link gesendet hat, kann jetzt fortfahren.
setUpLink-done = Die Einrichtung ist abgeschlossen. Hier ist nichts mehr zu tun. Lassen Sie den Eintrag stehen.
setUpLink-outdated = Der Eintrag zu diesem Link enthält einen Schlüssel, den dieser Dienst zurückgezogen hat. Bitten Sie die Person, die Ihnen den Link gesendet hat, von vorn zu beginnen und Ihnen einen neuen zu senden.
setUpLink-until = Dieser Link gilt bis { $date }.

## The page with the record of a former account

formerRecord-heading = Früheren Eintrag für { $domain } wiederherstellen
formerRecord-lead = Veröffentlichen Sie diesen Eintrag wieder, um Ihr früheres Konto wiederherzustellen. Apps erkennen Sie dann wieder.
formerRecord-leadCode = Den früheren Eintrag zeigen wir nur dem Inhaber seines Kontos. Geben Sie einen Wiederherstellungscode dieses Kontos ein. Der Code bleibt gültig.
formerRecord-record = Veröffentlichen Sie diesen Eintrag anstelle des jetzigen
formerRecord-published = Er ist veröffentlicht: anmelden
formerRecord-submit = Früheren Eintrag anzeigen
formerRecord-earlier = Ein anderes früheres Konto?
formerRecord-earlierLead = Wenn dieser Eintrag nicht zu dem Konto gehört, das Sie wiederherstellen möchten, geben Sie einen Wiederherstellungscode jenes Kontos ein.
formerRecord-codeHint = Einer der zehn Codes, die Sie beim Einrichten jenes Kontos gespeichert haben.
formerRecord-newInstead = Die Domain stattdessen mit einem neuen Eintrag einrichten

## The page for a sign-in with a passkey

passkey-heading = Als { $domain } anmelden
passkey-lead = Weisen Sie mit Ihrem Passkey nach, dass die Domain noch Ihnen gehört.
passkey-client = Sie melden sich bei { $client } unter { $host } an.
passkey-submit = Passkey verwenden
passkey-failed = Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal, oder melden Sie sich unten ohne ihn an.
passkey-failedSetUp = Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal, oder beginnen Sie unten neu.
passkey-unsupported = Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen anderen Browser, oder melden Sie sich unten ohne Passkey an.
passkey-unsupportedSetUp = Dieser Browser unterstützt keine Passkeys. Verwenden Sie den Browser, in dem Sie den Passkey erstellt haben.
passkey-noScript = Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.
passkey-without-title = Ich kann meinen Passkey nicht verwenden
passkey-without-explanation = Sie können sich mit einem Ihrer Wiederherstellungscodes und einem vorübergehenden Eintrag im DNS Ihrer Domain anmelden. Der Code ist erst verbraucht, wenn Sie angemeldet sind.
passkey-without-submit = Ohne Passkey anmelden

## The page for a later sign-in by DNS

dnsChallenge-heading = Als { $domain } anmelden
dnsChallenge-lead = Legen Sie im DNS Ihrer Domain vorübergehend einen Eintrag an, um nachzuweisen, dass die Domain noch Ihnen gehört. Sobald Sie angemeldet sind, können Sie ihn löschen.
dnsChallenge-leadWithCode = Geben Sie zuerst einen Wiederherstellungscode ein. Legen Sie danach im DNS Ihrer Domain vorübergehend einen Eintrag an, um nachzuweisen, dass die Domain noch Ihnen gehört.
dnsChallenge-deadline = Sie haben 24 Stunden Zeit. Sie können diese Seite schließen und in diesem Browser wieder öffnen.
dnsChallenge-client = Sie melden sich bei { $client } unter { $host } an.
dnsChallenge-warning = Legen Sie diesen Eintrag nur an, wenn Sie diese Anmeldung selbst unter { $issuer } begonnen haben.
dnsChallenge-warningReason = Damit kann sich dieser Browser als { $domain } anmelden. Wenn Sie den Eintrag von jemand anderem bekommen haben, legen Sie ihn nicht an.
dnsChallenge-codeFirst = Wiederherstellungscode eingeben
dnsChallenge-submit = Jetzt prüfen
dnsChallenge-continue = Weiter
dnsChallenge-next = Der Eintrag, den Sie danach anlegen
dnsChallenge-codeKept = Ihr Wiederherstellungscode gilt. Er ist verbraucht, sobald Sie angemeldet sind.
dnsChallenge-passkeyKept = Ihr Passkey wurde geprüft. Dieser Dienst wurde aus einer Sicherung wiederhergestellt; deshalb müssen Sie den Passkey einmal bestätigen: Legen Sie diesen Eintrag an.
dnsChallenge-recoveryCode-label = Wiederherstellungscode
dnsChallenge-recoveryCode-hint = Einer der zehn Codes, die Sie beim Einrichten der Domain gespeichert haben. Wir fragen danach, weil wir diesen Browser nicht kennen.
dnsChallenge-recoveryCode-insteadOfPasskey = Einer der zehn Codes, die Sie beim Einrichten der Domain gespeichert haben. Wir fragen danach, weil Sie sich ohne Ihren Passkey anmelden.
dnsChallenge-lostAccess-title = Ich habe meine Codes oder meinen bisherigen Browser nicht mehr
dnsChallenge-lostAccess-explanation = Sie können mit einem neuen Eintrag von vorn beginnen, der den jetzigen Eintrag von { $domain } ersetzt.
dnsChallenge-lostAccess-consequence = Apps sehen dann ein neues Konto. Was Sie dort unter dem alten Konto gespeichert haben, wird nicht übernommen.
dnsChallenge-lostAccess-submit = Mit einem neuen Eintrag von vorn beginnen

## The page for a setup that was started in another browser

ownUnknown-heading = Der Eintrag von { $domain } kann in diesem Browser nicht verwendet werden
ownUnknown-lead = Der Eintrag der Domain nennt bereits diesen Dienst, gehört aber zu einer Einrichtung, die in einem anderen Browser begonnen wurde, oder zu einem Konto, das beendet wurde.
ownUnknown-finishedHeading = Die Einrichtung von { $domain } wurde anderswo abgeschlossen
ownUnknown-finished = Jemand hat diese Einrichtung abgeschlossen, aber nicht in diesem Tab. Wenn Sie das nicht waren, beginnen Sie neu mit einem neuen Eintrag.
ownUnknown-endedHeading = Der Eintrag von { $domain } wurde bereits verwendet
ownUnknown-ended = Das Konto, das mit diesem Eintrag erstellt wurde, ist beendet, und ein Eintrag kann kein zweites erstellen. Beginnen Sie mit einem neuen Eintrag von vorn.
ownUnknown-restoredHeading = Die Einrichtung von { $domain } kann nicht mehr abgeschlossen werden
ownUnknown-restored = Dieser Dienst wurde aus einer Sicherung wiederhergestellt, nachdem Sie die Einrichtung begonnen hatten. Zum Schutz Ihrer Domain gilt der Eintrag nicht mehr. Beginnen Sie mit einem neuen Eintrag von vorn.
ownUnknown-client = Sie melden sich bei { $client } unter { $host } an.
ownUnknown-finish-explanation = Wenn Sie selbst begonnen haben, schließen Sie die Einrichtung in jenem Browser ab. Auch ein privates Fenster oder ein anderes Gerät zählt als anderer Browser.
ownUnknown-startOver-explanation = Sie erhalten einen neuen Eintrag, der den jetzigen von { $domain } ersetzt. Wenn Sie nicht wissen, woher der jetzige stammt, ersetzen Sie ihn.
ownUnknown-startOver-submit = Mit einem neuen Eintrag von vorn beginnen

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = Einrichtung von { $domain } fortsetzen
earlierSetUps-lead = { $count ->
       [one] Dieser Browser bewahrt drei Einrichtungen auf. Sie haben bereits eine für diese Domain begonnen: Setzen Sie sie fort. Wenn Sie einen Eintrag veröffentlicht oder verschickt haben, gilt dessen Einrichtung weiterhin.
      *[other] Dieser Browser bewahrt drei Einrichtungen auf. Sie haben bereits { NUMBER($count, useGrouping: 0) } für diese Domain begonnen: Setzen Sie eine davon fort. Wenn Sie einen Eintrag veröffentlicht oder verschickt haben, gilt dessen Einrichtung weiterhin.
    }
earlierSetUps-startOver = Sie erhalten einen neuen Eintrag zum Veröffentlichen. Die Einrichtung von { $domain } vom { $date } gilt dann nicht mehr.

## The consent page

consent-heading = Bei { $client } anmelden?
consent-known = { $host } wird Sie als { $domain } kennen.
consent-scopesTitle = Außerdem kann die App
consent-resource = Bei { $resource } kann die App dann
consent-resourceUse = diesen Dienst in Ihrem Namen nutzen
consent-allow = Erlauben
consent-deny = Nicht erlauben

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = wissen, dass Sie über diese Domain verfügen
scopes-profile = den Namen und die Website dieser Domain kennen
scopes-offline_access = Sie angemeldet halten, auch wenn Sie nicht da sind

## All problem pages

problem-errorId = Fehler-ID:
problem-client = Sie wollten sich bei { $host } anmelden.
problem-setUpFor = Sie haben eine Domain eingerichtet, um sich bei { $client } anzumelden.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = Nicht angemeldet als { $domain }
external-lead = Laut dem Eintrag von { $domain } melden Sie sich bei { $sp } an.
external-again = Noch einmal versuchen
external-detail = Für den Betreiber des anderen Dienstes (auf Englisch):
external-problems-own_issuer = { $sp } ist dieser Dienst selbst.
    .detail1 = Wenn die Domain Ihnen gehört, korrigieren Sie den Wert sp in ihrem Eintrag. Er muss genau die Adresse dieses Dienstes sein, ohne Schrägstrich am Ende.
external-problems-unreachable = { $sp } antwortet nicht.
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal.
external-problems-busy = Unser Dienst ist ausgelastet. Deshalb konnten wir { $sp } nicht anfragen.
    .detail1 = Warten Sie ein paar Sekunden, und versuchen Sie es dann noch einmal.
external-problems-not_public = { $sp } hat keine öffentliche Adresse.
    .detail1 = Aus Sicherheitsgründen verbinden wir uns nicht damit. Wenn die Domain Ihnen gehört, prüfen Sie den Wert von sp in ihrem Eintrag.
external-problems-bad_metadata = { $sp } ist anscheinend kein Anmeldedienst.
    .detail1 = Wenn die Domain Ihnen gehört, prüfen Sie den Wert von sp in ihrem Eintrag. Sonst kann das nur der Betreiber von { $sp } beheben.
external-problems-unmet_requirements = { $sp } fehlt eine Sicherheitsfunktion, die wir voraussetzen.
    .detail1 = Der Betreiber von { $sp } kann sie ergänzen. Wenn die Domain Ihnen gehört, können Sie in ihrem Eintrag auch einen anderen Dienst nennen.
external-problems-no_client = { $sp } kennt diesen Dienst nicht, und wir konnten uns dort nicht registrieren.
    .detail1 = Versuchen Sie es noch einmal. Wenn das weiterhin passiert, muss der Betreiber dieses Dienstes ihn bei { $sp } registrieren.
external-problems-bad_answer = { $sp } hat eine ungültige Antwort gesendet.
    .detail1 = Damit konnten wir Sie nicht anmelden. Versuchen Sie es noch einmal. Wenn das wieder passiert, sagen Sie dem Betreiber von { $sp } Bescheid.
external-problems-refused_by_sp = { $sp } hat Sie zurückgeschickt, ohne Sie anzumelden.
    .detail1 = Vielleicht haben Sie dort abgebrochen. Sie können es noch einmal versuchen.
external-problems-other_account = Das Konto, mit dem Sie bei { $sp } angemeldet sind, ist nicht das, das der Eintrag von { $domain } nennt.
    .detail1 = Melden Sie sich dort ab, und versuchen Sie es mit dem richtigen Konto noch einmal. Wenn die Domain Ihnen gehört, können Sie stattdessen ihren Eintrag so ändern, dass er das verwendete Konto nennt.
external-problems-other_domain = Bei { $sp } haben Sie sich als eine andere Domain angemeldet, nicht als { $domain }.
    .detail1 = Melden Sie sich dort als { $domain } an, und versuchen Sie es dann noch einmal.
external-problems-record_changed = Der Eintrag von { $domain } hat sich geändert, während Sie bei { $sp } waren.
    .detail1 = Um sich mit dem neuen Eintrag anzumelden, versuchen Sie es noch einmal.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = Geben Sie den Domainnamen ein, mit dem Sie sich anmelden möchten.
domainMistakes-email_address = Das sieht nach einer E-Mail-Adresse bei { $domain } aus.
    .detail1 = Wenn { $domain } Ihnen gehört, geben Sie die Domain ohne den Teil vor dem @ ein. Eine Adresse bei einem E-Mail-Anbieter kann hier nicht verwendet werden.
domainMistakes-url_with_path = Geben Sie nur die Domain ein, nicht die vollständige Adresse einer Seite.
    .detail1 = Geben Sie stattdessen { $domain } ein.
domainMistakes-single_label = „{ $domain }“ ist kein vollständiger Domainname.
    .detail1 = Geben Sie ihn mit seiner Endung ein, zum Beispiel alice.com.
domainMistakes-ip_address = { $domain } ist eine IP-Adresse.
    .detail1 = Geben Sie einen Domainnamen ein, zum Beispiel alice.com.
domainMistakes-numeric_tld = „{ $domain }“ endet mit einer Zahl.
    .detail1 = Das ist bei Domainnamen nicht möglich. Prüfen Sie, ob die Endung fehlt.
domainMistakes-too_long = Dieser Domainname ist zu lang.
    .detail1 = Geben Sie höchstens 228 Zeichen ein, zwischen zwei Punkten höchstens 63.
domainMistakes-public_suffix = { $domain } ist eine Endung, die sich viele Domains teilen.
    .detail1 = Geben Sie Ihre eigene Domain mit dieser Endung ein, zum Beispiel { $example }.
domainMistakes-special_use = { $domain } endet mit einem Namen, der für besondere Zwecke reserviert ist.
    .detail1 = Eine Domain mit dieser Endung kann niemandem gehören. Geben Sie eine ein, die Sie registriert haben.
domainMistakes-bad_characters = „{ $domain }“ enthält Zeichen, die in einem Domainnamen nicht erlaubt sind.
    .detail1 = Achten Sie auf Leerzeichen, Unterstriche und Zeichen, die versehentlich mitkopiert wurden.

## Results of looking up a domain's record

lookOutcomes-absent = { $domain } hat noch keinen Anmelde-Eintrag.
    .detail1 = Sie erhalten ihn bei der ersten Anmeldung in einer App.
lookOutcomes-disabled = Die Anmeldung als { $domain } ist abgeschaltet.
    .detail1 = Im Eintrag der Domain steht sp=none. Wenn sie Ihnen gehört, können Sie das in Ihren DNS-Einstellungen ändern.
lookOutcomes-invalid = Der Anmelde-Eintrag von { $domain } enthält einen Fehler.
    .detail1 = Korrigieren Sie ihn in Ihren DNS-Einstellungen.
lookOutcomes-own_issuer = Der Anmelde-Eintrag von { $domain } schreibt die Adresse dieses Dienstes anders.
    .detail1 = Korrigieren Sie sp in Ihren DNS-Einstellungen.
lookOutcomes-ambiguous = { $domain } hat mehr als einen Anmelde-Eintrag.
    .detail1 = Es darf nur einen geben. Löschen Sie die anderen in Ihren DNS-Einstellungen.
lookOutcomes-unsupported = Der Anmelde-Eintrag von { $domain } hat eine Version, die dieser Dienst nicht unterstützt.
    .detail1 = Der Eintrag muss mit v=dsi1 beginnen.
lookOutcomes-alias_invalid = Der Anmelde-Eintrag von { $domain } ist ein Alias für einen Namen, der nicht zum Anmelden gedacht ist.
    .detail1 = Meist liegt das an einem CNAME-Eintrag mit Platzhalter (*). Legen Sie stattdessen unter _domain-signin einen TXT-Eintrag an, oder lassen Sie den Alias auf einen Namen zeigen, der _domain-signin enthält.
lookOutcomes-indeterminate = Die DNS-Server von { $domain } haben nicht geantwortet.
    .detail1 = Wir konnten den Eintrag der Domain nicht lesen. Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Wenn das weiterhin passiert, wenden Sie sich an den Anbieter, der das DNS der Domain betreibt.
lookOutcomes-busy = Unser Dienst ist ausgelastet, deshalb konnten wir { $domain } nicht abfragen.
    .detail1 = Warten Sie ein paar Sekunden, und versuchen Sie es dann noch einmal.
lookOutcomes-unconfirmed = Wir konnten die DNS-Antwort für { $domain } nicht bestätigen.
    .detail1 = Mindestens zwei unserer DNS-Resolver müssen dieselbe Antwort geben. Nach einer Änderung im DNS kann das ein paar Minuten dauern. Versuchen Sie es dann noch einmal.
lookOutcomes-contradictory = DNS-Server sind sich über { $domain } nicht einig.
    .detail1 = Unsere DNS-Resolver haben unterschiedliche Antworten gegeben. Nach einer Änderung im DNS kann das so bleiben, bis die alte Antwort abgelaufen ist. Versuchen Sie es in ein paar Minuten noch einmal.
lookOutcomes-validation_failed = Die DNSSEC-Prüfung von { $domain } ist fehlgeschlagen.
    .detail1 = Das DNS der Domain ist signiert, aber die Signaturen sind ungültig. Daher können wir ihm nicht vertrauen. Der Anbieter, der das DNS der Domain betreibt, kann das beheben.
lookOutcomes-reason = Grund: { $reason }
lookOutcomes-dname = Ein DNAME-Eintrag leitet den Anmelde-Eintrag von { $domain } um.
    .detail1 = Die Anmeldung über einen DNAME-Eintrag wird nicht unterstützt. Löschen Sie ihn und legen Sie den Anmelde-Eintrag in der Zone der Domain selbst an, oder melden Sie sich mit der Domain an, auf die er verweist.
lookOutcomes-unsigned_subzone = Der Anmelde-Eintrag von { $domain } liegt in einer separaten Zone ohne DNSSEC.
    .detail1 = Die Domain selbst ist signiert. Daher können wir einer unsignierten Zone darunter nicht vertrauen. Legen Sie den Eintrag in der Zone von { $domain } an, oder signieren Sie die separate Zone.
lookOutcomes-unsupported_dnssec = { $domain } ist auf eine Weise signiert, die wir nicht prüfen können.
    .detail1 = Das DNSSEC der Domain verwendet nur Algorithmen oder Einstellungen, die dieser Dienst oder seine DNS-Resolver nicht unterstützen. Der Anbieter, der das DNS der Domain betreibt, kann das ändern.
lookOutcomes-too_large = Die DNS-Antworten für { $domain } sind zu groß, um sie zu prüfen.
    .detail1 = Sie enthalten zu viele Schlüssel, Signaturen oder Einträge. Der Anbieter, der das DNS der Domain betreibt, kann deren Zahl verringern.
lookOutcomes-malformed = Ein DNS-Eintrag von { $domain } ist fehlerhaft aufgebaut.
    .detail1 = Wir konnten die Antwort nicht lesen. Der Anbieter, der das DNS der Domain betreibt, kann das beheben.
lookOutcomes-was_signed = { $domain } ist nicht mehr mit DNSSEC signiert.
    .detail1 = Bis vor Kurzem war die Domain signiert. Daher könnte das ein Angriff sein. Wenn Sie DNSSEC abgeschaltet haben, müssen zwei Prüfungen im Abstand von mindestens einem Tag das bestätigen.
lookOutcomes-firstConfirmed = Die erste Prüfung hat es bestätigt. Die zweite führen wir automatisch nach { $time } durch.
lookOutcomes-notConfirmed = Wir konnten es noch nicht bestätigen. Versuchen Sie es in einer Stunde noch einmal.
lookOutcomes-blocked = Unsere DNS-Resolver sperren { $domain }.
    .detail1 = Sie schlagen diesen Namen nicht nach, zum Beispiel weil er auf einer Sperrliste steht. Wenden Sie sich an den Betreiber dieses Dienstes.
lookOutcomes-no_authority = Unsere DNS-Resolver erreichen die Nameserver von { $domain } nicht.
    .detail1 = Versuchen Sie es in ein paar Minuten noch einmal. Wenn das weiterhin passiert, wenden Sie sich an den Anbieter, der das DNS der Domain betreibt.
lookOutcomes-stale = Unsere DNS-Resolver haben nur eine alte Antwort für { $domain }.
    .detail1 = Sie konnten die Nameserver der Domain nicht erreichen, und eine alte Antwort zeigt nicht, was jetzt im Eintrag steht. Versuchen Sie es in ein paar Minuten noch einmal.
lookOutcomes-unregistered = { $domain } ist keine registrierte Domain.
    .detail1 = Prüfen Sie die Schreibweise. Wenn Sie die Domain gerade erst registriert haben, versuchen Sie es in ein paar Minuten noch einmal.
lookOutcomes-external = Der Eintrag von { $domain } nennt jetzt einen anderen Dienst.
    .detail1 = Um sich mit dem anderen Dienst anzumelden, gehen Sie zurück zur App, und beginnen Sie noch einmal.
lookOutcomes-names_another = Der Eintrag von { $domain } nennt einen anderen Dienst: { $sp }.
    .detail1 = { $client } hat Sie hierher geschickt, als würde der Eintrag diesen Dienst nennen. Entweder wurde der Eintrag gerade geändert, oder zwei Dienste verweisen aufeinander. Gehen Sie zurück zur App, und versuchen Sie es noch einmal. Wenn das weiterhin passiert, prüfen Sie den Eintrag in Ihren DNS-Einstellungen.
lookOutcomes-own_unknown = Der Eintrag von { $domain } gehört zu einer Einrichtung, die in einem anderen Browser begonnen wurde, oder zu einem Konto, das beendet wurde.
    .detail1 = Schließen Sie sie in dem anderen Browser ab, oder ersetzen Sie den alten Eintrag durch den hier gezeigten.
lookOutcomes-not_permitted = Als { $domain } können Sie sich hier nicht anmelden.
    .detail1 = Dieser Dienst akzeptiert nur Domains, deren DNS signiert ist (DNSSEC). Der Anbieter, der das DNS der Domain betreibt, kann es signieren.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = Die Anmeldung als { $domain } ist hier möglich.
    .detail1 = Der Eintrag ist gültig und nennt diesen Dienst.
verdicts-external = Die Anmeldung als { $domain } läuft über { $sp }.
    .detail1 = Der Eintrag ist gültig. Diese Prüfung fragt nicht bei { $sp } nach.
verdicts-invalid = Der Eintrag von { $domain } ist nicht gültig: { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = Gefunden.
looks-absent = Noch nicht da.
looks-absentRemembered = Noch nicht da.
    .detail1 = { $seconds ->
       [one] Wir konnten die Nameserver Ihrer Domain nicht abfragen. Andere DNS-Server können noch bis zu { NUMBER($seconds, useGrouping: 0) } Sekunde lang antworten, dass es den Eintrag nicht gibt.
      *[other] Wir konnten die Nameserver Ihrer Domain nicht abfragen. Andere DNS-Server können noch bis zu { NUMBER($seconds, useGrouping: 0) } Sekunden lang antworten, dass es den Eintrag nicht gibt.
    }
looks-absentBusy = Noch nicht da.
    .detail1 = { $seconds ->
       [one] Wir sind gerade ausgelastet und haben deshalb die Nameserver Ihrer Domain nicht gefragt. Andere DNS-Server können noch bis zu { NUMBER($seconds, useGrouping: 0) } Sekunde lang antworten, dass es den Eintrag nicht gibt.
      *[other] Wir sind gerade ausgelastet und haben deshalb die Nameserver Ihrer Domain nicht gefragt. Andere DNS-Server können noch bis zu { NUMBER($seconds, useGrouping: 0) } Sekunden lang antworten, dass es den Eintrag nicht gibt.
    }
looks-otherValue = Wir haben einen Eintrag gefunden, aber nicht diesen.
    .detail1 = Wenn Sie { $name } gerade geändert haben, ist der alte Wert möglicherweise noch zu sehen, bis seine TTL abgelaufen ist. Vergleichen Sie sonst die Werte.
looks-atDomain = Der Eintrag steht stattdessen unter { $domain }.
    .detail1 = Er gehört zu { $name }. Verschieben Sie ihn dorthin.
looks-doubledName = Der Eintrag steht unter { $name }, also mit der Domain zweimal im Namen.
    .detail1 = Ihre DNS-Verwaltung hängt die Domain automatisch an. Geben Sie als Namen nur { $entry } ein.
looks-cutAtSemicolon = Der Eintrag ist nach v=dsi1 abgeschnitten.
    .detail1 = Ihre DNS-Verwaltung versteht das Leerzeichen oder Semikolon als Ende. Geben Sie den Wert in Anführungszeichen ein.
looks-inQuotes = Der Wert des Eintrags enthält Anführungszeichen.
    .detail1 = Ihre DNS-Verwaltung setzt sie automatisch. Geben Sie den Wert ohne Anführungszeichen ein.
looks-noUnderscore = Der Eintrag steht unter { $domain }, also ohne den Unterstrich.
    .detail1 = Er gehört zu { $name }, mit dem Unterstrich am Anfang.
looks-curlyQuotes = Der Wert des Eintrags enthält typografische Anführungszeichen.
    .detail1 = Vermutlich hat ein Textprogramm sie eingefügt. Kopieren Sie den Wert von dieser Seite, und geben Sie ihn ohne Anführungszeichen ein.
looks-spacesLost = Im Wert des Eintrags fehlen die Leerzeichen.
    .detail1 = Ihre DNS-Verwaltung entfernt sie. Geben Sie den Wert in Anführungszeichen ein oder mit einem Semikolon anstelle jedes Leerzeichens.
looks-spaceInside = Im Wert des Eintrags steht ein Leerzeichen an der falschen Stelle.
    .detail1 = Kopieren Sie den Wert noch einmal, und geben Sie ihn in einem Stück ein.
looks-wrongCase = Im Wert des Eintrags stimmen Groß- und Kleinbuchstaben nicht.
    .detail1 = Kopieren Sie den Wert von dieser Seite, und geben Sie ihn unverändert ein.
looks-wrongCharacter = Ein Zeichen des Eintrags ist falsch.
    .detail1 = Kopieren Sie den Wert von dieser Seite, statt ihn abzutippen.
looks-incomplete = Der Eintrag ist unvollständig.
    .detail1 = Ein Teil des Werts fehlt. Kopieren Sie noch einmal den ganzen Wert von dieser Seite.
looks-tooLong = Der Wert des Eintrags ist zu lang.
    .detail1 = Geben Sie nur den Wert von dieser Seite ein.
looks-ownEarlier = Das ist der Eintrag einer früheren Einrichtung in diesem Browser.
    .detail1 = Ersetzen Sie seinen Wert durch den, der hier steht.
looks-otherService = Der Eintrag gilt für einen anderen Dienst.
    .detail1 = Um sich hier anzumelden, ersetzen Sie seinen Wert durch den von dieser Seite.
looks-oldBesideNew = Der Eintrag ist da, aber daneben steht noch ein anderer Anmelde-Eintrag.
    .detail1 = Es darf nur einen geben. Löschen Sie den anderen in Ihren DNS-Einstellungen.
looks-splitInTwo = Der Wert ist auf zwei Einträge verteilt.
    .detail1 = Geben Sie den ganzen Wert in einem Eintrag ein, und löschen Sie den anderen.
looks-malformed = Wir haben den Eintrag gefunden, aber er enthält einen Fehler.
looks-oldValue = Ihre Nameserver haben den Eintrag. Andere DNS-Server haben noch die alten Daten.
    .detail1 = { $seconds ->
       [one] Das dauert höchstens noch { NUMBER($seconds, useGrouping: 0) } Sekunde. Sie müssen nichts tun.
      *[other] Das dauert höchstens noch { NUMBER($seconds, useGrouping: 0) } Sekunden. Sie müssen nichts tun.
    }
looks-someServers = { $have ->
       [one] { NUMBER($have, useGrouping: 0) } von { $all } Nameservern hat ihn.
      *[other] { NUMBER($have, useGrouping: 0) } von { $all } Nameservern haben ihn.
    }
looks-notCertain = Manche DNS-Server haben den Eintrag, andere noch nicht.
    .detail1 = Meist dauert das ein paar Minuten. Sie müssen nichts tun.
dnsSetup-wildcard = Mit diesem Eintrag gilt der Wildcard-Eintrag { $wildcard } nicht mehr für { $domain }. Damit Website und E-Mail weiter funktionieren, legen Sie dessen Einträge (zum Beispiel A, AAAA und MX) auch unter diesem Namen an.

## The answer of each DNS server

servers-title = Antworten der einzelnen DNS-Server
servers-question = Wir haben jeden Server nach dem TXT-Eintrag für { $name } gefragt.
servers-resolver = Resolver { $address }
servers-nameServer = Nameserver { $name }
servers-found-wanted = hat diesen Eintrag
servers-found-other = hat einen anderen Wert
servers-found-absent = hat den Eintrag nicht
servers-found-silent = hat nicht geantwortet
servers-found-failed = hat mit einem Fehler geantwortet
servers-found-not_asked = wurde nicht gefragt, weil seine Adresse nicht öffentlich ist
servers-repeats = { $seconds ->
       [one] Diese Antwort kann er noch { NUMBER($seconds, useGrouping: 0) } Sekunde lang geben.
      *[other] Diese Antwort kann er noch { NUMBER($seconds, useGrouping: 0) } Sekunden lang geben.
    }

## Problems of a record that was found; $about is the part of the record that has the problem

recordProblem-not_ours = Der Eintrag beginnt nicht mit v=dsi1. Falls weiter hinten v=dsi1 steht, entfernen Sie alles davor. Sonst ist es ein anderer Eintrag, den wir ignorieren.
recordProblem-is_challenge = Dies ist die Antwort auf eine Anmeldung ohne Passkey. Sie gehört zum Namen _domain-signin-challenge und zählt hier nicht.
recordProblem-is_sp_record = Dies ist der Anmelde-Eintrag. Er gehört zum Namen _domain-signin und zählt hier nicht.
recordProblem-unsupported_version = Die Version { $about } wird hier nicht unterstützt.
recordProblem-not_alone = Es gibt mehrere Einträge mit v=dsi1. Behalten Sie genau einen davon.
recordProblem-too_long = Der Eintrag ist { $about } Byte lang. Erlaubt sind höchstens 1024.
recordProblem-curly_quotes = Der Eintrag enthält typografische Anführungszeichen. Entfernen Sie diese.
recordProblem-not_ascii = Der Eintrag enthält Zeichen, die keine druckbaren ASCII-Zeichen sind.
recordProblem-quotes = Der Eintrag enthält Anführungszeichen, die nicht den ganzen Wert umschließen. Entfernen Sie diese.
recordProblem-before_version = Der Eintrag muss mit v=dsi1 beginnen. Entfernen Sie alles, was davor steht.
recordProblem-upper_case_version = Schreiben Sie v=dsi1 in Kleinbuchstaben.
recordProblem-spaced_version = Schreiben Sie v=dsi1 ohne Leerzeichen.
recordProblem-malformed_version = Der Eintrag muss mit v=dsi1 und einem Leerzeichen beginnen, nicht mit „{ $about }“.
recordProblem-upper_case_tag = Der Name der Angabe { $about } muss in Kleinbuchstaben stehen.
recordProblem-malformed_tag = „{ $about }“ hat nicht die Form name=wert ohne Leerzeichen.
recordProblem-repeated_tag = Die Angabe { $about } kommt mehr als einmal vor.
recordProblem-missing_sp = Die Angabe sp fehlt. Manche DNS-Verwaltungen schneiden einen Wert am ersten Leerzeichen oder Semikolon ab, wenn er nicht in Anführungszeichen steht.
recordProblem-bad_sp = sp muss eine URL sein, die mit https:// beginnt und einen vollständigen Domainnamen in Kleinbuchstaben nennt, ohne Benutzernamen, Port, Abfrage (?) und Fragment (#).
recordProblem-own_sp_scheme = sp muss genau { $about } sein. Der Anfang, http oder https, ist ein anderer.
recordProblem-own_sp_path = sp muss genau { $about } sein. Entfernen Sie den Schrägstrich und alles, was danach kommt.
recordProblem-missing_acct = Die Angabe acct fehlt. Sie nennt das Konto.
recordProblem-bad_acct = acct muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.
recordProblem-bad_jkt = jkt muss aus 1 bis 4 SHA-256-Fingerabdrücken mit je 43 Zeichen bestehen, durch Kommas getrennt.
recordProblem-bad_spk = spk muss aus 1 bis 4 SHA-256-Fingerabdrücken mit je 43 Zeichen bestehen, durch Kommas getrennt.
recordProblem-key_in_both = Ein Schlüssel steht in jkt und in spk: jkt nennt die Schlüssel des Inhabers, spk die des Anbieters.
recordProblem-missing_chal = Die Angabe chal fehlt. Sie sagt, zu welcher Anmeldung der Eintrag gehört.
recordProblem-bad_chal = chal muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.
recordProblem-other_sp = Der Eintrag ist für einen anderen Dienst.
recordProblem-other_chal = Der Eintrag gehört zu einer anderen Anmeldung.
recordProblem-alias_leads_away = Dieser Alias führt zu einem Namen, der nicht zum Anmelden gedacht ist, deshalb folgen wir ihm nicht.
recordProblem-wildcard = Ein Wildcard-Eintrag (*) zählt nicht. Veröffentlichen Sie einen Eintrag mit genau diesem Namen.

## Problems with a recovery code

recoveryProblems-missing = Geben Sie einen Ihrer Wiederherstellungscodes ein.
recoveryProblems-wrong = Dieser Code gilt nicht für diese Domain, oder er wurde schon benutzt.
recoveryProblems-tooMany = Zu viele Versuche. Warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal.

## Problems with a passkey

passkeyProblems-missing = Dieser Browser hat keinen Passkey gesendet. Schalten Sie JavaScript ein, oder melden Sie sich ohne Passkey an.
passkeyProblems-expired = Die Anfrage nach Ihrem Passkey gilt nicht mehr. Versuchen Sie es noch einmal.
passkeyProblems-unknown = Dieser Passkey kann für diese Domain nicht verwendet werden. Wählen Sie einen anderen.
passkeyProblems-notUsable = Dieser Passkey konnte nicht verwendet werden. Wählen Sie einen anderen, oder geben Sie Ihre Domain ein.
passkeyProblems-notVerified = Ihr Gerät hat nicht geprüft, ob Sie es sind. Versuchen Sie es noch einmal, und bestätigen Sie mit PIN, Fingerabdruck oder Gesicht.
passkeyProblems-failed = Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal, oder wählen Sie einen anderen.

## Problem pages

requestProblems-unknownClient = Die App, die Sie hierher geschickt hat, ist bei diesem Dienst nicht registriert.
    .title = Wir kennen diese App nicht
    .detail1 = Es wurde nichts an die App weitergegeben. Wenn Sie sie entwickeln, prüfen Sie die client_id.
requestProblems-missingClientId = Der Link, der Sie hierher geführt hat, enthält keine Kennung der App.
    .title = Die App hat sich nicht ausgewiesen
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal. Wenn Sie sie entwickeln, senden Sie eine client_id.
requestProblems-missingRedirectUri = Ohne diese Adresse können wir Sie nicht anmelden.
    .title = Die App hat nicht angegeben, wohin Sie zurückkehren sollen
    .detail1 = Es wurde nichts weitergegeben. Wenn Sie die App entwickeln, senden Sie eine redirect_uri.
requestProblems-redirectUriNotRegistered = Die App hat uns gebeten, Sie an eine Adresse zu schicken, die nicht für sie registriert ist.
    .title = Wir können Sie nicht an diese Adresse zurückschicken
    .detail1 = Zu Ihrer Sicherheit haben wir hier angehalten. Es wurde nichts weitergegeben. Wenn Sie die App entwickeln: redirect_uri muss genau mit einer registrierten Adresse übereinstimmen.
requestProblems-postLogoutRedirectUriNotRegistered = Die App wollte Sie abmelden und danach an eine Adresse schicken, die nicht für sie registriert ist.
    .title = Wir können Sie nicht an diese Adresse zurückschicken
    .detail1 = Sie wurden nicht abgemeldet. Um sich hier abzumelden, öffnen Sie /account auf dieser Website. Wenn Sie die App entwickeln: post_logout_redirect_uri muss genau einer registrierten Adresse entsprechen.
requestProblems-hintOfAnotherClient = Die Abmeldeanfrage der App enthält ein Token, das für eine andere App ausgestellt wurde.
    .title = Die Anfrage der App ist widersprüchlich
    .detail1 = Sie wurden nicht abgemeldet. Wenn Sie die App entwickeln: Senden Sie einen id_token_hint, der für Ihre client_id ausgestellt wurde.
requestProblems-passkeyNeeded = Sie haben einen Wiederherstellungscode verwendet. Damit können Sie einen Passkey hinzufügen, aber nicht diese Änderung vornehmen.
    .title = Für diese Änderung brauchen Sie einen Passkey
    .detail1 = Gehen Sie zurück zu Ihrem Konto. Fügen Sie einen Passkey hinzu, wenn Sie das nicht gerade getan haben. Beginnen Sie diese Änderung dann noch einmal, und bestätigen Sie sie mit Ihrem Passkey.
requestProblems-ownerProofRequired = Diese App verlangt, dass Sie jede Anmeldung mit einem Passkey bestätigen. Ihr DNS-Eintrag muss den Passkey nennen, und Ihre Zone muss mit DNSSEC signiert sein.
    .title = Diese App verlangt einen Passkey
    .detail1 = Diese Anmeldung hatte keine solche Bestätigung. An die App wurde nichts gesendet.
    .detail2 = Fügen Sie auf Ihrer Kontoseite unter /account einen Passkey hinzu, und legen Sie den Eintrag an, den sie zeigt. Gehen Sie dann zur App zurück, und melden Sie sich noch einmal an.
requestProblems-repeatedParameter = Sie enthält „{ $name }“ mehr als einmal, daher wissen wir nicht, welche Angabe gilt.
    .title = Die Anfrage der App ist nicht eindeutig
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal.
requestProblems-malformedRequest = Ein Teil davon ist ungültig.
    .title = Wir konnten die Anfrage nicht lesen
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal.
requestProblems-badClientDocument = { $host } hat Sie hierher geschickt, aber die Beschreibung der App ist ungültig.
    .title = Wir können diese App nicht akzeptieren
    .detail1 = Es wurde nichts an die App weitergegeben. Wenn Sie sie entwickeln, korrigieren Sie ihr Metadaten-Dokument ({ $reason }).
requestProblems-unreachableClient = { $host } hat Sie hierher geschickt, aber wir konnten die Beschreibung der App nicht laden.
    .title = Wir können die App nicht erreichen
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Es wurde nichts an die App weitergegeben. Wenn Sie sie entwickeln: { $reason }
requestProblems-setUpLinkInvalid = Der Link wurde unterwegs abgeschnitten, oder er ist älter als 30 Tage.
    .title = Dieser Link funktioniert nicht
    .detail1 = Öffnen Sie den ganzen Link, oder bitten Sie den Absender um einen neuen.
requestProblems-expired = Sie war zu lange geöffnet. Zu Ihrer Sicherheit haben wir diese Anmeldung beendet.
    .title = Diese Seite ist abgelaufen
    .detail1 = Gehen Sie zurück zur App, und melden Sie sich noch einmal an. Ein Eintrag, den Sie angelegt haben, bleibt gültig.
requestProblems-recordLost = Der Eintrag in Ihrem DNS nennt dieses Konto nicht mehr. Deshalb können wir Sie nicht anmelden.
    .title = Ihr Eintrag hat sich geändert
    .detail1 = Wenn die Domain Ihnen gehört, stellen Sie den Eintrag wieder her, und lassen Sie ihn stehen. Gehen Sie dann zurück zur App, und melden Sie sich noch einmal an.
requestProblems-challengeUsed = Der Eintrag für diese Anmeldung wurde schon benutzt, in einem anderen Tab oder einem anderen Browser. Er gilt nur einmal.
    .title = Diese Anmeldung wurde anderswo abgeschlossen
    .detail1 = Wenn Sie das nicht waren, melden Sie sich noch einmal an. Beenden Sie dann auf Ihrer Kontoseite die Sitzung, die Sie nicht kennen, und sehen Sie sich den Verlauf an.
requestProblems-challengeOver = Ein Eintrag für eine einzelne Anmeldung gilt 24 Stunden, und nur, wenn dieser Dienst inzwischen nicht aus einer Sicherung wiederhergestellt wurde.
    .title = Die Zeit für diesen Eintrag ist abgelaufen
    .detail1 = Sie können den Eintrag löschen. Gehen Sie zurück zur App, und melden Sie sich noch einmal an: Sie erhalten einen neuen Eintrag.
requestProblems-wrongBrowser = Sie können nur in dem Browser weitermachen, in dem Sie begonnen haben. Wenn das dieser ist, blockiert er vielleicht Cookies.
    .title = Diese Anmeldung wurde in einem anderen Browser begonnen
    .detail1 = Erlauben Sie Cookies für diese Website, gehen Sie dann zurück zur App, und melden Sie sich noch einmal an. Wenn Ihnen jemand den Link zu dieser Seite geschickt hat, machen Sie nicht weiter.
requestProblems-crossSitePost = Eine andere Website hat versucht, hier für Sie auf eine Schaltfläche zu klicken. Deshalb haben wir nichts getan.
    .title = Diese Anfrage kam nicht von unserer Seite
    .detail1 = Wenn Sie das selbst waren, gehen Sie zurück zur App, und melden Sie sich noch einmal an.
requestProblems-tooManyAccounts = Die Namen dieser registrierten Domain haben hier so viele Konten, wie dieser Dienst erlaubt. Für diesen Namen wurde kein Konto angelegt.
    .title = Keine weiteren Konten für diese Domain
    .detail1 = Der Betreiber dieses Dienstes kann die Grenze erhöhen (accounts_per_domain). Bestehende Konten funktionieren weiter.
requestProblems-alreadyUsed = Diese Seite funktioniert nur einmal, und Sie haben von hier aus schon weitergemacht.
    .title = Diese Anmeldung ist schon abgeschlossen
    .detail1 = Gehen Sie zurück zur App. Wenn Sie dort nicht angemeldet sind, beginnen Sie noch einmal.
requestProblems-signedOut = Sie haben sich in einem anderen Tab oder Fenster abgemeldet, während diese Anmeldung offen war.
    .title = Sie haben sich abgemeldet
    .detail1 = Gehen Sie zurück zur App und melden Sie sich erneut an.
requestProblems-overloaded = Im Moment wollen sich mehr Menschen anmelden, als wir bedienen können.
    .title = Zu viele Anmeldungen gleichzeitig
    .detail1 = Warten Sie ein paar Sekunden und versuchen Sie es dann noch einmal.
requestProblems-tooManyRequests = Aus Ihrem Netz kamen gerade zu viele Anfragen.
    .title = Zu viele Anfragen
    .detail1 = { $minutes ->
       [one] Versuchen Sie es in etwa einer Minute noch einmal.
      *[other] Versuchen Sie es in etwa { NUMBER($minutes, useGrouping: 0) } Minuten noch einmal.
    }
requestProblems-notFound = Vielleicht enthält die Adresse einen Tippfehler, oder die Seite gibt es nicht mehr.
    .title = Seite nicht gefunden
    .detail1 = Um sich anzumelden, beginnen Sie in der App, die Sie benutzen möchten.
requestProblems-serverError = Es liegt nicht an Ihnen, und es wurde nichts weitergegeben.
    .title = Bei uns ist etwas schiefgegangen
    .detail1 = Versuchen Sie es noch einmal. Wenn das wieder passiert, sagen Sie dem Betreiber dieses Dienstes Bescheid.
requestProblems-temporarilyUnavailable = Ein Teil dieses Dienstes ist im Moment nicht verfügbar.
    .title = Wir können Sie gerade nicht anmelden
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Nichts von dem, was Sie eingerichtet haben, ist verloren.
