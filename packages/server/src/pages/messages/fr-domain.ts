// What the French catalogue says about domains and their records.

import type { Messages } from "./en.ts";
import type { Explanation, FoundProblem } from "./en-domain.ts";

export const domainMistakes: Messages["domainMistakes"] = {
  empty: () => say("Saisissez le nom de domaine avec lequel vous voulez vous connecter."),
  email_address: (domain) =>
    say(
      `${domain} est le domaine de cette adresse. Vous appartient-il ?`,
      `Si ${domain} est à vous, saisissez-le sans la partie qui précède le @. Une adresse chez un fournisseur de messagerie ne peut pas servir ici.`,
    ),
  url_with_path: (domain) =>
    say("Saisissez seulement le domaine, pas toute l’adresse d’une page.", `Ce serait ${domain}.`),
  single_label: (domain) =>
    say(
      `« ${domain} » n’est pas un nom de domaine complet.`,
      "Saisissez-le avec sa terminaison, par exemple alice.com.",
    ),
  ip_address: (domain) =>
    say(`${domain} est une adresse IP.`, "Saisissez un nom de domaine, par exemple alice.com."),
  numeric_tld: (domain) =>
    say(
      `« ${domain} » se termine par un nombre.`,
      "C’est impossible pour un nom de domaine. La terminaison manque-t-elle ?",
    ),
  too_long: () =>
    say(
      "C’est plus long que ce qu’un nom de domaine peut être ici.",
      "Un domaine peut compter 228 caractères, et au plus 63 entre deux points.",
    ),
  public_suffix: (domain) =>
    say(
      `${domain} est une terminaison que beaucoup de domaines partagent.`,
      `Saisissez votre propre nom sous celle-ci, par exemple alice.${domain}.`,
    ),
  special_use: (domain) =>
    say(
      `${domain} se termine par un nom réservé à un usage particulier.`,
      "Personne ne peut y posséder de domaine. Saisissez-en un que vous avez enregistré.",
    ),
  bad_characters: (domain) =>
    say(
      `« ${domain} » contient des caractères interdits dans un nom de domaine.`,
      "Cherchez des espaces, des tirets bas et des signes ajoutés en copiant.",
    ),
};

export const lookOutcomes: Messages["lookOutcomes"] = {
  absent: (domain) => say(`Le domaine ${domain} n’a pas encore d’enregistrement de connexion.`),
  disabled: (domain) =>
    say(
      `Personne ne peut se connecter avec ${domain}.`,
      "C’est ce que dit son enregistrement (sp=none). Si le domaine est à vous, vous pouvez changer cela dans son DNS.",
    ),
  invalid: (domain) =>
    say(
      `L’enregistrement de connexion du domaine ${domain} contient une erreur.`,
      "Corrigez-le dans vos paramètres DNS.",
    ),
  ambiguous: (domain) =>
    say(
      `Le domaine ${domain} a plusieurs enregistrements de connexion.`,
      "Il ne doit y en avoir qu’un. Supprimez les autres dans vos paramètres DNS.",
    ),
  unsupported: (domain) =>
    say(
      `L’enregistrement de connexion du domaine ${domain} est d’une version plus récente, que ce service ne comprend pas.`,
      "Il faut un enregistrement qui commence par v=dsi1.",
    ),
  alias_invalid: (domain) =>
    say(
      `L’enregistrement de connexion du domaine ${domain} est l’alias d’un nom qui n’est pas prévu pour la connexion.`,
      "Le plus souvent, cela vient d’un enregistrement CNAME générique (*). Publiez plutôt un enregistrement TXT sur _domain-signin, ou faites aboutir l’alias à un nom qui contient _domain-signin.",
    ),
  unavailable: (domain) =>
    say(
      `Le DNS du domaine ${domain} n’a pas répondu.`,
      "Nous ne pouvons donc pas savoir ce qu’il dit. Cela passe souvent en une minute : réessayez. Si cela persiste, contactez la société qui gère le DNS du domaine.",
    ),
  unconfirmed: (domain) =>
    say(
      `Trop peu de nos résolveurs disent la même chose du DNS du domaine ${domain}.`,
      "Il faut que deux d’entre eux s’accordent pour que nous le croyions. Après une modification du DNS, cela prend quelques minutes : réessayez.",
    ),
  bogus: (domain) =>
    say(
      `Le DNS du domaine ${domain} est signé (DNSSEC), mais ses signatures ne sont pas valides.`,
      "Tant qu’elles ne le sont pas, nous ne nous fions à rien de ce qu’il dit. La société qui gère le DNS du domaine peut y remédier.",
    ),
  external: (domain) =>
    say(
      `L’enregistrement du domaine ${domain} désigne maintenant un autre service.`,
      "C’est lui qui vous connecte. Retournez à l’application et recommencez.",
    ),
  names_another: (domain, sp, client) =>
    say(
      `L’enregistrement du domaine ${domain} désigne un autre service : ${sp}.`,
      `${client} vous a envoyé ici comme s’il désignait celui-ci. Soit l’enregistrement vient d’être modifié, soit deux services se renvoient l’un à l’autre. Retournez à l’application et réessayez ; si cela persiste, vérifiez l’enregistrement dans vos réglages DNS.`,
    ),
  own_unknown: (domain) =>
    say(
      `L’enregistrement du domaine ${domain} correspond à une configuration commencée dans un autre navigateur.`,
      "Terminez dans ce navigateur-là, ou publiez l’enregistrement affiché ici à la place de l’ancien.",
    ),
  not_permitted: (domain) =>
    say(
      `Ce service n’est pas ouvert au domaine ${domain}.`,
      "Il n’accepte que les domaines dont le DNS est signé (DNSSEC). La société qui gère le DNS du domaine peut le signer.",
    ),
};

export const looks: Messages["looks"] = {
  seen: () => say("L’enregistrement est en place."),
  absent: (name) =>
    say(
      "L’enregistrement n’est pas encore là.",
      `Nous avons cherché sur ${name}. Un nouvel enregistrement est en général visible en quelques minutes, chez certaines sociétés en une heure.`,
    ),
  otherValue: (name) =>
    say(
      "Il y a un enregistrement, mais pas celui-ci.",
      `Si vous venez de modifier ${name}, l’ancienne valeur peut rester visible jusqu’à la fin de son TTL. Sinon, comparez les valeurs.`,
    ),
  atDomain: (domain, name) =>
    say(
      `L’enregistrement se trouve directement sur ${domain}.`,
      `Sa place est sur ${name}. Déplacez-le là.`,
    ),
  doubledName: (name, entry) =>
    say(
      `L’enregistrement se trouve sur ${name}, avec le domaine deux fois dans son nom.`,
      `Votre interface ajoute elle-même le domaine à la fin : comme nom, saisissez seulement ${entry}.`,
    ),
  cutAtSemicolon: () =>
    say(
      "L’enregistrement s’arrête à son premier point-virgule.",
      "Votre interface prend le point-virgule pour une fin. Saisissez la valeur entre guillemets.",
    ),
  inQuotes: () =>
    say(
      "La valeur de l’enregistrement contient des guillemets.",
      "Votre interface les ajoute d’elle-même : saisissez la valeur sans eux.",
    ),
  oldValue: (seconds) =>
    say(
      "Vos serveurs de noms ont l’enregistrement. D’autres gardent encore en mémoire ce qu’il y avait avant.",
      `Ce sera terminé dans ${inSeconds(seconds)} au plus tard. Vous n’avez rien à faire.`,
    ),
  notCertain: () =>
    say(
      "Certains serveurs voient l’enregistrement, d’autres pas encore.",
      "Cela prend en général quelques minutes. Vous n’avez rien à faire.",
    ),
};

export const servers: Messages["servers"] = {
  title: "Ce que dit chaque serveur DNS",
  question: (name) =>
    `Nous avons demandé à chacun d’eux l’enregistrement TXT qui se trouve sur ${name}.`,
  resolver: (address) => `Résolveur ${address}`,
  nameServer: (name) => `Serveur de noms ${name}`,
  found: {
    wanted: "a cet enregistrement",
    other: "a une autre valeur",
    absent: "n’a pas cet enregistrement",
    silent: "n’a pas répondu",
    failed: "a répondu par une erreur",
    not_asked: "n’a pas été interrogé, car son adresse n’est pas publique",
  },
  repeats: (seconds) => `Il peut encore donner cette réponse pendant ${inSeconds(seconds)}.`,
};

/** English has several sentences for `not_ours` and `bad_sp`: here one tells the whole rule. */
const recordProblems: Record<FoundProblem["code"], (about: string) => string> = {
  not_ours: () =>
    "L’enregistrement ne commence pas par v=dsi1. Si quelque chose précède v=dsi1, supprimez-le ; sinon, c’est un autre enregistrement, ignoré ici.",
  unsupported_version: (version) => `La version ${version} n’est pas connue ici.`,
  not_alone: () => "Plusieurs enregistrements commencent par v=dsi1. Gardez-en un seul.",
  not_ascii: () =>
    "L’enregistrement contient des caractères qui ne sont pas de l’ASCII imprimable.",
  too_long: (octets) => `L’enregistrement fait ${octets} octets ; le maximum est de 1024.`,
  malformed_version: (part) => `Dans « ${part} », un point-virgule doit suivre v=dsi1.`,
  malformed_tag: (part) =>
    part === ""
      ? "Il n’y a rien entre deux points-virgules."
      : `« ${part} » n’est pas de la forme nom=valeur.`,
  repeated_tag: (tag) => `L’élément ${tag} figure plusieurs fois.`,
  missing_sp: () =>
    "L’élément sp manque. Certaines interfaces DNS coupent une valeur à son premier point-virgule si elle n’est pas entre guillemets.",
  bad_sp: () =>
    "sp doit être une URL qui commence par https:// et contient un nom de domaine complet en minuscules, sans nom d’utilisateur, sans port, sans paramètres (?) et sans fragment (#).",
  missing_acct: () => "L’élément acct manque. Il indique de quel compte il s’agit.",
  bad_acct: () => "acct doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.",
  bad_jkt: () =>
    "jkt doit contenir de 1 à 4 empreintes SHA-256 de 43 caractères, séparées par des virgules.",
  missing_chal: () =>
    "L’élément chal manque. Il indique à quelle demande de connexion répond l’enregistrement.",
  bad_chal: () => "chal doit compter de 22 à 64 lettres, chiffres, traits d’union ou tirets bas.",
  other_sp: () => "L’enregistrement est destiné à un autre service.",
  other_chal: () => "L’enregistrement répond à une autre demande de connexion.",
  alias_leads_away: () =>
    "Cet alias mène hors du nom de l’enregistrement : nous ne le suivons donc pas.",
};

export const recordProblem: Messages["recordProblem"] = ({ code, about = "" }) =>
  recordProblems[code](about);

export const recoveryProblems: Messages["recoveryProblems"] = {
  missing: "Saisissez l’un de vos codes de récupération.",
  wrong: "Ce n’est pas un code de ce domaine, ou il a déjà servi.",
  tooMany: "Trop de codes ont été essayés ici. Attendez quelques minutes, puis réessayez.",
};

/** French counts everything below two in the singular. */
function inSeconds(count: number): string {
  return count < 2 ? `${count} seconde` : `${count} secondes`;
}

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
