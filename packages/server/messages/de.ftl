### German: every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = Kopieren
common-copied = Kopiert
common-backTo = Zurück zu { $client }
common-backToApp = Zurück zur App
common-problemTitle = Fehler: { $title }
common-through = { $service } gibt an, dass diese Anmeldung für { $app } ist.

## The page that asks for the domain

domain-title = Bei { $client } anmelden
domain-returnTo = Verwenden Sie einen Domainnamen, der Ihnen gehört. Danach kehren Sie zu { $host } zurück.
domain-label = Ihre Domain
domain-hint = Zum Beispiel alice.com. Ohne Passwort und ohne Registrierung.
domain-submit = Weiter
domain-how-title = Wie funktioniert das?
domain-how-paragraphs =
    .paragraph1 = Wem ein Domainname gehört, der bestimmt, was dafür im DNS steht. Ein kleiner Eintrag dort nennt den Dienst, der Sie mit Ihrer Domain anmelden darf.
    .paragraph2 = Hat Ihre Domain noch keinen solchen Eintrag, zeigen wir Ihnen, welchen Sie anlegen müssen. Das dauert ein paar Minuten und ist nur einmal nötig.

## The page that offers to go on as a domain

continue-heading = Weiter als { $domain }
continue-client = zu { $client } unter { $host }
continue-submit = Weiter
continue-other = Andere Domain verwenden

## Both pages that show a record to publish

dns-name = Name
dns-type = Typ
dns-value = Wert
dns-ttl = TTL
dns-seconds = Sekunden
dns-checksByItself = Diese Seite prüft auch automatisch alle paar Sekunden. Sie können sie geöffnet lassen.
dns-stopChecking = Nicht mehr automatisch prüfen
dns-checksNoMore = Diese Seite prüft jetzt nicht automatisch.
dns-checkAgain = Wieder automatisch prüfen
dns-checkedAt = Zuletzt geprüft: { $time }
dns-found = { $count ->
       [one] Im DNS gefunden
      *[other] Im DNS gefunden: { NUMBER($count, useGrouping: 0) } Einträge
    }
dns-panel-title = Wo trage ich das ein?
dns-panel-relative = In den DNS-Einstellungen bei dem Anbieter, bei dem Sie die Domain registriert haben oder der ihr DNS betreibt. Legen Sie dort einen neuen TXT-Eintrag an. Viele DNS-Verwaltungen hängen die Domain selbst an den Namen an. Geben Sie dort nur den ersten Teil ein:
dns-panel-inZone = In den Einstellungen von { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Zeigt die DNS-Verwaltung vor dem Speichern den vollständigen Namen, muss er so lauten wie oben, mit der Domain nur einmal darin.
    .paragraph2 = Lassen Sie Ihre anderen Einträge, wie sie sind. Geben Sie den Wert ohne Anführungszeichen ein. Wenn Sie keine TTL wählen können, behalten Sie die vorgegebene.

## The set-up page

dnsSetup-heading = Zeigen Sie, dass { $domain } Ihnen gehört
dnsSetup-lead = Legen Sie im DNS Ihrer Domain einen Eintrag an. Das ist nur einmal nötig, danach bleibt er dort stehen.
dnsSetup-client = Sie melden sich bei { $client } unter { $host } an.
dnsSetup-warning = Wer diesen Eintrag anlegt, erlaubt dem Browser, der ihn anzeigt, sich als { $domain } anzumelden. Hat Ihnen jemand den Eintrag geschickt, brechen Sie ab.
dnsSetup-record = Diesen Eintrag anlegen
dnsSetup-check = Eintrag prüfen lassen
dnsSetup-submit = Ich habe ihn angelegt, jetzt prüfen
dnsSetup-startOver-title = Mit einem neuen Eintrag von vorn beginnen
dnsSetup-startOver-explanation = Sie erhalten einen neuen Wert für den Eintrag und neue Wiederherstellungscodes. Die auf dieser Seite gelten dann nicht mehr.
dnsSetup-startOver-submit = Neuen Eintrag erstellen

## Recovery codes, on the set-up page

recoveryCodes-heading = In der Zwischenzeit: Bewahren Sie diese zehn Codes auf
recoveryCodes-why = Mit einem Code können Sie sich als { $domain } auch dann anmelden, wenn Sie einen anderen Browser benutzen oder dieser Sie nicht mehr kennt. Der Eintrag allein reicht dafür nicht, denn jeder kann ihn lesen. Speichern Sie die Codes in einem Passwortmanager, oder drucken Sie diese Seite aus.
recoveryCodes-valid = Die Codes gelten, sobald Ihr Eintrag gefunden wurde. Jeder funktioniert einmal.
recoveryCodes-all = alle zehn Codes

## The page of a later sign-in by DNS

dnsChallenge-heading = Als { $domain } anmelden
dnsChallenge-lead = Legen Sie im DNS Ihrer Domain für kurze Zeit einen Eintrag an, um zu zeigen, dass sie noch Ihnen gehört. Sobald Sie angemeldet sind, können Sie ihn löschen.
dnsChallenge-client = Sie melden sich bei { $client } unter { $host } an.
dnsChallenge-warning = Legen Sie diesen Eintrag nur an, wenn Sie selbst unter { $issuer } damit begonnen haben.
dnsChallenge-warningReason = Damit kann sich dieser Browser als { $domain } anmelden. Hat Ihnen jemand den Eintrag geschickt, brechen Sie ab.
dnsChallenge-record = Diesen Eintrag vorübergehend anlegen
dnsChallenge-check = Eintrag prüfen lassen
dnsChallenge-checkWithCode = Wiederherstellungscode eingeben und Eintrag prüfen lassen
dnsChallenge-submit = Ich habe ihn angelegt, jetzt prüfen
dnsChallenge-recoveryCode-label = Wiederherstellungscode
dnsChallenge-recoveryCode-hint = Einer der zehn Codes, die Sie beim Einrichten der Domain aufbewahrt haben. Wir fragen danach, weil wir diesen Browser noch nicht kennen.
dnsChallenge-lostAccess-title = Ich habe meine Codes oder meinen bisherigen Browser nicht mehr
dnsChallenge-lostAccess-explanation = Sie können mit einem neuen Eintrag von vorn beginnen. Er ersetzt den bisherigen von { $domain }.
dnsChallenge-lostAccess-consequence = Apps sehen dann ein neues Konto. Was Sie dort unter dem alten gespeichert haben, wird nicht übernommen.
dnsChallenge-lostAccess-submit = Mit einem neuen Eintrag von vorn beginnen

## The page of a set-up that another browser began

ownUnknown-heading = Ein anderer Browser hat mit { $domain } begonnen
ownUnknown-lead = Der Eintrag der Domain nennt bereits diesen Dienst, aber die Einrichtung, zu der er gehört, wurde nicht in diesem Browser begonnen.
ownUnknown-client = Sie melden sich bei { $client } unter { $host } an.
ownUnknown-finish-title = Waren Sie das?
ownUnknown-finish-explanation = Dann machen Sie in dem Browser weiter, in dem Sie begonnen haben. Auch ein privates Fenster oder ein anderes Gerät zählt als anderer Browser.
ownUnknown-startOver-title = Oder hier von vorn beginnen
ownUnknown-startOver-explanation = Sie erhalten einen neuen Eintrag, der den jetzigen von { $domain } ersetzt. Wenn Sie nicht wissen, woher der jetzige stammt, ist es richtig, ihn zu ersetzen.
ownUnknown-startOver-submit = Mit einem neuen Eintrag von vorn beginnen

## The consent page

consent-heading = Bei { $client } anmelden?
consent-sentTo = Sie werden weitergeleitet zu
consent-shared = Die App erfährt: Sie sind
consent-scopesTitle = Die App darf
consent-allow = Erlauben
consent-deny = Nicht erlauben
consent-caution = Apps wählen ihren Namen selbst. Erlauben Sie dies nur, wenn Sie sich wirklich bei { $host } anmelden möchten.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = wissen, dass Sie über diese Domain verfügen
scopes-offline_access = angemeldet bleiben, auch wenn Sie nicht da sind

## Every problem page

problem-errorId = Wenn Sie um Hilfe bitten, nennen Sie diesen Fehler:
problem-client = Sie wollten sich bei { $host } anmelden.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = Nicht angemeldet als { $domain }
external-lead = Als { $domain } melden Sie sich bei { $sp } an: So steht es im Eintrag.
external-again = Noch einmal versuchen
external-detail = Für alle, die jenen Dienst betreiben, auf Englisch:
external-problems-unreachable = { $sp } antwortet nicht.
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal.
external-problems-not_public = { $sp } hat keine öffentliche Adresse.
    .detail1 = Daher fragen wir dort nicht an. Wenn die Domain Ihnen gehört: Prüfen Sie sp in ihrem Eintrag.
external-problems-bad_metadata = { $sp } beschreibt sich nicht als Dienst, der Menschen anmeldet.
    .detail1 = Wenn die Domain Ihnen gehört: Prüfen Sie sp in ihrem Eintrag. Sonst kann das beheben, wer jenen Dienst betreibt.
external-problems-unmet_requirements = { $sp } fehlt etwas, das wir zur Sicherheit brauchen.
    .detail1 = Wer jenen Dienst betreibt, kann es ergänzen. Wenn die Domain Ihnen gehört, können Sie in ihrem Eintrag auch einen anderen Dienst nennen.
external-problems-no_client = { $sp } kennt uns nicht, und wir konnten uns nicht vorstellen.
    .detail1 = Versuchen Sie es noch einmal. Wenn es dabei bleibt, muss der Betreiber dieses Dienstes ihn dort registrieren.
external-problems-bad_answer = Die Antwort von { $sp } ist nicht in Ordnung.
    .detail1 = Daher haben wir ihr nicht geglaubt. Versuchen Sie es noch einmal; wenn es wieder geschieht, sagen Sie es dem Betreiber jenes Dienstes.
external-problems-refused_by_sp = { $sp } hat Sie zurückgeschickt, ohne Sie anzumelden.
    .detail1 = Vielleicht haben Sie dort abgebrochen. Sie können es noch einmal versuchen.
external-problems-other_account = Bei { $sp } sind Sie mit einem anderen Konto angemeldet als dem, das { $domain } nennt.
    .detail1 = Melden Sie sich dort ab, und versuchen Sie es mit dem richtigen Konto noch einmal. Wenn die Domain Ihnen gehört, können Sie in ihrem Eintrag auch dieses Konto nennen.
external-problems-other_domain = Bei { $sp } haben Sie sich als eine andere Domain angemeldet, nicht als { $domain }.
    .detail1 = Melden Sie sich dort als { $domain } an, und versuchen Sie es dann noch einmal.
external-problems-record_changed = Während Sie bei { $sp } waren, hat sich der Eintrag von { $domain } geändert.
    .detail1 = Es gilt, was er jetzt sagt. Beginnen Sie noch einmal.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = Geben Sie den Domainnamen ein, mit dem Sie sich anmelden möchten.
domainMistakes-email_address = { $domain } ist die Domain dieser Adresse. Gehört sie Ihnen?
    .detail1 = Wenn { $domain } Ihnen gehört, geben Sie die Domain ohne den Teil vor dem @ ein. Eine Adresse bei einem E-Mail-Anbieter kann hier nicht verwendet werden.
domainMistakes-url_with_path = Geben Sie nur die Domain ein, nicht die ganze Adresse einer Seite.
    .detail1 = Das wäre { $domain }.
domainMistakes-single_label = „{ $domain }“ ist kein vollständiger Domainname.
    .detail1 = Geben Sie ihn mit seiner Endung ein, zum Beispiel alice.com.
domainMistakes-ip_address = { $domain } ist eine IP-Adresse.
    .detail1 = Geben Sie einen Domainnamen ein, zum Beispiel alice.com.
domainMistakes-numeric_tld = „{ $domain }“ endet mit einer Zahl.
    .detail1 = Das tut kein Domainname. Fehlt die Endung?
domainMistakes-too_long = Das ist länger, als ein Domainname hier sein darf.
    .detail1 = Eine Domain darf 228 Zeichen haben und zwischen zwei Punkten höchstens 63.
domainMistakes-public_suffix = { $domain } ist eine Endung, die sich viele Domains teilen.
    .detail1 = Geben Sie Ihren eigenen Namen darunter ein, zum Beispiel { $example }.
domainMistakes-special_use = { $domain } endet mit einem Namen, der für besondere Zwecke reserviert ist.
    .detail1 = Eine Domain darunter kann niemandem gehören. Geben Sie eine ein, die Sie registriert haben.
domainMistakes-bad_characters = „{ $domain }“ enthält Zeichen, die in einem Domainnamen nicht vorkommen können.
    .detail1 = Achten Sie auf Leerzeichen, Unterstriche und Zeichen, die beim Kopieren dazugekommen sind.

## What the look-up of a domain's record came to

lookOutcomes-absent = { $domain } hat noch keinen Anmelde-Eintrag.
lookOutcomes-disabled = Als { $domain } darf sich niemand anmelden.
    .detail1 = So steht es im Eintrag der Domain (sp=none). Wenn sie Ihnen gehört, können Sie das in ihrem DNS ändern.
lookOutcomes-invalid = Der Anmelde-Eintrag von { $domain } enthält einen Fehler.
    .detail1 = Korrigieren Sie ihn in Ihren DNS-Einstellungen.
lookOutcomes-ambiguous = { $domain } hat mehr als einen Anmelde-Eintrag.
    .detail1 = Es darf nur einen geben. Entfernen Sie die anderen in Ihren DNS-Einstellungen.
lookOutcomes-unsupported = Der Anmelde-Eintrag von { $domain } ist von einer neueren Art, die dieser Dienst nicht versteht.
    .detail1 = Nötig ist ein Eintrag, der mit v=dsi1 beginnt.
lookOutcomes-alias_invalid = Der Anmelde-Eintrag von { $domain } ist ein Alias für einen Namen, der nicht zum Anmelden gedacht ist.
    .detail1 = Meist kommt das von einem CNAME-Eintrag mit Platzhalter (*). Legen Sie stattdessen bei _domain-signin einen TXT-Eintrag an, oder lassen Sie den Alias bei einem Namen enden, der _domain-signin enthält.
lookOutcomes-unavailable = Das DNS von { $domain } hat nicht geantwortet.
    .detail1 = Daher wissen wir nicht, was dort steht. Oft ist das nach einer Minute vorbei: Versuchen Sie es noch einmal. Wenn es so bleibt, fragen Sie den Betreiber des DNS der Domain.
lookOutcomes-unconfirmed = Zu wenige unserer Resolver sagen dasselbe über das DNS von { $domain }.
    .detail1 = Wir glauben es erst, wenn zwei von ihnen übereinstimmen. Nach einer Änderung im DNS dauert das ein paar Minuten: Versuchen Sie es noch einmal.
lookOutcomes-bogus = Das DNS von { $domain } ist signiert (DNSSEC), aber die Signaturen stimmen nicht.
    .detail1 = Bis sie stimmen, glauben wir nichts, was dort steht. Der Betreiber des DNS der Domain kann das beheben.
lookOutcomes-external = Der Eintrag von { $domain } nennt jetzt einen anderen Dienst.
    .detail1 = Dieser meldet Sie an. Gehen Sie zurück zur App, und beginnen Sie noch einmal.
lookOutcomes-names_another = Der Eintrag von { $domain } nennt einen anderen Dienst: { $sp }.
    .detail1 = { $client } hat Sie hierher geschickt, als nenne er diesen. Entweder wurde der Eintrag gerade geändert, oder zwei Dienste verweisen aufeinander. Gehen Sie zurück zur App, und versuchen Sie es noch einmal; wenn es so bleibt, sehen Sie sich den Eintrag in Ihren DNS-Einstellungen an.
lookOutcomes-own_unknown = Der Eintrag von { $domain } gehört zu einer Einrichtung, die ein anderer Browser begonnen hat.
    .detail1 = Machen Sie in jenem Browser weiter, oder ersetzen Sie den alten Eintrag durch den hier gezeigten.
lookOutcomes-not_permitted = Dieser Dienst ist für { $domain } nicht offen.
    .detail1 = Er nimmt nur Domains an, deren DNS signiert ist (DNSSEC). Der Betreiber des DNS der Domain kann das einrichten.

## What a look for a record to publish saw, while its owner waits

looks-seen = Der Eintrag ist da.
looks-absent = Der Eintrag ist noch nicht da.
    .detail1 = Wir haben bei { $name } gesucht. Ein neuer Eintrag ist meist nach ein paar Minuten zu sehen, bei manchen Anbietern nach bis zu einer Stunde.
looks-otherValue = Es gibt einen Eintrag, aber nicht diesen.
    .detail1 = Wenn Sie { $name } gerade geändert haben, ist der alte Wert womöglich noch zu sehen, bis seine TTL abgelaufen ist. Vergleichen Sie sonst die Werte.
looks-atDomain = Der Eintrag steht direkt bei { $domain }.
    .detail1 = Er gehört zu { $name }. Verschieben Sie ihn dorthin.
looks-doubledName = Der Eintrag steht bei { $name }, mit der Domain zweimal im Namen.
    .detail1 = Ihre DNS-Verwaltung hängt die Domain selbst an: Geben Sie als Namen nur { $entry } ein.
looks-cutAtSemicolon = Der Eintrag endet am ersten Semikolon.
    .detail1 = Ihre DNS-Verwaltung liest das Semikolon als Ende. Geben Sie den Wert in Anführungszeichen ein.
looks-inQuotes = Der Wert des Eintrags enthält Anführungszeichen.
    .detail1 = Ihre DNS-Verwaltung setzt sie selbst: Geben Sie den Wert ohne sie ein.
looks-oldValue = Ihre Nameserver haben den Eintrag. Andere Server merken sich noch, was vorher dort stand.
    .detail1 = { $seconds ->
       [one] Das dauert höchstens noch { NUMBER($seconds, useGrouping: 0) } Sekunde. Sie müssen nichts tun.
      *[other] Das dauert höchstens noch { NUMBER($seconds, useGrouping: 0) } Sekunden. Sie müssen nichts tun.
    }
looks-notCertain = Manche Server sehen den Eintrag, andere noch nicht.
    .detail1 = Meist dauert das ein paar Minuten. Sie müssen nichts tun.

## What each DNS server said

servers-title = Was die einzelnen DNS-Server sagen
servers-question = Wir haben jeden nach dem TXT-Eintrag bei { $name } gefragt.
servers-resolver = Resolver { $address }
servers-nameServer = Nameserver { $name }
servers-found-wanted = hat diesen Eintrag
servers-found-other = hat einen anderen Wert
servers-found-absent = hat keinen solchen Eintrag
servers-found-silent = hat nicht geantwortet
servers-found-failed = hat mit einem Fehler geantwortet
servers-found-not_asked = wurde nicht gefragt, da seine Adresse nicht öffentlich ist
servers-repeats = { $seconds ->
       [one] Diese Antwort kann er noch { NUMBER($seconds, useGrouping: 0) } Sekunde lang geben.
      *[other] Diese Antwort kann er noch { NUMBER($seconds, useGrouping: 0) } Sekunden lang geben.
    }

## What is wrong with a record that was found; $about is the part of it that is meant

recordProblem-not_ours = Der Eintrag beginnt nicht mit v=dsi1. Steht etwas davor, entfernen Sie es; sonst ist es ein anderer Eintrag, der hier nicht zählt.
recordProblem-unsupported_version = Die Version { $about } ist hier nicht bekannt.
recordProblem-not_alone = Mehrere Einträge beginnen mit v=dsi1. Behalten Sie genau einen davon.
recordProblem-not_ascii = Der Eintrag enthält Zeichen, die keine druckbaren ASCII-Zeichen sind.
recordProblem-too_long = Der Eintrag ist { $about } Oktette lang; erlaubt sind höchstens 1024.
recordProblem-malformed_version = In „{ $about }“ muss auf v=dsi1 ein Semikolon folgen.
recordProblem-malformed_tag = „{ $about }“ hat nicht die Form name=wert.
recordProblem-malformed_tag_empty = Zwischen zwei Semikolons steht nichts.
recordProblem-repeated_tag = Die Angabe { $about } steht mehr als einmal da.
recordProblem-missing_sp = Die Angabe sp fehlt. Manche DNS-Verwaltungen schneiden einen Wert am ersten Semikolon ab, wenn er nicht in Anführungszeichen steht.
recordProblem-bad_sp = sp muss eine URL sein, die mit https:// beginnt und einen vollständigen Domainnamen in Kleinbuchstaben nennt, ohne Benutzernamen, Port, Abfrage (?) und Fragment (#).
recordProblem-missing_acct = Die Angabe acct fehlt. Sie sagt, wessen Konto gemeint ist.
recordProblem-bad_acct = acct muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.
recordProblem-bad_jkt = jkt muss aus 1 bis 4 SHA-256-Fingerabdrücken mit je 43 Zeichen bestehen, durch Kommas getrennt.
recordProblem-missing_chal = Die Angabe chal fehlt. Sie sagt, zu welcher Anmeldung der Eintrag gehört.
recordProblem-bad_chal = chal muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.
recordProblem-other_sp = Der Eintrag ist für einen anderen Dienst.
recordProblem-other_chal = Der Eintrag gehört zu einer anderen Anmeldung.
recordProblem-alias_leads_away = Dieser Alias führt vom Namen des Eintrags weg, deshalb folgen wir ihm nicht.

## What is wrong with a recovery code

recoveryProblems-missing = Geben Sie einen Ihrer Wiederherstellungscodes ein.
recoveryProblems-wrong = Das ist kein Code für diese Domain, oder er wurde schon benutzt.
recoveryProblems-tooMany = Hier wurden zu viele Codes ausprobiert. Warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal.

## Problem pages

requestProblems-unknownClient = Die App, die Sie hierher geschickt hat, ist bei diesem Dienst nicht registriert.
    .title = Wir kennen diese App nicht
    .detail1 = Sie hat nichts von Ihnen erfahren. Wenn Sie die App entwickeln: Prüfen Sie ihre client_id.
requestProblems-missingClientId = Im Link, der Sie hierher geführt hat, fehlt die Kennung der App.
    .title = Die App hat nicht gesagt, wer sie ist
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal. Wenn Sie sie entwickeln: Senden Sie client_id.
requestProblems-missingRedirectUri = Ohne diese Angabe können wir Sie nicht anmelden.
    .title = Die App hat nicht gesagt, wohin Sie zurückkehren sollen
    .detail1 = Es wurde nichts weitergegeben. Wenn Sie die App entwickeln: Senden Sie redirect_uri.
requestProblems-redirectUriNotRegistered = Die App hat uns gebeten, Sie an eine Adresse zu schicken, die nicht für sie registriert ist.
    .title = Wir können Sie nicht an diese Adresse zurückschicken
    .detail1 = Zu Ihrer Sicherheit haben wir hier angehalten, und es wurde nichts weitergegeben. Wenn Sie die App entwickeln: redirect_uri muss Zeichen für Zeichen mit einer registrierten Adresse übereinstimmen.
requestProblems-repeatedParameter = Sie enthält „{ $name }“ mehr als einmal, daher wissen wir nicht, was gemeint ist.
    .title = Die Anfrage der App ist nicht eindeutig
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal.
requestProblems-malformedRequest = Etwas darin ist nicht so, wie es sein sollte.
    .title = Wir konnten diese Anfrage nicht lesen
    .detail1 = Gehen Sie zurück zur App, und versuchen Sie es noch einmal.
requestProblems-badClientDocument = { $host } hat Sie hierher geschickt und beschreibt sich auf eine Weise, die wir nicht annehmen können.
    .title = Wir können diese App nicht zulassen
    .detail1 = Sie hat nichts von Ihnen erfahren. Wenn Sie die App entwickeln: Ihr Metadaten-Dokument enthält einen Fehler ({ $reason }).
requestProblems-unreachableClient = { $host } hat Sie hierher geschickt, sagt uns aber gerade nicht, was es ist.
    .title = Wir können die App nicht erreichen
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Die App hat nichts von Ihnen erfahren. Wenn Sie sie entwickeln: { $reason }
requestProblems-expired = Sie war so lange geöffnet, dass wir sie zu Ihrer Sicherheit verworfen haben.
    .title = Diese Seite ist zu alt
    .detail1 = Gehen Sie zurück zur App, und melden Sie sich noch einmal an. Ein Eintrag, den Sie angelegt haben, bleibt gültig.
requestProblems-wrongBrowser = Sie kann nur dort fortgesetzt werden, wo sie begonnen wurde. Vielleicht speichert dieser Browser auch keine Cookies, die wir dafür brauchen.
    .title = Diese Anmeldung gehört zu einem anderen Browser
    .detail1 = Erlauben Sie Cookies für diese Website, gehen Sie dann zurück zur App, und melden Sie sich noch einmal an. Hat Ihnen jemand den Link zu dieser Seite geschickt, machen Sie nicht weiter.
requestProblems-crossSitePost = Eine andere Website hat versucht, hier für Sie auf eine Schaltfläche zu klicken. Deshalb haben wir nichts getan.
    .title = Das kam nicht von unserer Seite
    .detail1 = Wenn Sie es selbst waren: Gehen Sie zurück zur App, und melden Sie sich noch einmal an.
requestProblems-alreadyUsed = Sie sind auf dieser Seite schon einmal weitergegangen, und das geht nur einmal.
    .title = Diese Anmeldung ist schon abgeschlossen
    .detail1 = Gehen Sie zurück zur App. Wenn Sie dort nicht angemeldet sind, beginnen Sie noch einmal.
requestProblems-tooManyRequests = Aus Ihrem Netz kamen gerade sehr viele Anfragen.
    .title = Das war etwas zu oft
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal.
requestProblems-notFound = Die Adresse enthält einen Tippfehler, oder die Seite gibt es nicht mehr.
    .title = Hier ist nichts
    .detail1 = Um sich anzumelden, beginnen Sie in der App, die Sie benutzen möchten.
requestProblems-serverError = Es liegt nicht an Ihnen, und es wurde nichts weitergegeben.
    .title = Bei uns ist etwas schiefgegangen
    .detail1 = Versuchen Sie es noch einmal. Wenn es wieder passiert, sagen Sie dem Betreiber dieses Dienstes Bescheid.
requestProblems-temporarilyUnavailable = Ein Teil dieses Dienstes ist im Moment nicht verfügbar.
    .title = Wir können gerade nicht antworten
    .detail1 = Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Nichts von dem, was Sie eingerichtet haben, ist verloren.
