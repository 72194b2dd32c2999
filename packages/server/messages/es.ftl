### Spanish: every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = Copiar
common-copied = Copiado
common-backTo = Volver a { $client }
common-backToApp = Volver a la aplicación
common-problemTitle = Problema: { $title }
common-through = { $service } dice que este inicio de sesión es para { $app }.

## The page that asks for the domain

domain-title = Inicia sesión en { $client }
domain-returnTo = Usa un nombre de dominio que sea tuyo. Después volverás a { $host }.
domain-label = Tu dominio
domain-hint = Por ejemplo, alice.com. Sin contraseña y sin registrarte.
domain-submit = Continuar
domain-how-title = ¿Cómo funciona?
domain-how-paragraphs =
    .paragraph1 = Quien tiene un nombre de dominio decide lo que dice su DNS. Allí, un pequeño registro indica qué servicio puede iniciar tu sesión con tu dominio.
    .paragraph2 = Si tu dominio aún no tiene ese registro, te mostramos el que debes publicar. Lleva unos minutos y solo hay que hacerlo una vez.

## The page that offers to go on as a domain

continue-heading = Continuar como { $domain }
continue-client = para entrar en { $client }, en { $host }
continue-submit = Continuar
continue-other = Usar otro dominio

## Both pages that show a record to publish

dns-name = Nombre
dns-type = Tipo
dns-value = Valor
dns-ttl = TTL
dns-seconds = segundos
dns-checksByItself = Esta página también comprueba por sí sola cada pocos segundos. Puedes dejarla abierta.
dns-stopChecking = Dejar de comprobar automáticamente
dns-checksNoMore = Esta página ya no comprueba automáticamente.
dns-checkAgain = Volver a comprobar automáticamente
dns-checkedAt = Última comprobación: { $time }
dns-found = { $count ->
       [one] Encontrado en el DNS
      *[other] Encontrado en el DNS: { NUMBER($count, useGrouping: 0) } registros
    }
dns-panel-title = ¿Dónde escribo esto?
dns-panel-relative = En la configuración de DNS de la empresa donde registraste el dominio o que gestiona su DNS. Añade allí un nuevo registro TXT. Muchos paneles añaden ellos mismos el dominio al final del nombre. En ese caso, escribe solo la primera parte:
dns-panel-inZone = En la configuración de { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Si el panel muestra el nombre completo antes de guardar, debe ser igual al de arriba, con el dominio una sola vez.
    .paragraph2 = Deja tus otros registros como están. Escribe el valor sin comillas. Si el panel no te permite elegir un TTL, conserva el que ofrece.

## The set-up page

dnsSetup-heading = Demuestra que { $domain } es tuyo
dnsSetup-lead = Añade un registro al DNS de tu dominio. Se hace una sola vez, y después se deja ahí.
dnsSetup-client = Estás iniciando sesión en { $client }, en el sitio { $host }.
dnsSetup-warning = Publicar este registro permite que el navegador que lo muestra inicie sesión como { $domain }. Si alguien te lo envió, detente.
dnsSetup-record = Publica este registro
dnsSetup-check = Déjanos buscarlo
dnsSetup-submit = Ya lo publiqué, comprobar ahora
dnsSetup-startOver-title = Empezar de nuevo con otro registro
dnsSetup-startOver-explanation = Recibes un nuevo valor para publicar y nuevos códigos de recuperación. Los de esta página dejan de funcionar.
dnsSetup-startOver-submit = Crear un registro nuevo

## Recovery codes, on the set-up page

recoveryCodes-heading = Mientras esperas: guarda estos diez códigos
recoveryCodes-why = Con un código puedes volver a entrar como { $domain } desde otro navegador, o cuando este ya no te reconozca. El registro por sí solo no basta, porque cualquiera puede leerlo. Guarda los códigos en un gestor de contraseñas o imprime esta página.
recoveryCodes-valid = Serán válidos cuando encontremos tu registro. Cada uno sirve una sola vez.
recoveryCodes-all = los diez códigos

## The page of a later sign-in by DNS

dnsChallenge-heading = Inicia sesión como { $domain }
dnsChallenge-lead = Añade un registro temporal al DNS de tu dominio para demostrar que sigue siendo tuyo. Podrás quitarlo cuando hayas iniciado sesión.
dnsChallenge-client = Estás iniciando sesión en { $client }, en el sitio { $host }.
dnsChallenge-warning = Publica este registro solo si fuiste tú quien empezó en { $issuer }.
dnsChallenge-warningReason = Permite que este navegador inicie sesión como { $domain }. Si alguien te lo envió, detente.
dnsChallenge-record = Publica este registro por ahora
dnsChallenge-check = Déjanos buscarlo
dnsChallenge-checkWithCode = Escribe un código de recuperación y déjanos buscar
dnsChallenge-submit = Ya lo publiqué, comprobar ahora
dnsChallenge-recoveryCode-label = Código de recuperación
dnsChallenge-recoveryCode-hint = Uno de los diez códigos que guardaste al configurar el dominio. Te lo pedimos porque aún no conocemos este navegador.
dnsChallenge-lostAccess-title = Perdí mis códigos o el navegador que usaba
dnsChallenge-lostAccess-explanation = Puedes empezar de nuevo con otro registro, que sustituye al que { $domain } tiene ahora.
dnsChallenge-lostAccess-consequence = Las aplicaciones verán entonces una cuenta nueva. Lo que guardabas en ellas con la anterior no se conserva en la nueva.
dnsChallenge-lostAccess-submit = Empezar de nuevo con otro registro

## The page of a set-up that another browser began

ownUnknown-heading = Otro navegador empezó con { $domain }
ownUnknown-lead = El registro del dominio ya indica este servicio, pero la configuración a la que pertenece no se empezó en este navegador.
ownUnknown-client = Estás iniciando sesión en { $client }, en el sitio { $host }.
ownUnknown-finish-title = ¿La empezaste tú?
ownUnknown-finish-explanation = Entonces termina en el navegador donde empezaste. Una ventana privada u otro dispositivo cuenta como otro navegador.
ownUnknown-startOver-title = O empieza de nuevo aquí
ownUnknown-startOver-explanation = Recibes un registro nuevo para publicar en lugar del que { $domain } tiene ahora. Si no sabes de dónde salió el actual, lo correcto es sustituirlo.
ownUnknown-startOver-submit = Empezar de nuevo con otro registro

## The consent page

consent-heading = ¿Iniciar sesión en { $client }?
consent-sentTo = Te enviaremos a
consent-shared = La aplicación sabrá que eres
consent-scopesTitle = Podrá
consent-allow = Permitir
consent-deny = No permitir
consent-caution = Las aplicaciones eligen su propio nombre. Permite esto solo si es en { $host } donde quieres iniciar sesión.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = saber que controlas este dominio
scopes-offline_access = mantener tu sesión abierta cuando no estés

## Every problem page

problem-errorId = Si pides ayuda, menciona este error:
problem-client = Estabas iniciando sesión en { $host }.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = No ha iniciado sesión como { $domain }
external-lead = Como { $domain } se inicia sesión en { $sp }: así lo dice su registro.
external-again = Intentarlo de nuevo
external-detail = Para quien gestiona ese servicio, en inglés:
external-problems-unreachable = { $sp } no responde.
    .detail1 = Espere un minuto y vuelva a intentarlo.
external-problems-not_public = { $sp } no tiene una dirección pública.
    .detail1 = Por eso no le preguntamos. Si el dominio es suyo, revise sp en su registro.
external-problems-bad_metadata = { $sp } no se describe como un servicio que inicie la sesión de personas.
    .detail1 = Si el dominio es suyo, revise sp en su registro. Si no, quien gestiona ese servicio puede arreglarlo.
external-problems-unmet_requirements = A { $sp } le falta algo que necesitamos por seguridad.
    .detail1 = Quien gestiona ese servicio puede añadirlo. Si el dominio es suyo, también puede indicar otro servicio en su registro.
external-problems-no_client = { $sp } no nos conoce y no hemos podido presentarnos.
    .detail1 = Vuelva a intentarlo. Si sigue así, quien gestiona este servicio tiene que registrarlo allí.
external-problems-bad_answer = La respuesta de { $sp } no está en orden.
    .detail1 = Por eso no la hemos creído. Vuelva a intentarlo; si ocurre otra vez, avise a quien gestiona ese servicio.
external-problems-refused_by_sp = { $sp } le ha enviado de vuelta sin iniciar su sesión.
    .detail1 = Quizá usted lo detuvo allí. Puede volver a intentarlo.
external-problems-other_account = En { $sp } tiene abierta una cuenta distinta de la que indica { $domain }.
    .detail1 = Cierre la sesión allí y vuelva a intentarlo con la cuenta correcta. Si el dominio es suyo, también puede indicar esta cuenta en su registro.
external-problems-other_domain = En { $sp } ha iniciado sesión como un dominio distinto de { $domain }.
    .detail1 = Inicie sesión allí como { $domain } y vuelva a intentarlo.
external-problems-record_changed = Mientras usted estaba en { $sp }, cambió el registro de { $domain }.
    .detail1 = Vale lo que dice ahora. Empiece de nuevo.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = Escribe el nombre de dominio con el que quieres iniciar sesión.
domainMistakes-email_address = { $domain } es el dominio de esa dirección. ¿Es tuyo?
    .detail1 = Si { $domain } es tuyo, escríbelo sin la parte anterior a la @. Aquí no se puede usar una dirección de un proveedor de correo.
domainMistakes-url_with_path = Escribe solo el dominio, no la dirección completa de una página.
    .detail1 = Sería { $domain }.
domainMistakes-single_label = «{ $domain }» no es un nombre de dominio completo.
    .detail1 = Escríbelo con su terminación, por ejemplo, alice.com.
domainMistakes-ip_address = { $domain } es una dirección IP.
    .detail1 = Escribe un nombre de dominio, por ejemplo, alice.com.
domainMistakes-numeric_tld = «{ $domain }» termina en un número.
    .detail1 = Ningún nombre de dominio termina así. ¿Falta la terminación?
domainMistakes-too_long = Eso es más largo de lo que aquí puede ser un nombre de dominio.
    .detail1 = Un dominio puede tener 228 caracteres, y como máximo 63 entre dos puntos.
domainMistakes-public_suffix = { $domain } es una terminación que comparten muchos dominios.
    .detail1 = Escribe tu propio nombre con ella, por ejemplo, { $example }.
domainMistakes-special_use = { $domain } termina en un nombre reservado para usos especiales.
    .detail1 = Nadie puede tener un dominio con esa terminación. Escribe uno que hayas registrado.
domainMistakes-bad_characters = «{ $domain }» contiene caracteres que un nombre de dominio no puede tener.
    .detail1 = Busca espacios, guiones bajos y signos que se hayan colado al copiar.

## What the look-up of a domain's record came to

lookOutcomes-absent = { $domain } aún no tiene un registro de inicio de sesión.
lookOutcomes-disabled = Nadie puede iniciar sesión como { $domain }.
    .detail1 = Así lo dice su registro (sp=none). Si el dominio es tuyo, puedes cambiarlo en su DNS.
lookOutcomes-invalid = El registro de inicio de sesión de { $domain } tiene un error.
    .detail1 = Corrígelo en tu configuración de DNS.
lookOutcomes-ambiguous = { $domain } tiene más de un registro de inicio de sesión.
    .detail1 = Debe haber exactamente uno. Elimina los demás en tu configuración de DNS.
lookOutcomes-unsupported = El registro de inicio de sesión de { $domain } es de una versión más nueva, que este servicio no entiende.
    .detail1 = Hace falta un registro que empiece por v=dsi1.
lookOutcomes-alias_invalid = El registro de inicio de sesión de { $domain } es un alias de un nombre que no es para iniciar sesión.
    .detail1 = Casi siempre se debe a un registro CNAME comodín (*). Publica en su lugar un registro TXT en _domain-signin, o haz que el alias termine en un nombre que contenga _domain-signin.
lookOutcomes-unavailable = El DNS de { $domain } no respondió.
    .detail1 = Por eso no podemos saber qué dice. Suele pasar en un minuto: inténtalo de nuevo. Si continúa, pregunta a quien gestiona el DNS del dominio.
lookOutcomes-unconfirmed = Muy pocos de nuestros servidores de consulta dicen lo mismo sobre el DNS de { $domain }.
    .detail1 = Dos de ellos tienen que decir lo mismo para que lo demos por cierto. Después de un cambio en el DNS esto tarda unos minutos: inténtalo de nuevo.
lookOutcomes-bogus = El DNS de { $domain } está firmado (DNSSEC), pero las firmas no son válidas.
    .detail1 = Mientras no lo sean, no damos por cierto nada de lo que diga. Quien gestiona el DNS del dominio puede arreglarlo.
lookOutcomes-external = El registro de { $domain } indica ahora otro servicio.
    .detail1 = Es ese el que inicia su sesión. Vuelva a la aplicación y empiece de nuevo.
lookOutcomes-names_another = El registro de { $domain } indica otro servicio: { $sp }.
    .detail1 = { $client } te envió aquí como si indicara este. O el registro se cambió hace un momento, o dos servicios se señalan el uno al otro. Vuelve a la aplicación e inténtalo de nuevo; si sigue igual, revisa el registro en la configuración de DNS.
lookOutcomes-own_unknown = El registro de { $domain } pertenece a una configuración que empezó otro navegador.
    .detail1 = Termina en ese navegador, o publica el registro que se muestra aquí en lugar del anterior.
lookOutcomes-not_permitted = Este servicio no está abierto a { $domain }.
    .detail1 = Solo acepta dominios cuyo DNS esté firmado (DNSSEC). Quien gestiona el DNS del dominio puede firmarlo.

## What a look for a record to publish saw, while its owner waits

looks-seen = El registro ya está.
looks-absent = El registro aún no está.
    .detail1 = Buscamos en { $name }. Un registro nuevo suele verse en unos minutos; en algunas empresas, en una hora.
looks-otherValue = Hay un registro, pero no es este.
    .detail1 = Si acabas de cambiar { $name }, puede que el valor anterior siga viéndose hasta que termine su TTL. Si no, compara los valores.
looks-atDomain = El registro está directamente en { $domain }.
    .detail1 = Su lugar es { $name }. Muévelo allí.
looks-doubledName = El registro está en { $name }, con el dominio dos veces en el nombre.
    .detail1 = Tu panel añade el dominio al final por sí solo: como nombre, escribe solo { $entry }.
looks-cutAtSemicolon = El registro termina en su primer punto y coma.
    .detail1 = Tu panel toma el punto y coma como final. Escribe el valor entre comillas.
looks-inQuotes = El valor del registro contiene comillas.
    .detail1 = Tu panel las añade por sí solo: escribe el valor sin ellas.
looks-oldValue = Tus servidores de nombres ya tienen el registro. Otros aún recuerdan lo que había antes.
    .detail1 = { $seconds ->
       [one] Se resolverá en { NUMBER($seconds, useGrouping: 0) } segundo como máximo. No tienes que hacer nada.
      *[other] Se resolverá en { NUMBER($seconds, useGrouping: 0) } segundos como máximo. No tienes que hacer nada.
    }
looks-notCertain = Algunos servidores ven el registro; otros, todavía no.
    .detail1 = Suele tardar unos minutos. No tienes que hacer nada.

## What each DNS server said

servers-title = Lo que dice cada servidor DNS
servers-question = A cada uno le preguntamos por el registro TXT de { $name }.
servers-resolver = Resolutor { $address }
servers-nameServer = Servidor de nombres { $name }
servers-found-wanted = tiene este registro
servers-found-other = tiene otro valor
servers-found-absent = no tiene este registro
servers-found-silent = no respondió
servers-found-failed = respondió con un error
servers-found-not_asked = no fue consultado, porque su dirección no es pública
servers-repeats = { $seconds ->
       [one] Puede que siga dando esta respuesta durante { NUMBER($seconds, useGrouping: 0) } segundo.
      *[other] Puede que siga dando esta respuesta durante { NUMBER($seconds, useGrouping: 0) } segundos.
    }

## What is wrong with a record that was found; $about is the part of it that is meant

recordProblem-not_ours = El registro no empieza por v=dsi1. Si hay algo delante, quítalo; si no, es otro registro y aquí se ignora.
recordProblem-unsupported_version = Aquí no se conoce la versión { $about }.
recordProblem-not_alone = Varios registros empiezan por v=dsi1. Conserva exactamente uno.
recordProblem-not_ascii = El registro contiene caracteres que no son ASCII imprimible.
recordProblem-too_long = El registro ocupa { $about } octetos; se permiten 1024 como máximo.
recordProblem-malformed_version = En «{ $about }», después de v=dsi1 debe ir un punto y coma.
recordProblem-malformed_tag = «{ $about }» no tiene la forma nombre=valor.
recordProblem-malformed_tag_empty = No hay nada entre dos puntos y coma.
recordProblem-repeated_tag = La etiqueta { $about } aparece más de una vez.
recordProblem-missing_sp = Falta la etiqueta sp. Algunos paneles de DNS cortan el valor en el primer punto y coma si no está entre comillas.
recordProblem-bad_sp = sp debe ser una URL que empiece por https:// y tenga un nombre de dominio completo en minúsculas, sin nombre de usuario, puerto, consulta (?) ni fragmento (#).
recordProblem-missing_acct = Falta la etiqueta acct, que indica de qué cuenta se trata.
recordProblem-bad_acct = acct debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.
recordProblem-bad_jkt = jkt debe tener de 1 a 4 huellas SHA-256 de 43 caracteres, separadas por comas.
recordProblem-missing_chal = Falta la etiqueta chal, que indica a qué inicio de sesión responde el registro.
recordProblem-bad_chal = chal debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.
recordProblem-other_sp = El registro es para otro servicio.
recordProblem-other_chal = El registro responde a otro inicio de sesión.
recordProblem-alias_leads_away = Este alias lleva fuera del nombre del registro, por lo que no lo seguimos.

## What is wrong with a recovery code

recoveryProblems-missing = Escribe uno de tus códigos de recuperación.
recoveryProblems-wrong = Ese no es un código de este dominio, o ya se usó.
recoveryProblems-tooMany = Se han probado demasiados códigos aquí. Espera unos minutos e inténtalo de nuevo.

## Problem pages

requestProblems-unknownClient = La aplicación que te envió aquí no está registrada en este servicio.
    .title = No conocemos esta aplicación
    .detail1 = No se le ha comunicado nada. Si desarrollas la aplicación: revisa su client_id.
requestProblems-missingClientId = Al enlace que te trajo aquí le falta el identificador de la aplicación.
    .title = La aplicación no dijo quién es
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo. Si la desarrollas: envía client_id.
requestProblems-missingRedirectUri = Sin eso no podemos iniciar tu sesión.
    .title = La aplicación no dijo adónde enviarte de vuelta
    .detail1 = No se ha comunicado nada. Si desarrollas la aplicación: envía redirect_uri.
requestProblems-redirectUriNotRegistered = La aplicación nos pidió enviarte a una dirección que no está registrada para ella.
    .title = No podemos enviarte de vuelta a esa dirección
    .detail1 = Por tu seguridad nos detuvimos aquí, y no se ha comunicado nada. Si desarrollas la aplicación: redirect_uri debe ser igual, carácter por carácter, a una dirección registrada.
requestProblems-repeatedParameter = Contiene «{ $name }» más de una vez, así que no sabemos qué quiere decir.
    .title = La solicitud de la aplicación no es clara
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo.
requestProblems-malformedRequest = Hay algo en ella que no es como debería.
    .title = No pudimos leer esa solicitud
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo.
requestProblems-badClientDocument = { $host } te envió aquí y se describe de una forma que no podemos aceptar.
    .title = No podemos admitir esta aplicación
    .detail1 = No se le ha comunicado nada. Si desarrollas la aplicación: hay un error en su documento de metadatos ({ $reason }).
requestProblems-unreachableClient = { $host } te envió aquí, pero ahora mismo no nos dice qué es.
    .title = No podemos contactar con la aplicación
    .detail1 = Espera un minuto e inténtalo de nuevo. No se le ha comunicado nada. Si desarrollas la aplicación: { $reason }
requestProblems-expired = Estuvo abierta tanto tiempo que la descartamos, por tu seguridad.
    .title = Esta página es demasiado antigua
    .detail1 = Vuelve a la aplicación e inicia sesión otra vez. El registro que hayas publicado sigue siendo válido.
requestProblems-wrongBrowser = Solo se puede continuar donde empezó. O puede que este navegador no guarde las cookies que necesitamos para ello.
    .title = Este inicio de sesión pertenece a otro navegador
    .detail1 = Permite las cookies de este sitio; después, vuelve a la aplicación e inicia sesión otra vez. Si alguien te envió el enlace a esta página, no sigas.
requestProblems-crossSitePost = Otro sitio intentó pulsar aquí un botón por ti, así que no hicimos nada.
    .title = Eso no vino de nuestra página
    .detail1 = Si fuiste tú: vuelve a la aplicación e inicia sesión otra vez.
requestProblems-alreadyUsed = Ya continuaste antes desde esta página, y solo funciona una vez.
    .title = Este inicio de sesión ya terminó
    .detail1 = Vuelve a la aplicación. Si no tienes la sesión iniciada allí, empieza de nuevo.
requestProblems-tooManyRequests = Acabamos de recibir muchas solicitudes desde tu red.
    .title = Demasiadas solicitudes seguidas
    .detail1 = Espera un minuto e inténtalo de nuevo.
requestProblems-notFound = La dirección está mal escrita, o la página ya no existe.
    .title = Aquí no hay nada
    .detail1 = Para iniciar sesión, empieza en la aplicación que quieres usar.
requestProblems-serverError = No es culpa tuya, y no se ha comunicado nada.
    .title = Algo salió mal por nuestra parte
    .detail1 = Inténtalo de nuevo. Si vuelve a pasar, avisa a quien administra este servicio.
requestProblems-temporarilyUnavailable = Una parte de este servicio no está disponible en este momento.
    .title = Ahora mismo no podemos responder
    .detail1 = Espera un minuto e inténtalo de nuevo. No se ha perdido nada de lo que configuraste.
