// What the German catalogue says about requests that cannot be answered as asked.

import type { Messages } from "./en.ts";
import type { Problem } from "./en-problems.ts";

export const requestProblems: Messages["requestProblems"] = {
  unknownClient: problem(
    "Wir kennen diese App nicht",
    "Die App, die Sie hierher geschickt hat, ist bei diesem Dienst nicht registriert.",
    "Sie hat nichts von Ihnen erfahren. Wenn Sie die App entwickeln: Prüfen Sie ihre client_id.",
  ),
  missingClientId: problem(
    "Die App hat nicht gesagt, wer sie ist",
    "Im Link, der Sie hierher geführt hat, fehlt die Kennung der App.",
    "Gehen Sie zurück zur App, und versuchen Sie es noch einmal. Wenn Sie sie entwickeln: Senden Sie client_id.",
  ),
  missingRedirectUri: problem(
    "Die App hat nicht gesagt, wohin Sie zurückkehren sollen",
    "Ohne diese Angabe können wir Sie nicht anmelden.",
    "Es wurde nichts weitergegeben. Wenn Sie die App entwickeln: Senden Sie redirect_uri.",
  ),
  redirectUriNotRegistered: problem(
    "Wir können Sie nicht an diese Adresse zurückschicken",
    "Die App hat uns gebeten, Sie an eine Adresse zu schicken, die nicht für sie registriert ist.",
    "Zu Ihrer Sicherheit haben wir hier angehalten, und es wurde nichts weitergegeben. Wenn Sie die App entwickeln: redirect_uri muss Zeichen für Zeichen mit einer registrierten Adresse übereinstimmen.",
  ),
  repeatedParameter: (name) =>
    problem(
      "Die Anfrage der App ist nicht eindeutig",
      `Sie enthält „${name}“ mehr als einmal, daher wissen wir nicht, was gemeint ist.`,
      "Gehen Sie zurück zur App, und versuchen Sie es noch einmal.",
    ),
  malformedRequest: problem(
    "Wir konnten diese Anfrage nicht lesen",
    "Etwas darin ist nicht so, wie es sein sollte.",
    "Gehen Sie zurück zur App, und versuchen Sie es noch einmal.",
  ),
  badClientDocument: (host, reason) =>
    problem(
      "Wir können diese App nicht zulassen",
      `${host} hat Sie hierher geschickt und beschreibt sich auf eine Weise, die wir nicht annehmen können.`,
      `Sie hat nichts von Ihnen erfahren. Wenn Sie die App entwickeln: Ihr Metadaten-Dokument enthält einen Fehler (${reason}).`,
    ),
  unreachableClient: (host, reason) =>
    problem(
      "Wir können die App nicht erreichen",
      `${host} hat Sie hierher geschickt, sagt uns aber gerade nicht, was es ist.`,
      `Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Die App hat nichts von Ihnen erfahren. Wenn Sie sie entwickeln: ${reason}`,
    ),
  expired: problem(
    "Diese Seite ist zu alt",
    "Sie war so lange geöffnet, dass wir sie zu Ihrer Sicherheit verworfen haben.",
    "Gehen Sie zurück zur App, und melden Sie sich noch einmal an. Ein Eintrag, den Sie angelegt haben, bleibt gültig.",
  ),
  wrongBrowser: problem(
    "Diese Anmeldung gehört zu einem anderen Browser",
    "Sie kann nur dort fortgesetzt werden, wo sie begonnen wurde. Vielleicht speichert dieser Browser auch keine Cookies, die wir dafür brauchen.",
    "Erlauben Sie Cookies für diese Website, gehen Sie dann zurück zur App, und melden Sie sich noch einmal an. Hat Ihnen jemand den Link zu dieser Seite geschickt, machen Sie nicht weiter.",
  ),
  crossSitePost: problem(
    "Das kam nicht von unserer Seite",
    "Eine andere Website hat versucht, hier für Sie auf eine Schaltfläche zu klicken. Deshalb haben wir nichts getan.",
    "Wenn Sie es selbst waren: Gehen Sie zurück zur App, und melden Sie sich noch einmal an.",
  ),
  alreadyUsed: problem(
    "Diese Anmeldung ist schon abgeschlossen",
    "Sie sind auf dieser Seite schon einmal weitergegangen, und das geht nur einmal.",
    "Gehen Sie zurück zur App. Wenn Sie dort nicht angemeldet sind, beginnen Sie noch einmal.",
  ),
  tooManyRequests: problem(
    "Das war etwas zu oft",
    "Aus Ihrem Netz kamen gerade sehr viele Anfragen.",
    "Warten Sie eine Minute, und versuchen Sie es dann noch einmal.",
  ),
  notFound: problem(
    "Hier ist nichts",
    "Die Adresse enthält einen Tippfehler, oder die Seite gibt es nicht mehr.",
    "Um sich anzumelden, beginnen Sie in der App, die Sie benutzen möchten.",
  ),
  serverError: problem(
    "Bei uns ist etwas schiefgegangen",
    "Es liegt nicht an Ihnen, und es wurde nichts weitergegeben.",
    "Versuchen Sie es noch einmal. Wenn es wieder passiert, sagen Sie dem Betreiber dieses Dienstes Bescheid.",
  ),
  temporarilyUnavailable: problem(
    "Wir können gerade nicht antworten",
    "Ein Teil dieses Dienstes ist im Moment nicht verfügbar.",
    "Warten Sie eine Minute, und versuchen Sie es dann noch einmal. Nichts von dem, was Sie eingerichtet haben, ist verloren.",
  ),
};

function problem(title: string, summary: string, ...details: string[]): Problem {
  return { title, summary, details };
}
