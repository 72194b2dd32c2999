// The Spanish catalogue: every sentence that the pages show.

import type { Messages } from "./en.ts";
import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./es-domain.ts";
import { external } from "./es-external.ts";
import { requestProblems } from "./es-problems.ts";

export const es: Messages = {
  common: {
    serviceName: "domain-signin",
    copy: "Copiar",
    copied: "Copiado",
    backTo: (client) => `Volver a ${client}`,
    backToApp: "Volver a la aplicación",
    problemTitle: (title) => `Problema: ${title}`,
    through: (app, service) => `${service} dice que este inicio de sesión es para ${app}.`,
  },

  domain: {
    title: (client) => `Inicia sesión en ${client}`,
    returnTo: (host) => `Usa un nombre de dominio que sea tuyo. Después volverás a ${host}.`,
    label: "Tu dominio",
    hint: "Por ejemplo, alice.com. Sin contraseña y sin registrarte.",
    submit: "Continuar",
    how: {
      title: "¿Cómo funciona?",
      paragraphs: [
        "Quien tiene un nombre de dominio decide lo que dice su DNS. Allí, un pequeño registro indica qué servicio puede iniciar tu sesión con tu dominio.",
        "Si tu dominio aún no tiene ese registro, te mostramos el que debes publicar. Lleva unos minutos y solo hay que hacerlo una vez.",
      ],
    },
  },

  continue: {
    heading: (domain) => `Continuar como ${domain}`,
    client: (client, host) => `para entrar en ${client}, en ${host}`,
    submit: "Continuar",
    other: "Usar otro dominio",
  },

  dns: {
    name: "Nombre",
    type: "Tipo",
    value: "Valor",
    ttl: "TTL",
    seconds: "segundos",
    checksByItself:
      "Esta página también comprueba por sí sola cada pocos segundos. Puedes dejarla abierta.",
    stopChecking: "Dejar de comprobar automáticamente",
    checksNoMore: "Esta página ya no comprueba automáticamente.",
    checkAgain: "Volver a comprobar automáticamente",
    checkedAt: (time) => `Última comprobación: ${time}`,
    found: (count) =>
      count === 1 ? "Encontrado en el DNS" : `Encontrado en el DNS: ${count} registros`,
    panel: {
      title: "¿Dónde escribo esto?",
      relative:
        "En la configuración de DNS de la empresa donde registraste el dominio o que gestiona su DNS. Añade allí un nuevo registro TXT. Muchos paneles añaden ellos mismos el dominio al final del nombre. En ese caso, escribe solo la primera parte:",
      inZone: (zone) => `En la configuración de ${zone}:`,
      paragraphs: [
        "Si el panel muestra el nombre completo antes de guardar, debe ser igual al de arriba, con el dominio una sola vez.",
        "Deja tus otros registros como están. Escribe el valor sin comillas. Si el panel no te permite elegir un TTL, conserva el que ofrece.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain) => `Demuestra que ${domain} es tuyo`,
    lead: "Añade un registro al DNS de tu dominio. Se hace una sola vez, y después se deja ahí.",
    client: (client, host) => `Estás iniciando sesión en ${client}, en el sitio ${host}.`,
    warning: (domain) =>
      `Publicar este registro permite que el navegador que lo muestra inicie sesión como ${domain}. Si alguien te lo envió, detente.`,
    record: "Publica este registro",
    check: "Déjanos buscarlo",
    submit: "Ya lo publiqué, comprobar ahora",
    startOver: {
      title: "Empezar de nuevo con otro registro",
      explanation:
        "Recibes un nuevo valor para publicar y nuevos códigos de recuperación. Los de esta página dejan de funcionar.",
      submit: "Crear un registro nuevo",
    },
  },

  recoveryCodes: {
    heading: "Mientras esperas: guarda estos diez códigos",
    why: (domain) =>
      `Con un código puedes volver a entrar como ${domain} desde otro navegador, o cuando este ya no te reconozca. El registro por sí solo no basta, porque cualquiera puede leerlo. Guarda los códigos en un gestor de contraseñas o imprime esta página.`,
    valid: "Serán válidos cuando encontremos tu registro. Cada uno sirve una sola vez.",
    all: "los diez códigos",
  },

  dnsChallenge: {
    heading: (domain) => `Inicia sesión como ${domain}`,
    lead: "Añade un registro temporal al DNS de tu dominio para demostrar que sigue siendo tuyo. Podrás quitarlo cuando hayas iniciado sesión.",
    client: (client, host) => `Estás iniciando sesión en ${client}, en el sitio ${host}.`,
    warning: (issuer) => `Publica este registro solo si fuiste tú quien empezó en ${issuer}.`,
    warningReason: (domain) =>
      `Permite que este navegador inicie sesión como ${domain}. Si alguien te lo envió, detente.`,
    record: "Publica este registro por ahora",
    check: "Déjanos buscarlo",
    checkWithCode: "Escribe un código de recuperación y déjanos buscar",
    submit: "Ya lo publiqué, comprobar ahora",
    recoveryCode: {
      label: "Código de recuperación",
      hint: "Uno de los diez códigos que guardaste al configurar el dominio. Te lo pedimos porque aún no conocemos este navegador.",
    },
    lostAccess: {
      title: "Perdí mis códigos o el navegador que usaba",
      explanation: (domain) =>
        `Puedes empezar de nuevo con otro registro, que sustituye al que ${domain} tiene ahora.`,
      consequence:
        "Las aplicaciones verán entonces una cuenta nueva. Lo que guardabas en ellas con la anterior no se conserva en la nueva.",
      submit: "Empezar de nuevo con otro registro",
    },
  },

  ownUnknown: {
    heading: (domain) => `Otro navegador empezó con ${domain}`,
    lead: "El registro del dominio ya indica este servicio, pero la configuración a la que pertenece no se empezó en este navegador.",
    client: (client, host) => `Estás iniciando sesión en ${client}, en el sitio ${host}.`,
    finish: {
      title: "¿La empezaste tú?",
      explanation:
        "Entonces termina en el navegador donde empezaste. Una ventana privada u otro dispositivo cuenta como otro navegador.",
    },
    startOver: {
      title: "O empieza de nuevo aquí",
      explanation: (domain) =>
        `Recibes un registro nuevo para publicar en lugar del que ${domain} tiene ahora. Si no sabes de dónde salió el actual, lo correcto es sustituirlo.`,
      submit: "Empezar de nuevo con otro registro",
    },
  },

  consent: {
    heading: (client) => `¿Iniciar sesión en ${client}?`,
    sentTo: "Te enviaremos a",
    shared: "La aplicación sabrá que eres",
    scopesTitle: "Podrá",
    allow: "Permitir",
    deny: "No permitir",
    caution: (host) =>
      `Las aplicaciones eligen su propio nombre. Permite esto solo si es en ${host} donde quieres iniciar sesión.`,
  },

  scopes: new Map([
    ["openid", "saber que controlas este dominio"],
    ["offline_access", "mantener tu sesión abierta cuando no estés"],
  ]),

  problem: {
    errorId: "Si pides ayuda, menciona este error:",
    client: (host) => `Estabas iniciando sesión en ${host}.`,
  },

  external,
  domainMistakes,
  lookOutcomes,
  looks,
  servers,
  recordProblem,
  recoveryProblems,
  requestProblems,
};
