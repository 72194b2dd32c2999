// What the French catalogue says when an external service provider has not signed the person in.

import type { Messages } from "./en.ts";

export const external: Messages["external"] = {
  heading: (domain) => `Vous n’êtes pas connecté avec ${domain}`,
  lead: (domain, sp) => `Avec ${domain}, on se connecte chez ${sp} : son enregistrement le dit.`,
  again: "Réessayer",
  detail: "Pour qui gère ce service, en anglais :",
  problems: {
    unreachable: (sp) => say(`${sp} ne répond pas.`, "Attendez une minute, puis réessayez."),
    not_public: (sp) =>
      say(
        `${sp} n’a pas d’adresse publique.`,
        "Nous ne l’interrogeons donc pas. Si le domaine est à vous, vérifiez sp dans son enregistrement.",
      ),
    bad_metadata: (sp) =>
      say(
        `${sp} ne se décrit pas comme un service qui connecte des personnes.`,
        "Si le domaine est à vous, vérifiez sp dans son enregistrement. Sinon, la personne qui gère ce service peut y remédier.",
      ),
    unmet_requirements: (sp) =>
      say(
        `Il manque à ${sp} quelque chose dont nous avons besoin pour la sécurité.`,
        "La personne qui gère ce service peut l’ajouter. Si le domaine est à vous, vous pouvez aussi désigner un autre service dans son enregistrement.",
      ),
    no_client: (sp) =>
      say(
        `${sp} ne nous connaît pas, et nous n’avons pas pu nous présenter.`,
        "Réessayez. Si rien ne change, la personne qui gère le présent service doit l’enregistrer là-bas.",
      ),
    bad_answer: (sp) =>
      say(
        `La réponse du service ${sp} n’est pas en ordre.`,
        "Nous ne l’avons donc pas crue. Réessayez ; si cela se reproduit, prévenez la personne qui gère ce service.",
      ),
    refused_by_sp: (sp) =>
      say(
        `${sp} vous a renvoyé sans vous connecter.`,
        "Vous avez peut-être arrêté là-bas. Vous pouvez réessayer.",
      ),
    other_account: (sp, domain) =>
      say(
        `Chez ${sp}, vous utilisez un autre compte que celui que désigne ${domain}.`,
        "Déconnectez-vous là-bas, puis réessayez avec le bon compte. Si le domaine est à vous, vous pouvez aussi désigner ce compte dans son enregistrement.",
      ),
    other_domain: (sp, domain) =>
      say(
        `Chez ${sp}, vous vous êtes connecté avec un autre domaine, pas avec ${domain}.`,
        `Connectez-vous là-bas avec ${domain}, puis réessayez.`,
      ),
    record_changed: (sp, domain) =>
      say(
        `Pendant que vous étiez chez ${sp}, l’enregistrement du domaine ${domain} a changé.`,
        "C’est ce qu’il dit maintenant qui compte. Recommencez.",
      ),
  },
};

function say(summary: string, ...details: string[]) {
  return { summary, details };
}
