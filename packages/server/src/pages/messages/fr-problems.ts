// What the French catalogue says about requests that cannot be answered as asked.

import type { Messages } from "./en.ts";
import type { Problem } from "./en-problems.ts";

export const requestProblems: Messages["requestProblems"] = {
  unknownClient: problem(
    "Nous ne connaissons pas cette application",
    "L’application d’où vous venez n’est pas enregistrée auprès de ce service.",
    "Rien ne lui a été transmis. Si vous développez l’application : vérifiez son client_id.",
  ),
  missingClientId: problem(
    "L’application n’a pas dit qui elle est",
    "L’identifiant de l’application manque dans le lien que vous avez suivi.",
    "Retournez à l’application et réessayez. Si vous la développez : envoyez client_id.",
  ),
  missingRedirectUri: problem(
    "L’application n’a pas dit où vous renvoyer",
    "Sans cela, nous ne pouvons pas vous connecter.",
    "Rien n’a été transmis. Si vous développez l’application : envoyez redirect_uri.",
  ),
  redirectUriNotRegistered: problem(
    "Nous ne pouvons pas vous renvoyer à cette adresse",
    "L’application nous a demandé de vous envoyer à une adresse qui n’est pas enregistrée pour elle.",
    "Par sécurité, nous nous sommes arrêtés ici, et rien n’a été transmis. Si vous développez l’application : redirect_uri doit être identique, caractère par caractère, à une adresse enregistrée.",
  ),
  repeatedParameter: (name) =>
    problem(
      "La demande de l’application n’est pas claire",
      `Elle contient « ${name} » plusieurs fois, nous ne savons donc pas ce qui est voulu.`,
      "Retournez à l’application et réessayez.",
    ),
  malformedRequest: problem(
    "Nous n’avons pas pu lire cette demande",
    "Quelque chose n’y est pas comme il faut.",
    "Retournez à l’application et réessayez.",
  ),
  badClientDocument: (host, reason) =>
    problem(
      "Nous ne pouvons pas accepter cette application",
      `Le site ${host} vous a envoyé ici, et se décrit d’une manière que nous ne pouvons pas accepter.`,
      `Rien ne lui a été transmis. Si vous développez l’application : son document de métadonnées contient une erreur (${reason}).`,
    ),
  unreachableClient: (host, reason) =>
    problem(
      "Nous ne pouvons pas joindre l’application",
      `Le site ${host} vous a envoyé ici, mais ne nous dit pas en ce moment ce qu’il est.`,
      `Attendez une minute, puis réessayez. Rien ne lui a été transmis. Si vous développez l’application : ${reason}`,
    ),
  expired: problem(
    "Cette page est trop ancienne",
    "Elle est restée ouverte si longtemps que nous l’avons abandonnée, pour votre sécurité.",
    "Retournez à l’application et reconnectez-vous. L’enregistrement que vous avez publié reste valable.",
  ),
  wrongBrowser: problem(
    "Cette connexion appartient à un autre navigateur",
    "Elle ne peut être poursuivie que là où elle a commencé. Ou bien ce navigateur ne garde pas les cookies, dont nous avons besoin pour cela.",
    "Autorisez les cookies pour ce site, puis retournez à l’application et reconnectez-vous. Si quelqu’un vous a envoyé le lien vers cette page, n’allez pas plus loin.",
  ),
  crossSitePost: problem(
    "Cela ne venait pas de notre page",
    "Un autre site a essayé d’appuyer ici sur un bouton à votre place. Nous n’avons donc rien fait.",
    "Si c’était vous : retournez à l’application et reconnectez-vous.",
  ),
  alreadyUsed: problem(
    "Cette connexion est déjà terminée",
    "Vous avez déjà continué depuis cette page, et elle ne sert qu’une fois.",
    "Retournez à l’application. Si la connexion n’y est pas établie, recommencez.",
  ),
  tooManyRequests: problem(
    "C’était un peu trop souvent",
    "Nous venons de recevoir beaucoup de demandes depuis votre réseau.",
    "Attendez une minute, puis réessayez.",
  ),
  notFound: problem(
    "Il n’y a rien ici",
    "L’adresse contient une faute de frappe, ou la page n’existe plus.",
    "Pour vous connecter, commencez dans l’application que vous voulez utiliser.",
  ),
  serverError: problem(
    "Une erreur s’est produite de notre côté",
    "Vous n’y êtes pour rien, et rien n’a été transmis.",
    "Réessayez. Si cela se reproduit, prévenez l’exploitant de ce service.",
  ),
  temporarilyUnavailable: problem(
    "Nous ne pouvons pas répondre pour l’instant",
    "Une partie de ce service n’est pas disponible en ce moment.",
    "Attendez une minute, puis réessayez. Rien de ce que vous avez configuré n’est perdu.",
  ),
};

function problem(title: string, summary: string, ...details: string[]): Problem {
  return { title, summary, details };
}
