### French: every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = Copier
common-copied = Copié
common-backTo = Retour à { $client }
common-backToApp = Retour à l’application
common-problemTitle = Problème : { $title }
common-through = Selon { $service }, cette connexion est destinée à { $app }.

## The page that asks for the domain

domain-title = Se connecter à { $client }
domain-returnTo = Utilisez un nom de domaine qui vous appartient. Vous reviendrez ensuite sur { $host }.
domain-label = Votre domaine
domain-hint = Par exemple alice.com. Ni mot de passe, ni inscription.
domain-submit = Continuer
domain-how-title = Comment ça marche ?
domain-how-paragraphs =
    .paragraph1 = La personne à qui appartient un nom de domaine décide de ce que dit son DNS. Un petit enregistrement y indique le service autorisé à vous connecter avec votre domaine.
    .paragraph2 = Si votre domaine n’a pas encore cet enregistrement, nous vous montrons celui à publier. Cela prend quelques minutes, une seule fois.

## The page that offers to go on as a domain

continue-heading = Continuer avec { $domain }
continue-client = vers { $client } sur { $host }
continue-submit = Continuer
continue-other = Utiliser un autre domaine

## Both pages that show a record to publish

dns-name = Nom
dns-type = Type
dns-value = Valeur
dns-ttl = TTL
dns-seconds = secondes
dns-checksByItself = Cette page vérifie aussi d’elle-même, à quelques secondes d’intervalle. Vous pouvez la laisser ouverte.
dns-stopChecking = Arrêter la vérification automatique
dns-checksNoMore = La vérification automatique est arrêtée sur cette page.
dns-checkAgain = Reprendre la vérification automatique
dns-checkedAt = Dernière vérification : { $time }
dns-found = { $count ->
       [1] Trouvé dans le DNS
      *[other] Trouvé dans le DNS : { NUMBER($count, useGrouping: 0) } enregistrements
    }
dns-panel-title = Où dois-je saisir cela ?
dns-panel-relative = Dans les paramètres DNS, auprès de la société où vous avez enregistré le domaine ou qui gère son DNS. Ajoutez-y un nouvel enregistrement TXT. Souvent, l’interface ajoute elle-même le domaine à la fin du nom. Dans ce cas, saisissez seulement la première partie :
dns-panel-inZone = Dans les paramètres du domaine { $zone } :
dns-panel-paragraphs =
    .paragraph1 = Si l’interface affiche le nom complet avant d’enregistrer, il doit être identique à celui ci-dessus, avec le domaine une seule fois.
    .paragraph2 = Laissez vos autres enregistrements tels quels. Saisissez la valeur sans guillemets. Si l’interface ne permet pas de choisir le TTL, gardez celui qu’elle propose.

## The set-up page

dnsSetup-heading = Montrez que le domaine { $domain } vous appartient
dnsSetup-lead = Ajoutez un enregistrement au DNS de votre domaine. Vous ne le faites qu’une fois, puis vous le laissez en place.
dnsSetup-client = Vous vous connectez à { $client } sur { $host }.
dnsSetup-warning = Publier cet enregistrement permet au navigateur qui l’affiche de se connecter sous le nom { $domain }. Si quelqu’un vous l’a envoyé, arrêtez-vous.
dnsSetup-record = Publiez cet enregistrement
dnsSetup-check = Laissez-nous le chercher
dnsSetup-submit = Je l’ai publié, vérifier maintenant
dnsSetup-startOver-title = Recommencer avec un nouvel enregistrement
dnsSetup-startOver-explanation = Vous recevez une nouvelle valeur à publier et de nouveaux codes de récupération. Ceux de cette page ne fonctionneront plus.
dnsSetup-startOver-submit = Créer un nouvel enregistrement

## Recovery codes, on the set-up page

recoveryCodes-heading = En attendant : conservez ces dix codes
recoveryCodes-why = Un code vous permet de vous reconnecter avec { $domain } depuis un autre navigateur, ou quand celui-ci ne vous reconnaît plus. L’enregistrement seul n’y suffit pas, car tout le monde peut le lire. Gardez les codes dans un gestionnaire de mots de passe, ou imprimez cette page.
recoveryCodes-valid = Ils deviennent valables dès que votre enregistrement est détecté. Chacun ne sert qu’une fois.
recoveryCodes-all = les dix codes

## The page of a later sign-in by DNS

dnsChallenge-heading = Se connecter avec { $domain }
dnsChallenge-lead = Ajoutez un enregistrement temporaire au DNS de votre domaine, pour montrer qu’il vous appartient toujours. Vous pourrez le retirer une fois la connexion établie.
dnsChallenge-client = Vous vous connectez à { $client } sur { $host }.
dnsChallenge-warning = Publiez cet enregistrement seulement si c’est vous qui avez commencé sur { $issuer }.
dnsChallenge-warningReason = Il permet à ce navigateur de se connecter sous le nom { $domain }. Si quelqu’un vous l’a envoyé, arrêtez-vous.
dnsChallenge-record = Publiez cet enregistrement temporaire
dnsChallenge-check = Laissez-nous le chercher
dnsChallenge-checkWithCode = Saisissez un code de récupération, puis laissez-nous chercher
dnsChallenge-submit = Je l’ai publié, vérifier maintenant
dnsChallenge-recoveryCode-label = Code de récupération
dnsChallenge-recoveryCode-hint = L’un des dix codes que vous avez conservés en configurant le domaine. Nous le demandons parce que nous ne connaissons pas encore ce navigateur.
dnsChallenge-lostAccess-title = Je n’ai plus mes codes, ou plus le navigateur que j’utilisais
dnsChallenge-lostAccess-explanation = Vous pouvez recommencer avec un nouvel enregistrement, qui remplace l’enregistrement actuel du domaine { $domain }.
dnsChallenge-lostAccess-consequence = Les applications verront alors un nouveau compte. Ce que vous y gardiez avec l’ancien ne sera pas repris.
dnsChallenge-lostAccess-submit = Recommencer avec un nouvel enregistrement

## The page of a set-up that another browser began

ownUnknown-heading = Un autre navigateur a commencé avec { $domain }
ownUnknown-lead = L’enregistrement du domaine désigne déjà ce service, mais la configuration à laquelle il correspond n’a pas été commencée dans ce navigateur.
ownUnknown-client = Vous vous connectez à { $client } sur { $host }.
ownUnknown-finish-title = Est-ce vous qui avez commencé ?
ownUnknown-finish-explanation = Alors terminez dans le navigateur où vous avez commencé. Une fenêtre privée ou un autre appareil compte comme un autre navigateur.
ownUnknown-startOver-title = Ou recommencez ici
ownUnknown-startOver-explanation = Vous recevez un nouvel enregistrement à publier à la place de l’enregistrement actuel du domaine { $domain }. Si vous ne savez pas d’où vient l’actuel, vous avez raison de le remplacer.
ownUnknown-startOver-submit = Recommencer avec un nouvel enregistrement

## The consent page

consent-heading = Se connecter à { $client } ?
consent-sentTo = Nous vous renvoyons vers
consent-shared = L’application apprend que vous êtes
consent-scopesTitle = Elle pourra
consent-allow = Autoriser
consent-deny = Ne pas autoriser
consent-caution = Les applications choisissent elles-mêmes leur nom. N’autorisez que si c’est bien à { $host } que vous voulez vous connecter.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = savoir que vous contrôlez ce domaine
scopes-offline_access = rester connectée en votre absence

## Every problem page

problem-errorId = Si vous demandez de l’aide, indiquez cette erreur :
problem-client = Vous étiez en train de vous connecter à { $host }.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = Vous n’êtes pas connecté avec { $domain }
external-lead = Avec { $domain }, on se connecte chez { $sp } : son enregistrement le dit.
external-again = Réessayer
external-detail = Pour qui gère ce service, en anglais :
external-problems-unreachable = { $sp } ne répond pas.
    .detail1 = Attendez une minute, puis réessayez.
external-problems-not_public = { $sp } n’a pas d’adresse publique.
    .detail1 = Nous ne l’interrogeons donc pas. Si le domaine est à vous, vérifiez sp dans son enregistrement.
external-problems-bad_metadata = { $sp } ne se décrit pas comme un service qui connecte des personnes.
    .detail1 = Si le domaine est à vous, vérifiez sp dans son enregistrement. Sinon, la personne qui gère ce service peut y remédier.
external-problems-unmet_requirements = Il manque à { $sp } quelque chose dont nous avons besoin pour la sécurité.
    .detail1 = La personne qui gère ce service peut l’ajouter. Si le domaine est à vous, vous pouvez aussi désigner un autre service dans son enregistrement.
external-problems-no_client = { $sp } ne nous connaît pas, et nous n’avons pas pu nous présenter.
    .detail1 = Réessayez. Si rien ne change, la personne qui gère le présent service doit l’enregistrer là-bas.
external-problems-bad_answer = La réponse du service { $sp } n’est pas en ordre.
    .detail1 = Nous ne l’avons donc pas crue. Réessayez ; si cela se reproduit, prévenez la personne qui gère ce service.
external-problems-refused_by_sp = { $sp } vous a renvoyé sans vous connecter.
    .detail1 = Vous avez peut-être arrêté là-bas. Vous pouvez réessayer.
external-problems-other_account = Chez { $sp }, vous utilisez un autre compte que celui que désigne { $domain }.
    .detail1 = Déconnectez-vous là-bas, puis réessayez avec le bon compte. Si le domaine est à vous, vous pouvez aussi désigner ce compte dans son enregistrement.
external-problems-other_domain = Chez { $sp }, vous vous êtes connecté avec un autre domaine, pas avec { $domain }.
    .detail1 = Connectez-vous là-bas avec { $domain }, puis réessayez.
external-problems-record_changed = Pendant que vous étiez chez { $sp }, l’enregistrement du domaine { $domain } a changé.
    .detail1 = C’est ce qu’il dit maintenant qui compte. Recommencez.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = Saisissez le nom de domaine avec lequel vous voulez vous connecter.
domainMistakes-email_address = { $domain } est le domaine de cette adresse. Vous appartient-il ?
    .detail1 = Si { $domain } est à vous, saisissez-le sans la partie qui précède le @. Une adresse chez un fournisseur de messagerie ne peut pas servir ici.
domainMistakes-url_with_path = Saisissez seulement le domaine, pas toute l’adresse d’une page.
    .detail1 = Ce serait { $domain }.
domainMistakes-single_label = « { $domain } » n’est pas un nom de domaine complet.
    .detail1 = Saisissez-le avec sa terminaison, par exemple alice.com.
domainMistakes-ip_address = { $domain } est une adresse IP.
    .detail1 = Saisissez un nom de domaine, par exemple alice.com.
domainMistakes-numeric_tld = « { $domain } » se termine par un nombre.
    .detail1 = C’est impossible pour un nom de domaine. La terminaison manque-t-elle ?
domainMistakes-too_long = C’est plus long que ce qu’un nom de domaine peut être ici.
    .detail1 = Un domaine peut compter 228 caractères, et au plus 63 entre deux points.
domainMistakes-public_suffix = { $domain } est une terminaison que beaucoup de domaines partagent.
    .detail1 = Saisissez votre propre nom sous celle-ci, par exemple { $example }.
domainMistakes-special_use = { $domain } se termine par un nom réservé à un usage particulier.
    .detail1 = Personne ne peut y posséder de domaine. Saisissez-en un que vous avez enregistré.
domainMistakes-bad_characters = « { $domain } » contient des caractères interdits dans un nom de domaine.
    .detail1 = Cherchez des espaces, des tirets bas et des signes ajoutés en copiant.

## What the look-up of a domain's record came to

lookOutcomes-absent = Le domaine { $domain } n’a pas encore d’enregistrement de connexion.
lookOutcomes-disabled = Personne ne peut se connecter avec { $domain }.
    .detail1 = C’est ce que dit son enregistrement (sp=none). Si le domaine est à vous, vous pouvez changer cela dans son DNS.
lookOutcomes-invalid = L’enregistrement de connexion du domaine { $domain } contient une erreur.
    .detail1 = Corrigez-le dans vos paramètres DNS.
lookOutcomes-ambiguous = Le domaine { $domain } a plusieurs enregistrements de connexion.
    .detail1 = Il ne doit y en avoir qu’un. Supprimez les autres dans vos paramètres DNS.
lookOutcomes-unsupported = L’enregistrement de connexion du domaine { $domain } est d’une version plus récente, que ce service ne comprend pas.
    .detail1 = Il faut un enregistrement qui commence par v=dsi1.
lookOutcomes-alias_invalid = L’enregistrement de connexion du domaine { $domain } est l’alias d’un nom qui n’est pas prévu pour la connexion.
    .detail1 = Le plus souvent, cela vient d’un enregistrement CNAME générique (*). Publiez plutôt un enregistrement TXT sur _domain-signin, ou faites aboutir l’alias à un nom qui contient _domain-signin.
lookOutcomes-unavailable = Le DNS du domaine { $domain } n’a pas répondu.
    .detail1 = Nous ne pouvons donc pas savoir ce qu’il dit. Cela passe souvent en une minute : réessayez. Si cela persiste, contactez la société qui gère le DNS du domaine.
lookOutcomes-unconfirmed = Trop peu de nos résolveurs disent la même chose du DNS du domaine { $domain }.
    .detail1 = Il faut que deux d’entre eux s’accordent pour que nous le croyions. Après une modification du DNS, cela prend quelques minutes : réessayez.
lookOutcomes-bogus = Le DNS du domaine { $domain } est signé (DNSSEC), mais ses signatures ne sont pas valides.
    .detail1 = Tant qu’elles ne le sont pas, nous ne nous fions à rien de ce qu’il dit. La société qui gère le DNS du domaine peut y remédier.
lookOutcomes-external = L’enregistrement du domaine { $domain } désigne maintenant un autre service.
    .detail1 = C’est lui qui vous connecte. Retournez à l’application et recommencez.
lookOutcomes-names_another = L’enregistrement du domaine { $domain } désigne un autre service : { $sp }.
    .detail1 = { $client } vous a envoyé ici comme s’il désignait celui-ci. Soit l’enregistrement vient d’être modifié, soit deux services se renvoient l’un à l’autre. Retournez à l’application et réessayez ; si cela persiste, vérifiez l’enregistrement dans vos réglages DNS.
lookOutcomes-own_unknown = L’enregistrement du domaine { $domain } correspond à une configuration commencée dans un autre navigateur.
    .detail1 = Terminez dans ce navigateur-là, ou publiez l’enregistrement affiché ici à la place de l’ancien.
lookOutcomes-not_permitted = Ce service n’est pas ouvert au domaine { $domain }.
    .detail1 = Il n’accepte que les domaines dont le DNS est signé (DNSSEC). La société qui gère le DNS du domaine peut le signer.

## What a look for a record to publish saw, while its owner waits

looks-seen = L’enregistrement est en place.
looks-absent = L’enregistrement n’est pas encore là.
    .detail1 = Nous avons cherché sur { $name }. Un nouvel enregistrement est en général visible en quelques minutes, chez certaines sociétés en une heure.
looks-otherValue = Il y a un enregistrement, mais pas celui-ci.
    .detail1 = Si vous venez de modifier { $name }, l’ancienne valeur peut rester visible jusqu’à la fin de son TTL. Sinon, comparez les valeurs.
looks-atDomain = L’enregistrement se trouve directement sur { $domain }.
    .detail1 = Sa place est sur { $name }. Déplacez-le là.
looks-doubledName = L’enregistrement se trouve sur { $name }, avec le domaine deux fois dans son nom.
    .detail1 = Votre interface ajoute elle-même le domaine à la fin : comme nom, saisissez seulement { $entry }.
looks-cutAtSemicolon = L’enregistrement s’arrête à son premier point-virgule.
    .detail1 = Votre interface prend le point-virgule pour une fin. Saisissez la valeur entre guillemets.
looks-inQuotes = La valeur de l’enregistrement contient des guillemets.
    .detail1 = Votre interface les ajoute d’elle-même : saisissez la valeur sans eux.
looks-oldValue = Vos serveurs de noms ont l’enregistrement. D’autres gardent encore en mémoire ce qu’il y avait avant.
    .detail1 = { $seconds ->
       [one] Ce sera terminé dans { NUMBER($seconds, useGrouping: 0) } seconde au plus tard. Vous n’avez rien à faire.
      *[other] Ce sera terminé dans { NUMBER($seconds, useGrouping: 0) } secondes au plus tard. Vous n’avez rien à faire.
    }
looks-notCertain = Certains serveurs voient l’enregistrement, d’autres pas encore.
    .detail1 = Cela prend en général quelques minutes. Vous n’avez rien à faire.

## What each DNS server said

servers-title = Ce que dit chaque serveur DNS
servers-question = Nous avons demandé à chacun d’eux l’enregistrement TXT qui se trouve sur { $name }.
servers-resolver = Résolveur { $address }
servers-nameServer = Serveur de noms { $name }
servers-found-wanted = a cet enregistrement
servers-found-other = a une autre valeur
servers-found-absent = n’a pas cet enregistrement
servers-found-silent = n’a pas répondu
servers-found-failed = a répondu par une erreur
servers-found-not_asked = n’a pas été interrogé, car son adresse n’est pas publique
servers-repeats = { $seconds ->
       [one] Il peut encore donner cette réponse pendant { NUMBER($seconds, useGrouping: 0) } seconde.
      *[other] Il peut encore donner cette réponse pendant { NUMBER($seconds, useGrouping: 0) } secondes.
    }

## What is wrong with a record that was found; $about is the part of it that is meant

recordProblem-not_ours = L’enregistrement ne commence pas par v=dsi1. Si quelque chose précède v=dsi1, supprimez-le ; sinon, c’est un autre enregistrement, ignoré ici.
recordProblem-unsupported_version = La version { $about } n’est pas connue ici.
recordProblem-not_alone = Plusieurs enregistrements commencent par v=dsi1. Gardez-en un seul.
recordProblem-not_ascii = L’enregistrement contient des caractères qui ne sont pas de l’ASCII imprimable.
recordProblem-too_long = L’enregistrement fait { $about } octets ; le maximum est de 1024.
recordProblem-malformed_version = Dans « { $about } », un point-virgule doit suivre v=dsi1.
recordProblem-malformed_tag = « { $about } » n’est pas de la forme nom=valeur.
recordProblem-malformed_tag_empty = Il n’y a rien entre deux points-virgules.
recordProblem-repeated_tag = L’élément { $about } figure plusieurs fois.
recordProblem-missing_sp = L’élément sp manque. Certaines interfaces DNS coupent une valeur à son premier point-virgule si elle n’est pas entre guillemets.
recordProblem-bad_sp = sp doit être une URL qui commence par https:// et contient un nom de domaine complet en minuscules, sans nom d’utilisateur, sans port, sans paramètres (?) et sans fragment (#).
recordProblem-missing_acct = L’élément acct manque. Il indique de quel compte il s’agit.
recordProblem-bad_acct = acct doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.
recordProblem-bad_jkt = jkt doit contenir de 1 à 4 empreintes SHA-256 de 43 caractères, séparées par des virgules.
recordProblem-missing_chal = L’élément chal manque. Il indique à quelle demande de connexion répond l’enregistrement.
recordProblem-bad_chal = chal doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.
recordProblem-other_sp = L’enregistrement est destiné à un autre service.
recordProblem-other_chal = L’enregistrement répond à une autre demande de connexion.
recordProblem-alias_leads_away = Cet alias mène hors du nom de l’enregistrement : nous ne le suivons donc pas.

## What is wrong with a recovery code

recoveryProblems-missing = Saisissez l’un de vos codes de récupération.
recoveryProblems-wrong = Ce n’est pas un code de ce domaine, ou il a déjà servi.
recoveryProblems-tooMany = Trop de codes ont été essayés ici. Attendez quelques minutes, puis réessayez.

## Problem pages

requestProblems-unknownClient = L’application d’où vous venez n’est pas enregistrée auprès de ce service.
    .title = Nous ne connaissons pas cette application
    .detail1 = Rien ne lui a été transmis. Si vous développez l’application : vérifiez son client_id.
requestProblems-missingClientId = L’identifiant de l’application manque dans le lien que vous avez suivi.
    .title = L’application n’a pas dit qui elle est
    .detail1 = Retournez à l’application et réessayez. Si vous la développez : envoyez client_id.
requestProblems-missingRedirectUri = Sans cela, nous ne pouvons pas vous connecter.
    .title = L’application n’a pas dit où vous renvoyer
    .detail1 = Rien n’a été transmis. Si vous développez l’application : envoyez redirect_uri.
requestProblems-redirectUriNotRegistered = L’application nous a demandé de vous envoyer à une adresse qui n’est pas enregistrée pour elle.
    .title = Nous ne pouvons pas vous renvoyer à cette adresse
    .detail1 = Par sécurité, nous nous sommes arrêtés ici, et rien n’a été transmis. Si vous développez l’application : redirect_uri doit être identique, caractère par caractère, à une adresse enregistrée.
requestProblems-repeatedParameter = Elle contient « { $name } » plusieurs fois, nous ne savons donc pas ce qui est voulu.
    .title = La demande de l’application n’est pas claire
    .detail1 = Retournez à l’application et réessayez.
requestProblems-malformedRequest = Quelque chose n’y est pas comme il faut.
    .title = Nous n’avons pas pu lire cette demande
    .detail1 = Retournez à l’application et réessayez.
requestProblems-badClientDocument = Le site { $host } vous a envoyé ici, et se décrit d’une manière que nous ne pouvons pas accepter.
    .title = Nous ne pouvons pas accepter cette application
    .detail1 = Rien ne lui a été transmis. Si vous développez l’application : son document de métadonnées contient une erreur ({ $reason }).
requestProblems-unreachableClient = Le site { $host } vous a envoyé ici, mais ne nous dit pas en ce moment ce qu’il est.
    .title = Nous ne pouvons pas joindre l’application
    .detail1 = Attendez une minute, puis réessayez. Rien ne lui a été transmis. Si vous développez l’application : { $reason }
requestProblems-expired = Elle est restée ouverte si longtemps que nous l’avons abandonnée, pour votre sécurité.
    .title = Cette page est trop ancienne
    .detail1 = Retournez à l’application et reconnectez-vous. L’enregistrement que vous avez publié reste valable.
requestProblems-wrongBrowser = Elle ne peut être poursuivie que là où elle a commencé. Ou bien ce navigateur ne garde pas les cookies, dont nous avons besoin pour cela.
    .title = Cette connexion appartient à un autre navigateur
    .detail1 = Autorisez les cookies pour ce site, puis retournez à l’application et reconnectez-vous. Si quelqu’un vous a envoyé le lien vers cette page, n’allez pas plus loin.
requestProblems-crossSitePost = Un autre site a essayé d’appuyer ici sur un bouton à votre place. Nous n’avons donc rien fait.
    .title = Cela ne venait pas de notre page
    .detail1 = Si c’était vous : retournez à l’application et reconnectez-vous.
requestProblems-alreadyUsed = Vous avez déjà continué depuis cette page, et elle ne sert qu’une fois.
    .title = Cette connexion est déjà terminée
    .detail1 = Retournez à l’application. Si la connexion n’y est pas établie, recommencez.
requestProblems-tooManyRequests = Nous venons de recevoir beaucoup de demandes depuis votre réseau.
    .title = C’était un peu trop souvent
    .detail1 = Attendez une minute, puis réessayez.
requestProblems-notFound = L’adresse contient une faute de frappe, ou la page n’existe plus.
    .title = Il n’y a rien ici
    .detail1 = Pour vous connecter, commencez dans l’application que vous voulez utiliser.
requestProblems-serverError = Vous n’y êtes pour rien, et rien n’a été transmis.
    .title = Une erreur s’est produite de notre côté
    .detail1 = Réessayez. Si cela se reproduit, prévenez l’exploitant de ce service.
requestProblems-temporarilyUnavailable = Une partie de ce service n’est pas disponible en ce moment.
    .title = Nous ne pouvons pas répondre pour l’instant
    .detail1 = Attendez une minute, puis réessayez. Rien de ce que vous avez configuré n’est perdu.
