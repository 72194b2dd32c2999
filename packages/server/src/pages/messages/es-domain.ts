// What the Spanish catalogue says about domains and their records.

import type { Messages } from "./en.ts";
import type { Explanation, FoundProblem } from "./en-domain.ts";

export const domainMistakes: Messages["domainMistakes"] = {
  empty: () => say("Escribe el nombre de dominio con el que quieres iniciar sesión."),
  email_address: (domain) =>
    say(
      `${domain} es el dominio de esa dirección. ¿Es tuyo?`,
      `Si ${domain} es tuyo, escríbelo sin la parte anterior a la @. Aquí no se puede usar una dirección de un proveedor de correo.`,
    ),
  url_with_path: (domain) =>
    say("Escribe solo el dominio, no la dirección completa de una página.", `Sería ${domain}.`),
  single_label: (domain) =>
    say(
      `«${domain}» no es un nombre de dominio completo.`,
      "Escríbelo con su terminación, por ejemplo, alice.com.",
    ),
  ip_address: (domain) =>
    say(`${domain} es una dirección IP.`, "Escribe un nombre de dominio, por ejemplo, alice.com."),
  numeric_tld: (domain) =>
    say(
      `«${domain}» termina en un número.`,
      "Ningún nombre de dominio termina así. ¿Falta la terminación?",
    ),
  too_long: () =>
    say(
      "Eso es más largo de lo que aquí puede ser un nombre de dominio.",
      "Un dominio puede tener 228 caracteres, y como máximo 63 entre dos puntos.",
    ),
  public_suffix: (domain) =>
    say(
      `${domain} es una terminación que comparten muchos dominios.`,
      `Escribe tu propio nombre con ella, por ejemplo, alice.${domain}.`,
    ),
  special_use: (domain) =>
    say(
      `${domain} termina en un nombre reservado para usos especiales.`,
      "Nadie puede tener un dominio con esa terminación. Escribe uno que hayas registrado.",
    ),
  bad_characters: (domain) =>
    say(
      `«${domain}» contiene caracteres que un nombre de dominio no puede tener.`,
      "Busca espacios, guiones bajos y signos que se hayan colado al copiar.",
    ),
};

export const lookOutcomes: Messages["lookOutcomes"] = {
  absent: (domain) => say(`${domain} aún no tiene un registro de inicio de sesión.`),
  disabled: (domain) =>
    say(
      `Nadie puede iniciar sesión como ${domain}.`,
      "Así lo dice su registro (sp=none). Si el dominio es tuyo, puedes cambiarlo en su DNS.",
    ),
  invalid: (domain) =>
    say(
      `El registro de inicio de sesión de ${domain} tiene un error.`,
      "Corrígelo en tu configuración de DNS.",
    ),
  ambiguous: (domain) =>
    say(
      `${domain} tiene más de un registro de inicio de sesión.`,
      "Debe haber exactamente uno. Elimina los demás en tu configuración de DNS.",
    ),
  unsupported: (domain) =>
    say(
      `El registro de inicio de sesión de ${domain} es de una versión más nueva, que este servicio no entiende.`,
      "Hace falta un registro que empiece por v=dsi1.",
    ),
  alias_invalid: (domain) =>
    say(
      `El registro de inicio de sesión de ${domain} es un alias de un nombre que no es para iniciar sesión.`,
      "Casi siempre se debe a un registro CNAME comodín (*). Publica en su lugar un registro TXT en _domain-signin, o haz que el alias termine en un nombre que contenga _domain-signin.",
    ),
  unavailable: (domain) =>
    say(
      `El DNS de ${domain} no respondió.`,
      "Por eso no podemos saber qué dice. Suele pasar en un minuto: inténtalo de nuevo. Si continúa, pregunta a quien gestiona el DNS del dominio.",
    ),
  unconfirmed: (domain) =>
    say(
      `Muy pocos de nuestros servidores de consulta dicen lo mismo sobre el DNS de ${domain}.`,
      "Dos de ellos tienen que decir lo mismo para que lo demos por cierto. Después de un cambio en el DNS esto tarda unos minutos: inténtalo de nuevo.",
    ),
  bogus: (domain) =>
    say(
      `El DNS de ${domain} está firmado (DNSSEC), pero las firmas no son válidas.`,
      "Mientras no lo sean, no damos por cierto nada de lo que diga. Quien gestiona el DNS del dominio puede arreglarlo.",
    ),
  external: (domain) =>
    say(
      `El registro de ${domain} indica ahora otro servicio.`,
      "Es ese el que inicia su sesión. Vuelva a la aplicación y empiece de nuevo.",
    ),
  names_another: (domain, sp, client) =>
    say(
      `El registro de ${domain} indica otro servicio: ${sp}.`,
      `${client} te envió aquí como si indicara este. O el registro se cambió hace un momento, o dos servicios se señalan el uno al otro. Vuelve a la aplicación e inténtalo de nuevo; si sigue igual, revisa el registro en la configuración de DNS.`,
    ),
  own_unknown: (domain) =>
    say(
      `El registro de ${domain} pertenece a una configuración que empezó otro navegador.`,
      "Termina en ese navegador, o publica el registro que se muestra aquí en lugar del anterior.",
    ),
  not_permitted: (domain) =>
    say(
      `Este servicio no está abierto a ${domain}.`,
      "Solo acepta dominios cuyo DNS esté firmado (DNSSEC). Quien gestiona el DNS del dominio puede firmarlo.",
    ),
};

export const looks: Messages["looks"] = {
  seen: () => say("El registro ya está."),
  absent: (name) =>
    say(
      "El registro aún no está.",
      `Buscamos en ${name}. Un registro nuevo suele verse en unos minutos; en algunas empresas, en una hora.`,
    ),
  otherValue: (name) =>
    say(
      "Hay un registro, pero no es este.",
      `Si acabas de cambiar ${name}, puede que el valor anterior siga viéndose hasta que termine su TTL. Si no, compara los valores.`,
    ),
  atDomain: (domain, name) =>
    say(`El registro está directamente en ${domain}.`, `Su lugar es ${name}. Muévelo allí.`),
  doubledName: (name, entry) =>
    say(
      `El registro está en ${name}, con el dominio dos veces en el nombre.`,
      `Tu panel añade el dominio al final por sí solo: como nombre, escribe solo ${entry}.`,
    ),
  cutAtSemicolon: () =>
    say(
      "El registro termina en su primer punto y coma.",
      "Tu panel toma el punto y coma como final. Escribe el valor entre comillas.",
    ),
  inQuotes: () =>
    say(
      "El valor del registro contiene comillas.",
      "Tu panel las añade por sí solo: escribe el valor sin ellas.",
    ),
  oldValue: (seconds) =>
    say(
      "Tus servidores de nombres ya tienen el registro. Otros aún recuerdan lo que había antes.",
      `Se resolverá en ${inSeconds(seconds)} como máximo. No tienes que hacer nada.`,
    ),
  notCertain: () =>
    say(
      "Algunos servidores ven el registro; otros, todavía no.",
      "Suele tardar unos minutos. No tienes que hacer nada.",
    ),
};

export const servers: Messages["servers"] = {
  title: "Lo que dice cada servidor DNS",
  question: (name) => `A cada uno le preguntamos por el registro TXT de ${name}.`,
  resolver: (address) => `Resolutor ${address}`,
  nameServer: (name) => `Servidor de nombres ${name}`,
  found: {
    wanted: "tiene este registro",
    other: "tiene otro valor",
    absent: "no tiene este registro",
    silent: "no respondió",
    failed: "respondió con un error",
    not_asked: "no fue consultado, porque su dirección no es pública",
  },
  repeats: (seconds) => `Puede que siga dando esta respuesta durante ${inSeconds(seconds)}.`,
};

/** English has several sentences for `not_ours` and `bad_sp`: here one tells the whole rule. */
const recordProblems: Record<FoundProblem["code"], (about: string) => string> = {
  not_ours: () =>
    "El registro no empieza por v=dsi1. Si hay algo delante, quítalo; si no, es otro registro y aquí se ignora.",
  unsupported_version: (version) => `Aquí no se conoce la versión ${version}.`,
  not_alone: () => "Varios registros empiezan por v=dsi1. Conserva exactamente uno.",
  not_ascii: () => "El registro contiene caracteres que no son ASCII imprimible.",
  too_long: (octets) => `El registro ocupa ${octets} octetos; se permiten 1024 como máximo.`,
  malformed_version: (part) => `En «${part}», después de v=dsi1 debe ir un punto y coma.`,
  malformed_tag: (part) =>
    part === ""
      ? "No hay nada entre dos puntos y coma."
      : `«${part}» no tiene la forma nombre=valor.`,
  repeated_tag: (tag) => `La etiqueta ${tag} aparece más de una vez.`,
  missing_sp: () =>
    "Falta la etiqueta sp. Algunos paneles de DNS cortan el valor en el primer punto y coma si no está entre comillas.",
  bad_sp: () =>
    "sp debe ser una URL que empiece por https:// y tenga un nombre de dominio completo en minúsculas, sin nombre de usuario, puerto, consulta (?) ni fragmento (#).",
  missing_acct: () => "Falta la etiqueta acct, que indica de qué cuenta se trata.",
  bad_acct: () => "acct debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.",
  bad_jkt: () => "jkt debe tener de 1 a 4 huellas SHA-256 de 43 caracteres, separadas por comas.",
  missing_chal: () =>
    "Falta la etiqueta chal, que indica a qué inicio de sesión responde el registro.",
  bad_chal: () => "chal debe tener de 22 a 64 letras, dígitos, guiones o guiones bajos.",
  other_sp: () => "El registro es para otro servicio.",
  other_chal: () => "El registro responde a otro inicio de sesión.",
  alias_leads_away: () =>
    "Este alias lleva fuera del nombre del registro, por lo que no lo seguimos.",
};

export const recordProblem: Messages["recordProblem"] = ({ code, about = "" }) =>
  recordProblems[code](about);

export const recoveryProblems: Messages["recoveryProblems"] = {
  missing: "Escribe uno de tus códigos de recuperación.",
  wrong: "Ese no es un código de este dominio, o ya se usó.",
  tooMany: "Se han probado demasiados códigos aquí. Espera unos minutos e inténtalo de nuevo.",
};

function inSeconds(count: number): string {
  return count === 1 ? `${count} segundo` : `${count} segundos`;
}

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
