### The texts of the pages in Portuguese (Brazil).

## All pages

common-serviceName = domain-signin
common-copy = Copiar
common-copied = Copiado
common-backTo = Voltar para { $client }
common-backToApp = Voltar para o aplicativo
common-problemTitle = Problema: { $title }
common-step = { $step } de { $steps }
common-through = { $service } diz que este login é para { $app }.

## The page that asks for the domain

domain-title = Entrar em { $client }
domain-returnTo = Use um nome de domínio que seja seu. Depois, você volta para { $host }.
domain-label = Seu domínio
domain-hint = Por exemplo, alice.com
domain-submit = Continuar
domain-how-title = Como funciona?
domain-how-paragraphs =
    .paragraph1 = O dono de um nome de domínio controla o DNS dele. Um pequeno registro ali indica o serviço que pode fazer seu login com o domínio.
    .paragraph2 = Se o seu domínio ainda não tem esse registro, mostramos um para você publicar. Leva alguns minutos e só é preciso uma vez.

## The page that offers to continue with a remembered domain

continue-heading = Continuar como { $domain }
continue-client = em { $client }, no endereço { $host }
continue-submit = Continuar
continue-other = Usar outro domínio
continue-news = Nova atividade de { $domain } desde a sua última visita:
continue-newsCheck = Se não foi você, verifique a sua conta.
continue-newsAccount = Abrir a conta
news-heading = Foi você?
continue-choose = Escolha um domínio
continue-as = Continuar como { $domain }

## Signing out

signOut-title = Sair
signOut-effect = Isso encerra a sua sessão deste serviço neste navegador. Os aplicativos em que você entrou mantêm o acesso.
signOut-domain = Sair de { $domain }
signOut-all = Sair de todos os domínios neste navegador
signOut-everywhere = Sair de { $domain } em todos os lugares
logout-heading = Sair de { $domain }?
logout-headingAll = Sair neste navegador?
logout-client = { $client } pede para encerrar sua sessão.
logout-clientAt = { $client }, no endereço { $host }, pede para encerrar sua sessão.
logout-unknownClient = Um aplicativo pede para encerrar sua sessão. Ele não disse qual é.
logout-stay = Continuar conectado
logout-backTo = Continuar para { $host }
logout-notSignedIn = A conta que você usa neste aplicativo não está conectada neste navegador

## The front page, and the page that checks a domain

home-title = Entre com o seu próprio domínio
home-lead = Com este serviço, as pessoas entram em aplicativos com um domínio próprio. Sem senha e sem cadastro.
home-operator = Ele é operado por { $host }. Para entrar, comece pelo aplicativo que você quer usar.
home-account = Sua conta
check-title = Verificar um domínio
check-lead = Veja se é possível entrar com um domínio e o que o DNS dele diz.
check-label = Nome de domínio
check-hint = Por exemplo, alice.com
check-submit = Verificar
check-assurance-secure = O DNSSEC protege esta resposta: as assinaturas são válidas.
check-assurance-corroborated = Esta resposta não é assinada com DNSSEC. Pelo menos dois dos nossos servidores de consulta DNS a confirmam.
check-assurance-single = Esta resposta não é assinada com DNSSEC. Ela veio de um único servidor de consulta DNS.

## The account page

account-heading = Sua conta: { $domain }
account-inOrder = Está tudo em ordem com { $domain }.
account-recordHeld = O registro no seu DNS indica esta conta. Verificado às { $time }.
account-recordTitle = O registro no DNS
account-recordNone = Não há registro de login em { $name }.
account-record_lost = Seu registro DNS não indica esta conta no momento.
    .detail1 = Até que o registro volte, ninguém pode usar esta conta para entrar como { $domain }.
account-record_unknown = Não conseguimos consultar o seu registro.
    .detail1 = Os servidores DNS de { $domain } não responderam, ou as respostas não eram confiáveis. Você ainda pode sair e revogar aplicativos aqui.
account-record_former = Esta é uma conta anterior de { $domain }.
    .detail1 = O registro no seu DNS indica outra conta. Aqui você pode sair desta conta e revogar o acesso dos aplicativos dela.
account-betterRecord_lost = Para usar esta conta de novo, publique este registro:
account-betterRecord_signed = O seu DNS é assinado (DNSSEC). Se você publicar este registro no lugar do atual, os aplicativos poderão verificar os seus logins por conta própria:
account-appsTitle = Aplicativos com acesso
account-noApps = Nenhum aplicativo tem acesso.
account-appScopes = Pode:
account-usedSince = Desde { $since }, último uso em { $last }
account-revoke = Revogar acesso
account-more-apps = Mostrar mais aplicativos
account-more-sessions = Mostrar mais navegadores
account-more-browsers = Mostrar mais navegadores desconectados
account-more-passkeys = Mostrar mais chaves de acesso
account-revokeEffect = Se você revogar o acesso, o aplicativo o perderá imediatamente. Para usá-lo de novo, entre nele novamente.
account-sessionsTitle = Onde você entrou
account-thisBrowser = (este navegador)
account-browserOn = { $browser } no { $system }
account-unknownBrowser = Navegador desconhecido
account-signOutOther = Sair
account-browsersTitle = Navegadores em que você saiu
account-browsersWhy = Ainda reconhecemos estes navegadores. Se a sua conta não tem chave de acesso, neles basta um registro DNS para entrar, sem código de recuperação. Esqueça os navegadores que você não usa mais.
account-forget = Esquecer este navegador
account-passkeysTitle = Chaves de acesso
account-providerTitle = Chaves de acesso e códigos de recuperação
account-provider = { $sp } faz o seu login. Gerencie lá as suas chaves de acesso e os códigos de recuperação.
account-providerDelete = Para encerrar a conta aqui, remova o registro do seu DNS. A conta termina 30 dias depois.
account-addPasskey = Adicionar uma chave de acesso
account-removePasskey = Remover
account-renamePasskey = Renomear
account-passkeyName = Nome da chave de acesso
account-savePasskeyName = Salvar
account-codesTitle = Códigos de recuperação
account-codesLeft = { $count ->
       [one] Resta um dos seus dez códigos de recuperação.
      *[other] Restam { $count } dos seus dez códigos de recuperação.
    }
account-newCodes = Criar novos códigos de recuperação
account-fewCodes = Restam menos de três códigos de recuperação.
    .detail1 = Crie novos: eles são para o dia em que você perder todos os seus dispositivos.
account-noPasskey = { $domain } não tem chave de acesso.
    .detail1 = Adicione uma, e você não precisará mais editar o DNS para entrar.
account-signOutHere = Sair neste navegador
account-signOutEverywhere = Sair em todos os lugares
account-everywhereEffect = Sair em todos os lugares encerra todas as sessões deste domínio, em todos os navegadores.
account-everywhereApps = Sair em todos os lugares e revogar todos os aplicativos
account-others = Outros domínios neste navegador
account-otherDomain = Entrar com outro domínio
account-former = Conta anterior de { $domain } neste navegador
account-isFormer = (conta anterior)
account-present = Conta atual de { $domain }
account-choose = Qual domínio?
account-delete = Excluir esta conta
account-signedOut = Você saiu
account-signedOutLead = Este navegador não está conectado a nenhuma conta.
account-notSignedIn = { $domain } não está conectado neste navegador
account-othersSignedIn = Outras contas ainda estão conectadas neste navegador.
account-signIn = Entrar na sua conta

## The history on the account page

history-title = Histórico
history-lead = O que aconteceu com esta conta desde { $since }, do mais recente ao mais antigo. Todos os horários estão em UTC.
history-none = Nada foi registrado.
history-older = Entradas mais antigas
history-event-account_created = Conta criada
history-event-signed_in = Entrada em { $client }
history-event-signed_in_passkey = Entrada em { $client } com uma chave de acesso
history-event-new_browser = Primeira entrada em um novo navegador
history-event-set_up_reused = A configuração foi aberta em outro navegador depois de concluída
history-event-challenge_reused = O registro de um login foi usado uma segunda vez, depois que alguém entrou com ele
history-event-session_reused = Alguém usou uma cópia antiga dos cookies de um navegador; a sessão copiada foi encerrada
history-event-recovery_code_used = Um código de recuperação foi usado
history-event-recovery_codes_renewed = Novos códigos de recuperação foram criados
history-event-passkey_added = Chave de acesso adicionada: { $name }
history-event-passkey_removed = Chave de acesso removida: { $name }
history-event-passkey_renamed = Chave de acesso renomeada: { $name }
history-event-app_allowed = Acesso permitido a { $client }
history-event-app_revoked = Acesso revogado de { $client }
history-event-app_revoked_all = Acesso revogado de todos os aplicativos
history-event-token_repeated_elsewhere = { $client } repetiu um pedido de acesso anterior a partir de outra rede
history-event-record_found = O registro no seu DNS indica esta conta novamente
history-event-record_lost = O registro no seu DNS não indica mais esta conta
history-event-signed_out = Saída em um navegador
history-event-signed_out_everywhere = Saída em todos os lugares
history-event-operator_signed_out = O operador deste serviço encerrou suas sessões em todos os lugares
history-event-operator_revoked = O operador deste serviço revogou o acesso de { $client }
history-event-operator_revoked_all = O operador deste serviço revogou o acesso de todos os aplicativos
history-event-account_ended = Conta encerrada

## The page that adds a passkey

newPasskey-heading = Adicionar uma chave de acesso para { $domain }
newPasskey-lead = Seu dispositivo cria e guarda a chave de acesso. Depois disso, você não precisa mais editar o DNS para entrar.
newPasskey-leadRecovery = Você usou um código de recuperação. Crie agora uma nova chave de acesso. Assim, no próximo login você não precisará de um código nem de editar o DNS.
newPasskey-beforeChange = Depois, recomece a alteração e confirme-a com a nova chave de acesso.
newPasskey-submit = Criar chave de acesso
newPasskey-failed = Nenhuma chave de acesso foi criada. Tente novamente.
newPasskey-exists = Este dispositivo já tem uma chave de acesso para { $domain }. Use outro dispositivo.
newPasskey-unsupported = Este navegador não oferece suporte a chaves de acesso. Use outro navegador.
newPasskey-unsupportedHere = Este navegador não é compatível com chaves de acesso. Você pode continuar sem uma.
newPasskey-without = Se você continuar sem uma chave de acesso, precisará de outro código de recuperação no próximo login.
newPasskey-without-submit = Continuar sem chave de acesso
newPasskey-back = Voltar à sua conta
newPasskeyProblems-missing = Este navegador não enviou nenhuma chave de acesso. Ative o JavaScript.
newPasskeyProblems-failed = Não foi possível verificar a chave de acesso. Tente novamente.
newPasskeyProblems-tooLarge = Esta chave de acesso é grande demais para a configuração. Continue sem ela e adicione uma mais tarde na sua conta. Você pode excluí-la do seu dispositivo.
newPasskeyProblems-full = Esta conta já tem todas as chaves de acesso que pode ter. Remova uma que você não usa mais e depois adicione esta.
removePasskey-heading = Remover uma chave de acesso de { $domain }
removePasskey-lead = Você não poderá mais entrar com a chave de acesso { $name }.
removePasskey-last = Esta é a última chave de acesso desta conta. Sem ela, você precisará publicar um registro DNS temporário cada vez que entrar e usar um navegador que reconhecemos ou um código de recuperação.
removePasskey-submit = Remover chave de acesso
passkeyChanged-removed = A chave de acesso foi removida
passkeyChanged-removed_effect = Você não pode mais entrar com ela. Se o seu registro contém essa chave, substitua-o pelo registro abaixo. Até que os caches de DNS e as assinaturas expirem, os aplicativos ainda podem aceitar provas assinadas com a chave removida.
passkeyChanged-added = A chave de acesso foi adicionada
passkeyChanged-added_effect = Você já pode entrar com ela. Se você publicar o registro abaixo, os aplicativos também poderão verificar que foi você quem aprovou uma entrada.
passkeyChanged-record = Seu registro deve ser agora
passkeyChanged-continue = Continuar

## Why a session ended

sessionEnded-reused = Alguém usou uma cópia antiga da sessão deste navegador para { $domain }.
    .detail1 = Encerramos a sessão, neste navegador e na cópia. Entre novamente para continuar.
    .detail2 = Se você não copiou os dados deste navegador para outro, outra pessoa pode ter feito isso. Verifique se há software malicioso neste dispositivo.
sessionEnded-elsewhere = A sessão de { $domain } foi encerrada a partir de outro navegador.
    .detail1 = Se não foi você, entre novamente e verifique quem tem acesso à sua zona DNS.
sessionEnded-operator = O operador deste serviço encerrou a sessão de { $domain }.
    .detail1 = Entre novamente para continuar.

## The two pages that show a record to publish

dns-name = Nome
dns-fullName = Nome completo
dns-type = Tipo
dns-value = Valor
dns-showAll = Mostrar tudo
dns-wantsFullName = Meu painel pede o nome completo
dns-twoStrings = Meu painel tem um campo para cada texto de 255 caracteres
dns-panelAt = Seu DNS está na { $panel }.
dns-panelOpen = Abrir { $panel }
dns-serversOrCheck = Respostas dos servidores · Verificar
dns-looking = Verificamos a cada 3 segundos.
dns-lookingSlowly = Verificamos a cada 15 segundos.
dns-ttl = TTL: { $ttl }, ou o valor sugerido pelo painel.
dns-checksByItself = Esta página verifica automaticamente. Você pode deixá-la aberta.
dns-stopChecking = Parar a verificação automática
dns-checksNoMore = A verificação automática está desativada.
dns-checksEnded = Esta página não verifica mais automaticamente. Verifique agora.
dns-checksEndedReload = Esta página não verifica mais automaticamente. Recarregue-a.
dns-checkAgain = Retomar a verificação automática
dns-checkedAt = Última verificação: { $time }
dns-found = { $count ->
       [1] Encontrado no DNS
      *[other] Encontrados no DNS: { NUMBER($count, useGrouping: 0) } registros
    }
dns-panel-title = Onde adiciono este registro?
dns-panel-relative = Abra as configurações de DNS na empresa em que você registrou o domínio ou que hospeda o DNS dele e adicione um novo registro TXT. Muitos painéis de DNS acrescentam o domínio ao final do nome automaticamente. Nesse caso, insira apenas a primeira parte:
dns-panel-inZone = Nas configurações de DNS de { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Se o painel mostrar o nome completo antes de salvar, ele deve ser igual ao que aparece acima, com o domínio uma única vez.
    .paragraph2 = Não altere seus outros registros. Insira o valor sem aspas. Se não for possível escolher o TTL, mantenha o padrão.

## The setup page

setUpPasskey-heading = Crie uma chave de acesso para { $domain }
setUpPasskey-lead = Você vai entrar com ela. Sem senha.
dnsSetup-heading = Adicione este registro a { $domain }
dnsSetup-effect = O registro permite que este navegador entre como { $domain }.
dnsSetup-webView = Fique nesta janela até terminar: a janela deste aplicativo não compartilha a configuração com seu navegador.
dnsSetup-foundHeading = { $domain } é seu aqui
dnsSetup-found = Seu DNS tem o registro. Deixe-o lá.
dnsSetup-finish = Continuar com sua chave de acesso
dnsSetup-record = Publique este registro
dnsSetup-submit = Verificar agora
dnsSetup-startOver-title = Recomeçar ou restaurar
dnsSetup-startOver-explanation = Você recebe um novo valor para publicar. O atual deixará de funcionar.
dnsSetup-startOver-submit = Criar um novo registro
dnsSetup-resume = Retomar a configuração que você começou em { $date }
dnsSetup-resumeFor = Retomar a configuração de { $date } para { $client }
dnsSetup-handOn = Outra pessoa gerencia o DNS
dnsSetup-former = Se você já usou este serviço, restaure o seu registro anterior em vez de publicar este.
dnsSetup-known = Você já usou { $domain } aqui, neste navegador.
dnsSetup-knownEffect = Para manter a sua conta, restaure o registro dela. Um registro novo cria uma conta nova, e os aplicativos tratarão você como outra pessoa.
dnsSetup-restore = Restaurar o registro anterior

## Recovery codes on the setup page

recoveryCodes-done = { $domain } está configurado
recoveryCodes-heading = Guarde seus códigos de recuperação
recoveryCodes-why = Guarde estes códigos: você precisará de um quando não tiver mais este navegador. Cada um vale uma vez.
recoveryCodes-whyPasskey = Guarde estes códigos para o dia em que você perder todos os aparelhos. Cada um vale uma vez.
recoveryCodes-download = Baixar
recoveryCodes-print = Imprimir
recoveryCodes-saved = Eu os guardei
recoveryCodes-lost = Não podemos mostrar os códigos: este navegador não os tem mais, ou novos os substituíram.
recoveryCodes-continue = Continuar
recoveryCodes-all = todos os dez códigos
newCodes-heading = Novos códigos de recuperação para { $domain }
newCodes-few = Restam menos de três códigos de recuperação. Aqui estão dez novos.
newCodes-lead = Eles substituirão seus códigos anteriores quando você confirmar abaixo que os salvou. Até lá, os anteriores continuam válidos.
newCodes-keep = Manter meus códigos atuais
deleteAccount-heading = Excluir a conta de { $domain }
deleteAccount-lead = Isso não pode ser desfeito.
deleteAccount-paragraphs =
    .paragraph1 = Os aplicativos não reconhecerão mais você. Eles conhecem você por um identificador que se perde com a conta. Se você configurar este domínio de novo, receberá um novo identificador, e cada aplicativo verá uma nova conta.
    .paragraph2 = Todas as sessões, os acessos de aplicativos, as chaves de acesso e os códigos de recuperação terminam imediatamente. O histórico é excluído. Os dados que os aplicativos armazenaram sobre você não são excluídos.
deleteAccount-confirm = Para confirmar, digite o domínio: { $domain }
deleteAccount-wrong = Esse não é o domínio desta conta.
deleteAccount-submit = Excluir conta
deleteAccount-done = A conta de { $domain } foi excluída
deleteAccount-doneLead = Agora você pode remover o registro do seu DNS. Para usar este serviço de novo, configure o domínio com um novo registro.

## The link that hands a setup on, and the page that it leads to

handOn-heading = Compartilhar o registro de { $domain }
handOn-lead = Envie este link à pessoa que gerencia o DNS do domínio. Ele mostra o registro e o seu estado. Ele não pode ser usado para entrar.
handOn-again = Se você recomeçar depois de enviar o link, envie o novo link.
handOn-link = O link
handOn-linkUntil = Válido até { $date }
handOn-qr = Código QR do link
handOn-mailSubject = Registro DNS de { $domain }
handOn-mailAsk = Por favor, adicione um registro TXT ao DNS de { $domain }. Até { $date }, esta página mostra o registro e indica se ele já foi publicado:
handOn-mailWarning = O registro permite que o meu navegador entre como { $domain } em { $issuer }. Se você não sabe quem enviou isto, não o publique.
handOn-openMail = Enviar por e-mail
handOn-back = Voltar à configuração
setUpLink-heading = Um registro para { $domain }
setUpLink-lead = Alguém quer usar este domínio para entrar em { $client } por meio de { $issuer }, e pede que você publique este registro.
setUpLink-leadUnknownApp = Alguém quer usar este domínio para entrar, por meio de { $issuer }, em um aplicativo que não está mais registrado lá, e pede que você publique este registro.
setUpLink-warning = Publicar este registro permite que o navegador de quem enviou entre como { $domain }. Se você não sabe quem enviou este link, não o publique.
setUpLink-status = Estado
setUpLink-seen = O registro foi publicado. A pessoa que enviou este link a você já pode continuar.
setUpLink-done = A configuração foi concluída. Não há mais nada a fazer aqui. Deixe o registro no lugar.
setUpLink-outdated = O registro deste link contém uma chave que este serviço retirou. Peça à pessoa que enviou o link que recomece e envie um novo a você.
setUpLink-until = Este link é válido até { $date }.

## The page with the record of a former account

formerRecord-heading = Restaure o seu registro anterior de { $domain }
formerRecord-lead = Publique este registro novamente para recuperar a sua conta anterior. Os aplicativos reconhecerão você.
formerRecord-leadCode = Só mostramos o registro anterior ao dono da conta dele. Insira um dos códigos de recuperação dessa conta. O código continua válido.
formerRecord-record = Publique este registro no lugar do atual
formerRecord-published = Já publiquei: entrar
formerRecord-submit = Mostrar o registro anterior
formerRecord-earlier = Outra conta anterior?
formerRecord-earlierLead = Se este registro não é o da conta que você quer recuperar, insira um dos códigos de recuperação dessa conta.
formerRecord-codeHint = Um dos dez códigos que você salvou ao configurar aquela conta.
formerRecord-newInstead = Configurar o domínio com um registro novo

## The page for a sign-in with a passkey

passkey-heading = Entrar como { $domain }
passkey-lead = Use sua chave de acesso para provar que o domínio ainda é seu.
passkey-client = Você está entrando em { $client }, em { $host }.
passkey-submit = Usar a chave de acesso
passkey-failed = A chave de acesso não foi usada. Tente novamente ou entre sem ela abaixo.
passkey-failedSetUp = A chave de acesso não foi usada. Tente de novo, ou recomece abaixo.
passkey-unsupported = Este navegador não é compatível com chaves de acesso. Use outro navegador ou entre sem chave de acesso abaixo.
passkey-unsupportedSetUp = Este navegador não aceita chaves de acesso. Use o navegador em que você criou a chave.
passkey-noScript = Chaves de acesso precisam de JavaScript, que está desativado neste navegador.
passkey-without-title = Não consigo usar minha chave de acesso
passkey-without-explanation = Você pode entrar com um dos seus códigos de recuperação e um registro temporário no DNS do seu domínio. O código só é gasto depois que você entrou.
passkey-without-submit = Entrar sem a chave de acesso

## The page for a later sign-in by DNS

dnsChallenge-heading = Entrar como { $domain }
dnsChallenge-lead = Adicione um registro temporário ao DNS do seu domínio para comprovar que o domínio ainda é seu. Depois de entrar, você pode remover o registro.
dnsChallenge-leadWithCode = Primeiro, insira um código de recuperação. Depois, adicione um registro temporário ao DNS do seu domínio para comprovar que o domínio ainda é seu.
dnsChallenge-deadline = Você tem 24 horas. Pode fechar esta página e voltar a ela neste navegador.
dnsChallenge-client = Você está entrando em { $client }, no endereço { $host }.
dnsChallenge-warning = Publique este registro somente se foi você quem iniciou este login em { $issuer }.
dnsChallenge-warningReason = Ele permite que este navegador entre como { $domain }. Se outra pessoa enviou o registro para você, não o publique.
dnsChallenge-codeFirst = Insira um código de recuperação
dnsChallenge-submit = Verificar agora
dnsChallenge-continue = Continuar
dnsChallenge-next = O registro a publicar em seguida
dnsChallenge-codeKept = Seu código de recuperação é válido. Ele será considerado usado quando você entrar.
dnsChallenge-passkeyKept = Sua chave de acesso foi verificada. Este serviço foi restaurado de um backup, por isso você precisa confirmar a chave de acesso uma vez: publique este registro.
dnsChallenge-recoveryCode-label = Código de recuperação
dnsChallenge-recoveryCode-hint = Um dos dez códigos que você salvou ao configurar o domínio. Pedimos o código porque não reconhecemos este navegador.
dnsChallenge-recoveryCode-insteadOfPasskey = Um dos dez códigos que você salvou ao configurar o domínio. Pedimos o código porque você está entrando sem sua chave de acesso.
dnsChallenge-lostAccess-title = Perdi meus códigos ou o navegador que eu usava
dnsChallenge-lostAccess-explanation = Você pode recomeçar com um novo registro, que substitui o atual de { $domain }.
dnsChallenge-lostAccess-consequence = Os aplicativos verão então uma conta nova. O que você salvou neles com a conta antiga não será transferido.
dnsChallenge-lostAccess-submit = Recomeçar com um novo registro

## The page for a setup that was started in another browser

ownUnknown-heading = O registro de { $domain } não pode ser usado neste navegador
ownUnknown-lead = O registro do domínio já indica este serviço, mas pertence a uma configuração iniciada em outro navegador, ou a uma conta que foi encerrada.
ownUnknown-finishedHeading = A configuração de { $domain } foi concluída em outro lugar
ownUnknown-finished = Alguém concluiu esta configuração, mas não nesta aba. Se não foi você, comece de novo com um novo registro.
ownUnknown-endedHeading = O registro de { $domain } já foi usado
ownUnknown-ended = A conta criada com este registro foi encerrada, e um registro não pode criar outra. Recomece com um novo registro.
ownUnknown-restoredHeading = A configuração de { $domain } não pode mais ser concluída
ownUnknown-restored = Este serviço foi restaurado de um backup depois que você começou a configuração. Para proteger o seu domínio, o registro não vale mais. Recomece com um novo registro.
ownUnknown-client = Você está entrando em { $client }, no endereço { $host }.
ownUnknown-finish-explanation = Se foi você que começou, termine naquele navegador. Uma janela anônima ou outro dispositivo conta como outro navegador.
ownUnknown-startOver-explanation = Você recebe um novo registro para publicar no lugar do atual de { $domain }. Se não sabe de onde veio o atual, substitua-o.
ownUnknown-startOver-submit = Recomeçar com um novo registro

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = Continuar a configuração de { $domain }
earlierSetUps-lead = { $count ->
       [1] Este navegador guarda três configurações. Você já começou uma para este domínio: continue-a. Se você publicou ou enviou um registro, a configuração dele continua válida.
      *[other] Este navegador guarda três configurações. Você já começou { NUMBER($count, useGrouping: 0) } para este domínio: continue uma delas. Se você publicou ou enviou um registro, a configuração dele continua válida.
    }
earlierSetUps-startOver = Você recebe um novo registro para publicar. A configuração de { $domain } de { $date } deixará de valer.

## The consent page

consent-heading = Entrar em { $client }?
consent-known = { $host } conhecerá você como { $domain }.
consent-scopesTitle = Ele também poderá
consent-resource = Em { $resource }, ele poderá
consent-resourceUse = usar esse serviço em seu nome
consent-allow = Permitir
consent-deny = Não permitir

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = saber que você controla este domínio
scopes-profile = saber o nome e o site deste domínio
scopes-offline_access = manter seu login ativo enquanto você não estiver usando o aplicativo

## All problem pages

problem-errorId = ID do erro:
problem-client = Você estava entrando em { $host }.
problem-setUpFor = Você estava configurando um domínio para entrar em { $client }.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = O login como { $domain } não foi concluído
external-lead = De acordo com o registro de { $domain }, o login é feito em { $sp }.
external-again = Tentar novamente
external-detail = Para o operador desse serviço (em inglês):
external-problems-own_issuer = { $sp } é este próprio serviço.
    .detail1 = Se o domínio é seu, corrija o valor sp no registro dele: deve ser exatamente o endereço deste serviço, sem barra no final.
external-problems-unreachable = { $sp } não está respondendo.
    .detail1 = Espere um minuto e tente novamente.
external-problems-busy = O nosso serviço está sobrecarregado, por isso não conseguimos contatar { $sp }.
    .detail1 = Aguarde alguns segundos e tente novamente.
external-problems-not_public = { $sp } não tem um endereço público.
    .detail1 = Por segurança, não nos conectamos a ele. Se o domínio é seu, confira o valor de sp no registro dele.
external-problems-bad_metadata = { $sp } não parece ser um serviço de login.
    .detail1 = Se o domínio é seu, confira o valor de sp no registro dele. Se não, só o operador de { $sp } pode corrigir isso.
external-problems-unmet_requirements = Falta a { $sp } um recurso de segurança que exigimos.
    .detail1 = O operador de { $sp } pode acrescentá-lo. Se o domínio é seu, você também pode indicar outro serviço no registro dele.
external-problems-no_client = { $sp } não conhece este serviço, e não conseguimos nos registrar lá.
    .detail1 = Tente novamente. Se continuar acontecendo, o operador deste serviço precisa registrá-lo em { $sp }.
external-problems-bad_answer = { $sp } enviou uma resposta inválida.
    .detail1 = Não foi possível fazer seu login com ela. Tente novamente. Se acontecer de novo, avise o operador de { $sp }.
external-problems-refused_by_sp = { $sp } mandou você de volta sem fazer o login.
    .detail1 = Talvez você tenha cancelado lá. Você pode tentar novamente.
external-problems-other_account = A conta que você usou em { $sp } não é a que o registro de { $domain } indica.
    .detail1 = Saia dela e tente novamente com a conta certa. Se o domínio é seu, você também pode alterar o registro dele para indicar a conta que usou.
external-problems-other_domain = Em { $sp }, você fez login como outro domínio, não como { $domain }.
    .detail1 = Faça login lá como { $domain } e tente novamente.
external-problems-record_changed = O registro de { $domain } mudou enquanto você estava em { $sp }.
    .detail1 = Para entrar com o novo registro, tente novamente.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = Digite o nome de domínio com que você quer entrar.
domainMistakes-email_address = Isso parece um endereço de e-mail de { $domain }.
    .detail1 = Se { $domain } for seu, digite-o sem a parte que vem antes do @. Um endereço de um provedor de e-mail não pode ser usado aqui.
domainMistakes-url_with_path = Digite apenas o domínio, não o endereço completo de uma página.
    .detail1 = Digite { $domain } em vez disso.
domainMistakes-single_label = “{ $domain }” não é um nome de domínio completo.
    .detail1 = Digite-o com a terminação, como alice.com.
domainMistakes-ip_address = { $domain } é um endereço IP.
    .detail1 = Digite um nome de domínio, como alice.com.
domainMistakes-numeric_tld = “{ $domain }” termina em um número.
    .detail1 = Nenhum nome de domínio termina assim. Verifique se falta a terminação.
domainMistakes-too_long = Esse nome de domínio é longo demais.
    .detail1 = Digite no máximo 228 caracteres, e no máximo 63 em cada parte separada por pontos.
domainMistakes-public_suffix = { $domain } é uma terminação que muitos domínios compartilham.
    .detail1 = Digite o seu próprio domínio com essa terminação, como { $example }.
domainMistakes-special_use = { $domain } tem uma terminação reservada para usos especiais.
    .detail1 = Ninguém pode ser dono de um domínio com essa terminação. Digite um domínio que você registrou.
domainMistakes-bad_characters = “{ $domain }” contém caracteres não permitidos em um nome de domínio.
    .detail1 = Procure espaços, sublinhados e símbolos copiados por engano.

## Results of looking up a domain's record

lookOutcomes-absent = { $domain } ainda não tem um registro de login.
    .detail1 = Você o recebe no primeiro login em um aplicativo.
lookOutcomes-disabled = O login como { $domain } está desativado.
    .detail1 = O registro do domínio diz sp=none. Se o domínio for seu, você pode mudar isso nas suas configurações de DNS.
lookOutcomes-invalid = O registro de login de { $domain } contém um erro.
    .detail1 = Corrija-o nas suas configurações de DNS.
lookOutcomes-own_issuer = O registro de login de { $domain } escreve de outra forma o endereço deste serviço.
    .detail1 = Corrija sp nas suas configurações de DNS.
lookOutcomes-ambiguous = { $domain } tem mais de um registro de login.
    .detail1 = Deve haver exatamente um. Exclua os outros nas suas configurações de DNS.
lookOutcomes-unsupported = O registro de login de { $domain } tem uma versão que este serviço não aceita.
    .detail1 = O registro precisa começar com v=dsi1.
lookOutcomes-alias_invalid = O registro de login de { $domain } é um alias de um nome que não se destina a login.
    .detail1 = Na maioria das vezes, isso vem de um registro CNAME curinga. Publique um registro TXT em _domain-signin ou faça o alias apontar para um nome que contenha _domain-signin.
lookOutcomes-indeterminate = Os servidores DNS de { $domain } não responderam.
    .detail1 = Não conseguimos ler o registro do domínio. Espere um minuto e tente novamente. Se continuar acontecendo, fale com a empresa que hospeda o DNS do domínio.
lookOutcomes-busy = O nosso serviço está sobrecarregado, por isso não conseguimos consultar { $domain }.
    .detail1 = Aguarde alguns segundos e tente novamente.
lookOutcomes-unconfirmed = Não conseguimos confirmar a resposta do DNS para { $domain }.
    .detail1 = Pelo menos dois dos nossos servidores de consulta DNS precisam dar a mesma resposta. Depois de uma mudança no DNS, isso pode levar alguns minutos. Tente novamente depois.
lookOutcomes-contradictory = Os servidores DNS discordam sobre { $domain }.
    .detail1 = Nossos servidores de consulta DNS deram respostas diferentes. Depois de uma mudança no DNS, isso pode durar até a resposta antiga expirar. Tente novamente em alguns minutos.
lookOutcomes-validation_failed = A validação DNSSEC de { $domain } falhou.
    .detail1 = O DNS do domínio é assinado, mas as assinaturas não são válidas, por isso não podemos confiar nele. A empresa que hospeda o DNS do domínio pode corrigir isso.
lookOutcomes-reason = Motivo: { $reason }
lookOutcomes-dname = Um registro DNAME redireciona o registro de login de { $domain }.
    .detail1 = O login por meio de um registro DNAME não é aceito. Remova-o e publique o registro de login na zona do próprio domínio ou entre com o domínio para o qual ele aponta.
lookOutcomes-unsigned_subzone = O registro de login de { $domain } está em uma zona separada sem DNSSEC.
    .detail1 = O domínio em si é assinado, por isso não podemos confiar em uma zona não assinada abaixo dele. Publique o registro na zona de { $domain } ou assine a zona separada.
lookOutcomes-unsupported_dnssec = { $domain } é assinado de uma forma que não conseguimos verificar.
    .detail1 = O DNSSEC dele usa apenas algoritmos ou configurações que este serviço ou seus servidores de consulta DNS não aceitam. A empresa que hospeda o DNS do domínio pode alterá-los.
lookOutcomes-too_large = As respostas do DNS para { $domain } são grandes demais para verificar.
    .detail1 = Elas contêm chaves, assinaturas ou registros demais. A empresa que hospeda o DNS do domínio pode reduzir a quantidade.
lookOutcomes-malformed = Um registro DNS de { $domain } tem um formato inválido.
    .detail1 = Não conseguimos ler a resposta. A empresa que hospeda o DNS do domínio pode corrigir isso.
lookOutcomes-was_signed = { $domain } não é mais assinado com DNSSEC.
    .detail1 = Ele era assinado até pouco tempo atrás, portanto isso pode ser um ataque. Se você desativou o DNSSEC, duas verificações, com pelo menos um dia de intervalo, precisam confirmar isso.
lookOutcomes-firstConfirmed = A primeira verificação confirmou isso. Faremos a segunda automaticamente depois de { $time }.
lookOutcomes-notConfirmed = Ainda não conseguimos confirmar isso. Tente novamente em uma hora.
lookOutcomes-blocked = Nossos servidores de consulta DNS bloqueiam { $domain }.
    .detail1 = Eles se recusam a consultar esse nome, por exemplo porque está em uma lista de bloqueio. Fale com o operador deste serviço.
lookOutcomes-no_authority = Nossos servidores de consulta DNS não conseguem acessar os servidores de nomes de { $domain }.
    .detail1 = Tente novamente em alguns minutos. Se continuar acontecendo, fale com a empresa que hospeda o DNS do domínio.
lookOutcomes-stale = Nossos servidores de consulta DNS têm apenas uma resposta antiga para { $domain }.
    .detail1 = Eles não conseguiram acessar os servidores de nomes do domínio, e uma resposta antiga não mostra o que o registro diz agora. Tente novamente em alguns minutos.
lookOutcomes-unregistered = { $domain } não é um domínio registrado.
    .detail1 = Confira a grafia. Se você acabou de registrar o domínio, tente novamente em alguns minutos.
lookOutcomes-external = O registro de { $domain } agora indica outro serviço.
    .detail1 = Para entrar com esse serviço, volte para o aplicativo e comece de novo.
lookOutcomes-names_another = O registro de { $domain } indica outro serviço: { $sp }.
    .detail1 = { $client } trouxe você até aqui como se o registro indicasse este serviço. Ou o registro acabou de mudar, ou dois serviços apontam um para o outro. Volte para o aplicativo e tente novamente. Se continuar acontecendo, confira o registro nas suas configurações de DNS.
lookOutcomes-own_unknown = O registro de { $domain } pertence a uma configuração iniciada em outro navegador, ou a uma conta que foi encerrada.
    .detail1 = Termine naquele navegador ou substitua o registro antigo pelo que aparece aqui.
lookOutcomes-not_permitted = Você não pode entrar aqui como { $domain }.
    .detail1 = Este serviço só aceita domínios cujo DNS é assinado (DNSSEC). A empresa que hospeda o DNS do domínio pode assiná-lo.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = É possível entrar aqui como { $domain }.
    .detail1 = O registro é válido e indica este serviço.
verdicts-external = O login como { $domain } é feito por meio de { $sp }.
    .detail1 = O registro é válido. Esta verificação não entra em contato com { $sp }.
verdicts-invalid = O registro de { $domain } não é válido: { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = Encontrado.
looks-absent = Ainda não está lá.
looks-absentRemembered = Ainda não está lá.
    .detail1 = { $seconds ->
       [one] Não conseguimos consultar os servidores de nomes do seu domínio. Por até { NUMBER($seconds, useGrouping: 0) } segundo, outros servidores DNS podem continuar respondendo que o registro não existe.
      *[other] Não conseguimos consultar os servidores de nomes do seu domínio. Por até { NUMBER($seconds, useGrouping: 0) } segundos, outros servidores DNS podem continuar respondendo que o registro não existe.
    }
looks-absentBusy = Ainda não está lá.
    .detail1 = { $seconds ->
       [one] O nosso serviço está sobrecarregado, por isso não consultamos os servidores de nomes do seu domínio. Por até { NUMBER($seconds, useGrouping: 0) } segundo, outros servidores DNS podem continuar respondendo que o registro não existe.
      *[other] O nosso serviço está sobrecarregado, por isso não consultamos os servidores de nomes do seu domínio. Por até { NUMBER($seconds, useGrouping: 0) } segundos, outros servidores DNS podem continuar respondendo que o registro não existe.
    }
looks-otherValue = Encontramos um registro, mas não este.
    .detail1 = Se você acabou de alterar { $name }, o valor antigo pode aparecer até o TTL dele expirar. Se não, compare os valores.
looks-atDomain = O registro está em { $domain }.
    .detail1 = Ele deve ficar em { $name }. Mova-o para lá.
looks-doubledName = O registro está em { $name }, que contém o domínio duas vezes.
    .detail1 = O seu painel de DNS acrescenta o domínio automaticamente. Como nome, insira apenas { $entry }.
looks-cutAtSemicolon = O registro foi cortado depois de v=dsi1.
    .detail1 = O seu painel de DNS entende o espaço ou o ponto e vírgula como o fim. Insira o valor entre aspas.
looks-inQuotes = O valor do registro contém aspas.
    .detail1 = O seu painel de DNS as acrescenta automaticamente. Insira o valor sem aspas.
looks-noUnderscore = O registro está em { $domain }, sem o sublinhado.
    .detail1 = Ele deve ficar em { $name }, com o sublinhado no início.
looks-curlyQuotes = O valor do registro contém aspas curvas.
    .detail1 = Provavelmente um editor de texto as colocou. Copie o valor desta página e insira-o sem aspas.
looks-spacesLost = Faltam os espaços no valor do registro.
    .detail1 = O seu painel de DNS os remove. Insira o valor entre aspas, ou com um ponto e vírgula no lugar de cada espaço.
looks-spaceInside = O valor do registro contém um espaço no lugar errado.
    .detail1 = Copie o valor de novo e cole-o de uma só vez.
looks-wrongCase = As maiúsculas e minúsculas do valor estão diferentes.
    .detail1 = Copie o valor desta página e cole-o como está.
looks-wrongCharacter = Um caractere do registro está errado.
    .detail1 = Copie o valor desta página em vez de digitá-lo.
looks-incomplete = O registro está incompleto.
    .detail1 = Falta uma parte do valor. Copie de novo o valor inteiro desta página.
looks-tooLong = O valor do registro é longo demais.
    .detail1 = Insira somente o valor desta página.
looks-ownEarlier = Este é o registro de uma configuração anterior neste navegador.
    .detail1 = Substitua o valor dele pelo que aparece aqui.
looks-otherService = O registro é de outro serviço.
    .detail1 = Para entrar aqui, substitua o valor dele pelo desta página.
looks-oldBesideNew = O registro está lá, mas há outro registro de login ao lado dele.
    .detail1 = Deve haver exatamente um. Exclua o outro nas suas configurações de DNS.
looks-splitInTwo = O valor está dividido em dois registros.
    .detail1 = Insira o valor inteiro em um só registro e exclua o outro.
looks-malformed = Encontramos o registro, mas ele contém um erro.
looks-oldValue = Os seus servidores de nomes têm o registro. Outros servidores DNS ainda têm os dados antigos.
    .detail1 = { $seconds ->
       [one] Eles se atualizam em no máximo { NUMBER($seconds, useGrouping: 0) } segundo. Você não precisa fazer nada.
      *[other] Eles se atualizam em no máximo { NUMBER($seconds, useGrouping: 0) } segundos. Você não precisa fazer nada.
    }
looks-someServers = { $have ->
       [one] { NUMBER($have, useGrouping: 0) } de { $all } servidores de nomes já o tem.
      *[other] { NUMBER($have, useGrouping: 0) } de { $all } servidores de nomes já o têm.
    }
looks-notCertain = Alguns servidores DNS já têm o registro, outros ainda não.
    .detail1 = Isso costuma levar alguns minutos. Você não precisa fazer nada.
dnsSetup-wildcard = Com este registro, o curinga { $wildcard } deixa de valer para { $domain }. Para manter o site e o e-mail, copie os registros do curinga (como A, AAAA e MX) para esse nome.

## The answer of each DNS server

servers-title = O que cada servidor DNS respondeu
servers-question = Pedimos a cada servidor o registro TXT em { $name }.
servers-resolver = Resolvedor { $address }
servers-nameServer = Servidor de nomes { $name }
servers-found-wanted = tem este registro
servers-found-other = tem outro valor
servers-found-absent = não tem o registro
servers-found-silent = não respondeu
servers-found-failed = respondeu com um erro
servers-found-not_asked = não foi consultado, porque o endereço dele não é público
servers-repeats = { $seconds ->
       [one] Ele pode continuar respondendo assim por { NUMBER($seconds, useGrouping: 0) } segundo.
      *[other] Ele pode continuar respondendo assim por { NUMBER($seconds, useGrouping: 0) } segundos.
    }

## Problems of a record that was found; $about is the part of the record that has the problem

recordProblem-not_ours = O registro não começa com v=dsi1. Se v=dsi1 aparecer mais adiante, remova tudo o que vem antes. Se não, é outro registro, que ignoramos.
recordProblem-is_challenge = Esta é a resposta a um login sem chave de acesso. O lugar dela é o nome _domain-signin-challenge, e aqui ela não conta.
recordProblem-is_sp_record = Este é o registro de login. O lugar dele é o nome _domain-signin, e aqui ele não conta.
recordProblem-unsupported_version = A versão { $about } não é aceita aqui.
recordProblem-not_alone = Há vários registros com v=dsi1. Mantenha apenas um deles.
recordProblem-too_long = O registro tem { $about } bytes. O máximo é 1024.
recordProblem-curly_quotes = O registro contém aspas curvas. Remova-as.
recordProblem-not_ascii = O registro contém caracteres que não são ASCII imprimíveis.
recordProblem-quotes = O registro contém aspas que não envolvem o valor inteiro. Remova-as.
recordProblem-before_version = O registro precisa começar com v=dsi1. Remova tudo o que vem antes.
recordProblem-upper_case_version = Escreva v=dsi1 em letras minúsculas.
recordProblem-spaced_version = Escreva v=dsi1 sem espaços.
recordProblem-malformed_version = O registro precisa começar com v=dsi1 e um espaço, não com “{ $about }”.
recordProblem-upper_case_tag = O nome da tag { $about } precisa estar em letras minúsculas.
recordProblem-malformed_tag = “{ $about }” não tem a forma nome=valor, sem espaços.
recordProblem-repeated_tag = A tag { $about } aparece mais de uma vez.
recordProblem-missing_sp = Falta a tag sp. Alguns painéis de DNS cortam o valor no primeiro espaço ou ponto e vírgula se ele não estiver entre aspas.
recordProblem-bad_sp = sp deve ser uma URL formada por https:// e um nome de domínio completo em letras minúsculas, sem consulta, sem fragmento, sem nome de usuário e sem porta.
recordProblem-own_sp_scheme = sp deve ser exatamente { $about }, com o mesmo início (http ou https).
recordProblem-own_sp_path = sp deve ser exatamente { $about }. Remova a barra e o que vem depois.
recordProblem-missing_acct = Falta a tag acct, que indica a conta.
recordProblem-bad_acct = acct deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.
recordProblem-bad_jkt = jkt deve ter de 1 a 4 impressões digitais SHA-256 de 43 caracteres, separadas por vírgulas.
recordProblem-bad_spk = spk deve ter de 1 a 4 impressões digitais SHA-256 de 43 caracteres, separadas por vírgulas.
recordProblem-key_in_both = Uma chave está em jkt e em spk: jkt lista as chaves do proprietário; spk, as do provedor.
recordProblem-missing_chal = Falta a tag chal, que indica a qual login o registro responde.
recordProblem-bad_chal = chal deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.
recordProblem-other_sp = O registro é para outro serviço.
recordProblem-other_chal = O registro responde a outro login.
recordProblem-alias_leads_away = Este alias leva a um nome que não se destina a login, por isso não é seguido.
recordProblem-wildcard = Um registro curinga (*) não conta. Publique um registro com exatamente este nome.

## Problems with a recovery code

recoveryProblems-missing = Insira um dos seus códigos de recuperação.
recoveryProblems-wrong = Esse código não é válido para este domínio ou já foi usado.
recoveryProblems-tooMany = Muitas tentativas. Espere alguns minutos e tente novamente.

## Problems with a passkey

passkeyProblems-missing = Este navegador não enviou nenhuma chave de acesso. Ative o JavaScript ou entre sem chave de acesso.
passkeyProblems-expired = O pedido da sua chave de acesso não é mais válido. Tente novamente.
passkeyProblems-unknown = Esta chave de acesso não pode ser usada para este domínio. Escolha outra.
passkeyProblems-notUsable = Não foi possível usar esta chave de acesso. Escolha outra ou digite o seu domínio.
passkeyProblems-notVerified = Seu dispositivo não verificou que era você. Tente novamente e confirme com seu PIN, sua digital ou seu rosto.
passkeyProblems-failed = Não foi possível verificar a chave de acesso. Tente novamente ou escolha outra.

## Problem pages

requestProblems-unknownClient = O aplicativo que trouxe você até aqui não está registrado neste serviço.
    .title = Não conhecemos este aplicativo
    .detail1 = Nada foi compartilhado com o aplicativo. Se você o desenvolve, confira o client_id.
requestProblems-missingClientId = O link que trouxe você até aqui não contém o identificador do aplicativo.
    .title = O aplicativo não se identificou
    .detail1 = Volte para o aplicativo e tente novamente. Se você o desenvolve, envie um client_id.
requestProblems-missingRedirectUri = Sem esse endereço, não podemos fazer o seu login.
    .title = O aplicativo não informou para onde você deve voltar
    .detail1 = Nada foi compartilhado. Se você desenvolve o aplicativo, envie um redirect_uri.
requestProblems-redirectUriNotRegistered = O aplicativo pediu que levássemos você para um endereço que não está registrado para ele.
    .title = Não podemos levar você de volta para esse endereço
    .detail1 = Para a sua segurança, paramos aqui. Nada foi compartilhado. Se você desenvolve o aplicativo, redirect_uri deve ser exatamente igual a um endereço registrado.
requestProblems-postLogoutRedirectUriNotRegistered = O aplicativo pediu para encerrar sua sessão e depois enviar você a um endereço que não está registrado para ele.
    .title = Não podemos enviar você de volta a esse endereço
    .detail1 = Sua sessão não foi encerrada. Para sair aqui, abra /account neste site. Se você desenvolve o aplicativo, verifique se post_logout_redirect_uri é exatamente igual a um endereço registrado.
requestProblems-hintOfAnotherClient = A solicitação do aplicativo para encerrar sua sessão contém um token emitido para outro aplicativo.
    .title = A solicitação do aplicativo não é coerente
    .detail1 = Sua sessão não foi encerrada. Se você desenvolve o aplicativo, envie um id_token_hint emitido para o seu client_id.
requestProblems-passkeyNeeded = Você usou um código de recuperação. Ele permite adicionar uma chave de acesso, mas não fazer esta alteração.
    .title = Esta alteração exige uma chave de acesso
    .detail1 = Volte à sua conta. Adicione uma chave de acesso, a menos que tenha acabado de adicionar uma. Depois recomece esta alteração e confirme-a com a sua chave de acesso.
requestProblems-ownerProofRequired = Este aplicativo exige que você aprove cada login com uma chave de acesso. O seu registro DNS deve indicar a chave de acesso, e a sua zona deve ser assinada com DNSSEC.
    .title = Este aplicativo exige uma chave de acesso
    .detail1 = Este login não tinha essa aprovação. Nada foi enviado ao aplicativo.
    .detail2 = Adicione uma chave de acesso na página da sua conta, em /account, e publique o registro que ela mostra. Depois volte ao aplicativo e entre de novo.
requestProblems-repeatedParameter = Ela contém “{ $name }” mais de uma vez, por isso não sabemos qual vale.
    .title = A solicitação do aplicativo não está clara
    .detail1 = Volte para o aplicativo e tente novamente.
requestProblems-malformedRequest = Uma parte dela não é válida.
    .title = Não conseguimos ler a solicitação
    .detail1 = Volte para o aplicativo e tente novamente.
requestProblems-badClientDocument = { $host } trouxe você até aqui, mas a descrição do aplicativo não é válida.
    .title = Não podemos aceitar este aplicativo
    .detail1 = Nada foi compartilhado com o aplicativo. Se você o desenvolve, corrija o documento de metadados ({ $reason }).
requestProblems-unreachableClient = { $host } trouxe você até aqui, mas não conseguimos carregar a descrição do aplicativo.
    .title = Não conseguimos contatar o aplicativo
    .detail1 = Espere um minuto e tente novamente. Nada foi compartilhado com o aplicativo. Se você o desenvolve: { $reason }
requestProblems-setUpLinkInvalid = O link foi cortado no caminho ou tem mais de 30 dias.
    .title = Este link não funciona
    .detail1 = Abra o link inteiro ou peça um novo a quem o enviou.
requestProblems-expired = Ela ficou aberta por tempo demais. Para a sua segurança, encerramos este login.
    .title = Esta página expirou
    .detail1 = Volte para o aplicativo e entre novamente. Se você publicou um registro, ele continua valendo.
requestProblems-recordLost = O registro no seu DNS não indica mais esta conta. Por isso, não podemos fazer o seu login.
    .title = Seu registro mudou
    .detail1 = Se o domínio é seu, coloque o registro de volta e deixe-o lá. Depois volte para o aplicativo e entre novamente.
requestProblems-challengeUsed = O registro deste login já foi usado, em outra aba ou em outro navegador. Ele vale só uma vez.
    .title = Este login foi concluído em outro lugar
    .detail1 = Se não foi você, entre novamente. Depois encerre, na página da sua conta, a sessão que você não conhece e veja o histórico.
requestProblems-challengeOver = Um registro para um único login vale por 24 horas, e somente se este serviço não tiver sido restaurado de um backup nesse meio-tempo.
    .title = O prazo deste registro terminou
    .detail1 = Você pode remover o registro. Volte para o aplicativo e entre novamente: você receberá um novo registro.
requestProblems-wrongBrowser = Você só pode continuar no navegador em que começou. Se for este, talvez ele esteja bloqueando cookies.
    .title = Este login foi iniciado em outro navegador
    .detail1 = Permita cookies para este site, volte para o aplicativo e entre novamente. Se alguém enviou a você o link desta página, não continue.
requestProblems-crossSitePost = Outro site tentou pressionar um botão aqui por você, então não fizemos nada.
    .title = Essa solicitação não veio da nossa página
    .detail1 = Se foi você, volte para o aplicativo e entre novamente.
requestProblems-tooManyAccounts = Os nomes deste domínio registrado já têm aqui todas as contas que este serviço permite. Nenhuma conta foi criada para este.
    .title = Não há mais contas para este domínio
    .detail1 = Quem opera este serviço pode aumentar o limite (accounts_per_domain). As contas que já existem continuam funcionando.
requestProblems-alreadyUsed = Esta página só funciona uma vez, e você já continuou a partir dela.
    .title = Este login já foi concluído
    .detail1 = Volte para o aplicativo. Se você não tiver entrado nele, comece de novo.
requestProblems-signedOut = Você saiu em outra aba ou janela enquanto esta entrada estava aberta.
    .title = Você saiu
    .detail1 = Volte ao aplicativo e entre novamente.
requestProblems-overloaded = No momento, mais pessoas querem entrar do que conseguimos atender.
    .title = Muitas pessoas ao mesmo tempo
    .detail1 = Aguarde alguns segundos e tente novamente.
requestProblems-tooManyRequests = Acabamos de receber solicitações demais da sua rede.
    .title = Muitas solicitações
    .detail1 = { $minutes ->
       [one] Tente novamente em cerca de um minuto.
      *[other] Tente novamente em cerca de { NUMBER($minutes, useGrouping: 0) } minutos.
    }
requestProblems-notFound = Talvez o endereço esteja errado ou a página não exista mais.
    .title = Página não encontrada
    .detail1 = Para entrar, comece pelo aplicativo que você quer usar.
requestProblems-serverError = A culpa não é sua, e nada foi compartilhado.
    .title = Algo deu errado do nosso lado
    .detail1 = Tente novamente. Se acontecer de novo, avise o operador deste serviço.
requestProblems-temporarilyUnavailable = Uma parte deste serviço não está disponível no momento.
    .title = Não podemos fazer seu login agora
    .detail1 = Espere um minuto e tente novamente. Nada do que você configurou se perdeu.
