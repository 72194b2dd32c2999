// What the Spanish catalogue says about requests that cannot be answered as asked.

import type { Messages } from "./en.ts";
import type { Problem } from "./en-problems.ts";

export const requestProblems: Messages["requestProblems"] = {
  unknownClient: problem(
    "No conocemos esta aplicación",
    "La aplicación que te envió aquí no está registrada en este servicio.",
    "No se le ha comunicado nada. Si desarrollas la aplicación: revisa su client_id.",
  ),
  missingClientId: problem(
    "La aplicación no dijo quién es",
    "Al enlace que te trajo aquí le falta el identificador de la aplicación.",
    "Vuelve a la aplicación e inténtalo de nuevo. Si la desarrollas: envía client_id.",
  ),
  missingRedirectUri: problem(
    "La aplicación no dijo adónde enviarte de vuelta",
    "Sin eso no podemos iniciar tu sesión.",
    "No se ha comunicado nada. Si desarrollas la aplicación: envía redirect_uri.",
  ),
  redirectUriNotRegistered: problem(
    "No podemos enviarte de vuelta a esa dirección",
    "La aplicación nos pidió enviarte a una dirección que no está registrada para ella.",
    "Por tu seguridad nos detuvimos aquí, y no se ha comunicado nada. Si desarrollas la aplicación: redirect_uri debe ser igual, carácter por carácter, a una dirección registrada.",
  ),
  repeatedParameter: (name) =>
    problem(
      "La solicitud de la aplicación no es clara",
      `Contiene «${name}» más de una vez, así que no sabemos qué quiere decir.`,
      "Vuelve a la aplicación e inténtalo de nuevo.",
    ),
  malformedRequest: problem(
    "No pudimos leer esa solicitud",
    "Hay algo en ella que no es como debería.",
    "Vuelve a la aplicación e inténtalo de nuevo.",
  ),
  badClientDocument: (host, reason) =>
    problem(
      "No podemos admitir esta aplicación",
      `${host} te envió aquí y se describe de una forma que no podemos aceptar.`,
      `No se le ha comunicado nada. Si desarrollas la aplicación: hay un error en su documento de metadatos (${reason}).`,
    ),
  unreachableClient: (host, reason) =>
    problem(
      "No podemos contactar con la aplicación",
      `${host} te envió aquí, pero ahora mismo no nos dice qué es.`,
      `Espera un minuto e inténtalo de nuevo. No se le ha comunicado nada. Si desarrollas la aplicación: ${reason}`,
    ),
  expired: problem(
    "Esta página es demasiado antigua",
    "Estuvo abierta tanto tiempo que la descartamos, por tu seguridad.",
    "Vuelve a la aplicación e inicia sesión otra vez. El registro que hayas publicado sigue siendo válido.",
  ),
  wrongBrowser: problem(
    "Este inicio de sesión pertenece a otro navegador",
    "Solo se puede continuar donde empezó. O puede que este navegador no guarde las cookies que necesitamos para ello.",
    "Permite las cookies de este sitio; después, vuelve a la aplicación e inicia sesión otra vez. Si alguien te envió el enlace a esta página, no sigas.",
  ),
  crossSitePost: problem(
    "Eso no vino de nuestra página",
    "Otro sitio intentó pulsar aquí un botón por ti, así que no hicimos nada.",
    "Si fuiste tú: vuelve a la aplicación e inicia sesión otra vez.",
  ),
  alreadyUsed: problem(
    "Este inicio de sesión ya terminó",
    "Ya continuaste antes desde esta página, y solo funciona una vez.",
    "Vuelve a la aplicación. Si no tienes la sesión iniciada allí, empieza de nuevo.",
  ),
  tooManyRequests: problem(
    "Demasiadas solicitudes seguidas",
    "Acabamos de recibir muchas solicitudes desde tu red.",
    "Espera un minuto e inténtalo de nuevo.",
  ),
  notFound: problem(
    "Aquí no hay nada",
    "La dirección está mal escrita, o la página ya no existe.",
    "Para iniciar sesión, empieza en la aplicación que quieres usar.",
  ),
  serverError: problem(
    "Algo salió mal por nuestra parte",
    "No es culpa tuya, y no se ha comunicado nada.",
    "Inténtalo de nuevo. Si vuelve a pasar, avisa a quien administra este servicio.",
  ),
  temporarilyUnavailable: problem(
    "Ahora mismo no podemos responder",
    "Una parte de este servicio no está disponible en este momento.",
    "Espera un minuto e inténtalo de nuevo. No se ha perdido nada de lo que configuraste.",
  ),
};

function problem(title: string, summary: string, ...details: string[]): Problem {
  return { title, summary, details };
}
