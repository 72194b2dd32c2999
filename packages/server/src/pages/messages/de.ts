// The German catalogue: every sentence that the pages show.

import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./de-domain.ts";
import { external } from "./de-external.ts";
import { requestProblems } from "./de-problems.ts";
import type { Messages } from "./en.ts";

export const de: Messages = {
  common: {
    serviceName: "domain-signin",
    copy: "Kopieren",
    copied: "Kopiert",
    backTo: (client) => `Zurück zu ${client}`,
    backToApp: "Zurück zur App",
    problemTitle: (title) => `Fehler: ${title}`,
    through: (app, service) => `${service} gibt an, dass diese Anmeldung für ${app} ist.`,
  },

  domain: {
    title: (client) => `Bei ${client} anmelden`,
    returnTo: (host) =>
      `Verwenden Sie einen Domainnamen, der Ihnen gehört. Danach kehren Sie zu ${host} zurück.`,
    label: "Ihre Domain",
    hint: "Zum Beispiel alice.com. Ohne Passwort und ohne Registrierung.",
    submit: "Weiter",
    how: {
      title: "Wie funktioniert das?",
      paragraphs: [
        "Wem ein Domainname gehört, der bestimmt, was dafür im DNS steht. Ein kleiner Eintrag dort nennt den Dienst, der Sie mit Ihrer Domain anmelden darf.",
        "Hat Ihre Domain noch keinen solchen Eintrag, zeigen wir Ihnen, welchen Sie anlegen müssen. Das dauert ein paar Minuten und ist nur einmal nötig.",
      ],
    },
  },

  continue: {
    heading: (domain) => `Weiter als ${domain}`,
    client: (client, host) => `zu ${client} unter ${host}`,
    submit: "Weiter",
    other: "Andere Domain verwenden",
  },

  dns: {
    name: "Name",
    type: "Typ",
    value: "Wert",
    ttl: "TTL",
    seconds: "Sekunden",
    checksByItself:
      "Diese Seite prüft auch automatisch alle paar Sekunden. Sie können sie geöffnet lassen.",
    stopChecking: "Nicht mehr automatisch prüfen",
    checksNoMore: "Diese Seite prüft jetzt nicht automatisch.",
    checkAgain: "Wieder automatisch prüfen",
    checkedAt: (time) => `Zuletzt geprüft: ${time}`,
    found: (count) => (count === 1 ? "Im DNS gefunden" : `Im DNS gefunden: ${count} Einträge`),
    panel: {
      title: "Wo trage ich das ein?",
      relative:
        "In den DNS-Einstellungen bei dem Anbieter, bei dem Sie die Domain registriert haben oder der ihr DNS betreibt. Legen Sie dort einen neuen TXT-Eintrag an. Viele DNS-Verwaltungen hängen die Domain selbst an den Namen an. Geben Sie dort nur den ersten Teil ein:",
      inZone: (zone) => `In den Einstellungen von ${zone}:`,
      paragraphs: [
        "Zeigt die DNS-Verwaltung vor dem Speichern den vollständigen Namen, muss er so lauten wie oben, mit der Domain nur einmal darin.",
        "Lassen Sie Ihre anderen Einträge, wie sie sind. Geben Sie den Wert ohne Anführungszeichen ein. Wenn Sie keine TTL wählen können, behalten Sie die vorgegebene.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain) => `Zeigen Sie, dass ${domain} Ihnen gehört`,
    lead: "Legen Sie im DNS Ihrer Domain einen Eintrag an. Das ist nur einmal nötig, danach bleibt er dort stehen.",
    client: (client, host) => `Sie melden sich bei ${client} unter ${host} an.`,
    warning: (domain) =>
      `Wer diesen Eintrag anlegt, erlaubt dem Browser, der ihn anzeigt, sich als ${domain} anzumelden. Hat Ihnen jemand den Eintrag geschickt, brechen Sie ab.`,
    record: "Diesen Eintrag anlegen",
    check: "Eintrag prüfen lassen",
    submit: "Ich habe ihn angelegt, jetzt prüfen",
    startOver: {
      title: "Mit einem neuen Eintrag von vorn beginnen",
      explanation:
        "Sie erhalten einen neuen Wert für den Eintrag und neue Wiederherstellungscodes. Die auf dieser Seite gelten dann nicht mehr.",
      submit: "Neuen Eintrag erstellen",
    },
  },

  recoveryCodes: {
    heading: "In der Zwischenzeit: Bewahren Sie diese zehn Codes auf",
    why: (domain) =>
      `Mit einem Code können Sie sich als ${domain} auch dann anmelden, wenn Sie einen anderen Browser benutzen oder dieser Sie nicht mehr kennt. Der Eintrag allein reicht dafür nicht, denn jeder kann ihn lesen. Speichern Sie die Codes in einem Passwortmanager, oder drucken Sie diese Seite aus.`,
    valid: "Die Codes gelten, sobald Ihr Eintrag gefunden wurde. Jeder funktioniert einmal.",
    all: "alle zehn Codes",
  },

  dnsChallenge: {
    heading: (domain) => `Als ${domain} anmelden`,
    lead: "Legen Sie im DNS Ihrer Domain für kurze Zeit einen Eintrag an, um zu zeigen, dass sie noch Ihnen gehört. Sobald Sie angemeldet sind, können Sie ihn löschen.",
    client: (client, host) => `Sie melden sich bei ${client} unter ${host} an.`,
    warning: (issuer) =>
      `Legen Sie diesen Eintrag nur an, wenn Sie selbst unter ${issuer} damit begonnen haben.`,
    warningReason: (domain) =>
      `Damit kann sich dieser Browser als ${domain} anmelden. Hat Ihnen jemand den Eintrag geschickt, brechen Sie ab.`,
    record: "Diesen Eintrag vorübergehend anlegen",
    check: "Eintrag prüfen lassen",
    checkWithCode: "Wiederherstellungscode eingeben und Eintrag prüfen lassen",
    submit: "Ich habe ihn angelegt, jetzt prüfen",
    recoveryCode: {
      label: "Wiederherstellungscode",
      hint: "Einer der zehn Codes, die Sie beim Einrichten der Domain aufbewahrt haben. Wir fragen danach, weil wir diesen Browser noch nicht kennen.",
    },
    lostAccess: {
      title: "Ich habe meine Codes oder meinen bisherigen Browser nicht mehr",
      explanation: (domain) =>
        `Sie können mit einem neuen Eintrag von vorn beginnen. Er ersetzt den bisherigen von ${domain}.`,
      consequence:
        "Apps sehen dann ein neues Konto. Was Sie dort unter dem alten gespeichert haben, wird nicht übernommen.",
      submit: "Mit einem neuen Eintrag von vorn beginnen",
    },
  },

  ownUnknown: {
    heading: (domain) => `Ein anderer Browser hat mit ${domain} begonnen`,
    lead: "Der Eintrag der Domain nennt bereits diesen Dienst, aber die Einrichtung, zu der er gehört, wurde nicht in diesem Browser begonnen.",
    client: (client, host) => `Sie melden sich bei ${client} unter ${host} an.`,
    finish: {
      title: "Waren Sie das?",
      explanation:
        "Dann machen Sie in dem Browser weiter, in dem Sie begonnen haben. Auch ein privates Fenster oder ein anderes Gerät zählt als anderer Browser.",
    },
    startOver: {
      title: "Oder hier von vorn beginnen",
      explanation: (domain) =>
        `Sie erhalten einen neuen Eintrag, der den jetzigen von ${domain} ersetzt. Wenn Sie nicht wissen, woher der jetzige stammt, ist es richtig, ihn zu ersetzen.`,
      submit: "Mit einem neuen Eintrag von vorn beginnen",
    },
  },

  consent: {
    heading: (client) => `Bei ${client} anmelden?`,
    sentTo: "Sie werden weitergeleitet zu",
    shared: "Die App erfährt: Sie sind",
    scopesTitle: "Die App darf",
    allow: "Erlauben",
    deny: "Nicht erlauben",
    caution: (host) =>
      `Apps wählen ihren Namen selbst. Erlauben Sie dies nur, wenn Sie sich wirklich bei ${host} anmelden möchten.`,
  },

  scopes: new Map([
    ["openid", "wissen, dass Sie über diese Domain verfügen"],
    ["offline_access", "angemeldet bleiben, auch wenn Sie nicht da sind"],
  ]),

  problem: {
    errorId: "Wenn Sie um Hilfe bitten, nennen Sie diesen Fehler:",
    client: (host) => `Sie wollten sich bei ${host} anmelden.`,
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
