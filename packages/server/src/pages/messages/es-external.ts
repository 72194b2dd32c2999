// What the Spanish catalogue says when an external service provider has not signed the person in.

import type { Messages } from "./en.ts";

export const external: Messages["external"] = {
  heading: (domain) => `No ha iniciado sesión como ${domain}`,
  lead: (domain, sp) => `Como ${domain} se inicia sesión en ${sp}: así lo dice su registro.`,
  again: "Intentarlo de nuevo",
  detail: "Para quien gestiona ese servicio, en inglés:",
  problems: {
    unreachable: (sp) => say(`${sp} no responde.`, "Espere un minuto y vuelva a intentarlo."),
    not_public: (sp) =>
      say(
        `${sp} no tiene una dirección pública.`,
        "Por eso no le preguntamos. Si el dominio es suyo, revise sp en su registro.",
      ),
    bad_metadata: (sp) =>
      say(
        `${sp} no se describe como un servicio que inicie la sesión de personas.`,
        "Si el dominio es suyo, revise sp en su registro. Si no, quien gestiona ese servicio puede arreglarlo.",
      ),
    unmet_requirements: (sp) =>
      say(
        `A ${sp} le falta algo que necesitamos por seguridad.`,
        "Quien gestiona ese servicio puede añadirlo. Si el dominio es suyo, también puede indicar otro servicio en su registro.",
      ),
    no_client: (sp) =>
      say(
        `${sp} no nos conoce y no hemos podido presentarnos.`,
        "Vuelva a intentarlo. Si sigue así, quien gestiona este servicio tiene que registrarlo allí.",
      ),
    bad_answer: (sp) =>
      say(
        `La respuesta de ${sp} no está en orden.`,
        "Por eso no la hemos creído. Vuelva a intentarlo; si ocurre otra vez, avise a quien gestiona ese servicio.",
      ),
    refused_by_sp: (sp) =>
      say(
        `${sp} le ha enviado de vuelta sin iniciar su sesión.`,
        "Quizá usted lo detuvo allí. Puede volver a intentarlo.",
      ),
    other_account: (sp, domain) =>
      say(
        `En ${sp} tiene abierta una cuenta distinta de la que indica ${domain}.`,
        "Cierre la sesión allí y vuelva a intentarlo con la cuenta correcta. Si el dominio es suyo, también puede indicar esta cuenta en su registro.",
      ),
    other_domain: (sp, domain) =>
      say(
        `En ${sp} ha iniciado sesión como un dominio distinto de ${domain}.`,
        `Inicie sesión allí como ${domain} y vuelva a intentarlo.`,
      ),
    record_changed: (sp, domain) =>
      say(
        `Mientras usted estaba en ${sp}, cambió el registro de ${domain}.`,
        "Vale lo que dice ahora. Empiece de nuevo.",
      ),
  },
};

function say(summary: string, ...details: string[]) {
  return { summary, details };
}
