// What the German catalogue says about domains and their records.

import type { Messages } from "./en.ts";
import type { Explanation, FoundProblem } from "./en-domain.ts";

export const domainMistakes: Messages["domainMistakes"] = {
  empty: () => say("Geben Sie den Domainnamen ein, mit dem Sie sich anmelden möchten."),
  email_address: (domain) =>
    say(
      `${domain} ist die Domain dieser Adresse. Gehört sie Ihnen?`,
      `Wenn ${domain} Ihnen gehört, geben Sie die Domain ohne den Teil vor dem @ ein. Eine Adresse bei einem E-Mail-Anbieter kann hier nicht verwendet werden.`,
    ),
  url_with_path: (domain) =>
    say(
      "Geben Sie nur die Domain ein, nicht die ganze Adresse einer Seite.",
      `Das wäre ${domain}.`,
    ),
  single_label: (domain) =>
    say(
      `„${domain}“ ist kein vollständiger Domainname.`,
      "Geben Sie ihn mit seiner Endung ein, zum Beispiel alice.com.",
    ),
  ip_address: (domain) =>
    say(
      `${domain} ist eine IP-Adresse.`,
      "Geben Sie einen Domainnamen ein, zum Beispiel alice.com.",
    ),
  numeric_tld: (domain) =>
    say(`„${domain}“ endet mit einer Zahl.`, "Das tut kein Domainname. Fehlt die Endung?"),
  too_long: () =>
    say(
      "Das ist länger, als ein Domainname hier sein darf.",
      "Eine Domain darf 228 Zeichen haben und zwischen zwei Punkten höchstens 63.",
    ),
  public_suffix: (domain) =>
    say(
      `${domain} ist eine Endung, die sich viele Domains teilen.`,
      `Geben Sie Ihren eigenen Namen darunter ein, zum Beispiel alice.${domain}.`,
    ),
  special_use: (domain) =>
    say(
      `${domain} endet mit einem Namen, der für besondere Zwecke reserviert ist.`,
      "Eine Domain darunter kann niemandem gehören. Geben Sie eine ein, die Sie registriert haben.",
    ),
  bad_characters: (domain) =>
    say(
      `„${domain}“ enthält Zeichen, die in einem Domainnamen nicht vorkommen können.`,
      "Achten Sie auf Leerzeichen, Unterstriche und Zeichen, die beim Kopieren dazugekommen sind.",
    ),
};

export const lookOutcomes: Messages["lookOutcomes"] = {
  absent: (domain) => say(`${domain} hat noch keinen Anmelde-Eintrag.`),
  disabled: (domain) =>
    say(
      `Als ${domain} darf sich niemand anmelden.`,
      "So steht es im Eintrag der Domain (sp=none). Wenn sie Ihnen gehört, können Sie das in ihrem DNS ändern.",
    ),
  invalid: (domain) =>
    say(
      `Der Anmelde-Eintrag von ${domain} enthält einen Fehler.`,
      "Korrigieren Sie ihn in Ihren DNS-Einstellungen.",
    ),
  ambiguous: (domain) =>
    say(
      `${domain} hat mehr als einen Anmelde-Eintrag.`,
      "Es darf nur einen geben. Entfernen Sie die anderen in Ihren DNS-Einstellungen.",
    ),
  unsupported: (domain) =>
    say(
      `Der Anmelde-Eintrag von ${domain} ist von einer neueren Art, die dieser Dienst nicht versteht.`,
      "Nötig ist ein Eintrag, der mit v=dsi1 beginnt.",
    ),
  alias_invalid: (domain) =>
    say(
      `Der Anmelde-Eintrag von ${domain} ist ein Alias für einen Namen, der nicht zum Anmelden gedacht ist.`,
      "Meist kommt das von einem CNAME-Eintrag mit Platzhalter (*). Legen Sie stattdessen bei _domain-signin einen TXT-Eintrag an, oder lassen Sie den Alias bei einem Namen enden, der _domain-signin enthält.",
    ),
  unavailable: (domain) =>
    say(
      `Das DNS von ${domain} hat nicht geantwortet.`,
      "Daher wissen wir nicht, was dort steht. Oft ist das nach einer Minute vorbei: Versuchen Sie es noch einmal. Wenn es so bleibt, fragen Sie den Betreiber des DNS der Domain.",
    ),
  unconfirmed: (domain) =>
    say(
      `Zu wenige unserer Resolver sagen dasselbe über das DNS von ${domain}.`,
      "Wir glauben es erst, wenn zwei von ihnen übereinstimmen. Nach einer Änderung im DNS dauert das ein paar Minuten: Versuchen Sie es noch einmal.",
    ),
  bogus: (domain) =>
    say(
      `Das DNS von ${domain} ist signiert (DNSSEC), aber die Signaturen stimmen nicht.`,
      "Bis sie stimmen, glauben wir nichts, was dort steht. Der Betreiber des DNS der Domain kann das beheben.",
    ),
  external: (domain) =>
    say(
      `Der Eintrag von ${domain} nennt jetzt einen anderen Dienst.`,
      "Dieser meldet Sie an. Gehen Sie zurück zur App, und beginnen Sie noch einmal.",
    ),
  names_another: (domain, sp, client) =>
    say(
      `Der Eintrag von ${domain} nennt einen anderen Dienst: ${sp}.`,
      `${client} hat Sie hierher geschickt, als nenne er diesen. Entweder wurde der Eintrag gerade geändert, oder zwei Dienste verweisen aufeinander. Gehen Sie zurück zur App, und versuchen Sie es noch einmal; wenn es so bleibt, sehen Sie sich den Eintrag in Ihren DNS-Einstellungen an.`,
    ),
  own_unknown: (domain) =>
    say(
      `Der Eintrag von ${domain} gehört zu einer Einrichtung, die ein anderer Browser begonnen hat.`,
      "Machen Sie in jenem Browser weiter, oder ersetzen Sie den alten Eintrag durch den hier gezeigten.",
    ),
  not_permitted: (domain) =>
    say(
      `Dieser Dienst ist für ${domain} nicht offen.`,
      "Er nimmt nur Domains an, deren DNS signiert ist (DNSSEC). Der Betreiber des DNS der Domain kann das einrichten.",
    ),
};

export const looks: Messages["looks"] = {
  seen: () => say("Der Eintrag ist da."),
  absent: (name) =>
    say(
      "Der Eintrag ist noch nicht da.",
      `Wir haben bei ${name} gesucht. Ein neuer Eintrag ist meist nach ein paar Minuten zu sehen, bei manchen Anbietern nach bis zu einer Stunde.`,
    ),
  otherValue: (name) =>
    say(
      "Es gibt einen Eintrag, aber nicht diesen.",
      `Wenn Sie ${name} gerade geändert haben, ist der alte Wert womöglich noch zu sehen, bis seine TTL abgelaufen ist. Vergleichen Sie sonst die Werte.`,
    ),
  atDomain: (domain, name) =>
    say(
      `Der Eintrag steht direkt bei ${domain}.`,
      `Er gehört zu ${name}. Verschieben Sie ihn dorthin.`,
    ),
  doubledName: (name, entry) =>
    say(
      `Der Eintrag steht bei ${name}, mit der Domain zweimal im Namen.`,
      `Ihre DNS-Verwaltung hängt die Domain selbst an: Geben Sie als Namen nur ${entry} ein.`,
    ),
  cutAtSemicolon: () =>
    say(
      "Der Eintrag endet am ersten Semikolon.",
      "Ihre DNS-Verwaltung liest das Semikolon als Ende. Geben Sie den Wert in Anführungszeichen ein.",
    ),
  inQuotes: () =>
    say(
      "Der Wert des Eintrags enthält Anführungszeichen.",
      "Ihre DNS-Verwaltung setzt sie selbst: Geben Sie den Wert ohne sie ein.",
    ),
  oldValue: (seconds) =>
    say(
      "Ihre Nameserver haben den Eintrag. Andere Server merken sich noch, was vorher dort stand.",
      `Das dauert höchstens noch ${inSeconds(seconds)}. Sie müssen nichts tun.`,
    ),
  notCertain: () =>
    say(
      "Manche Server sehen den Eintrag, andere noch nicht.",
      "Meist dauert das ein paar Minuten. Sie müssen nichts tun.",
    ),
};

export const servers: Messages["servers"] = {
  title: "Was die einzelnen DNS-Server sagen",
  question: (name) => `Wir haben jeden nach dem TXT-Eintrag bei ${name} gefragt.`,
  resolver: (address) => `Resolver ${address}`,
  nameServer: (name) => `Nameserver ${name}`,
  found: {
    wanted: "hat diesen Eintrag",
    other: "hat einen anderen Wert",
    absent: "hat keinen solchen Eintrag",
    silent: "hat nicht geantwortet",
    failed: "hat mit einem Fehler geantwortet",
    not_asked: "wurde nicht gefragt, da seine Adresse nicht öffentlich ist",
  },
  repeats: (seconds) => `Diese Antwort kann er noch ${inSeconds(seconds)} lang geben.`,
};

/** English has several sentences for `not_ours` and `bad_sp`: here one tells the whole rule. */
const recordProblems: Record<FoundProblem["code"], (about: string) => string> = {
  not_ours: () =>
    "Der Eintrag beginnt nicht mit v=dsi1. Steht etwas davor, entfernen Sie es; sonst ist es ein anderer Eintrag, der hier nicht zählt.",
  unsupported_version: (version) => `Die Version ${version} ist hier nicht bekannt.`,
  not_alone: () => "Mehrere Einträge beginnen mit v=dsi1. Behalten Sie genau einen davon.",
  not_ascii: () => "Der Eintrag enthält Zeichen, die keine druckbaren ASCII-Zeichen sind.",
  too_long: (octets) => `Der Eintrag ist ${octets} Oktette lang; erlaubt sind höchstens 1024.`,
  malformed_version: (part) => `In „${part}“ muss auf v=dsi1 ein Semikolon folgen.`,
  malformed_tag: (part) =>
    part === ""
      ? "Zwischen zwei Semikolons steht nichts."
      : `„${part}“ hat nicht die Form name=wert.`,
  repeated_tag: (tag) => `Die Angabe ${tag} steht mehr als einmal da.`,
  missing_sp: () =>
    "Die Angabe sp fehlt. Manche DNS-Verwaltungen schneiden einen Wert am ersten Semikolon ab, wenn er nicht in Anführungszeichen steht.",
  bad_sp: () =>
    "sp muss eine URL sein, die mit https:// beginnt und einen vollständigen Domainnamen in Kleinbuchstaben nennt, ohne Benutzernamen, Port, Abfrage (?) und Fragment (#).",
  missing_acct: () => "Die Angabe acct fehlt. Sie sagt, wessen Konto gemeint ist.",
  bad_acct: () =>
    "acct muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.",
  bad_jkt: () =>
    "jkt muss aus 1 bis 4 SHA-256-Fingerabdrücken mit je 43 Zeichen bestehen, durch Kommas getrennt.",
  missing_chal: () => "Die Angabe chal fehlt. Sie sagt, zu welcher Anmeldung der Eintrag gehört.",
  bad_chal: () =>
    "chal muss aus 22 bis 64 Buchstaben, Ziffern, Bindestrichen oder Unterstrichen bestehen.",
  other_sp: () => "Der Eintrag ist für einen anderen Dienst.",
  other_chal: () => "Der Eintrag gehört zu einer anderen Anmeldung.",
  alias_leads_away: () =>
    "Dieser Alias führt vom Namen des Eintrags weg, deshalb folgen wir ihm nicht.",
};

export const recordProblem: Messages["recordProblem"] = ({ code, about = "" }) =>
  recordProblems[code](about);

export const recoveryProblems: Messages["recoveryProblems"] = {
  missing: "Geben Sie einen Ihrer Wiederherstellungscodes ein.",
  wrong: "Das ist kein Code für diese Domain, oder er wurde schon benutzt.",
  tooMany:
    "Hier wurden zu viele Codes ausprobiert. Warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal.",
};

function inSeconds(count: number): string {
  return count === 1 ? `${count} Sekunde` : `${count} Sekunden`;
}

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
