### The texts of the pages in Spanish.

## All pages

common-serviceName = domain-signin
common-copy = Copiar
common-copied = Copiado
common-backTo = Volver a { $client }
common-backToApp = Volver a la aplicación
common-problemTitle = Problema: { $title }
common-step = { $step } de { $steps }
common-through = { $service } dice que este inicio de sesión es para { $app }.

## The page that asks for the domain

domain-title = Inicia sesión en { $client }
domain-returnTo = Usa un nombre de dominio que sea tuyo. Después volverás a { $host }.
domain-label = Tu dominio
domain-hint = Por ejemplo, alice.com
domain-submit = Continuar
domain-how-title = ¿Cómo funciona?
domain-how-paragraphs =
    .paragraph1 = El propietario de un nombre de dominio controla su DNS. Allí, un pequeño registro indica el servicio que puede iniciar tu sesión con tu dominio.
    .paragraph2 = Si tu dominio aún no tiene ese registro, te mostramos el que debes publicar. Lleva unos minutos y solo hay que hacerlo una vez.

## The page that offers to continue with a remembered domain

continue-heading = Continuar como { $domain }
continue-client = para entrar en { $client }, en { $host }
continue-submit = Continuar
continue-other = Usar otro dominio
continue-news = Actividad nueva de { $domain } desde tu última visita:
continue-newsCheck = Si no fuiste tú, revisa tu cuenta.
continue-newsAccount = Abrir la cuenta
news-heading = ¿Fuiste tú?
continue-choose = Elige un dominio
continue-as = Continuar como { $domain }

## Signing out

signOut-title = Cerrar sesión
signOut-effect = Así cierras tu sesión de este servicio en este navegador. Las aplicaciones en las que iniciaste sesión conservan su acceso.
signOut-domain = Cerrar la sesión de { $domain }
signOut-all = Cerrar la sesión de todos los dominios en este navegador
signOut-everywhere = Cerrar la sesión de { $domain } en todas partes
logout-heading = ¿Cerrar la sesión de { $domain }?
logout-headingAll = ¿Cerrar la sesión en este navegador?
logout-client = { $client } pide cerrar tu sesión.
logout-clientAt = { $client }, en el sitio { $host }, pide cerrar tu sesión.
logout-unknownClient = Una aplicación pide cerrar tu sesión. No ha dicho cuál es.
logout-stay = Seguir con la sesión iniciada
logout-backTo = Continuar a { $host }
logout-notSignedIn = La cuenta que usas en esta aplicación no tiene una sesión iniciada en este navegador

## The front page, and the page that checks a domain

home-title = Inicia sesión con tu propio dominio
home-lead = Con este servicio se inicia sesión en aplicaciones con un dominio propio. Sin contraseña y sin registrarse.
home-operator = Lo gestiona { $host }. Para iniciar sesión, empieza en la aplicación que quieres usar.
home-account = Tu cuenta
check-title = Comprobar un dominio
check-lead = Mira si se puede iniciar sesión con un dominio y qué dice su DNS.
check-label = Nombre de dominio
check-hint = Por ejemplo, alice.com
check-submit = Comprobar
check-assurance-secure = DNSSEC protege esta respuesta: sus firmas son válidas.
check-assurance-corroborated = Esta respuesta no está firmada con DNSSEC. Al menos dos de nuestros servidores de consulta DNS la confirman.
check-assurance-single = Esta respuesta no está firmada con DNSSEC. La dio un solo servidor de consulta DNS.

## The account page

account-heading = Tu cuenta: { $domain }
account-inOrder = Todo está en orden con { $domain }.
account-recordHeld = El registro en tu DNS nombra esta cuenta. Comprobado a las { $time }.
account-recordTitle = El registro en el DNS
account-recordNone = No hay ningún registro de inicio de sesión en { $name }.
account-record_lost = Tu registro DNS no nombra esta cuenta en este momento.
    .detail1 = Hasta que el registro vuelva, nadie puede usar esta cuenta para iniciar sesión como { $domain }.
account-record_unknown = No pudimos consultar tu registro.
    .detail1 = Los servidores DNS de { $domain } no respondieron, o sus respuestas no eran fiables. Aquí puedes cerrar sesión y revocar aplicaciones de todos modos.
account-record_former = Esta es una cuenta anterior de { $domain }.
    .detail1 = El registro en tu DNS nombra otra cuenta. Aquí puedes cerrar la sesión de esta y revocar el acceso de sus aplicaciones.
account-betterRecord_lost = Para volver a usar esta cuenta, publica este registro:
account-betterRecord_signed = Tu DNS está firmado (DNSSEC). Si publicas este registro en su lugar, las aplicaciones pueden verificar por sí mismas tus inicios de sesión:
account-appsTitle = Aplicaciones con acceso
account-noApps = Ninguna aplicación tiene acceso.
account-appScopes = Puede:
account-usedSince = Desde el { $since }, último uso el { $last }
account-revoke = Revocar el acceso
account-more-apps = Mostrar más aplicaciones
account-more-sessions = Mostrar más navegadores
account-more-browsers = Mostrar más navegadores sin sesión
account-more-passkeys = Mostrar más llaves de acceso
account-revokeEffect = Si revocas el acceso, la aplicación lo pierde de inmediato. Para volver a usarla, inicia sesión en ella de nuevo.
account-sessionsTitle = Dónde has iniciado sesión
account-thisBrowser = (este navegador)
account-browserOn = { $browser } en { $system }
account-unknownBrowser = Navegador desconocido
account-signOutOther = Cerrar sesión
account-browsersTitle = Navegadores en los que cerraste sesión
account-browsersWhy = Todavía reconocemos estos navegadores. Si tu cuenta no tiene llave de acceso, en ellos basta un registro DNS para iniciar sesión, sin código de recuperación. Olvida los navegadores que ya no usas.
account-forget = Olvidar este navegador
account-passkeysTitle = Llaves de acceso
account-providerTitle = Llaves de acceso y códigos de recuperación
account-provider = { $sp } inicia tu sesión. Gestiona allí tus llaves de acceso y códigos de recuperación.
account-providerDelete = Para terminar la cuenta aquí, quita el registro de tu DNS. La cuenta termina 30 días después.
account-addPasskey = Añadir una llave de acceso
account-removePasskey = Eliminar
account-renamePasskey = Cambiar nombre
account-passkeyName = Nombre de la llave de acceso
account-savePasskeyName = Guardar
account-codesTitle = Códigos de recuperación
account-codesLeft = { $count ->
       [one] Queda uno de tus diez códigos de recuperación.
      *[other] Quedan { $count } de tus diez códigos de recuperación.
    }
account-newCodes = Crear códigos de recuperación nuevos
account-fewCodes = Te quedan menos de tres códigos de recuperación.
    .detail1 = Crea otros nuevos: son para el día en que pierdas todos tus dispositivos.
account-noPasskey = { $domain } no tiene llave de acceso.
    .detail1 = Añade una y ya no tendrás que editar el DNS para iniciar sesión.
account-signOutHere = Cerrar sesión en este navegador
account-signOutEverywhere = Cerrar sesión en todas partes
account-everywhereEffect = Cerrar sesión en todas partes termina todas las sesiones de este dominio, en todos los navegadores.
account-everywhereApps = Cerrar sesión en todas partes y revocar todas las aplicaciones
account-others = Otros dominios en este navegador
account-otherDomain = Iniciar sesión con otro dominio
account-former = Cuenta anterior de { $domain } en este navegador
account-isFormer = (cuenta anterior)
account-present = Cuenta actual de { $domain }
account-choose = ¿Qué dominio?
account-delete = Eliminar esta cuenta
account-signedOut = Has cerrado la sesión
account-signedOutLead = En este navegador no hay ninguna sesión iniciada.
account-notSignedIn = { $domain } no tiene una sesión iniciada en este navegador
account-othersSignedIn = Otras cuentas todavía tienen la sesión iniciada en este navegador.
account-signIn = Iniciar sesión en tu cuenta

## The history on the account page

history-title = Historial
history-lead = Lo que ha pasado con esta cuenta desde el { $since }, primero lo más reciente. Todas las horas están en UTC.
history-none = No hay nada registrado.
history-older = Entradas anteriores
history-event-account_created = Cuenta creada
history-event-signed_in = Inicio de sesión en { $client }
history-event-signed_in_passkey = Inicio de sesión en { $client } con una llave de acceso
history-event-new_browser = Primer inicio de sesión en un navegador nuevo
history-event-set_up_reused = La configuración se abrió en otro navegador después de terminada
history-event-challenge_reused = El registro de un inicio de sesión se usó por segunda vez, después de que alguien iniciara sesión con él
history-event-session_reused = Alguien usó una copia antigua de las cookies de un navegador; se cerró la sesión copiada
history-event-recovery_code_used = Se usó un código de recuperación
history-event-recovery_codes_renewed = Se crearon códigos de recuperación nuevos
history-event-passkey_added = Llave de acceso añadida: { $name }
history-event-passkey_removed = Llave de acceso eliminada: { $name }
history-event-passkey_renamed = Llave de acceso con nombre nuevo: { $name }
history-event-app_allowed = Acceso permitido a { $client }
history-event-app_revoked = Acceso revocado a { $client }
history-event-app_revoked_all = Acceso revocado a todas las aplicaciones
history-event-token_repeated_elsewhere = { $client } repitió una solicitud de acceso anterior desde otra red
history-event-record_found = El registro en tu DNS vuelve a nombrar esta cuenta
history-event-record_lost = El registro en tu DNS ya no nombra esta cuenta
history-event-signed_out = Sesión cerrada en un navegador
history-event-signed_out_everywhere = Sesión cerrada en todas partes
history-event-operator_signed_out = El operador de este servicio cerró tu sesión en todas partes
history-event-operator_revoked = El operador de este servicio revocó el acceso de { $client }
history-event-operator_revoked_all = El operador de este servicio revocó el acceso de todas las aplicaciones
history-event-account_ended = Cuenta terminada

## The page that adds a passkey

newPasskey-heading = Añadir una llave de acceso para { $domain }
newPasskey-lead = Tu dispositivo crea y guarda la llave de acceso. Después ya no tendrás que editar el DNS para iniciar sesión.
newPasskey-leadRecovery = Usaste un código de recuperación. Crea ahora una llave de acceso nueva. Así, la próxima vez que inicies sesión no necesitarás ni un código ni editar el DNS.
newPasskey-beforeChange = Después, empieza de nuevo el cambio y confírmalo con la llave de acceso nueva.
newPasskey-submit = Crear llave de acceso
newPasskey-failed = No se creó ninguna llave de acceso. Inténtalo de nuevo.
newPasskey-exists = Este dispositivo ya tiene una llave de acceso para { $domain }. Usa otro dispositivo.
newPasskey-unsupported = Este navegador no admite llaves de acceso. Usa otro navegador.
newPasskey-unsupportedHere = Este navegador no admite llaves de acceso. Puedes continuar sin una.
newPasskey-without = Si continúas sin llave de acceso, necesitarás otro código de recuperación la próxima vez que inicies sesión.
newPasskey-without-submit = Continuar sin llave de acceso
newPasskey-back = Volver a tu cuenta
newPasskeyProblems-missing = Este navegador no envió ninguna llave de acceso. Activa JavaScript.
newPasskeyProblems-failed = No se pudo verificar la llave de acceso. Inténtalo de nuevo.
newPasskeyProblems-tooLarge = Esta llave de acceso es demasiado grande para la configuración. Continúa sin ella y añade una más tarde en tu cuenta. Puedes eliminarla de tu dispositivo.
newPasskeyProblems-full = Esta cuenta ya tiene todas las llaves de acceso que puede tener. Elimina una que ya no uses y añade esta después.
removePasskey-heading = Eliminar una llave de acceso de { $domain }
removePasskey-lead = Ya no podrás iniciar sesión con la llave de acceso { $name }.
removePasskey-last = Esta es la última llave de acceso de esta cuenta. Sin ella, cada vez que inicies sesión tendrás que publicar un registro DNS temporal y usar un navegador que reconozcamos o un código de recuperación.
removePasskey-submit = Eliminar la llave de acceso
passkeyChanged-removed = Se eliminó la llave de acceso
passkeyChanged-removed_effect = Ya no puedes iniciar sesión con ella. Si tu registro contiene su clave, sustitúyelo por el de abajo. Hasta que caduquen las cachés de DNS y las firmas, las aplicaciones aún pueden aceptar pruebas firmadas con la clave eliminada.
passkeyChanged-added = Se añadió la llave de acceso
passkeyChanged-added_effect = Ya puedes iniciar sesión con ella. Si publicas el registro de abajo, las aplicaciones también pueden verificar que fuiste tú quien aprobó un inicio de sesión.
passkeyChanged-record = Tu registro debería ser ahora
passkeyChanged-continue = Continuar

## Why a session ended

sessionEnded-reused = Alguien ha usado una copia antigua de la sesión de este navegador para { $domain }.
    .detail1 = Hemos cerrado la sesión, en este navegador y en la copia. Inicia sesión de nuevo para continuar.
    .detail2 = Si no copiaste los datos de este navegador a otro, puede que lo haya hecho otra persona. Comprueba que este dispositivo no tenga software malicioso.
sessionEnded-elsewhere = Se cerró la sesión de { $domain } desde otro navegador.
    .detail1 = Si no fuiste tú, inicia sesión de nuevo y comprueba quién tiene acceso a tu zona DNS.
sessionEnded-operator = El operador de este servicio ha cerrado la sesión de { $domain }.
    .detail1 = Inicia sesión de nuevo para continuar.

## The two pages that show a record to publish

dns-name = Nombre
dns-fullName = Nombre completo
dns-type = Tipo
dns-value = Valor
dns-showAll = Mostrar todo
dns-wantsFullName = Mi panel pide el nombre completo
dns-twoStrings = Mi panel tiene un campo por cada cadena de 255 caracteres
dns-panelAt = Tu DNS está en { $panel }.
dns-panelOpen = Abrir { $panel }
dns-serversOrCheck = Respuestas de los servidores · Comprobar
dns-looking = Comprobamos cada 3 segundos.
dns-lookingSlowly = Comprobamos cada 15 segundos.
dns-ttl = TTL: { $ttl }, o lo que sugiera el panel.
dns-checksByItself = Esta página comprueba por sí sola. Puedes dejarla abierta.
dns-stopChecking = Detener la comprobación automática
dns-checksNoMore = La comprobación automática está desactivada.
dns-checksEnded = Esta página ya no comprueba automáticamente. Comprueba ahora.
dns-checksEndedReload = Esta página ya no comprueba automáticamente. Vuelve a cargarla.
dns-checkAgain = Reanudar la comprobación automática
dns-checkedAt = Última comprobación: { $time }
dns-found = { $count ->
       [one] Encontrado en el DNS
      *[other] Encontrado en el DNS: { NUMBER($count, useGrouping: 0) } registros
    }
dns-panel-title = ¿Dónde añado este registro?
dns-panel-relative = Abre la configuración de DNS en la empresa donde registraste el dominio o que aloja su DNS, y añade un nuevo registro TXT. Muchos paneles de DNS añaden automáticamente el dominio al final del nombre. En ese caso, escribe solo la primera parte:
dns-panel-inZone = En la configuración de DNS de { $zone }:
dns-panel-paragraphs =
    .paragraph1 = Si el panel muestra el nombre completo antes de guardar, debe ser igual al de arriba, con el dominio una sola vez.
    .paragraph2 = No cambies tus otros registros. Escribe el valor sin comillas. Si no puedes elegir un TTL, deja el que viene por defecto.

## The setup page

setUpPasskey-heading = Crea una llave de acceso para { $domain }
setUpPasskey-lead = Con ella iniciarás sesión. Sin contraseña.
dnsSetup-heading = Añade este registro a { $domain }
dnsSetup-effect = El registro permite a este navegador iniciar sesión como { $domain }.
dnsSetup-webView = No salgas de esta ventana hasta terminar: la ventana de esta aplicación no comparte la configuración con tu navegador.
dnsSetup-foundHeading = { $domain } es tuyo aquí
dnsSetup-found = Tu DNS tiene el registro. Déjalo ahí.
dnsSetup-finish = Continuar con tu llave de acceso
dnsSetup-record = Publica este registro
dnsSetup-submit = Comprobar ahora
dnsSetup-startOver-title = Empezar de nuevo o restaurar
dnsSetup-startOver-explanation = Recibirás un valor nuevo para publicar. El actual dejará de funcionar.
dnsSetup-startOver-submit = Crear un registro nuevo
dnsSetup-resume = Reanudar la configuración que empezaste el { $date }
dnsSetup-resumeFor = Reanudar la configuración del { $date } para { $client }
dnsSetup-handOn = Otra persona gestiona el DNS
dnsSetup-former = Si ya usaste este servicio, restaura en su lugar tu registro anterior.
dnsSetup-known = Ya has usado { $domain } aquí, en este navegador.
dnsSetup-knownEffect = Para conservar tu cuenta, restaura su registro. Un registro nuevo crea una cuenta nueva, y las aplicaciones te tratarán como a otra persona.
dnsSetup-restore = Restaurar el registro anterior

## Recovery codes on the setup page

recoveryCodes-done = { $domain } está configurado
recoveryCodes-heading = Guarda tus códigos de recuperación
recoveryCodes-why = Guarda estos códigos: necesitarás uno cuando ya no tengas este navegador. Cada uno sirve una vez.
recoveryCodes-whyPasskey = Guarda estos códigos para el día en que pierdas todos tus dispositivos. Cada uno sirve una vez.
recoveryCodes-download = Descargar
recoveryCodes-print = Imprimir
recoveryCodes-saved = Los he guardado
recoveryCodes-lost = No podemos mostrar los códigos: este navegador ya no los tiene, o los han reemplazado otros nuevos.
recoveryCodes-continue = Continuar
recoveryCodes-all = los diez códigos
newCodes-heading = Códigos de recuperación nuevos para { $domain }
newCodes-few = Te quedan menos de tres códigos de recuperación. Aquí tienes diez nuevos.
newCodes-lead = Sustituirán a tus códigos anteriores cuando confirmes abajo que los has guardado. Hasta entonces, los anteriores siguen siendo válidos.
newCodes-keep = Conservar mis códigos actuales
deleteAccount-heading = Eliminar la cuenta de { $domain }
deleteAccount-lead = Esto no se puede deshacer.
deleteAccount-paragraphs =
    .paragraph1 = Las aplicaciones ya no te reconocerán. Te conocen por un identificador que se pierde con la cuenta. Si vuelves a configurar este dominio, recibes un identificador nuevo y cada aplicación ve una cuenta nueva.
    .paragraph2 = Todas las sesiones, los accesos de aplicaciones, las llaves de acceso y los códigos de recuperación terminan de inmediato. El historial se elimina. Los datos que las aplicaciones han guardado sobre ti no se eliminan.
deleteAccount-confirm = Para confirmar, escribe el dominio: { $domain }
deleteAccount-wrong = Ese no es el dominio de esta cuenta.
deleteAccount-submit = Eliminar la cuenta
deleteAccount-done = Se eliminó la cuenta de { $domain }
deleteAccount-doneLead = Ahora puedes quitar el registro de tu DNS. Para volver a usar este servicio, configura el dominio con un registro nuevo.

## The link that hands a setup on, and the page that it leads to

handOn-heading = Compartir el registro de { $domain }
handOn-lead = Envía este enlace a la persona que gestiona el DNS del dominio. Muestra el registro y su estado. No sirve para iniciar sesión.
handOn-again = Si empiezas de nuevo después de enviar el enlace, envía el nuevo.
handOn-link = El enlace
handOn-linkUntil = Válido hasta el { $date }
handOn-qr = Código QR del enlace
handOn-mailSubject = Registro DNS de { $domain }
handOn-mailAsk = Añade un registro TXT al DNS de { $domain }, por favor. Hasta el { $date }, esta página muestra el registro e indica si ya está publicado:
handOn-mailWarning = El registro permite que mi navegador inicie sesión como { $domain } en { $issuer }. Si no sabes quién envió esto, no lo publiques.
handOn-openMail = Enviar por correo
handOn-back = Volver a la configuración
setUpLink-heading = Un registro para { $domain }
setUpLink-lead = Alguien quiere usar este dominio para iniciar sesión en { $client } por medio de { $issuer }, y te pide que publiques este registro.
setUpLink-leadUnknownApp = Alguien quiere usar este dominio para iniciar sesión, por medio de { $issuer }, en una aplicación que ya no está registrada allí, y te pide que publiques este registro.
setUpLink-warning = Publicar este registro permite que el navegador del remitente inicie sesión como { $domain }. Si no sabes quién te envió este enlace, no lo publiques.
setUpLink-status = Estado
setUpLink-seen = El registro está publicado. La persona que te envió este enlace ya puede continuar.
setUpLink-done = La configuración ha terminado. Aquí no queda nada por hacer. Deja el registro en su sitio.
setUpLink-outdated = El registro de este enlace contiene una clave que este servicio ha retirado. Pide a la persona que te envió el enlace que empiece de nuevo y te envíe otro.
setUpLink-until = Este enlace es válido hasta el { $date }.

## The page with the record of a former account

formerRecord-heading = Restaura tu registro anterior de { $domain }
formerRecord-lead = Publica de nuevo este registro para recuperar tu cuenta anterior. Las aplicaciones te reconocerán.
formerRecord-leadCode = Solo mostramos el registro anterior al propietario de su cuenta. Escribe uno de los códigos de recuperación de esa cuenta. El código seguirá siendo válido.
formerRecord-record = Publica este registro en lugar del actual
formerRecord-published = Ya lo he publicado: iniciar sesión
formerRecord-submit = Mostrar el registro anterior
formerRecord-earlier = ¿Otra cuenta anterior?
formerRecord-earlierLead = Si este registro no es el de la cuenta que quieres recuperar, escribe uno de los códigos de recuperación de esa cuenta.
formerRecord-codeHint = Uno de los diez códigos que guardaste al configurar esa cuenta.
formerRecord-newInstead = Configurar el dominio con un registro nuevo

## The page for a sign-in with a passkey

passkey-heading = Iniciar sesión como { $domain }
passkey-lead = Usa tu llave de acceso para demostrar que el dominio sigue siendo tuyo.
passkey-client = Estás iniciando sesión en { $client }, en { $host }.
passkey-submit = Usar la llave de acceso
passkey-failed = No se usó la llave de acceso. Inténtalo de nuevo o inicia sesión sin ella más abajo.
passkey-failedSetUp = No se usó la llave de acceso. Inténtalo otra vez, o empieza de nuevo abajo.
passkey-unsupported = Este navegador no admite llaves de acceso. Usa otro navegador o inicia sesión sin llave de acceso más abajo.
passkey-unsupportedSetUp = Este navegador no admite llaves de acceso. Usa el navegador en el que creaste la llave.
passkey-noScript = Las llaves de acceso necesitan JavaScript, que está desactivado en este navegador.
passkey-without-title = No puedo usar mi llave de acceso
passkey-without-explanation = Puedes iniciar sesión con uno de tus códigos de recuperación y un registro temporal en el DNS de tu dominio. El código solo se gasta cuando has iniciado sesión.
passkey-without-submit = Iniciar sesión sin la llave de acceso

## The page for a later sign-in by DNS

dnsChallenge-heading = Inicia sesión como { $domain }
dnsChallenge-lead = Añade un registro temporal al DNS de tu dominio para demostrar que el dominio sigue siendo tuyo. Podrás eliminar el registro cuando hayas iniciado sesión.
dnsChallenge-leadWithCode = Escribe primero un código de recuperación. Después añade un registro temporal al DNS de tu dominio para demostrar que el dominio sigue siendo tuyo.
dnsChallenge-deadline = Tienes 24 horas. Puedes cerrar esta página y volver a ella en este navegador.
dnsChallenge-client = Estás iniciando sesión en { $client }, en el sitio { $host }.
dnsChallenge-warning = Publica este registro solo si fuiste tú quien empezó este inicio de sesión en { $issuer }.
dnsChallenge-warningReason = Permite que este navegador inicie sesión como { $domain }. Si otra persona te lo envió, no lo publiques.
dnsChallenge-codeFirst = Escribe un código de recuperación
dnsChallenge-submit = Comprobar ahora
dnsChallenge-continue = Continuar
dnsChallenge-next = El registro que publicarás después
dnsChallenge-codeKept = Tu código de recuperación es válido. Quedará usado cuando hayas iniciado sesión.
dnsChallenge-passkeyKept = Se verificó tu llave de acceso. Este servicio se restauró a partir de una copia de seguridad, así que debes confirmar la llave de acceso una vez: publica este registro.
dnsChallenge-recoveryCode-label = Código de recuperación
dnsChallenge-recoveryCode-hint = Uno de los diez códigos que guardaste al configurar el dominio. Te lo pedimos porque no reconocemos este navegador.
dnsChallenge-recoveryCode-insteadOfPasskey = Uno de los diez códigos que guardaste al configurar el dominio. Lo pedimos porque estás iniciando sesión sin tu llave de acceso.
dnsChallenge-lostAccess-title = Perdí mis códigos o el navegador que usaba
dnsChallenge-lostAccess-explanation = Puedes empezar de nuevo con otro registro, que sustituye al que { $domain } tiene ahora.
dnsChallenge-lostAccess-consequence = Las aplicaciones verán entonces una cuenta nueva. Lo que guardaste en ellas con la cuenta anterior no se traspasará.
dnsChallenge-lostAccess-submit = Empezar de nuevo con otro registro

## The page for a setup that was started in another browser

ownUnknown-heading = El registro de { $domain } no se puede usar en este navegador
ownUnknown-lead = El registro del dominio ya indica este servicio, pero pertenece a una configuración que se empezó en otro navegador, o a una cuenta que ha terminado.
ownUnknown-finishedHeading = La configuración de { $domain } se terminó en otro lugar
ownUnknown-finished = Alguien terminó esta configuración, pero no en esta pestaña. Si no fuiste tú, empieza de nuevo con un registro nuevo.
ownUnknown-endedHeading = El registro de { $domain } ya se usó
ownUnknown-ended = La cuenta que se creó con este registro ha terminado, y un registro no puede crear otra. Empieza de nuevo con un registro nuevo.
ownUnknown-restoredHeading = La configuración de { $domain } ya no se puede terminar
ownUnknown-restored = Este servicio se restauró a partir de una copia de seguridad después de que empezaras la configuración. Para proteger tu dominio, ya no se acepta el registro. Empieza de nuevo con un registro nuevo.
ownUnknown-client = Estás iniciando sesión en { $client }, en el sitio { $host }.
ownUnknown-finish-explanation = Si la empezaste tú, termina en ese navegador. Una ventana privada u otro dispositivo cuenta como otro navegador.
ownUnknown-startOver-explanation = Recibes un registro nuevo para publicar en lugar del que { $domain } tiene ahora. Si no sabes de dónde salió el actual, sustitúyelo.
ownUnknown-startOver-submit = Empezar de nuevo con otro registro

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = Continuar la configuración de { $domain }
earlierSetUps-lead = { $count ->
       [one] Este navegador guarda tres configuraciones. Ya has empezado una para este dominio: continúala. Si has publicado o enviado un registro, su configuración sigue siendo válida.
      *[other] Este navegador guarda tres configuraciones. Ya has empezado { NUMBER($count, useGrouping: 0) } para este dominio: continúa una de ellas. Si has publicado o enviado un registro, su configuración sigue siendo válida.
    }
earlierSetUps-startOver = Recibirás un registro nuevo para publicar. La configuración de { $domain } del { $date } dejará de servir.

## The consent page

consent-heading = ¿Iniciar sesión en { $client }?
consent-known = { $host } te conocerá como { $domain }.
consent-scopesTitle = También podrá
consent-resource = En { $resource } podrá
consent-resourceUse = usar ese servicio en tu nombre
consent-allow = Permitir
consent-deny = No permitir

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = saber que controlas este dominio
scopes-profile = conocer el nombre y el sitio web de este dominio
scopes-offline_access = mantener tu sesión abierta cuando no estés

## All problem pages

problem-errorId = Identificador del error:
problem-client = Estabas iniciando sesión en { $host }.
problem-setUpFor = Estabas configurando un dominio para iniciar sesión en { $client }.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = No se ha iniciado sesión como { $domain }
external-lead = Según el registro de { $domain }, el inicio de sesión se hace en { $sp }.
external-again = Intentarlo de nuevo
external-detail = Para el operador de ese servicio (en inglés):
external-problems-own_issuer = { $sp } es este mismo servicio.
    .detail1 = Si el dominio es tuyo, corrige el valor sp de su registro: debe ser exactamente la dirección de este servicio, sin barra al final.
external-problems-unreachable = { $sp } no responde.
    .detail1 = Espera un minuto e inténtalo de nuevo.
external-problems-busy = Nuestro servicio está saturado, así que no hemos podido contactar con { $sp }.
    .detail1 = Espera unos segundos e inténtalo de nuevo.
external-problems-not_public = { $sp } no tiene una dirección pública.
    .detail1 = Por seguridad, no nos conectamos a él. Si el dominio es tuyo, revisa el valor de sp en su registro.
external-problems-bad_metadata = { $sp } no parece ser un servicio de inicio de sesión.
    .detail1 = Si el dominio es tuyo, revisa el valor de sp en su registro. Si no, solo el operador de { $sp } puede arreglarlo.
external-problems-unmet_requirements = A { $sp } le falta una función de seguridad que exigimos.
    .detail1 = El operador de { $sp } puede añadirla. Si el dominio es tuyo, también puedes indicar otro servicio en su registro.
external-problems-no_client = { $sp } no conoce este servicio, y no hemos podido registrarnos allí.
    .detail1 = Inténtalo de nuevo. Si sigue ocurriendo, el operador de este servicio tiene que registrarlo en { $sp }.
external-problems-bad_answer = { $sp } envió una respuesta no válida.
    .detail1 = Con ella no pudimos iniciar tu sesión. Inténtalo de nuevo. Si vuelve a ocurrir, avisa al operador de { $sp }.
external-problems-refused_by_sp = { $sp } te envió de vuelta sin iniciar tu sesión.
    .detail1 = Quizá cancelaste allí. Puedes intentarlo de nuevo.
external-problems-other_account = La cuenta que usaste en { $sp } no es la que indica el registro de { $domain }.
    .detail1 = Cierra la sesión allí e inténtalo de nuevo con la cuenta correcta. Si el dominio es tuyo, también puedes cambiar su registro para que indique la cuenta que usaste.
external-problems-other_domain = En { $sp } iniciaste sesión como otro dominio, no como { $domain }.
    .detail1 = Inicia sesión allí como { $domain } e inténtalo de nuevo.
external-problems-record_changed = El registro de { $domain } cambió mientras estabas en { $sp }.
    .detail1 = Para iniciar sesión con el nuevo registro, inténtalo de nuevo.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = Escribe el nombre de dominio con el que quieres iniciar sesión.
domainMistakes-email_address = Eso parece una dirección de correo de { $domain }.
    .detail1 = Si { $domain } es tuyo, escríbelo sin la parte anterior a la @. Aquí no se puede usar una dirección de un proveedor de correo.
domainMistakes-url_with_path = Escribe solo el dominio, no la dirección completa de una página.
    .detail1 = En su lugar, escribe { $domain }.
domainMistakes-single_label = «{ $domain }» no es un nombre de dominio completo.
    .detail1 = Escríbelo con su terminación, por ejemplo, alice.com.
domainMistakes-ip_address = { $domain } es una dirección IP.
    .detail1 = Escribe un nombre de dominio, por ejemplo, alice.com.
domainMistakes-numeric_tld = «{ $domain }» termina en un número.
    .detail1 = Ningún nombre de dominio termina así. Comprueba si falta la terminación.
domainMistakes-too_long = Ese nombre de dominio es demasiado largo.
    .detail1 = Escribe como máximo 228 caracteres, y como máximo 63 entre un punto y el siguiente.
domainMistakes-public_suffix = { $domain } es una terminación que comparten muchos dominios.
    .detail1 = Escribe tu propio dominio con esa terminación, por ejemplo, { $example }.
domainMistakes-special_use = { $domain } termina en un nombre reservado para usos especiales.
    .detail1 = Nadie puede tener un dominio con esa terminación. Escribe uno que hayas registrado.
domainMistakes-bad_characters = «{ $domain }» contiene caracteres no permitidos en un nombre de dominio.
    .detail1 = Busca espacios, guiones bajos y símbolos que se hayan copiado por error.

## Results of looking up a domain's record

lookOutcomes-absent = { $domain } aún no tiene un registro de inicio de sesión.
    .detail1 = Lo recibirás la primera vez que inicies sesión con él en una aplicación.
lookOutcomes-disabled = El inicio de sesión como { $domain } está desactivado.
    .detail1 = Su registro dice sp=none. Si el dominio es tuyo, puedes cambiarlo en tu configuración de DNS.
lookOutcomes-invalid = El registro de inicio de sesión de { $domain } contiene un error.
    .detail1 = Corrígelo en tu configuración de DNS.
lookOutcomes-own_issuer = El registro de inicio de sesión de { $domain } escribe de otra forma la dirección de este servicio.
    .detail1 = Corrige sp en tu configuración de DNS.
lookOutcomes-ambiguous = { $domain } tiene más de un registro de inicio de sesión.
    .detail1 = Debe haber exactamente uno. Elimina los demás en tu configuración de DNS.
lookOutcomes-unsupported = El registro de inicio de sesión de { $domain } tiene una versión que este servicio no admite.
    .detail1 = El registro debe empezar por v=dsi1.
lookOutcomes-alias_invalid = El registro de inicio de sesión de { $domain } es un alias de un nombre que no es para iniciar sesión.
    .detail1 = Casi siempre se debe a un registro CNAME comodín (*). Publica en su lugar un registro TXT en _domain-signin, o haz que el alias apunte a un nombre que contenga _domain-signin.
lookOutcomes-indeterminate = Los servidores DNS de { $domain } no respondieron.
    .detail1 = No pudimos leer el registro del dominio. Espera un minuto e inténtalo de nuevo. Si sigue ocurriendo, contacta con la empresa que aloja el DNS del dominio.
lookOutcomes-busy = Nuestro servicio está saturado, así que no hemos podido consultar { $domain }.
    .detail1 = Espera unos segundos e inténtalo de nuevo.
lookOutcomes-unconfirmed = No pudimos confirmar la respuesta del DNS para { $domain }.
    .detail1 = Al menos dos de nuestros servidores de consulta DNS deben dar la misma respuesta. Después de un cambio en el DNS, esto puede tardar unos minutos. Inténtalo de nuevo entonces.
lookOutcomes-contradictory = Los servidores DNS no coinciden sobre { $domain }.
    .detail1 = Nuestros servidores de consulta DNS dieron respuestas distintas. Después de un cambio en el DNS, esto puede durar hasta que caduque la respuesta anterior. Inténtalo de nuevo en unos minutos.
lookOutcomes-validation_failed = La validación DNSSEC de { $domain } ha fallado.
    .detail1 = El DNS del dominio está firmado, pero las firmas no son válidas, así que no podemos confiar en él. La empresa que aloja el DNS del dominio puede arreglarlo.
lookOutcomes-reason = Motivo: { $reason }
lookOutcomes-dname = Un registro DNAME redirige el registro de inicio de sesión de { $domain }.
    .detail1 = No se admite el inicio de sesión a través de un registro DNAME. Elimínalo y publica el registro de inicio de sesión en la zona del propio dominio, o inicia sesión con el dominio al que apunta.
lookOutcomes-unsigned_subzone = El registro de inicio de sesión de { $domain } está en una zona aparte sin DNSSEC.
    .detail1 = El dominio en sí está firmado, así que no podemos confiar en una zona sin firmar por debajo de él. Publica el registro en la zona de { $domain } o firma la zona aparte.
lookOutcomes-unsupported_dnssec = { $domain } está firmado de una forma que no podemos comprobar.
    .detail1 = Su DNSSEC solo usa algoritmos o ajustes que este servicio o sus servidores de consulta DNS no admiten. La empresa que aloja el DNS del dominio puede cambiarlos.
lookOutcomes-too_large = Las respuestas DNS de { $domain } son demasiado grandes para comprobarlas.
    .detail1 = Contienen demasiadas claves, firmas o registros. La empresa que aloja el DNS del dominio puede reducir su número.
lookOutcomes-malformed = Un registro DNS de { $domain } tiene un formato incorrecto.
    .detail1 = No pudimos leer la respuesta. La empresa que aloja el DNS del dominio puede arreglarlo.
lookOutcomes-was_signed = { $domain } ya no está firmado con DNSSEC.
    .detail1 = Lo estaba hasta hace poco, así que podría ser un ataque. Si desactivaste DNSSEC, dos comprobaciones, con al menos un día de diferencia, deben confirmarlo.
lookOutcomes-firstConfirmed = La primera comprobación lo ha confirmado. Haremos la segunda automáticamente después de { $time }.
lookOutcomes-notConfirmed = Todavía no hemos podido confirmarlo. Inténtalo de nuevo dentro de una hora.
lookOutcomes-blocked = Nuestros servidores de consulta DNS bloquean { $domain }.
    .detail1 = Se niegan a consultar este nombre, por ejemplo porque está en una lista de bloqueo. Contacta con el operador de este servicio.
lookOutcomes-no_authority = Nuestros servidores de consulta DNS no pueden contactar con los servidores de nombres de { $domain }.
    .detail1 = Inténtalo de nuevo en unos minutos. Si sigue ocurriendo, contacta con la empresa que aloja el DNS del dominio.
lookOutcomes-stale = Nuestros servidores de consulta DNS solo tienen una respuesta antigua para { $domain }.
    .detail1 = No pudieron contactar con los servidores de nombres del dominio, y una respuesta antigua no muestra lo que dice el registro ahora. Inténtalo de nuevo en unos minutos.
lookOutcomes-unregistered = { $domain } no es un dominio registrado.
    .detail1 = Comprueba la ortografía. Si acabas de registrar el dominio, inténtalo de nuevo en unos minutos.
lookOutcomes-external = El registro de { $domain } indica ahora otro servicio.
    .detail1 = Para iniciar sesión con ese servicio, vuelve a la aplicación y empieza de nuevo.
lookOutcomes-names_another = El registro de { $domain } indica otro servicio: { $sp }.
    .detail1 = { $client } te envió aquí como si el registro indicara este servicio. O el registro acaba de cambiar, o dos servicios se remiten el uno al otro. Vuelve a la aplicación e inténtalo de nuevo. Si sigue ocurriendo, revisa el registro en tu configuración de DNS.
lookOutcomes-own_unknown = El registro de { $domain } pertenece a una configuración que se empezó en otro navegador, o a una cuenta que ha terminado.
    .detail1 = Termina en ese navegador, o sustituye el registro anterior por el que se muestra aquí.
lookOutcomes-not_permitted = Aquí no puedes iniciar sesión como { $domain }.
    .detail1 = Este servicio solo acepta dominios cuyo DNS esté firmado (DNSSEC). La empresa que aloja el DNS del dominio puede firmarlo.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = Aquí se puede iniciar sesión como { $domain }.
    .detail1 = Su registro es válido e indica este servicio.
verdicts-external = El inicio de sesión como { $domain } se hace a través de { $sp }.
    .detail1 = Su registro es válido. Esta comprobación no contacta con { $sp }.
verdicts-invalid = El registro de { $domain } no es válido: { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = Encontrado.
looks-absent = Todavía no está.
looks-absentRemembered = Todavía no está.
    .detail1 = { $seconds ->
       [one] No hemos podido consultar los servidores de nombres de tu dominio. Durante { NUMBER($seconds, useGrouping: 0) } segundo como máximo, otros servidores DNS pueden seguir respondiendo que el registro no existe.
      *[other] No hemos podido consultar los servidores de nombres de tu dominio. Durante { NUMBER($seconds, useGrouping: 0) } segundos como máximo, otros servidores DNS pueden seguir respondiendo que el registro no existe.
    }
looks-absentBusy = Todavía no está.
    .detail1 = { $seconds ->
       [one] Nuestro servicio está saturado, así que no hemos consultado los servidores de nombres de tu dominio. Durante { NUMBER($seconds, useGrouping: 0) } segundo como máximo, otros servidores DNS pueden seguir respondiendo que el registro no existe.
      *[other] Nuestro servicio está saturado, así que no hemos consultado los servidores de nombres de tu dominio. Durante { NUMBER($seconds, useGrouping: 0) } segundos como máximo, otros servidores DNS pueden seguir respondiendo que el registro no existe.
    }
looks-otherValue = Hemos encontrado un registro, pero no este.
    .detail1 = Si acabas de cambiar { $name }, puede que el valor anterior siga viéndose hasta que venza su TTL. Si no, compara los valores.
looks-atDomain = El registro está en { $domain }.
    .detail1 = Debe estar en { $name }. Muévelo allí.
looks-doubledName = El registro está en { $name }, que contiene dos veces el dominio.
    .detail1 = Tu panel de DNS añade el dominio automáticamente. Como nombre, escribe solo { $entry }.
looks-cutAtSemicolon = El registro está cortado después de v=dsi1.
    .detail1 = Tu panel de DNS interpreta el espacio o el punto y coma como el final. Escribe el valor entre comillas.
looks-inQuotes = El valor del registro contiene comillas.
    .detail1 = Tu panel de DNS las añade automáticamente. Escribe el valor sin comillas.
looks-noUnderscore = El registro está en { $domain }, sin el guion bajo.
    .detail1 = Debe estar en { $name }, con el guion bajo al principio.
looks-curlyQuotes = El valor del registro contiene comillas tipográficas.
    .detail1 = Probablemente las añadió un editor de texto. Copia el valor de esta página y escríbelo sin comillas.
looks-spacesLost = Faltan los espacios en el valor del registro.
    .detail1 = Tu panel de DNS los elimina. Escribe el valor entre comillas, o con un punto y coma en lugar de cada espacio.
looks-spaceInside = El valor del registro contiene un espacio donde no debe.
    .detail1 = Copia el valor de nuevo y pégalo de una sola vez.
looks-wrongCase = Las mayúsculas y minúsculas del valor no coinciden.
    .detail1 = Copia el valor de esta página y pégalo tal cual.
looks-wrongCharacter = Un carácter del registro es incorrecto.
    .detail1 = Copia el valor de esta página en lugar de escribirlo a mano.
looks-incomplete = El registro está incompleto.
    .detail1 = Falta una parte del valor. Copia de nuevo el valor completo de esta página.
looks-tooLong = El valor del registro es demasiado largo.
    .detail1 = Escribe solo el valor de esta página.
looks-ownEarlier = Este es el registro de una configuración anterior en este navegador.
    .detail1 = Sustituye su valor por el que aparece aquí.
looks-otherService = El registro es de otro servicio.
    .detail1 = Para iniciar sesión aquí, sustituye su valor por el de esta página.
looks-oldBesideNew = El registro está, pero junto a él hay otro registro de inicio de sesión.
    .detail1 = Debe haber exactamente uno. Elimina el otro en tu configuración de DNS.
looks-splitInTwo = El valor está repartido en dos registros.
    .detail1 = Escribe el valor completo en un solo registro y elimina el otro.
looks-malformed = Hemos encontrado el registro, pero contiene un error.
looks-oldValue = Tus servidores de nombres ya tienen el registro. Otros servidores DNS aún tienen los datos anteriores.
    .detail1 = { $seconds ->
       [one] Se actualizarán en { NUMBER($seconds, useGrouping: 0) } segundo como máximo. No tienes que hacer nada.
      *[other] Se actualizarán en { NUMBER($seconds, useGrouping: 0) } segundos como máximo. No tienes que hacer nada.
    }
looks-someServers = { $have ->
       [one] Lo tiene { NUMBER($have, useGrouping: 0) } de { $all } servidores de nombres.
      *[other] Lo tienen { NUMBER($have, useGrouping: 0) } de { $all } servidores de nombres.
    }
looks-notCertain = Algunos servidores DNS tienen el registro; otros, todavía no.
    .detail1 = Suele tardar unos minutos. No tienes que hacer nada.
dnsSetup-wildcard = Con este registro, el comodín { $wildcard } deja de aplicarse a { $domain }. Para conservar su sitio web y su correo, copia los registros del comodín (como A, AAAA y MX) en ese nombre.

## The answer of each DNS server

servers-title = Qué respondió cada servidor DNS
servers-question = Preguntamos a cada servidor por el registro TXT de { $name }.
servers-resolver = Resolutor { $address }
servers-nameServer = Servidor de nombres { $name }
servers-found-wanted = tiene este registro
servers-found-other = tiene otro valor
servers-found-absent = no tiene el registro
servers-found-silent = no respondió
servers-found-failed = respondió con un error
servers-found-not_asked = no se consultó, porque su dirección no es pública
servers-repeats = { $seconds ->
       [one] Puede que siga dando esta respuesta durante { NUMBER($seconds, useGrouping: 0) } segundo.
      *[other] Puede que siga dando esta respuesta durante { NUMBER($seconds, useGrouping: 0) } segundos.
    }

## Problems of a record that was found; $about is the part of the record that has the problem

recordProblem-not_ours = El registro no empieza por v=dsi1. Si v=dsi1 aparece más adelante, quita todo lo que hay delante. Si no, es otro registro y lo ignoramos.
recordProblem-is_challenge = Esta es la respuesta a un inicio de sesión sin llave de acceso. Va en el nombre _domain-signin-challenge y aquí no cuenta.
recordProblem-is_sp_record = Este es el registro de inicio de sesión. Va en el nombre _domain-signin y aquí no cuenta.
recordProblem-unsupported_version = La versión { $about } no se admite aquí.
recordProblem-not_alone = Hay varios registros con v=dsi1. Conserva exactamente uno.
recordProblem-too_long = El registro ocupa { $about } bytes. El máximo es 1024.
recordProblem-curly_quotes = El registro contiene comillas tipográficas. Quítalas.
recordProblem-not_ascii = El registro contiene caracteres que no son ASCII imprimible.
recordProblem-quotes = El registro contiene comillas que no encierran todo el valor. Quítalas.
recordProblem-before_version = El registro debe empezar por v=dsi1. Quita todo lo que hay delante.
recordProblem-upper_case_version = Escribe v=dsi1 en minúsculas.
recordProblem-spaced_version = Escribe v=dsi1 sin espacios.
recordProblem-malformed_version = El registro debe empezar por v=dsi1 y un espacio, no por «{ $about }».
recordProblem-upper_case_tag = El nombre de la etiqueta { $about } debe estar en minúsculas.
recordProblem-malformed_tag = «{ $about }» no tiene la forma nombre=valor, sin espacios.
recordProblem-repeated_tag = La etiqueta { $about } aparece más de una vez.
recordProblem-missing_sp = Falta la etiqueta sp. Algunos paneles de DNS cortan el valor en el primer espacio o punto y coma si no está entre comillas.
recordProblem-bad_sp = sp debe ser una URL que empiece por https:// y tenga un nombre de dominio completo en minúsculas, sin nombre de usuario, puerto, consulta (?) ni fragmento (#).
recordProblem-own_sp_scheme = sp debe ser exactamente { $about }, con el mismo comienzo (http o https).
recordProblem-own_sp_path = sp debe ser exactamente { $about }. Quita la barra y lo que sigue.
recordProblem-missing_acct = Falta la etiqueta acct, que indica la cuenta.
recordProblem-bad_acct = acct debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.
recordProblem-bad_jkt = jkt debe tener de 1 a 4 huellas SHA-256 de 43 caracteres, separadas por comas.
recordProblem-bad_spk = spk debe tener de 1 a 4 huellas SHA-256 de 43 caracteres, separadas por comas.
recordProblem-key_in_both = Una clave aparece en jkt y en spk: jkt enumera las claves del propietario; spk, las del proveedor.
recordProblem-missing_chal = Falta la etiqueta chal, que indica a qué inicio de sesión responde el registro.
recordProblem-bad_chal = chal debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.
recordProblem-other_sp = El registro es para otro servicio.
recordProblem-other_chal = El registro responde a otro inicio de sesión.
recordProblem-alias_leads_away = Este alias lleva a un nombre que no es para iniciar sesión, por lo que no lo seguimos.
recordProblem-wildcard = Un registro comodín (*) no cuenta. Publica un registro que tenga exactamente este nombre.

## Problems with a recovery code

recoveryProblems-missing = Escribe uno de tus códigos de recuperación.
recoveryProblems-wrong = Ese código no es válido para este dominio, o ya se usó.
recoveryProblems-tooMany = Demasiados intentos. Espera unos minutos e inténtalo de nuevo.

## Problems with a passkey

passkeyProblems-missing = Este navegador no envió ninguna llave de acceso. Activa JavaScript o inicia sesión sin llave de acceso.
passkeyProblems-expired = La solicitud de tu llave de acceso ya no es válida. Inténtalo de nuevo.
passkeyProblems-unknown = Esta llave de acceso no se puede usar para este dominio. Elige otra.
passkeyProblems-notUsable = No se pudo usar esta llave de acceso. Elige otra o escribe tu dominio.
passkeyProblems-notVerified = Tu dispositivo no comprobó que eras tú. Inténtalo de nuevo y confirma con tu PIN, tu huella o tu cara.
passkeyProblems-failed = No se pudo verificar la llave de acceso. Inténtalo de nuevo o elige otra.

## Problem pages

requestProblems-unknownClient = La aplicación que te envió aquí no está registrada en este servicio.
    .title = No conocemos esta aplicación
    .detail1 = No se ha compartido nada con la aplicación. Si la desarrollas, revisa el client_id.
requestProblems-missingClientId = El enlace que te trajo aquí no contiene el identificador de la aplicación.
    .title = La aplicación no se identificó
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo. Si la desarrollas, envía un client_id.
requestProblems-missingRedirectUri = Sin esa dirección no podemos iniciar tu sesión.
    .title = La aplicación no indicó adónde enviarte de vuelta
    .detail1 = No se ha compartido nada. Si desarrollas la aplicación, envía un redirect_uri.
requestProblems-redirectUriNotRegistered = La aplicación nos pidió enviarte a una dirección que no está registrada para ella.
    .title = No podemos enviarte de vuelta a esa dirección
    .detail1 = Por tu seguridad, nos detuvimos aquí. No se ha compartido nada. Si desarrollas la aplicación, redirect_uri debe coincidir exactamente con una dirección registrada.
requestProblems-postLogoutRedirectUriNotRegistered = La aplicación nos pidió cerrar tu sesión y enviarte después a una dirección que no está registrada para ella.
    .title = No podemos enviarte de vuelta a esa dirección
    .detail1 = Tu sesión no se ha cerrado. Para cerrarla aquí, abre /account en este sitio. Si desarrollas la aplicación, comprueba que post_logout_redirect_uri coincide exactamente con una dirección registrada.
requestProblems-hintOfAnotherClient = La solicitud de la aplicación para cerrar tu sesión contiene un token emitido para otra aplicación.
    .title = La solicitud de la aplicación no es coherente
    .detail1 = Tu sesión no se ha cerrado. Si desarrollas la aplicación, envía un id_token_hint emitido para tu client_id.
requestProblems-passkeyNeeded = Usaste un código de recuperación. Te permite añadir una llave de acceso, pero no hacer este cambio.
    .title = Este cambio necesita una llave de acceso
    .detail1 = Vuelve a tu cuenta. Añade una llave de acceso, salvo que acabes de añadir una. Después empieza de nuevo este cambio y confírmalo con tu llave de acceso.
requestProblems-ownerProofRequired = Esta aplicación exige que apruebes cada inicio de sesión con una llave de acceso. Tu registro DNS debe incluir la llave de acceso, y tu zona debe estar firmada con DNSSEC.
    .title = Esta aplicación exige una llave de acceso
    .detail1 = Este inicio de sesión no tenía esa aprobación. No se envió nada a la aplicación.
    .detail2 = Añade una llave de acceso en la página de tu cuenta, en /account, y publica el registro que muestra. Después vuelve a la aplicación e inicia sesión otra vez.
requestProblems-repeatedParameter = Contiene «{ $name }» más de una vez, así que no sabemos cuál vale.
    .title = La solicitud de la aplicación no es clara
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo.
requestProblems-malformedRequest = Una parte no es válida.
    .title = No pudimos leer la solicitud
    .detail1 = Vuelve a la aplicación e inténtalo de nuevo.
requestProblems-badClientDocument = { $host } te envió aquí, pero su descripción de la aplicación no es válida.
    .title = No podemos aceptar esta aplicación
    .detail1 = No se ha compartido nada con la aplicación. Si la desarrollas, corrige su documento de metadatos ({ $reason }).
requestProblems-unreachableClient = { $host } te envió aquí, pero no pudimos cargar su descripción de la aplicación.
    .title = No podemos contactar con la aplicación
    .detail1 = Espera un minuto e inténtalo de nuevo. No se ha compartido nada con la aplicación. Si la desarrollas: { $reason }
requestProblems-setUpLinkInvalid = El enlace se cortó por el camino o tiene más de 30 días.
    .title = Este enlace no funciona
    .detail1 = Abre el enlace entero o pide uno nuevo a quien te lo envió.
requestProblems-expired = Estuvo abierta demasiado tiempo. Por tu seguridad, terminamos este inicio de sesión.
    .title = Esta página ha caducado
    .detail1 = Vuelve a la aplicación e inicia sesión otra vez. Si publicaste un registro, sigue siendo válido.
requestProblems-recordLost = El registro en tu DNS ya no nombra esta cuenta, así que no podemos iniciar tu sesión.
    .title = Tu registro ha cambiado
    .detail1 = Si el dominio es tuyo, vuelve a poner el registro y déjalo ahí. Después vuelve a la aplicación e inicia sesión otra vez.
requestProblems-challengeUsed = El registro de este inicio de sesión ya se usó, en otra pestaña o en otro navegador. Solo vale una vez.
    .title = Este inicio de sesión se completó en otro lugar
    .detail1 = Si no fuiste tú, inicia sesión otra vez. Después cierra en la página de tu cuenta la sesión que no conoces y revisa el historial.
requestProblems-challengeOver = Un registro para un solo inicio de sesión vale 24 horas, y solo si mientras tanto este servicio no se ha restaurado desde una copia de seguridad.
    .title = El plazo de este registro ha terminado
    .detail1 = Puedes eliminar el registro. Vuelve a la aplicación e inicia sesión otra vez: recibirás un registro nuevo.
requestProblems-wrongBrowser = Solo puedes continuar en el navegador donde empezaste. Si es este, puede que bloquee las cookies.
    .title = Este inicio de sesión se empezó en otro navegador
    .detail1 = Permite las cookies de este sitio; después, vuelve a la aplicación e inicia sesión otra vez. Si alguien te envió el enlace a esta página, no continúes.
requestProblems-crossSitePost = Otro sitio intentó pulsar aquí un botón por ti, así que no hicimos nada.
    .title = Esa solicitud no vino de nuestra página
    .detail1 = Si fuiste tú, vuelve a la aplicación e inicia sesión otra vez.
requestProblems-tooManyAccounts = Los nombres de este dominio registrado ya tienen aquí todas las cuentas que permite este servicio. No se creó ninguna cuenta para este.
    .title = No se admiten más cuentas para este dominio
    .detail1 = Quien opera este servicio puede aumentar el límite (accounts_per_domain). Las cuentas que ya existen siguen funcionando.
requestProblems-alreadyUsed = Esta página solo funciona una vez, y ya continuaste desde ella.
    .title = Este inicio de sesión ya se completó
    .detail1 = Vuelve a la aplicación. Si no tienes la sesión iniciada allí, empieza de nuevo.
requestProblems-signedOut = Cerraste la sesión en otra pestaña o ventana mientras este inicio de sesión estaba abierto.
    .title = Has cerrado la sesión
    .detail1 = Vuelve a la aplicación e inicia sesión de nuevo.
requestProblems-overloaded = En este momento quieren iniciar sesión más personas de las que podemos atender.
    .title = Demasiadas personas a la vez
    .detail1 = Espera unos segundos e inténtalo de nuevo.
requestProblems-tooManyRequests = Acabamos de recibir demasiadas solicitudes desde tu red.
    .title = Demasiadas solicitudes
    .detail1 = { $minutes ->
       [one] Inténtalo de nuevo en aproximadamente un minuto.
      *[other] Inténtalo de nuevo en aproximadamente { NUMBER($minutes, useGrouping: 0) } minutos.
    }
requestProblems-notFound = Puede que la dirección esté mal escrita o que la página ya no exista.
    .title = Página no encontrada
    .detail1 = Para iniciar sesión, empieza en la aplicación que quieres usar.
requestProblems-serverError = No es culpa tuya, y no se ha compartido nada.
    .title = Algo salió mal por nuestra parte
    .detail1 = Inténtalo de nuevo. Si vuelve a ocurrir, avisa al operador de este servicio.
requestProblems-temporarilyUnavailable = Una parte de este servicio no está disponible en este momento.
    .title = Ahora mismo no podemos iniciar tu sesión
    .detail1 = Espera un minuto e inténtalo de nuevo. No se ha perdido nada de lo que configuraste.
