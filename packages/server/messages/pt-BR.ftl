### Portuguese (Brazil): every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = Copiar
common-copied = Copiado
common-backTo = Voltar para { $client }
common-backToApp = Voltar para o aplicativo
common-problemTitle = Problema: { $title }
common-through = { $service } diz que este login é para { $app }.

## The page that asks for the domain

domain-title = Entrar em { $client }
domain-returnTo = Use um nome de domínio que seja seu. Depois, você volta para { $host }.
domain-label = Seu domínio
domain-hint = Por exemplo, alice.com. Sem senha e sem cadastro.
domain-submit = Continuar
domain-how-title = Como funciona?
domain-how-paragraphs =
    .paragraph1 = Quem é dono de um nome de domínio decide o que consta no DNS dele. Um pequeno registro ali indica o serviço que pode fazer seu login com o domínio.
    .paragraph2 = Se o seu domínio ainda não tem esse registro, mostramos um para você publicar. Leva alguns minutos e só é preciso uma vez.

## The page that offers to go on as a domain

continue-heading = Continuar como { $domain }
continue-client = em { $client }, no endereço { $host }
continue-submit = Continuar
continue-other = Usar outro domínio

## Both pages that show a record to publish

dns-name = Nome
dns-type = Tipo
dns-value = Valor
dns-ttl = TTL
dns-seconds = segundos
dns-checksByItself = Esta página também verifica sozinha, a cada poucos segundos. Você pode deixá-la aberta.
dns-stopChecking = Parar de verificar automaticamente
dns-checksNoMore = Esta página não está verificando automaticamente agora.
dns-checkAgain = Voltar a verificar automaticamente
dns-checkedAt = Última verificação: { $time }
dns-found = { $count ->
       [1] Encontrado no DNS
      *[other] Encontrados no DNS: { NUMBER($count, useGrouping: 0) } registros
    }
dns-panel-title = Onde devo inserir isto?
dns-panel-relative = Nas configurações de DNS da empresa em que você registrou o domínio ou que cuida do DNS dele. Adicione um novo registro TXT. Muitos desses painéis acrescentam o domínio ao final do nome automaticamente. Nesse caso, insira apenas a primeira parte:
dns-panel-inZone = Nas configurações de { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Se o painel mostrar o nome completo antes de salvar, ele deve ser igual ao que aparece acima, com o domínio uma única vez.
    .paragraph2 = Não altere seus outros registros. Insira o valor sem aspas. Se o painel não permitir escolher o TTL, mantenha o que ele sugere.

## The set-up page

dnsSetup-heading = Mostre que { $domain } é seu
dnsSetup-lead = Adicione um registro ao DNS do seu domínio. Você faz isso uma única vez e depois o deixa lá.
dnsSetup-client = Você está entrando em { $client }, no endereço { $host }.
dnsSetup-warning = Publicar este registro permite que o navegador em que ele aparece entre como { $domain }. Se alguém enviou o registro para você, pare.
dnsSetup-record = Publique este registro
dnsSetup-check = Vamos procurar o registro
dnsSetup-submit = Já publiquei, verificar agora
dnsSetup-startOver-title = Recomeçar com um novo registro
dnsSetup-startOver-explanation = Você recebe um novo valor para publicar e novos códigos de recuperação. Os desta página deixam de funcionar.
dnsSetup-startOver-submit = Criar um novo registro

## Recovery codes, on the set-up page

recoveryCodes-heading = Enquanto espera: guarde estes dez códigos
recoveryCodes-why = Com um código, você volta a entrar como { $domain } em outro navegador, ou neste quando ele não for mais reconhecido. O registro sozinho não basta para isso, pois qualquer pessoa pode lê-lo. Salve os códigos em um gerenciador de senhas ou imprima esta página.
recoveryCodes-valid = Eles passam a valer quando o seu registro for encontrado. Cada um funciona uma única vez.
recoveryCodes-all = todos os dez códigos

## The page of a later sign-in by DNS

dnsChallenge-heading = Entrar como { $domain }
dnsChallenge-lead = Adicione um registro temporário ao DNS do seu domínio para mostrar que ele ainda é seu. Depois de entrar, você pode removê-lo.
dnsChallenge-client = Você está entrando em { $client }, no endereço { $host }.
dnsChallenge-warning = Publique isto somente se foi você quem começou, em { $issuer }.
dnsChallenge-warningReason = Isto permite que este navegador entre como { $domain }. Se alguém enviou o registro para você, pare.
dnsChallenge-record = Publique este registro por enquanto
dnsChallenge-check = Vamos procurar o registro
dnsChallenge-checkWithCode = Insira um código de recuperação e vamos procurar o registro
dnsChallenge-submit = Já publiquei, verificar agora
dnsChallenge-recoveryCode-label = Código de recuperação
dnsChallenge-recoveryCode-hint = Um dos dez códigos que você guardou ao configurar o domínio. Ele é necessário porque ainda não conhecemos este navegador.
dnsChallenge-lostAccess-title = Perdi meus códigos ou o navegador que eu usava
dnsChallenge-lostAccess-explanation = Você pode recomeçar com um novo registro, que substitui o atual de { $domain }.
dnsChallenge-lostAccess-consequence = Os aplicativos verão então uma conta nova. O que você guardava neles com a conta antiga não é transferido.
dnsChallenge-lostAccess-submit = Recomeçar com um novo registro

## The page of a set-up that another browser began

ownUnknown-heading = Outro navegador começou com { $domain }
ownUnknown-lead = O registro do domínio já indica este serviço, mas a configuração correspondente não foi iniciada neste navegador.
ownUnknown-client = Você está entrando em { $client }, no endereço { $host }.
ownUnknown-finish-title = Foi você quem começou?
ownUnknown-finish-explanation = Então termine no navegador em que começou. Uma janela anônima ou outro dispositivo conta como outro navegador.
ownUnknown-startOver-title = Ou recomece aqui
ownUnknown-startOver-explanation = Você recebe um novo registro para publicar no lugar do atual de { $domain }. Se você não sabe de onde veio o atual, substituí-lo é a coisa certa a fazer.
ownUnknown-startOver-submit = Recomeçar com um novo registro

## The consent page

consent-heading = Entrar em { $client }?
consent-sentTo = Você irá para
consent-shared = O aplicativo saberá que você é
consent-scopesTitle = Ele poderá
consent-allow = Permitir
consent-deny = Não permitir
consent-caution = Cada aplicativo escolhe o próprio nome. Só permita se for em { $host } que você quer entrar.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = saber que você controla este domínio
scopes-offline_access = manter seu login ativo enquanto você não estiver usando o aplicativo

## Every problem page

problem-errorId = Se pedir ajuda, informe este erro:
problem-client = Você estava entrando em { $host }.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = Login como { $domain } não concluído
external-lead = O login como { $domain } é feito em { $sp }: é o que diz o registro.
external-again = Tentar de novo
external-detail = Para quem administra esse serviço, em inglês:
external-problems-unreachable = { $sp } não responde.
    .detail1 = Espere um minuto e tente de novo.
external-problems-not_public = { $sp } não tem um endereço público.
    .detail1 = Por isso não o consultamos. Se o domínio é seu, confira o sp no registro dele.
external-problems-bad_metadata = { $sp } não se descreve como um serviço que faz login de pessoas.
    .detail1 = Se o domínio é seu, confira o sp no registro dele. Se não, quem administra esse serviço pode corrigir isso.
external-problems-unmet_requirements = Falta a { $sp } algo de que precisamos por segurança.
    .detail1 = Quem administra esse serviço pode acrescentá-lo. Se o domínio é seu, você também pode indicar outro serviço no registro dele.
external-problems-no_client = { $sp } não nos conhece, e não conseguimos nos apresentar.
    .detail1 = Tente de novo. Se continuar assim, quem administra este serviço precisa registrá-lo lá.
external-problems-bad_answer = A resposta de { $sp } não está em ordem.
    .detail1 = Por isso não acreditamos nela. Tente de novo; se acontecer outra vez, avise quem administra esse serviço.
external-problems-refused_by_sp = { $sp } mandou você de volta sem fazer o login.
    .detail1 = Talvez você tenha parado lá. Você pode tentar de novo.
external-problems-other_account = Em { $sp } você está com uma conta diferente da que { $domain } indica.
    .detail1 = Saia de lá e tente de novo com a conta certa. Se o domínio é seu, você também pode indicar esta conta no registro dele.
external-problems-other_domain = Em { $sp } você fez login como um domínio diferente de { $domain }.
    .detail1 = Faça login lá como { $domain } e tente de novo.
external-problems-record_changed = Enquanto você estava em { $sp }, o registro de { $domain } mudou.
    .detail1 = Vale o que ele diz agora. Comece de novo.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = Digite o nome de domínio com que você quer entrar.
domainMistakes-email_address = { $domain } é o domínio desse endereço de e-mail. Ele é seu?
    .detail1 = Se { $domain } for seu, digite-o sem a parte que vem antes do @. Um endereço de um provedor de e-mail não pode ser usado aqui.
domainMistakes-url_with_path = Digite apenas o domínio, não o endereço completo de uma página.
    .detail1 = Seria { $domain }.
domainMistakes-single_label = “{ $domain }” não é um nome de domínio completo.
    .detail1 = Digite-o com a terminação, como em alice.com.
domainMistakes-ip_address = { $domain } é um endereço IP.
    .detail1 = Digite um nome de domínio, como alice.com.
domainMistakes-numeric_tld = “{ $domain }” termina em um número.
    .detail1 = Nenhum nome de domínio termina assim. Será que falta a terminação?
domainMistakes-too_long = Isso é mais longo do que um nome de domínio pode ser aqui.
    .detail1 = Um domínio pode ter 228 caracteres, e cada parte separada por pontos pode ter no máximo 63.
domainMistakes-public_suffix = { $domain } é uma terminação que muitos domínios compartilham.
    .detail1 = Digite o seu próprio nome com essa terminação, como { $example }.
domainMistakes-special_use = { $domain } tem uma terminação reservada para usos especiais.
    .detail1 = Ninguém pode ser dono de um domínio com ela. Digite um domínio que você registrou.
domainMistakes-bad_characters = “{ $domain }” tem caracteres que um nome de domínio não pode ter.
    .detail1 = Procure espaços, sublinhados e sinais que vieram junto ao copiar.

## What the look-up of a domain's record came to

lookOutcomes-absent = { $domain } ainda não tem um registro de login.
lookOutcomes-disabled = Ninguém pode entrar como { $domain }.
    .detail1 = É o que diz o registro do domínio (sp=none). Se o domínio for seu, você pode mudar isso no DNS dele.
lookOutcomes-invalid = O registro de login de { $domain } tem um erro.
    .detail1 = Corrija-o nas suas configurações de DNS.
lookOutcomes-ambiguous = { $domain } tem mais de um registro de login.
    .detail1 = Deve haver exatamente um. Remova os outros nas suas configurações de DNS.
lookOutcomes-unsupported = O registro de login de { $domain } é de um tipo mais novo do que este serviço entende.
    .detail1 = É preciso um registro que comece com v=dsi1.
lookOutcomes-alias_invalid = O registro de login de { $domain } é um alias de um nome que não se destina a login.
    .detail1 = Na maioria das vezes, isso vem de um registro CNAME curinga. Publique um registro TXT em _domain-signin ou faça o alias terminar em um nome que contenha _domain-signin.
lookOutcomes-unavailable = O DNS de { $domain } não respondeu.
    .detail1 = Por isso, não sabemos o que ele diz. Muitas vezes isso passa em um minuto: tente novamente. Se continuar, fale com quem cuida do DNS do domínio.
lookOutcomes-unconfirmed = Poucos dos nossos servidores de consulta dizem o mesmo sobre o DNS de { $domain }.
    .detail1 = Dois deles precisam dizer o mesmo para que confiemos. Depois de uma mudança no DNS, isso leva alguns minutos: tente novamente.
lookOutcomes-bogus = O DNS de { $domain } é assinado (DNSSEC), mas as assinaturas não são válidas.
    .detail1 = Enquanto não forem, não confiamos em nada do que ele diz. Quem cuida do DNS do domínio pode corrigir isso.
lookOutcomes-external = O registro de { $domain } indica agora outro serviço.
    .detail1 = É ele que faz o seu login. Volte ao aplicativo e comece de novo.
lookOutcomes-names_another = O registro de { $domain } indica outro serviço: { $sp }.
    .detail1 = { $client } trouxe você até aqui como se ele indicasse este. Ou o registro acabou de mudar, ou dois serviços apontam um para o outro. Volte para o aplicativo e tente novamente; se continuar assim, confira o registro nas configurações de DNS.
lookOutcomes-own_unknown = O registro de { $domain } pertence a uma configuração que outro navegador começou.
    .detail1 = Termine naquele navegador ou publique o registro mostrado aqui no lugar do antigo.
lookOutcomes-not_permitted = Este serviço não está aberto a { $domain }.
    .detail1 = Ele só aceita domínios cujo DNS é assinado (DNSSEC). Quem cuida do DNS do domínio pode assiná-lo.

## What a look for a record to publish saw, while its owner waits

looks-seen = O registro já está lá.
looks-absent = O registro ainda não está lá.
    .detail1 = Procuramos { $name }. Um registro novo costuma aparecer em alguns minutos; em algumas empresas, em até uma hora.
looks-otherValue = Existe um registro, mas não é este.
    .detail1 = Se você acabou de alterar { $name }, o valor antigo pode aparecer até o TTL dele terminar. Se não, compare os valores.
looks-atDomain = O registro está no próprio { $domain }.
    .detail1 = O lugar dele é { $name }. Mova-o para lá.
looks-doubledName = O registro está em { $name }, com o domínio duas vezes no nome.
    .detail1 = O seu painel acrescenta o domínio ao final automaticamente: como nome, insira apenas { $entry }.
looks-cutAtSemicolon = O registro termina no primeiro ponto e vírgula.
    .detail1 = O seu painel entende o ponto e vírgula como fim do valor. Insira o valor entre aspas.
looks-inQuotes = O registro tem aspas no valor.
    .detail1 = O seu painel já as acrescenta automaticamente: insira o valor sem aspas.
looks-oldValue = Os seus servidores de nomes têm o registro. Outros ainda se lembram do que havia antes.
    .detail1 = { $seconds ->
       [one] Isso passa em no máximo { NUMBER($seconds, useGrouping: 0) } segundo. Você não precisa fazer nada.
      *[other] Isso passa em no máximo { NUMBER($seconds, useGrouping: 0) } segundos. Você não precisa fazer nada.
    }
looks-notCertain = Alguns servidores já veem o registro, outros ainda não.
    .detail1 = Isso costuma levar alguns minutos. Você não precisa fazer nada.

## What each DNS server said

servers-title = O que diz cada servidor DNS
servers-question = Pedimos a cada um deles o registro TXT em { $name }.
servers-resolver = Resolvedor { $address }
servers-nameServer = Servidor de nomes { $name }
servers-found-wanted = tem este registro
servers-found-other = tem outro valor
servers-found-absent = não tem esse registro
servers-found-silent = não respondeu
servers-found-failed = respondeu com um erro
servers-found-not_asked = não foi consultado, pois seu endereço não é público
servers-repeats = { $seconds ->
       [one] Ele pode continuar respondendo assim por { NUMBER($seconds, useGrouping: 0) } segundo.
      *[other] Ele pode continuar respondendo assim por { NUMBER($seconds, useGrouping: 0) } segundos.
    }

## What is wrong with a record that was found; $about is the part of it that is meant

recordProblem-not_ours = O registro não começa com v=dsi1, por isso é ignorado. Se for o seu registro de login, remova o que vem antes de v=dsi1.
recordProblem-unsupported_version = A versão { $about } não é conhecida aqui.
recordProblem-not_alone = Vários registros começam com v=dsi1: mantenha exatamente um deles.
recordProblem-not_ascii = O registro contém caracteres que não são ASCII imprimíveis.
recordProblem-too_long = O registro tem { $about } octetos; são permitidos no máximo 1024.
recordProblem-malformed_version = Depois de v=dsi1, falta um ponto e vírgula em “{ $about }”.
recordProblem-malformed_tag = “{ $about }” não tem a forma nome=valor.
recordProblem-malformed_tag_empty = Uma parte do registro não tem a forma nome=valor.
recordProblem-repeated_tag = A tag { $about } aparece mais de uma vez.
recordProblem-missing_sp = Falta a tag sp. Alguns painéis de DNS cortam o valor no primeiro ponto e vírgula se ele não estiver entre aspas.
recordProblem-bad_sp = sp deve ser uma URL formada por https:// e um nome de domínio completo em letras minúsculas, sem consulta, sem fragmento, sem nome de usuário e sem porta.
recordProblem-missing_acct = Falta a tag acct, que indica de quem é a conta.
recordProblem-bad_acct = acct deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.
recordProblem-bad_jkt = jkt deve ter de 1 a 4 impressões digitais SHA-256 de 43 caracteres, separadas por vírgulas.
recordProblem-missing_chal = Falta a tag chal, que responde ao desafio.
recordProblem-bad_chal = chal deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.
recordProblem-other_sp = O registro é para outro serviço.
recordProblem-other_chal = O registro responde a outro desafio.
recordProblem-alias_leads_away = Este alias leva para longe do nome do registro, por isso não é seguido.

## What is wrong with a recovery code

recoveryProblems-missing = Insira um dos seus códigos de recuperação.
recoveryProblems-wrong = Esse não é um dos códigos deste domínio, ou já foi usado.
recoveryProblems-tooMany = Foram tentados códigos demais aqui. Espere alguns minutos e tente novamente.

## Problem pages

requestProblems-unknownClient = O aplicativo que trouxe você até aqui não está registrado neste serviço.
    .title = Não conhecemos este aplicativo
    .detail1 = Nada foi compartilhado com ele. Se você desenvolve o aplicativo: verifique o client_id.
requestProblems-missingClientId = No link que trouxe você até aqui, falta o identificador do aplicativo.
    .title = O aplicativo não se identificou
    .detail1 = Volte para o aplicativo e tente novamente. Se você o desenvolve: envie client_id.
requestProblems-missingRedirectUri = Sem isso, não podemos fazer o seu login.
    .title = O aplicativo não informou para onde você deve voltar
    .detail1 = Nada foi compartilhado. Se você desenvolve o aplicativo: envie redirect_uri.
requestProblems-redirectUriNotRegistered = O aplicativo pediu que levássemos você para um endereço que não está registrado para ele.
    .title = Não podemos levar você de volta para esse endereço
    .detail1 = Paramos aqui para a sua segurança, e nada foi compartilhado. Se você desenvolve o aplicativo: redirect_uri deve ser igual a um endereço registrado, caractere por caractere.
requestProblems-repeatedParameter = Ele contém “{ $name }” mais de uma vez, por isso não sabemos o que vale.
    .title = O pedido do aplicativo não está claro
    .detail1 = Volte para o aplicativo e tente novamente.
requestProblems-malformedRequest = Algo nele não está como deveria.
    .title = Não conseguimos ler esse pedido
    .detail1 = Volte para o aplicativo e tente novamente.
requestProblems-badClientDocument = { $host } trouxe você até aqui e se descreve de um jeito que não podemos aceitar.
    .title = Não podemos aceitar este aplicativo
    .detail1 = Nada foi compartilhado com ele. Se você desenvolve o aplicativo: há um erro no documento de metadados ({ $reason }).
requestProblems-unreachableClient = { $host } trouxe você até aqui, mas agora não nos diz o que é.
    .title = Não conseguimos contatar o aplicativo
    .detail1 = Espere um minuto e tente novamente. Nada foi compartilhado com ele. Se você desenvolve o aplicativo: { $reason }
requestProblems-expired = Ela ficou aberta por tanto tempo que a descartamos, para a sua segurança.
    .title = Esta página expirou
    .detail1 = Volte para o aplicativo e entre novamente. Um registro que você já publicou continua valendo.
requestProblems-wrongBrowser = Ele só pode continuar onde foi iniciado. Ou então este navegador não guarda cookies, que são necessários para isso.
    .title = Este login pertence a outro navegador
    .detail1 = Permita cookies para este site, volte para o aplicativo e entre novamente. Se alguém enviou a você o link desta página, não continue.
requestProblems-crossSitePost = Outro site tentou pressionar um botão aqui por você, então não fizemos nada.
    .title = Isso não veio da nossa página
    .detail1 = Se foi você: volte para o aplicativo e entre novamente.
requestProblems-alreadyUsed = Você já avançou a partir desta página, e ela só funciona uma vez.
    .title = Este login já foi concluído
    .detail1 = Volte para o aplicativo. Se o seu login não estiver ativo lá, comece de novo.
requestProblems-tooManyRequests = Acabamos de receber muitos pedidos da sua rede.
    .title = Foram pedidos demais em pouco tempo
    .detail1 = Espere um minuto e tente novamente.
requestProblems-notFound = O endereço está errado ou a página não existe mais.
    .title = Não há nada aqui
    .detail1 = Para entrar, comece pelo aplicativo que você quer usar.
requestProblems-serverError = A culpa não é sua, e nada foi compartilhado.
    .title = Algo deu errado do nosso lado
    .detail1 = Tente novamente. Se acontecer de novo, avise quem opera este serviço.
requestProblems-temporarilyUnavailable = Uma parte deste serviço não está disponível no momento.
    .title = Não podemos responder agora
    .detail1 = Espere um minuto e tente novamente. Nada do que você configurou se perdeu.
