// The French catalogue: every sentence that the pages show.

import type { Messages } from "./en.ts";
import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./fr-domain.ts";
import { external } from "./fr-external.ts";
import { requestProblems } from "./fr-problems.ts";

// No word that may be elided (de, que, le) stands before a value: “de alice.com” would be wrong.
// The space before : ; ? ! and inside « » is a no-break one, so that no line begins with a sign.
export const fr: Messages = {
  common: {
    serviceName: "domain-signin",
    copy: "Copier",
    copied: "Copié",
    backTo: (client) => `Retour à ${client}`,
    backToApp: "Retour à l’application",
    problemTitle: (title) => `Problème : ${title}`,
    through: (app, service) => `Selon ${service}, cette connexion est destinée à ${app}.`,
  },

  domain: {
    title: (client) => `Se connecter à ${client}`,
    returnTo: (host) =>
      `Utilisez un nom de domaine qui vous appartient. Vous reviendrez ensuite sur ${host}.`,
    label: "Votre domaine",
    hint: "Par exemple alice.com. Ni mot de passe, ni inscription.",
    submit: "Continuer",
    how: {
      title: "Comment ça marche ?",
      paragraphs: [
        "La personne à qui appartient un nom de domaine décide de ce que dit son DNS. Un petit enregistrement y indique le service autorisé à vous connecter avec votre domaine.",
        "Si votre domaine n’a pas encore cet enregistrement, nous vous montrons celui à publier. Cela prend quelques minutes, une seule fois.",
      ],
    },
  },

  continue: {
    heading: (domain) => `Continuer avec ${domain}`,
    client: (client, host) => `vers ${client} sur ${host}`,
    submit: "Continuer",
    other: "Utiliser un autre domaine",
  },

  dns: {
    name: "Nom",
    type: "Type",
    value: "Valeur",
    ttl: "TTL",
    seconds: "secondes",
    checksByItself:
      "Cette page vérifie aussi d’elle-même, à quelques secondes d’intervalle. Vous pouvez la laisser ouverte.",
    stopChecking: "Arrêter la vérification automatique",
    checksNoMore: "La vérification automatique est arrêtée sur cette page.",
    checkAgain: "Reprendre la vérification automatique",
    checkedAt: (time) => `Dernière vérification : ${time}`,
    found: (count) =>
      count === 1 ? "Trouvé dans le DNS" : `Trouvé dans le DNS : ${count} enregistrements`,
    panel: {
      title: "Où dois-je saisir cela ?",
      relative:
        "Dans les paramètres DNS, auprès de la société où vous avez enregistré le domaine ou qui gère son DNS. Ajoutez-y un nouvel enregistrement TXT. Souvent, l’interface ajoute elle-même le domaine à la fin du nom. Dans ce cas, saisissez seulement la première partie :",
      inZone: (zone) => `Dans les paramètres du domaine ${zone} :`,
      paragraphs: [
        "Si l’interface affiche le nom complet avant d’enregistrer, il doit être identique à celui ci-dessus, avec le domaine une seule fois.",
        "Laissez vos autres enregistrements tels quels. Saisissez la valeur sans guillemets. Si l’interface ne permet pas de choisir le TTL, gardez celui qu’elle propose.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain) => `Montrez que le domaine ${domain} vous appartient`,
    lead: "Ajoutez un enregistrement au DNS de votre domaine. Vous ne le faites qu’une fois, puis vous le laissez en place.",
    client: (client, host) => `Vous vous connectez à ${client} sur ${host}.`,
    warning: (domain) =>
      `Publier cet enregistrement permet au navigateur qui l’affiche de se connecter sous le nom ${domain}. Si quelqu’un vous l’a envoyé, arrêtez-vous.`,
    record: "Publiez cet enregistrement",
    check: "Laissez-nous le chercher",
    submit: "Je l’ai publié, vérifier maintenant",
    startOver: {
      title: "Recommencer avec un nouvel enregistrement",
      explanation:
        "Vous recevez une nouvelle valeur à publier et de nouveaux codes de récupération. Ceux de cette page ne fonctionneront plus.",
      submit: "Créer un nouvel enregistrement",
    },
  },

  recoveryCodes: {
    heading: "En attendant : conservez ces dix codes",
    why: (domain) =>
      `Un code vous permet de vous reconnecter avec ${domain} depuis un autre navigateur, ou quand celui-ci ne vous reconnaît plus. L’enregistrement seul n’y suffit pas, car tout le monde peut le lire. Gardez les codes dans un gestionnaire de mots de passe, ou imprimez cette page.`,
    valid:
      "Ils deviennent valables dès que votre enregistrement est détecté. Chacun ne sert qu’une fois.",
    all: "les dix codes",
  },

  dnsChallenge: {
    heading: (domain) => `Se connecter avec ${domain}`,
    lead: "Ajoutez un enregistrement temporaire au DNS de votre domaine, pour montrer qu’il vous appartient toujours. Vous pourrez le retirer une fois la connexion établie.",
    client: (client, host) => `Vous vous connectez à ${client} sur ${host}.`,
    warning: (issuer) =>
      `Publiez cet enregistrement seulement si c’est vous qui avez commencé sur ${issuer}.`,
    warningReason: (domain) =>
      `Il permet à ce navigateur de se connecter sous le nom ${domain}. Si quelqu’un vous l’a envoyé, arrêtez-vous.`,
    record: "Publiez cet enregistrement temporaire",
    check: "Laissez-nous le chercher",
    checkWithCode: "Saisissez un code de récupération, puis laissez-nous chercher",
    submit: "Je l’ai publié, vérifier maintenant",
    recoveryCode: {
      label: "Code de récupération",
      hint: "L’un des dix codes que vous avez conservés en configurant le domaine. Nous le demandons parce que nous ne connaissons pas encore ce navigateur.",
    },
    lostAccess: {
      title: "Je n’ai plus mes codes, ou plus le navigateur que j’utilisais",
      explanation: (domain) =>
        `Vous pouvez recommencer avec un nouvel enregistrement, qui remplace l’enregistrement actuel du domaine ${domain}.`,
      consequence:
        "Les applications verront alors un nouveau compte. Ce que vous y gardiez avec l’ancien ne sera pas repris.",
      submit: "Recommencer avec un nouvel enregistrement",
    },
  },

  ownUnknown: {
    heading: (domain) => `Un autre navigateur a commencé avec ${domain}`,
    lead: "L’enregistrement du domaine désigne déjà ce service, mais la configuration à laquelle il correspond n’a pas été commencée dans ce navigateur.",
    client: (client, host) => `Vous vous connectez à ${client} sur ${host}.`,
    finish: {
      title: "Est-ce vous qui avez commencé ?",
      explanation:
        "Alors terminez dans le navigateur où vous avez commencé. Une fenêtre privée ou un autre appareil compte comme un autre navigateur.",
    },
    startOver: {
      title: "Ou recommencez ici",
      explanation: (domain) =>
        `Vous recevez un nouvel enregistrement à publier à la place de l’enregistrement actuel du domaine ${domain}. Si vous ne savez pas d’où vient l’actuel, vous avez raison de le remplacer.`,
      submit: "Recommencer avec un nouvel enregistrement",
    },
  },

  consent: {
    heading: (client) => `Se connecter à ${client} ?`,
    sentTo: "Nous vous renvoyons vers",
    shared: "L’application apprend que vous êtes",
    scopesTitle: "Elle pourra",
    allow: "Autoriser",
    deny: "Ne pas autoriser",
    caution: (host) =>
      `Les applications choisissent elles-mêmes leur nom. N’autorisez que si c’est bien à ${host} que vous voulez vous connecter.`,
  },

  scopes: new Map([
    ["openid", "savoir que vous contrôlez ce domaine"],
    ["offline_access", "rester connectée en votre absence"],
  ]),

  problem: {
    errorId: "Si vous demandez de l’aide, indiquez cette erreur :",
    client: (host) => `Vous étiez en train de vous connecter à ${host}.`,
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
