// What the Portuguese catalogue says when an external service provider has not signed the person in.

import type { Messages } from "./en.ts";

export const external: Messages["external"] = {
  heading: (domain) => `Login como ${domain} não concluído`,
  lead: (domain, sp) => `O login como ${domain} é feito em ${sp}: é o que diz o registro.`,
  again: "Tentar de novo",
  detail: "Para quem administra esse serviço, em inglês:",
  problems: {
    unreachable: (sp) => say(`${sp} não responde.`, "Espere um minuto e tente de novo."),
    not_public: (sp) =>
      say(
        `${sp} não tem um endereço público.`,
        "Por isso não o consultamos. Se o domínio é seu, confira o sp no registro dele.",
      ),
    bad_metadata: (sp) =>
      say(
        `${sp} não se descreve como um serviço que faz login de pessoas.`,
        "Se o domínio é seu, confira o sp no registro dele. Se não, quem administra esse serviço pode corrigir isso.",
      ),
    unmet_requirements: (sp) =>
      say(
        `Falta a ${sp} algo de que precisamos por segurança.`,
        "Quem administra esse serviço pode acrescentá-lo. Se o domínio é seu, você também pode indicar outro serviço no registro dele.",
      ),
    no_client: (sp) =>
      say(
        `${sp} não nos conhece, e não conseguimos nos apresentar.`,
        "Tente de novo. Se continuar assim, quem administra este serviço precisa registrá-lo lá.",
      ),
    bad_answer: (sp) =>
      say(
        `A resposta de ${sp} não está em ordem.`,
        "Por isso não acreditamos nela. Tente de novo; se acontecer outra vez, avise quem administra esse serviço.",
      ),
    refused_by_sp: (sp) =>
      say(
        `${sp} mandou você de volta sem fazer o login.`,
        "Talvez você tenha parado lá. Você pode tentar de novo.",
      ),
    other_account: (sp, domain) =>
      say(
        `Em ${sp} você está com uma conta diferente da que ${domain} indica.`,
        "Saia de lá e tente de novo com a conta certa. Se o domínio é seu, você também pode indicar esta conta no registro dele.",
      ),
    other_domain: (sp, domain) =>
      say(
        `Em ${sp} você fez login como um domínio diferente de ${domain}.`,
        `Faça login lá como ${domain} e tente de novo.`,
      ),
    record_changed: (sp, domain) =>
      say(
        `Enquanto você estava em ${sp}, o registro de ${domain} mudou.`,
        "Vale o que ele diz agora. Comece de novo.",
      ),
  },
};

function say(summary: string, ...details: string[]) {
  return { summary, details };
}
