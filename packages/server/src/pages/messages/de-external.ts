// What the German catalogue says when an external service provider has not signed the person in.

import type { Messages } from "./en.ts";

export const external: Messages["external"] = {
  heading: (domain) => `Nicht angemeldet als ${domain}`,
  lead: (domain, sp) => `Als ${domain} melden Sie sich bei ${sp} an: So steht es im Eintrag.`,
  again: "Noch einmal versuchen",
  detail: "Für alle, die jenen Dienst betreiben, auf Englisch:",
  problems: {
    unreachable: (sp) =>
      say(
        `${sp} antwortet nicht.`,
        "Warten Sie eine Minute, und versuchen Sie es dann noch einmal.",
      ),
    not_public: (sp) =>
      say(
        `${sp} hat keine öffentliche Adresse.`,
        "Daher fragen wir dort nicht an. Wenn die Domain Ihnen gehört: Prüfen Sie sp in ihrem Eintrag.",
      ),
    bad_metadata: (sp) =>
      say(
        `${sp} beschreibt sich nicht als Dienst, der Menschen anmeldet.`,
        "Wenn die Domain Ihnen gehört: Prüfen Sie sp in ihrem Eintrag. Sonst kann das beheben, wer jenen Dienst betreibt.",
      ),
    unmet_requirements: (sp) =>
      say(
        `${sp} fehlt etwas, das wir zur Sicherheit brauchen.`,
        "Wer jenen Dienst betreibt, kann es ergänzen. Wenn die Domain Ihnen gehört, können Sie in ihrem Eintrag auch einen anderen Dienst nennen.",
      ),
    no_client: (sp) =>
      say(
        `${sp} kennt uns nicht, und wir konnten uns nicht vorstellen.`,
        "Versuchen Sie es noch einmal. Wenn es dabei bleibt, muss der Betreiber dieses Dienstes ihn dort registrieren.",
      ),
    bad_answer: (sp) =>
      say(
        `Die Antwort von ${sp} ist nicht in Ordnung.`,
        "Daher haben wir ihr nicht geglaubt. Versuchen Sie es noch einmal; wenn es wieder geschieht, sagen Sie es dem Betreiber jenes Dienstes.",
      ),
    refused_by_sp: (sp) =>
      say(
        `${sp} hat Sie zurückgeschickt, ohne Sie anzumelden.`,
        "Vielleicht haben Sie dort abgebrochen. Sie können es noch einmal versuchen.",
      ),
    other_account: (sp, domain) =>
      say(
        `Bei ${sp} sind Sie mit einem anderen Konto angemeldet als dem, das ${domain} nennt.`,
        "Melden Sie sich dort ab, und versuchen Sie es mit dem richtigen Konto noch einmal. Wenn die Domain Ihnen gehört, können Sie in ihrem Eintrag auch dieses Konto nennen.",
      ),
    other_domain: (sp, domain) =>
      say(
        `Bei ${sp} haben Sie sich als eine andere Domain angemeldet, nicht als ${domain}.`,
        `Melden Sie sich dort als ${domain} an, und versuchen Sie es dann noch einmal.`,
      ),
    record_changed: (sp, domain) =>
      say(
        `Während Sie bei ${sp} waren, hat sich der Eintrag von ${domain} geändert.`,
        "Es gilt, was er jetzt sagt. Beginnen Sie noch einmal.",
      ),
  },
};

function say(summary: string, ...details: string[]) {
  return { summary, details };
}
