### The texts of the pages in French.

## All pages

common-serviceName = domain-signin
common-copy = Copier
common-copied = Copié
common-backTo = Retour à { $client }
common-backToApp = Retour à l’application
common-problemTitle = Problème : { $title }
common-step = { $step } sur { $steps }
common-through = Selon { $service }, cette connexion est destinée à { $app }.

## The page that asks for the domain

domain-title = Se connecter à { $client }
domain-returnTo = Utilisez un nom de domaine qui vous appartient. Vous reviendrez ensuite sur { $host }.
domain-label = Votre domaine
domain-hint = Par exemple, alice.com
domain-submit = Continuer
domain-how-title = Comment ça marche ?
domain-how-paragraphs =
    .paragraph1 = Le propriétaire d’un nom de domaine gère son DNS. Un petit enregistrement y indique le service qui peut vous connecter avec votre domaine.
    .paragraph2 = Si votre domaine n’a pas encore cet enregistrement, nous vous montrons celui à publier. Cela prend quelques minutes, une seule fois.

## The page that offers to continue with a remembered domain

continue-heading = Continuer avec { $domain }
continue-client = vers { $client } sur { $host }
continue-submit = Continuer
continue-other = Utiliser un autre domaine
continue-news = Nouvelle activité pour { $domain } depuis votre dernière visite :
continue-newsCheck = Si ce n’était pas vous, vérifiez votre compte.
continue-newsAccount = Ouvrir le compte
news-heading = Était-ce vous ?
continue-choose = Choisissez un domaine
continue-as = Continuer avec { $domain }

## Signing out

signOut-title = Se déconnecter
signOut-effect = Cela vous déconnecte de ce service dans ce navigateur. Les applications auxquelles vous vous êtes connecté gardent leur accès.
signOut-domain = Déconnecter { $domain }
signOut-all = Déconnecter tous les domaines dans ce navigateur
signOut-everywhere = Déconnecter { $domain } partout
logout-heading = Déconnecter { $domain } ?
logout-headingAll = Vous déconnecter dans ce navigateur ?
logout-client = { $client } demande à vous déconnecter.
logout-clientAt = { $client } sur { $host } demande à vous déconnecter.
logout-unknownClient = Une application demande à vous déconnecter. Elle n’a pas dit laquelle elle est.
logout-stay = Rester connecté
logout-backTo = Continuer vers { $host }
logout-notSignedIn = Le compte que vous utilisez dans cette application n’est pas connecté dans ce navigateur

## The front page, and the page that checks a domain

home-title = Connectez-vous avec votre propre domaine
home-lead = Avec ce service, on se connecte à des applications avec un domaine que l’on possède. Sans mot de passe ni inscription.
home-operator = Il est géré par { $host }. Pour vous connecter, commencez par l’application que vous voulez utiliser.
home-account = Votre compte
check-title = Vérifier un domaine
check-lead = Voyez si un domaine permet de se connecter, et ce que dit son DNS.
check-label = Nom de domaine
check-hint = Par exemple alice.com
check-submit = Vérifier
check-assurance-secure = DNSSEC protège cette réponse : ses signatures sont valides.
check-assurance-corroborated = Cette réponse n’est pas signée avec DNSSEC. Au moins deux de nos résolveurs DNS la confirment.
check-assurance-single = Cette réponse n’est pas signée avec DNSSEC. Elle vient d’un seul résolveur DNS.

## The account page

account-heading = Votre compte : { $domain }
account-inOrder = Tout est en ordre pour { $domain }.
account-recordHeld = L’enregistrement dans votre DNS désigne ce compte. Vérifié à { $time }.
account-recordTitle = L’enregistrement dans le DNS
account-recordNone = Il n’y a pas d’enregistrement de connexion à { $name }.
account-record_lost = Votre enregistrement DNS ne désigne pas ce compte actuellement.
    .detail1 = Tant que l’enregistrement n’est pas revenu, personne ne peut utiliser ce compte pour se connecter avec { $domain }.
account-record_unknown = Nous n’avons pas pu consulter votre enregistrement.
    .detail1 = Les serveurs DNS du domaine { $domain } n’ont pas répondu, ou leurs réponses n’étaient pas fiables. Vous pouvez toujours vous déconnecter et révoquer des applications ici.
account-record_former = Ceci est un ancien compte du domaine { $domain }.
    .detail1 = L’enregistrement dans votre DNS désigne un autre compte. Vous pouvez ici vous déconnecter de celui-ci et révoquer l’accès de ses applications.
account-betterRecord_lost = Pour utiliser à nouveau ce compte, publiez cet enregistrement :
account-betterRecord_signed = Votre DNS est signé (DNSSEC). Si vous publiez plutôt cet enregistrement, les applications peuvent vérifier elles-mêmes vos connexions :
account-appsTitle = Applications ayant accès
account-noApps = Aucune application n’a accès.
account-appScopes = Peut :
account-usedSince = Depuis : { $since }. Dernière utilisation : { $last }
account-revoke = Révoquer l’accès
account-more-apps = Afficher plus d’applications
account-more-sessions = Afficher plus de navigateurs
account-more-browsers = Afficher plus de navigateurs déconnectés
account-more-passkeys = Afficher plus de clés d’accès
account-revokeEffect = Si vous révoquez l’accès, l’application le perd immédiatement. Pour l’utiliser à nouveau, reconnectez-vous à celle-ci.
account-sessionsTitle = Où vous êtes connecté
account-thisBrowser = (ce navigateur)
account-browserOn = { $browser } sur { $system }
account-unknownBrowser = Navigateur inconnu
account-signOutOther = Déconnecter
account-browsersTitle = Navigateurs où vous êtes déconnecté
account-browsersWhy = Nous reconnaissons encore ces navigateurs. Si votre compte n’a pas de clé d’accès, un enregistrement DNS suffit pour s’y connecter, sans code de récupération. Oubliez les navigateurs que vous n’utilisez plus.
account-forget = Oublier ce navigateur
account-passkeysTitle = Clés d’accès
account-providerTitle = Clés d’accès et codes de récupération
account-provider = Le service { $sp } vous connecte. Gérez-y vos clés d’accès et vos codes de récupération.
account-providerDelete = Pour mettre fin au compte ici, supprimez l’enregistrement de votre DNS. Le compte prend fin 30 jours plus tard.
account-addPasskey = Ajouter une clé d’accès
account-removePasskey = Supprimer
account-renamePasskey = Renommer
account-passkeyName = Nom de la clé d’accès
account-savePasskeyName = Enregistrer
account-codesTitle = Codes de récupération
account-codesLeft = { $count ->
       [one] Il reste un de vos dix codes de récupération.
      *[other] Il reste { $count } de vos dix codes de récupération.
    }
account-newCodes = Créer de nouveaux codes de récupération
account-fewCodes = Il vous reste moins de trois codes de récupération.
    .detail1 = Créez-en de nouveaux : ils servent le jour où vous perdez tous vos appareils.
account-noPasskey = Le domaine { $domain } n’a pas de clé d’accès.
    .detail1 = Ajoutez-en une, et vous n’aurez plus à modifier le DNS pour vous connecter.
account-signOutHere = Se déconnecter dans ce navigateur
account-signOutEverywhere = Se déconnecter partout
account-everywhereEffect = Se déconnecter partout met fin à toutes les sessions de ce domaine, dans tous les navigateurs.
account-everywhereApps = Se déconnecter partout et révoquer toutes les applications
account-others = Autres domaines dans ce navigateur
account-otherDomain = Se connecter avec un autre domaine
account-former = Ancien compte du domaine { $domain } dans ce navigateur
account-isFormer = (ancien compte)
account-present = Compte actuel du domaine { $domain }
account-choose = Quel domaine ?
account-delete = Supprimer ce compte
account-signedOut = Vous êtes déconnecté
account-signedOutLead = Ce navigateur n’est connecté à aucun compte.
account-notSignedIn = Le domaine { $domain } n’est pas connecté dans ce navigateur
account-othersSignedIn = D’autres comptes sont encore connectés dans ce navigateur.
account-signIn = Se connecter à votre compte

## The history on the account page

history-title = Historique
history-lead = Ce qui est arrivé à ce compte, du plus récent au plus ancien. Début : { $since }. Toutes les heures sont en UTC.
history-none = Rien n’a été enregistré.
history-older = Entrées plus anciennes
history-event-account_created = Compte créé
history-event-signed_in = Connexion à { $client }
history-event-signed_in_passkey = Connexion à { $client } avec une clé d’accès
history-event-new_browser = Première connexion depuis un nouveau navigateur
history-event-set_up_reused = La configuration a été ouverte dans un autre navigateur après avoir été terminée
history-event-challenge_reused = L’enregistrement d’une connexion a été utilisé une seconde fois, après que quelqu’un s’est connecté avec lui
history-event-session_reused = Quelqu’un a utilisé une ancienne copie des cookies d’un navigateur ; la session copiée a été fermée
history-event-recovery_code_used = Un code de récupération a été utilisé
history-event-recovery_codes_renewed = De nouveaux codes de récupération ont été créés
history-event-passkey_added = Clé d’accès ajoutée : { $name }
history-event-passkey_removed = Clé d’accès supprimée : { $name }
history-event-passkey_renamed = Clé d’accès renommée : { $name }
history-event-app_allowed = Accès autorisé pour { $client }
history-event-app_revoked = Accès révoqué pour { $client }
history-event-app_revoked_all = Accès révoqué pour toutes les applications
history-event-token_repeated_elsewhere = { $client } a répété une demande d’accès antérieure depuis un autre réseau
history-event-record_found = L’enregistrement dans votre DNS désigne de nouveau ce compte
history-event-record_lost = L’enregistrement dans votre DNS ne désigne plus ce compte
history-event-signed_out = Déconnexion d’un navigateur
history-event-signed_out_everywhere = Déconnexion partout
history-event-operator_signed_out = L’exploitant de ce service vous a déconnecté partout
history-event-operator_revoked = L’exploitant de ce service a révoqué un accès : { $client }
history-event-operator_revoked_all = L’exploitant de ce service a révoqué l’accès de toutes les applications
history-event-account_ended = Compte clôturé

## The page that adds a passkey

newPasskey-heading = Ajouter une clé d’accès pour votre domaine { $domain }
newPasskey-lead = Votre appareil crée et conserve la clé d’accès. Ensuite, vous n’avez plus besoin de modifier le DNS pour vous connecter.
newPasskey-leadRecovery = Vous avez utilisé un code de récupération. Créez maintenant une nouvelle clé d’accès. À la prochaine connexion, vous n’aurez besoin ni d’un code ni d’une modification du DNS.
newPasskey-beforeChange = Recommencez ensuite votre modification et confirmez-la avec la nouvelle clé d’accès.
newPasskey-submit = Créer une clé d’accès
newPasskey-failed = Aucune clé d’accès n’a été créée. Réessayez.
newPasskey-exists = Cet appareil a déjà une clé d’accès pour { $domain }. Utilisez un autre appareil.
newPasskey-unsupported = Ce navigateur ne prend pas en charge les clés d’accès. Utilisez un autre navigateur.
newPasskey-unsupportedHere = Ce navigateur ne prend pas en charge les clés d’accès. Vous pouvez continuer sans.
newPasskey-without = Si vous continuez sans clé d’accès, il vous faudra un autre code de récupération à la prochaine connexion.
newPasskey-without-submit = Continuer sans clé d’accès
newPasskey-back = Retour à votre compte
newPasskeyProblems-missing = Ce navigateur n’a envoyé aucune clé d’accès. Activez JavaScript.
newPasskeyProblems-failed = La clé d’accès n’a pas pu être vérifiée. Réessayez.
newPasskeyProblems-tooLarge = Cette clé d’accès est trop grande pour la configuration. Continuez sans elle et ajoutez-en une plus tard dans votre compte. Vous pouvez la supprimer de votre appareil.
newPasskeyProblems-full = Ce compte a déjà autant de clés d’accès qu’il peut en avoir. Supprimez-en une que vous n’utilisez plus, puis ajoutez celle-ci.
removePasskey-heading = Supprimer une clé d’accès de votre domaine { $domain }
removePasskey-lead = Vous ne pourrez plus vous connecter avec la clé d’accès { $name }.
removePasskey-last = C’est la dernière clé d’accès de ce compte. Sans elle, vous devrez publier un enregistrement DNS temporaire à chaque connexion, et utiliser soit un navigateur que nous reconnaissons, soit un code de récupération.
removePasskey-submit = Supprimer la clé d’accès
passkeyChanged-removed = La clé d’accès a été supprimée
passkeyChanged-removed_effect = Vous ne pouvez plus vous connecter avec elle. Si votre enregistrement contient cette clé, remplacez-le par celui ci-dessous. Tant que les caches DNS et les signatures n’ont pas expiré, des applications peuvent encore accepter des preuves signées avec la clé supprimée.
passkeyChanged-added = La clé d’accès a été ajoutée
passkeyChanged-added_effect = Vous pouvez maintenant l’utiliser pour vous connecter. Si vous publiez l’enregistrement ci-dessous, les applications peuvent aussi vérifier que vous avez approuvé vous-même une connexion.
passkeyChanged-record = Votre enregistrement doit maintenant être
passkeyChanged-continue = Continuer

## Why a session ended

sessionEnded-reused = Quelqu’un a utilisé une ancienne copie de la session de ce navigateur pour { $domain }.
    .detail1 = Nous avons mis fin à la session, pour ce navigateur et pour la copie. Connectez-vous à nouveau pour continuer.
    .detail2 = Si vous n’avez pas copié vous-même les données de ce navigateur dans un autre, quelqu’un d’autre l’a peut-être fait. Vérifiez que cet appareil ne contient pas de logiciel malveillant.
sessionEnded-elsewhere = { $domain } a été déconnecté depuis un autre navigateur.
    .detail1 = Si ce n’était pas vous, connectez-vous à nouveau et vérifiez qui a accès à votre zone DNS.
sessionEnded-operator = L’opérateur de ce service a déconnecté { $domain }.
    .detail1 = Connectez-vous à nouveau pour continuer.

## The two pages that show a record to publish

dns-name = Nom
dns-fullName = Nom complet
dns-type = Type
dns-value = Valeur
dns-showAll = Tout afficher
dns-wantsFullName = Mon interface DNS demande le nom complet
dns-twoStrings = Mon interface DNS a un champ par chaîne de 255 caractères
dns-panelAt = Votre DNS est chez { $panel }.
dns-panelOpen = Ouvrir { $panel }
dns-serversOrCheck = Réponses des serveurs · Vérifier
dns-looking = Vérification toutes les 3 secondes.
dns-lookingSlowly = Vérification toutes les 15 secondes.
dns-ttl = TTL : { $ttl }, ou la valeur proposée par votre interface DNS.
dns-checksByItself = Cette page vérifie d’elle-même. Vous pouvez la laisser ouverte.
dns-stopChecking = Arrêter la vérification automatique
dns-checksNoMore = La vérification automatique est désactivée.
dns-checksEnded = Cette page ne vérifie plus automatiquement. Vérifiez maintenant.
dns-checksEndedReload = Cette page ne vérifie plus automatiquement. Actualisez-la.
dns-checkAgain = Reprendre la vérification automatique
dns-checkedAt = Dernière vérification : { $time }
dns-found = { $count ->
       [1] Trouvé dans le DNS
      *[other] Trouvé dans le DNS : { NUMBER($count, useGrouping: 0) } enregistrements
    }
dns-panel-title = Où ajouter cet enregistrement ?
dns-panel-relative = Ouvrez les paramètres DNS chez le fournisseur où vous avez enregistré le domaine ou qui héberge son DNS, et ajoutez un nouvel enregistrement TXT. Souvent, l’interface ajoute automatiquement le domaine à la fin du nom. Dans ce cas, saisissez seulement la première partie :
dns-panel-inZone = Dans les paramètres DNS du domaine { $zone } :
dns-panel-paragraphs =
    .paragraph1 = Si l’interface affiche le nom complet avant la validation, il doit être identique à celui ci-dessus, avec le domaine une seule fois.
    .paragraph2 = Ne modifiez pas vos autres enregistrements. Saisissez la valeur sans guillemets. Si vous ne pouvez pas choisir le TTL, gardez celui qui est proposé.

## The setup page

setUpPasskey-heading = Créez une clé d’accès pour { $domain }
setUpPasskey-lead = Vous vous connecterez avec elle. Sans mot de passe.
dnsSetup-heading = Ajoutez cet enregistrement à { $domain }
dnsSetup-effect = L’enregistrement permet à ce navigateur de se connecter avec { $domain }.
dnsSetup-webView = Restez dans cette fenêtre jusqu’à la fin : la fenêtre de cette application ne partage pas la configuration avec votre navigateur.
dnsSetup-foundHeading = { $domain } est à vous ici
dnsSetup-found = Votre DNS contient l’enregistrement. Laissez-le en place.
dnsSetup-finish = Continuer avec votre clé d’accès
dnsSetup-record = Publiez cet enregistrement
dnsSetup-submit = Vérifier maintenant
dnsSetup-startOver-title = Recommencer ou rétablir
dnsSetup-startOver-explanation = Vous recevez une nouvelle valeur à publier. L’actuelle ne fonctionnera plus.
dnsSetup-startOver-submit = Créer un nouvel enregistrement
dnsSetup-resume = Reprendre la configuration commencée : { $date }
dnsSetup-resumeFor = Reprendre la configuration commencée pour { $client } : { $date }
dnsSetup-handOn = Quelqu’un d’autre gère le DNS
dnsSetup-former = Si vous avez déjà utilisé ce service, rétablissez plutôt votre ancien enregistrement.
dnsSetup-known = Vous avez déjà utilisé { $domain } ici, dans ce navigateur.
dnsSetup-knownEffect = Pour garder votre compte, rétablissez son enregistrement. Un nouvel enregistrement crée un nouveau compte, et les applications vous prendront pour une autre personne.
dnsSetup-restore = Rétablir l’ancien enregistrement

## Recovery codes on the setup page

recoveryCodes-done = { $domain } est configuré
recoveryCodes-heading = Enregistrez vos codes de récupération
recoveryCodes-why = Enregistrez ces codes : il vous en faudra un quand ce navigateur ne sera plus là. Chacun sert une fois.
recoveryCodes-whyPasskey = Enregistrez ces codes pour le jour où vous perdrez tous vos appareils. Chacun sert une fois.
recoveryCodes-download = Télécharger
recoveryCodes-print = Imprimer
recoveryCodes-saved = Je les ai enregistrés
recoveryCodes-lost = Nous ne pouvons pas afficher les codes : ce navigateur ne les a plus, ou de nouveaux les ont remplacés.
recoveryCodes-continue = Continuer
recoveryCodes-all = les dix codes
newCodes-heading = Nouveaux codes de récupération pour votre domaine { $domain }
newCodes-few = Il vous reste moins de trois codes de récupération. En voici dix nouveaux.
newCodes-lead = Ils remplaceront vos anciens codes dès que vous aurez confirmé ci-dessous que vous les avez conservés. D’ici là, les anciens restent valables.
newCodes-keep = Garder mes codes actuels
deleteAccount-heading = Supprimer le compte de votre domaine { $domain }
deleteAccount-lead = Cette action est irréversible.
deleteAccount-paragraphs =
    .paragraph1 = Les applications ne vous reconnaîtront plus. Elles vous connaissent par un identifiant qui est perdu avec le compte. Si vous configurez de nouveau ce domaine, vous recevez un nouvel identifiant et chaque application voit un nouveau compte.
    .paragraph2 = Toutes les sessions, les accès des applications, les clés d’accès et les codes de récupération prennent fin immédiatement. L’historique est supprimé. Les données que les applications ont enregistrées à votre sujet ne sont pas supprimées.
deleteAccount-confirm = Pour confirmer, saisissez le domaine : { $domain }
deleteAccount-wrong = Ce n’est pas le domaine de ce compte.
deleteAccount-submit = Supprimer le compte
deleteAccount-done = Compte supprimé : { $domain }
deleteAccount-doneLead = Vous pouvez maintenant retirer l’enregistrement de votre DNS. Pour utiliser de nouveau ce service, configurez le domaine avec un nouvel enregistrement.

## The link that hands a setup on, and the page that it leads to

handOn-heading = Partager l’enregistrement du domaine { $domain }
handOn-lead = Envoyez ce lien à la personne qui gère le DNS du domaine. Il affiche l’enregistrement et son état. Il ne permet pas de se connecter.
handOn-again = Si vous recommencez après avoir envoyé le lien, envoyez le nouveau lien.
handOn-link = Le lien
handOn-linkUntil = Valable jusqu’au { $date }
handOn-qr = Code QR du lien
handOn-mailSubject = Enregistrement DNS pour { $domain }
handOn-mailAsk = Veuillez ajouter un enregistrement TXT au DNS du domaine { $domain }. Jusqu’au { $date }, cette page affiche l’enregistrement et indique s’il est publié :
handOn-mailWarning = Grâce à l’enregistrement, mon navigateur peut se connecter avec le domaine { $domain } sur { $issuer }. Si vous ne savez pas qui vous a envoyé ce message, ne le publiez pas.
handOn-openMail = Envoyer par e-mail
handOn-back = Retour à la configuration
setUpLink-heading = Un enregistrement pour { $domain }
setUpLink-lead = Quelqu’un veut utiliser ce domaine pour se connecter à { $client } par l’intermédiaire du service { $issuer }, et vous demande de publier cet enregistrement.
setUpLink-leadUnknownApp = Quelqu’un veut utiliser ce domaine pour se connecter, par l’intermédiaire du service { $issuer }, à une application qui n’y est plus inscrite, et vous demande de publier cet enregistrement.
setUpLink-warning = Publier cet enregistrement permet au navigateur de l’expéditeur de se connecter avec le domaine { $domain }. Si vous ne savez pas qui vous a envoyé ce lien, ne le publiez pas.
setUpLink-status = État
setUpLink-seen = L’enregistrement est publié. La personne qui vous a envoyé ce lien peut maintenant continuer.
setUpLink-done = La configuration est terminée. Il n’y a plus rien à faire ici. Laissez l’enregistrement en place.
setUpLink-outdated = L’enregistrement de ce lien contient une clé que ce service a retirée. Demandez à la personne qui vous a envoyé le lien de recommencer et de vous en envoyer un nouveau.
setUpLink-until = Ce lien est valable jusqu’au { $date }.

## The page with the record of a former account

formerRecord-heading = Rétablir votre ancien enregistrement pour { $domain }
formerRecord-lead = Publiez de nouveau cet enregistrement pour retrouver votre ancien compte. Les applications vous reconnaîtront.
formerRecord-leadCode = Nous ne montrons l’ancien enregistrement qu’au propriétaire de son compte. Saisissez l’un des codes de récupération de ce compte. Le code reste valable.
formerRecord-record = Publiez cet enregistrement à la place de l’actuel
formerRecord-published = Il est publié : me connecter
formerRecord-submit = Afficher l’ancien enregistrement
formerRecord-earlier = Un autre ancien compte ?
formerRecord-earlierLead = Si cet enregistrement n’est pas celui du compte que vous voulez retrouver, saisissez l’un des codes de récupération de ce compte.
formerRecord-codeHint = L’un des dix codes que vous avez conservés en configurant ce compte-là.
formerRecord-newInstead = Configurer plutôt le domaine avec un nouvel enregistrement

## The page for a sign-in with a passkey

passkey-heading = Se connecter avec { $domain }
passkey-lead = Utilisez votre clé d’accès pour prouver que le domaine vous appartient toujours.
passkey-client = Vous vous connectez à { $client } sur { $host }.
passkey-submit = Utiliser la clé d’accès
passkey-failed = La clé d’accès n’a pas été utilisée. Réessayez, ou connectez-vous sans elle ci-dessous.
passkey-failedSetUp = La clé d’accès n’a pas été utilisée. Réessayez, ou recommencez ci-dessous.
passkey-unsupported = Ce navigateur ne prend pas en charge les clés d’accès. Utilisez un autre navigateur, ou connectez-vous sans clé d’accès ci-dessous.
passkey-unsupportedSetUp = Ce navigateur ne prend pas en charge les clés d’accès. Utilisez celui dans lequel vous avez créé la clé.
passkey-noScript = Les clés d’accès ont besoin de JavaScript, qui est désactivé dans ce navigateur.
passkey-without-title = Je ne peux pas utiliser ma clé d’accès
passkey-without-explanation = Vous pouvez vous connecter avec l’un de vos codes de récupération et un enregistrement temporaire dans le DNS de votre domaine. Le code n’est utilisé qu’une fois la connexion établie.
passkey-without-submit = Se connecter sans la clé d’accès

## The page for a later sign-in by DNS

dnsChallenge-heading = Se connecter avec { $domain }
dnsChallenge-lead = Ajoutez un enregistrement temporaire au DNS de votre domaine, pour prouver qu’il vous appartient toujours. Une fois la connexion établie, vous pourrez supprimer l’enregistrement.
dnsChallenge-leadWithCode = Saisissez d’abord un code de récupération. Ajoutez ensuite un enregistrement temporaire au DNS de votre domaine, pour prouver qu’il vous appartient toujours.
dnsChallenge-deadline = Vous avez 24 heures. Vous pouvez fermer cette page et y revenir dans ce navigateur.
dnsChallenge-client = Vous vous connectez à { $client } sur { $host }.
dnsChallenge-warning = Publiez cet enregistrement seulement si vous avez vous-même commencé cette connexion sur { $issuer }.
dnsChallenge-warningReason = Il permet à ce navigateur de se connecter avec { $domain }. Si quelqu’un d’autre vous l’a envoyé, ne le publiez pas.
dnsChallenge-codeFirst = Saisissez un code de récupération
dnsChallenge-submit = Vérifier maintenant
dnsChallenge-continue = Continuer
dnsChallenge-next = L’enregistrement à publier ensuite
dnsChallenge-codeKept = Votre code de récupération est valable. Il sera utilisé une fois la connexion établie.
dnsChallenge-passkeyKept = Votre clé d’accès a été vérifiée. Comme ce service a été restauré à partir d’une sauvegarde, vous devez confirmer la clé d’accès une fois : publiez cet enregistrement.
dnsChallenge-recoveryCode-label = Code de récupération
dnsChallenge-recoveryCode-hint = L’un des dix codes que vous avez conservés en configurant le domaine. Nous le demandons parce que nous ne reconnaissons pas ce navigateur.
dnsChallenge-recoveryCode-insteadOfPasskey = L’un des dix codes que vous avez conservés en configurant le domaine. Nous le demandons parce que vous vous connectez sans votre clé d’accès.
dnsChallenge-lostAccess-title = J’ai perdu mes codes ou le navigateur que j’utilisais
dnsChallenge-lostAccess-explanation = Vous pouvez recommencer avec un nouvel enregistrement, qui remplace l’enregistrement actuel du domaine { $domain }.
dnsChallenge-lostAccess-consequence = Les applications verront alors un nouveau compte. Ce que vous y avez enregistré avec l’ancien compte ne sera pas repris.
dnsChallenge-lostAccess-submit = Recommencer avec un nouvel enregistrement

## The page for a setup that was started in another browser

ownUnknown-heading = L’enregistrement du domaine { $domain } ne peut pas servir dans ce navigateur
ownUnknown-lead = L’enregistrement du domaine désigne déjà ce service, mais il correspond à une configuration commencée dans un autre navigateur, ou à un compte qui a pris fin.
ownUnknown-finishedHeading = La configuration du domaine { $domain } a été terminée ailleurs
ownUnknown-finished = Quelqu’un a terminé cette configuration, mais pas dans cet onglet. Si ce n’était pas vous, recommencez avec un nouvel enregistrement.
ownUnknown-endedHeading = L’enregistrement du domaine { $domain } a déjà servi
ownUnknown-ended = Le compte créé avec cet enregistrement a pris fin, et un enregistrement ne peut pas en créer un second. Recommencez avec un nouvel enregistrement.
ownUnknown-restoredHeading = La configuration du domaine { $domain } ne peut plus être terminée
ownUnknown-restored = Ce service a été restauré à partir d’une sauvegarde après le début de la configuration. Pour protéger votre domaine, l’enregistrement n’est plus accepté. Recommencez avec un nouvel enregistrement.
ownUnknown-client = Vous vous connectez à { $client } sur { $host }.
ownUnknown-finish-explanation = Si c’est vous qui l’avez commencée, terminez-la dans ce navigateur-là. Une fenêtre privée ou un autre appareil compte comme un autre navigateur.
ownUnknown-startOver-explanation = Vous recevez un nouvel enregistrement à publier à la place de l’enregistrement actuel du domaine { $domain }. Si vous ne savez pas d’où vient l’enregistrement actuel, remplacez-le.
ownUnknown-startOver-submit = Recommencer avec un nouvel enregistrement

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = Poursuivre la configuration du domaine { $domain }
earlierSetUps-lead = { $count ->
       [1] Ce navigateur conserve trois configurations. Vous en avez déjà commencé une pour ce domaine : poursuivez-la. Si vous avez publié ou envoyé un enregistrement, la configuration correspondante reste valable.
      *[other] Ce navigateur conserve trois configurations. Vous en avez déjà commencé { NUMBER($count, useGrouping: 0) } pour ce domaine : poursuivez l’une d’elles. Si vous avez publié ou envoyé un enregistrement, la configuration correspondante reste valable.
    }
earlierSetUps-startOver = Vous obtenez un nouvel enregistrement à publier. La configuration suivante ne sera plus valable : { $domain }, { $date }.

## The consent page

consent-heading = Se connecter à { $client } ?
consent-known = { $host } vous connaîtra sous le nom { $domain }.
consent-scopesTitle = L’application pourra aussi
consent-resource = Sur { $resource }, elle pourra
consent-resourceUse = utiliser ce service en votre nom
consent-allow = Autoriser
consent-deny = Ne pas autoriser

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = savoir que vous contrôlez ce domaine
scopes-profile = connaître le nom et le site web de ce domaine
scopes-offline_access = maintenir votre connexion en votre absence

## All problem pages

problem-errorId = Identifiant de l’erreur :
problem-client = Vous étiez en train de vous connecter à { $host }.
problem-setUpFor = Vous configuriez un domaine pour vous connecter à { $client }.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = La connexion avec { $domain } n’a pas abouti
external-lead = Selon l’enregistrement du domaine { $domain }, vous vous connectez chez { $sp }.
external-again = Réessayer
external-detail = Pour l’exploitant de ce service (en anglais) :
external-problems-own_issuer = { $sp } est ce service lui-même.
    .detail1 = Si le domaine est à vous, corrigez la valeur sp de son enregistrement : elle doit être exactement l’adresse de ce service, sans barre oblique à la fin.
external-problems-unreachable = { $sp } ne répond pas.
    .detail1 = Attendez une minute, puis réessayez.
external-problems-busy = Notre service est très sollicité, nous n’avons donc pas pu contacter { $sp }.
    .detail1 = Attendez quelques secondes, puis réessayez.
external-problems-not_public = { $sp } n’a pas d’adresse publique.
    .detail1 = Par sécurité, nous ne nous y connectons pas. Si le domaine est à vous, vérifiez la valeur de sp dans son enregistrement.
external-problems-bad_metadata = { $sp } ne semble pas être un service de connexion.
    .detail1 = Si le domaine est à vous, vérifiez la valeur de sp dans son enregistrement. Sinon, seul l’exploitant du service { $sp } peut y remédier.
external-problems-unmet_requirements = Il manque à { $sp } une fonction de sécurité que nous exigeons.
    .detail1 = L’exploitant du service { $sp } peut l’ajouter. Si le domaine est à vous, vous pouvez aussi désigner un autre service dans son enregistrement.
external-problems-no_client = { $sp } ne connaît pas ce service, et nous n’avons pas pu nous y enregistrer.
    .detail1 = Réessayez. Si cela persiste, l’exploitant de ce service doit l’enregistrer chez { $sp }.
external-problems-bad_answer = { $sp } a envoyé une réponse non valide.
    .detail1 = Elle ne nous permet pas de vous connecter. Réessayez. Si cela se reproduit, prévenez l’exploitant du service { $sp }.
external-problems-refused_by_sp = { $sp } vous a renvoyé ici sans vous connecter.
    .detail1 = Vous y avez peut-être annulé la connexion. Vous pouvez réessayer.
external-problems-other_account = Le compte que vous avez utilisé chez { $sp } n’est pas celui qu’indique l’enregistrement du domaine { $domain }.
    .detail1 = Déconnectez-vous de ce compte, puis réessayez avec le bon. Si le domaine est à vous, vous pouvez aussi modifier son enregistrement pour qu’il désigne le compte que vous avez utilisé.
external-problems-other_domain = Chez { $sp }, vous avez utilisé un autre domaine, pas { $domain }.
    .detail1 = Connectez-vous à ce service avec { $domain }, puis réessayez.
external-problems-record_changed = L’enregistrement du domaine { $domain } a changé pendant que vous étiez chez { $sp }.
    .detail1 = Pour vous connecter avec le nouvel enregistrement, réessayez.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = Saisissez le nom de domaine avec lequel vous voulez vous connecter.
domainMistakes-email_address = Cela ressemble à une adresse e-mail chez { $domain }.
    .detail1 = Si { $domain } est à vous, saisissez-le sans la partie qui précède le @. Une adresse chez un fournisseur de messagerie ne peut pas servir ici.
domainMistakes-url_with_path = Saisissez seulement le domaine, pas l’adresse complète d’une page.
    .detail1 = Saisissez plutôt { $domain }.
domainMistakes-single_label = « { $domain } » n’est pas un nom de domaine complet.
    .detail1 = Saisissez-le avec sa terminaison, par exemple alice.com.
domainMistakes-ip_address = { $domain } est une adresse IP.
    .detail1 = Saisissez un nom de domaine, par exemple alice.com.
domainMistakes-numeric_tld = « { $domain } » se termine par un nombre.
    .detail1 = C’est impossible pour un nom de domaine. Vérifiez si la terminaison manque.
domainMistakes-too_long = Ce nom de domaine est trop long.
    .detail1 = Saisissez au plus 228 caractères, et au plus 63 entre deux points.
domainMistakes-public_suffix = { $domain } est une terminaison que beaucoup de domaines partagent.
    .detail1 = Saisissez votre propre domaine avec cette terminaison, par exemple { $example }.
domainMistakes-special_use = { $domain } se termine par un nom réservé à un usage particulier.
    .detail1 = Personne ne peut posséder un domaine avec cette terminaison. Saisissez-en un que vous avez enregistré.
domainMistakes-bad_characters = « { $domain } » contient des caractères interdits dans un nom de domaine.
    .detail1 = Cherchez des espaces, des tirets bas et des symboles copiés par erreur.

## Results of looking up a domain's record

lookOutcomes-absent = Le domaine { $domain } n’a pas encore d’enregistrement de connexion.
    .detail1 = Vous l’obtiendrez à votre première connexion à une application.
lookOutcomes-disabled = La connexion avec { $domain } est désactivée.
    .detail1 = Son enregistrement indique sp=none. Si le domaine est à vous, vous pouvez changer cela dans vos paramètres DNS.
lookOutcomes-invalid = L’enregistrement de connexion du domaine { $domain } contient une erreur.
    .detail1 = Corrigez-le dans vos paramètres DNS.
lookOutcomes-own_issuer = L’enregistrement de connexion du domaine { $domain } écrit autrement l’adresse de ce service.
    .detail1 = Corrigez sp dans vos paramètres DNS.
lookOutcomes-ambiguous = Le domaine { $domain } a plusieurs enregistrements de connexion.
    .detail1 = Il ne doit y en avoir qu’un. Supprimez les autres dans vos paramètres DNS.
lookOutcomes-unsupported = L’enregistrement de connexion du domaine { $domain } a une version que ce service ne prend pas en charge.
    .detail1 = L’enregistrement doit commencer par v=dsi1.
lookOutcomes-alias_invalid = L’enregistrement de connexion du domaine { $domain } est l’alias d’un nom qui n’est pas prévu pour la connexion.
    .detail1 = Le plus souvent, cela vient d’un enregistrement CNAME générique (*). Publiez plutôt un enregistrement TXT sur _domain-signin, ou faites pointer l’alias vers un nom qui contient _domain-signin.
lookOutcomes-indeterminate = Les serveurs DNS du domaine { $domain } n’ont pas répondu.
    .detail1 = Nous n’avons pas pu lire l’enregistrement du domaine. Attendez une minute, puis réessayez. Si cela persiste, contactez la société qui héberge le DNS du domaine.
lookOutcomes-busy = Notre service est très sollicité, nous n’avons donc pas pu interroger le DNS du domaine { $domain }.
    .detail1 = Attendez quelques secondes, puis réessayez.
lookOutcomes-unconfirmed = Nous n’avons pas pu confirmer la réponse DNS pour { $domain }.
    .detail1 = Au moins deux de nos résolveurs DNS doivent donner la même réponse. Après une modification du DNS, cela peut prendre quelques minutes. Réessayez ensuite.
lookOutcomes-contradictory = Les réponses des serveurs DNS pour { $domain } se contredisent.
    .detail1 = Nos résolveurs DNS ont donné des réponses différentes. Après une modification du DNS, cela peut durer jusqu’à l’expiration de l’ancienne réponse. Réessayez dans quelques minutes.
lookOutcomes-validation_failed = La validation DNSSEC a échoué pour { $domain }.
    .detail1 = Le DNS du domaine est signé, mais les signatures ne sont pas valides : nous ne pouvons donc pas nous y fier. La société qui héberge le DNS du domaine peut y remédier.
lookOutcomes-reason = Raison : { $reason }
lookOutcomes-dname = Un enregistrement DNAME redirige l’enregistrement de connexion du domaine { $domain }.
    .detail1 = La connexion au moyen d’un enregistrement DNAME n’est pas prise en charge. Supprimez-le et publiez l’enregistrement de connexion dans la zone du domaine lui-même, ou connectez-vous avec le domaine vers lequel il pointe.
lookOutcomes-unsigned_subzone = L’enregistrement de connexion du domaine { $domain } se trouve dans une zone à part, sans DNSSEC.
    .detail1 = Le domaine lui-même est signé : nous ne pouvons donc pas nous fier à une zone non signée située en dessous. Publiez l’enregistrement dans la zone du domaine { $domain }, ou signez la zone à part.
lookOutcomes-unsupported_dnssec = Le domaine { $domain } est signé d’une manière que nous ne pouvons pas vérifier.
    .detail1 = Son DNSSEC n’utilise que des algorithmes ou des réglages que ce service ou ses résolveurs DNS ne prennent pas en charge. La société qui héberge le DNS du domaine peut les changer.
lookOutcomes-too_large = Les réponses DNS pour { $domain } sont trop volumineuses pour être vérifiées.
    .detail1 = Elles contiennent trop de clés, de signatures ou d’enregistrements. La société qui héberge le DNS du domaine peut en réduire le nombre.
lookOutcomes-malformed = Un enregistrement DNS du domaine { $domain } est mal formé.
    .detail1 = Nous n’avons pas pu lire la réponse. La société qui héberge le DNS du domaine peut y remédier.
lookOutcomes-was_signed = Le domaine { $domain } n’est plus signé avec DNSSEC.
    .detail1 = Il l’était encore récemment : il pourrait donc s’agir d’une attaque. Si vous avez désactivé DNSSEC, deux vérifications, à un jour d’intervalle au moins, doivent le confirmer.
lookOutcomes-firstConfirmed = La première vérification l’a confirmé. Nous ferons la seconde automatiquement après { $time }.
lookOutcomes-notConfirmed = Nous n’avons pas encore pu le confirmer. Réessayez dans une heure.
lookOutcomes-blocked = Nos résolveurs DNS bloquent { $domain }.
    .detail1 = Ils refusent de rechercher ce nom, par exemple parce qu’il figure sur une liste de blocage. Contactez l’opérateur de ce service.
lookOutcomes-no_authority = Nos résolveurs DNS ne peuvent pas joindre les serveurs de noms du domaine { $domain }.
    .detail1 = Réessayez dans quelques minutes. Si cela persiste, contactez la société qui héberge le DNS du domaine.
lookOutcomes-stale = Nos résolveurs DNS n’ont qu’une ancienne réponse pour { $domain }.
    .detail1 = Ils n’ont pas pu joindre les serveurs de noms du domaine, et une ancienne réponse ne montre pas ce que l’enregistrement dit maintenant. Réessayez dans quelques minutes.
lookOutcomes-unregistered = { $domain } n’est pas un domaine enregistré.
    .detail1 = Vérifiez l’orthographe. Si vous venez d’enregistrer le domaine, réessayez dans quelques minutes.
lookOutcomes-external = L’enregistrement du domaine { $domain } désigne maintenant un autre service.
    .detail1 = Pour vous connecter avec cet autre service, retournez à l’application et recommencez.
lookOutcomes-names_another = L’enregistrement du domaine { $domain } désigne un autre service : { $sp }.
    .detail1 = { $client } vous a envoyé ici comme si l’enregistrement désignait ce service. Soit l’enregistrement vient d’être modifié, soit deux services se renvoient l’un à l’autre. Retournez à l’application et réessayez. Si cela persiste, vérifiez l’enregistrement dans vos paramètres DNS.
lookOutcomes-own_unknown = L’enregistrement du domaine { $domain } correspond à une configuration commencée dans un autre navigateur, ou à un compte qui a pris fin.
    .detail1 = Terminez-la dans cet autre navigateur, ou remplacez l’ancien enregistrement par celui affiché ici.
lookOutcomes-not_permitted = Vous ne pouvez pas vous connecter ici avec { $domain }.
    .detail1 = Ce service n’accepte que les domaines dont le DNS est signé (DNSSEC). La société qui héberge le DNS du domaine peut le signer.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = Le domaine { $domain } permet de se connecter ici.
    .detail1 = Son enregistrement est valide et désigne ce service.
verdicts-external = La connexion avec { $domain } passe par { $sp }.
    .detail1 = L’enregistrement est valide. Cette vérification ne contacte pas { $sp }.
verdicts-invalid = L’enregistrement du domaine { $domain } n’est pas valide : { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = Trouvé.
looks-absent = Pas encore là.
looks-absentRemembered = Pas encore là.
    .detail1 = { $seconds ->
       [one] Nous n’avons pas pu interroger les serveurs de noms de votre domaine. Pendant { NUMBER($seconds, useGrouping: 0) } seconde au plus, d’autres serveurs DNS peuvent encore répondre que l’enregistrement n’existe pas.
      *[other] Nous n’avons pas pu interroger les serveurs de noms de votre domaine. Pendant { NUMBER($seconds, useGrouping: 0) } secondes au plus, d’autres serveurs DNS peuvent encore répondre que l’enregistrement n’existe pas.
    }
looks-absentBusy = Pas encore là.
    .detail1 = { $seconds ->
       [one] Notre service est très sollicité, nous n’avons donc pas interrogé les serveurs de noms de votre domaine. Pendant { NUMBER($seconds, useGrouping: 0) } seconde au plus, d’autres serveurs DNS peuvent encore répondre que l’enregistrement n’existe pas.
      *[other] Notre service est très sollicité, nous n’avons donc pas interrogé les serveurs de noms de votre domaine. Pendant { NUMBER($seconds, useGrouping: 0) } secondes au plus, d’autres serveurs DNS peuvent encore répondre que l’enregistrement n’existe pas.
    }
looks-otherValue = Nous avons trouvé un enregistrement, mais pas celui-ci.
    .detail1 = Si vous venez de modifier { $name }, l’ancienne valeur peut rester visible jusqu’à l’expiration de son TTL. Sinon, comparez les valeurs.
looks-atDomain = L’enregistrement se trouve sur { $domain }.
    .detail1 = Il doit se trouver sur { $name }. Déplacez-le.
looks-doubledName = L’enregistrement se trouve sur { $name }, qui contient deux fois le domaine.
    .detail1 = Votre interface DNS ajoute le domaine automatiquement. Comme nom, saisissez seulement { $entry }.
looks-cutAtSemicolon = L’enregistrement est coupé après v=dsi1.
    .detail1 = Votre interface DNS prend l’espace ou le point-virgule pour la fin. Saisissez la valeur entre guillemets.
looks-inQuotes = La valeur de l’enregistrement contient des guillemets.
    .detail1 = Votre interface DNS les ajoute automatiquement. Saisissez la valeur sans guillemets.
looks-noUnderscore = L’enregistrement se trouve sur { $domain }, sans le tiret bas.
    .detail1 = Il doit se trouver sur { $name }, avec le tiret bas au début.
looks-curlyQuotes = La valeur de l’enregistrement contient des guillemets typographiques.
    .detail1 = Un éditeur de texte les a sans doute ajoutés. Copiez la valeur depuis cette page et saisissez-la sans guillemets.
looks-spacesLost = Il manque les espaces dans la valeur de l’enregistrement.
    .detail1 = Votre interface DNS les supprime. Saisissez la valeur entre guillemets, ou avec un point-virgule à la place de chaque espace.
looks-spaceInside = La valeur de l’enregistrement contient un espace mal placé.
    .detail1 = Copiez à nouveau la valeur et saisissez-la d’un seul tenant.
looks-wrongCase = Les majuscules et les minuscules de la valeur ne sont pas les bonnes.
    .detail1 = Copiez la valeur depuis cette page et saisissez-la telle quelle.
looks-wrongCharacter = Un caractère de l’enregistrement est incorrect.
    .detail1 = Copiez la valeur depuis cette page au lieu de la taper.
looks-incomplete = L’enregistrement est incomplet.
    .detail1 = Une partie de la valeur manque. Copiez à nouveau toute la valeur depuis cette page.
looks-tooLong = La valeur de l’enregistrement est trop longue.
    .detail1 = Saisissez uniquement la valeur de cette page.
looks-ownEarlier = C’est l’enregistrement d’une configuration précédente dans ce navigateur.
    .detail1 = Remplacez sa valeur par celle affichée ici.
looks-otherService = L’enregistrement désigne un autre service.
    .detail1 = Pour vous connecter ici, remplacez sa valeur par celle de cette page.
looks-oldBesideNew = L’enregistrement est là, mais un autre enregistrement de connexion se trouve à côté.
    .detail1 = Il ne doit y en avoir qu’un. Supprimez l’autre dans vos paramètres DNS.
looks-splitInTwo = La valeur est répartie sur deux enregistrements.
    .detail1 = Saisissez toute la valeur dans un seul enregistrement et supprimez l’autre.
looks-malformed = Nous avons trouvé l’enregistrement, mais il contient une erreur.
looks-oldValue = Vos serveurs de noms ont l’enregistrement. D’autres serveurs DNS ont encore les anciennes données.
    .detail1 = { $seconds ->
       [one] Ils seront à jour dans { NUMBER($seconds, useGrouping: 0) } seconde au plus tard. Vous n’avez rien à faire.
      *[other] Ils seront à jour dans { NUMBER($seconds, useGrouping: 0) } secondes au plus tard. Vous n’avez rien à faire.
    }
looks-someServers = { $have ->
       [one] { NUMBER($have, useGrouping: 0) } serveur de noms sur { $all } l’a.
      *[other] { NUMBER($have, useGrouping: 0) } serveurs de noms sur { $all } l’ont.
    }
looks-notCertain = Certains serveurs DNS ont l’enregistrement, d’autres pas encore.
    .detail1 = Cela prend en général quelques minutes. Vous n’avez rien à faire.
dnsSetup-wildcard = Avec cet enregistrement, le caractère générique { $wildcard } ne s’applique plus à { $domain }. Pour conserver son site web et son courrier, recopiez les enregistrements génériques (comme A, AAAA et MX) sur ce nom.

## The answer of each DNS server

servers-title = La réponse de chaque serveur DNS
servers-question = Nous avons demandé à chaque serveur l’enregistrement TXT qui se trouve sur { $name }.
servers-resolver = Résolveur { $address }
servers-nameServer = Serveur de noms { $name }
servers-found-wanted = a cet enregistrement
servers-found-other = a une autre valeur
servers-found-absent = n’a pas l’enregistrement
servers-found-silent = n’a pas répondu
servers-found-failed = a répondu par une erreur
servers-found-not_asked = n’a pas été interrogé, car son adresse n’est pas publique
servers-repeats = { $seconds ->
       [one] Il peut encore donner cette réponse pendant { NUMBER($seconds, useGrouping: 0) } seconde.
      *[other] Il peut encore donner cette réponse pendant { NUMBER($seconds, useGrouping: 0) } secondes.
    }

## Problems of a record that was found; $about is the part of the record that has the problem

recordProblem-not_ours = L’enregistrement ne commence pas par v=dsi1. Si v=dsi1 figure plus loin, supprimez tout ce qui précède. Sinon, c’est un autre enregistrement, que nous ignorons.
recordProblem-is_challenge = C’est la réponse à une demande de connexion sans clé d’accès. Sa place est au nom _domain-signin-challenge ; ici, elle ne compte pas.
recordProblem-is_sp_record = C’est l’enregistrement de connexion. Sa place est au nom _domain-signin ; ici, il ne compte pas.
recordProblem-unsupported_version = La version { $about } n’est pas prise en charge ici.
recordProblem-not_alone = Il y a plusieurs enregistrements avec v=dsi1. Gardez-en un seul.
recordProblem-too_long = L’enregistrement fait { $about } octets ; le maximum est de 1024.
recordProblem-curly_quotes = L’enregistrement contient des guillemets typographiques. Supprimez-les.
recordProblem-not_ascii = L’enregistrement contient des caractères qui ne sont pas de l’ASCII imprimable.
recordProblem-quotes = L’enregistrement contient des guillemets qui n’entourent pas toute la valeur. Supprimez-les.
recordProblem-before_version = L’enregistrement doit commencer par v=dsi1. Supprimez tout ce qui précède.
recordProblem-upper_case_version = Écrivez v=dsi1 en minuscules.
recordProblem-spaced_version = Écrivez v=dsi1 sans espaces.
recordProblem-malformed_version = L’enregistrement doit commencer par v=dsi1 et une espace, et non par « { $about } ».
recordProblem-upper_case_tag = Le nom de l’élément { $about } doit être en minuscules.
recordProblem-malformed_tag = « { $about } » n’est pas de la forme nom=valeur, sans espaces.
recordProblem-repeated_tag = L’élément { $about } figure plusieurs fois.
recordProblem-missing_sp = L’élément sp manque. Certaines interfaces DNS coupent une valeur à la première espace ou au premier point-virgule si elle n’est pas entre guillemets.
recordProblem-bad_sp = sp doit être une URL qui commence par https:// et contient un nom de domaine complet en minuscules, sans nom d’utilisateur, sans port, sans paramètres (?) et sans fragment (#).
recordProblem-own_sp_scheme = sp doit être exactement { $about }, avec le même début (http ou https).
recordProblem-own_sp_path = sp doit être exactement { $about }. Supprimez la barre oblique et ce qui suit.
recordProblem-missing_acct = L’élément acct manque. Il indique le compte.
recordProblem-bad_acct = acct doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.
recordProblem-bad_jkt = jkt doit contenir de 1 à 4 empreintes SHA-256 de 43 caractères, séparées par des virgules.
recordProblem-bad_spk = spk doit contenir de 1 à 4 empreintes SHA-256 de 43 caractères, séparées par des virgules.
recordProblem-key_in_both = Une clé figure à la fois dans jkt et dans spk : jkt indique les clés du propriétaire, spk celles du fournisseur.
recordProblem-missing_chal = L’élément chal manque. Il indique à quelle demande de connexion répond l’enregistrement.
recordProblem-bad_chal = chal doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.
recordProblem-other_sp = L’enregistrement est destiné à un autre service.
recordProblem-other_chal = L’enregistrement répond à une autre demande de connexion.
recordProblem-alias_leads_away = Cet alias mène à un nom qui n’est pas prévu pour la connexion : nous ne le suivons donc pas.
recordProblem-wildcard = Un enregistrement générique (*) ne compte pas : publiez un enregistrement portant exactement ce nom.

## Problems with a recovery code

recoveryProblems-missing = Saisissez l’un de vos codes de récupération.
recoveryProblems-wrong = Ce code n’est pas valable pour ce domaine, ou il a déjà servi.
recoveryProblems-tooMany = Trop de tentatives. Attendez quelques minutes, puis réessayez.

## Problems with a passkey

passkeyProblems-missing = Ce navigateur n’a envoyé aucune clé d’accès. Activez JavaScript, ou connectez-vous sans clé d’accès.
passkeyProblems-expired = La demande de votre clé d’accès n’est plus valable. Réessayez.
passkeyProblems-unknown = Cette clé d’accès ne peut pas servir pour ce domaine. Choisissez-en une autre.
passkeyProblems-notUsable = Cette clé d’accès n’a pas pu être utilisée. Choisissez-en une autre, ou saisissez votre domaine.
passkeyProblems-notVerified = Votre appareil n’a pas vérifié votre identité. Réessayez et confirmez avec votre code PIN, votre empreinte ou votre visage.
passkeyProblems-failed = La clé d’accès n’a pas pu être vérifiée. Réessayez, ou choisissez-en une autre.

## Problem pages

requestProblems-unknownClient = L’application qui vous a envoyé ici n’est pas enregistrée auprès de ce service.
    .title = Nous ne connaissons pas cette application
    .detail1 = Rien n’a été transmis à l’application. Si vous la développez, vérifiez le client_id.
requestProblems-missingClientId = Le lien que vous avez suivi ne contient pas l’identifiant de l’application.
    .title = L’application ne s’est pas identifiée
    .detail1 = Retournez à l’application et réessayez. Si vous la développez, envoyez un client_id.
requestProblems-missingRedirectUri = Sans cette adresse, nous ne pouvons pas vous connecter.
    .title = L’application n’a pas indiqué où vous renvoyer
    .detail1 = Rien n’a été transmis. Si vous développez l’application, envoyez un redirect_uri.
requestProblems-redirectUriNotRegistered = L’application nous a demandé de vous envoyer à une adresse qui n’est pas enregistrée pour elle.
    .title = Nous ne pouvons pas vous renvoyer à cette adresse
    .detail1 = Par sécurité, nous nous sommes arrêtés ici. Rien n’a été transmis. Si vous développez l’application, redirect_uri doit être exactement identique à une adresse enregistrée.
requestProblems-postLogoutRedirectUriNotRegistered = L’application nous a demandé de vous déconnecter, puis de vous renvoyer à une adresse qui n’est pas enregistrée pour elle.
    .title = Nous ne pouvons pas vous renvoyer à cette adresse
    .detail1 = Vous n’avez pas été déconnecté. Pour vous déconnecter ici, ouvrez /account sur ce site. Si vous développez l’application, vérifiez que post_logout_redirect_uri correspond exactement à une adresse enregistrée.
requestProblems-hintOfAnotherClient = La demande de déconnexion de l’application contient un jeton délivré à une autre application.
    .title = La demande de l’application n’est pas cohérente
    .detail1 = Vous n’avez pas été déconnecté. Si vous développez l’application, envoyez un id_token_hint délivré à votre client_id.
requestProblems-passkeyNeeded = Vous avez utilisé un code de récupération. Il vous permet d’ajouter une clé d’accès, mais pas de faire cette modification.
    .title = Cette modification demande une clé d’accès
    .detail1 = Retournez à votre compte. Ajoutez une clé d’accès, sauf si vous venez de le faire. Recommencez ensuite cette modification et confirmez-la avec votre clé d’accès.
requestProblems-ownerProofRequired = Cette application exige que vous approuviez chaque connexion avec une clé d’accès. Votre enregistrement DNS doit mentionner cette clé d’accès, et votre zone doit être signée avec DNSSEC.
    .title = Cette application exige une clé d’accès
    .detail1 = Cette connexion n’avait pas un tel accord. Rien n’a été envoyé à l’application.
    .detail2 = Ajoutez une clé d’accès sur la page de votre compte, à l’adresse /account, et publiez l’enregistrement qu’elle affiche. Revenez ensuite à l’application et connectez-vous de nouveau.
requestProblems-repeatedParameter = Elle contient « { $name } » plusieurs fois, nous ne savons donc pas laquelle compte.
    .title = La demande de l’application n’est pas claire
    .detail1 = Retournez à l’application et réessayez.
requestProblems-malformedRequest = Une partie de la demande n’est pas valide.
    .title = Nous n’avons pas pu lire la demande
    .detail1 = Retournez à l’application et réessayez.
requestProblems-badClientDocument = Le site { $host } vous a envoyé ici, mais sa description de l’application n’est pas valide.
    .title = Nous ne pouvons pas accepter cette application
    .detail1 = Rien n’a été transmis à l’application. Si vous la développez, corrigez son document de métadonnées ({ $reason }).
requestProblems-unreachableClient = Le site { $host } vous a envoyé ici, mais nous n’avons pas pu charger sa description de l’application.
    .title = Nous ne pouvons pas joindre l’application
    .detail1 = Attendez une minute, puis réessayez. Rien n’a été transmis à l’application. Si vous la développez : { $reason }
requestProblems-setUpLinkInvalid = Le lien a été coupé en chemin, ou il date de plus de 30 jours.
    .title = Ce lien ne fonctionne pas
    .detail1 = Ouvrez le lien entier, ou demandez-en un nouveau à l’expéditeur.
requestProblems-expired = Elle est restée ouverte trop longtemps. Pour votre sécurité, nous avons mis fin à cette connexion.
    .title = Cette page a expiré
    .detail1 = Retournez à l’application et reconnectez-vous. Si vous avez publié un enregistrement, il reste valable.
requestProblems-recordLost = L’enregistrement dans votre DNS ne désigne plus ce compte. Nous ne pouvons donc pas vous connecter.
    .title = Votre enregistrement a changé
    .detail1 = Si le domaine est à vous, remettez l’enregistrement et laissez-le en place. Retournez ensuite à l’application et reconnectez-vous.
requestProblems-challengeUsed = L’enregistrement de cette connexion a déjà été utilisé, dans un autre onglet ou un autre navigateur. Il ne vaut qu’une fois.
    .title = Cette connexion a été terminée ailleurs
    .detail1 = Si ce n’était pas vous, reconnectez-vous. Fermez ensuite, sur la page de votre compte, la session que vous ne connaissez pas, et consultez l’historique.
requestProblems-challengeOver = Un enregistrement pour une seule connexion est valable 24 heures, et seulement si ce service n’a pas été restauré à partir d’une sauvegarde entre-temps.
    .title = Le délai de cet enregistrement est écoulé
    .detail1 = Vous pouvez supprimer l’enregistrement. Retournez à l’application et reconnectez-vous : vous recevrez un nouvel enregistrement.
requestProblems-wrongBrowser = Vous ne pouvez continuer que dans le navigateur où vous avez commencé. Si c’est celui-ci, il bloque peut-être les cookies.
    .title = Cette connexion a été commencée dans un autre navigateur
    .detail1 = Autorisez les cookies pour ce site, puis retournez à l’application et reconnectez-vous. Si quelqu’un vous a envoyé le lien vers cette page, ne continuez pas.
requestProblems-crossSitePost = Un autre site a essayé d’actionner un bouton ici à votre place. Nous n’avons donc rien fait.
    .title = Cette demande ne venait pas de notre page
    .detail1 = Si c’était vous, retournez à l’application et reconnectez-vous.
requestProblems-tooManyAccounts = Les noms de ce domaine enregistré ont ici autant de comptes que ce service en permet. Aucun compte n’a été créé pour celui-ci.
    .title = Pas d’autre compte pour ce domaine
    .detail1 = L’exploitant de ce service peut relever la limite (accounts_per_domain). Les comptes existants fonctionnent toujours.
requestProblems-alreadyUsed = Cette page ne sert qu’une fois, et vous avez déjà continué à partir d’elle.
    .title = Cette connexion est déjà terminée
    .detail1 = Retournez à l’application. Si la connexion n’y a pas abouti, recommencez.
requestProblems-signedOut = Vous vous êtes déconnecté dans un autre onglet ou une autre fenêtre pendant cette connexion.
    .title = Vous vous êtes déconnecté
    .detail1 = Retournez à l’application et connectez-vous à nouveau.
requestProblems-overloaded = Davantage de personnes veulent se connecter en ce moment que nous ne pouvons en servir.
    .title = Trop de personnes à la fois
    .detail1 = Attendez quelques secondes, puis réessayez.
requestProblems-tooManyRequests = Nous venons de recevoir trop de demandes depuis votre réseau.
    .title = Trop de demandes
    .detail1 = { $minutes ->
       [one] Réessayez dans environ une minute.
      *[other] Réessayez dans environ { NUMBER($minutes, useGrouping: 0) } minutes.
    }
requestProblems-notFound = L’adresse contient peut-être une faute de frappe, ou la page n’existe plus.
    .title = Page introuvable
    .detail1 = Pour vous connecter, commencez par l’application que vous voulez utiliser.
requestProblems-serverError = Vous n’y êtes pour rien, et rien n’a été transmis.
    .title = Une erreur s’est produite de notre côté
    .detail1 = Réessayez. Si cela se reproduit, prévenez l’exploitant de ce service.
requestProblems-temporarilyUnavailable = Une partie de ce service n’est pas disponible en ce moment.
    .title = Nous ne pouvons pas vous connecter pour l’instant
    .detail1 = Attendez une minute, puis réessayez. Rien de ce que vous avez configuré n’est perdu.
