// What the Portuguese catalogue says about requests that cannot be answered as asked.

import type { Messages } from "./en.ts";
import type { Problem } from "./en-problems.ts";

export const requestProblems: Messages["requestProblems"] = {
  unknownClient: problem(
    "Não conhecemos este aplicativo",
    "O aplicativo que trouxe você até aqui não está registrado neste serviço.",
    "Nada foi compartilhado com ele. Se você desenvolve o aplicativo: verifique o client_id.",
  ),
  missingClientId: problem(
    "O aplicativo não se identificou",
    "No link que trouxe você até aqui, falta o identificador do aplicativo.",
    "Volte para o aplicativo e tente novamente. Se você o desenvolve: envie client_id.",
  ),
  missingRedirectUri: problem(
    "O aplicativo não informou para onde você deve voltar",
    "Sem isso, não podemos fazer o seu login.",
    "Nada foi compartilhado. Se você desenvolve o aplicativo: envie redirect_uri.",
  ),
  redirectUriNotRegistered: problem(
    "Não podemos levar você de volta para esse endereço",
    "O aplicativo pediu que levássemos você para um endereço que não está registrado para ele.",
    "Paramos aqui para a sua segurança, e nada foi compartilhado. Se você desenvolve o aplicativo: redirect_uri deve ser igual a um endereço registrado, caractere por caractere.",
  ),
  repeatedParameter: (name) =>
    problem(
      "O pedido do aplicativo não está claro",
      `Ele contém “${name}” mais de uma vez, por isso não sabemos o que vale.`,
      "Volte para o aplicativo e tente novamente.",
    ),
  malformedRequest: problem(
    "Não conseguimos ler esse pedido",
    "Algo nele não está como deveria.",
    "Volte para o aplicativo e tente novamente.",
  ),
  badClientDocument: (host, reason) =>
    problem(
      "Não podemos aceitar este aplicativo",
      `${host} trouxe você até aqui e se descreve de um jeito que não podemos aceitar.`,
      `Nada foi compartilhado com ele. Se você desenvolve o aplicativo: há um erro no documento de metadados (${reason}).`,
    ),
  unreachableClient: (host, reason) =>
    problem(
      "Não conseguimos contatar o aplicativo",
      `${host} trouxe você até aqui, mas agora não nos diz o que é.`,
      `Espere um minuto e tente novamente. Nada foi compartilhado com ele. Se você desenvolve o aplicativo: ${reason}`,
    ),
  expired: problem(
    "Esta página expirou",
    "Ela ficou aberta por tanto tempo que a descartamos, para a sua segurança.",
    "Volte para o aplicativo e entre novamente. Um registro que você já publicou continua valendo.",
  ),
  wrongBrowser: problem(
    "Este login pertence a outro navegador",
    "Ele só pode continuar onde foi iniciado. Ou então este navegador não guarda cookies, que são necessários para isso.",
    "Permita cookies para este site, volte para o aplicativo e entre novamente. Se alguém enviou a você o link desta página, não continue.",
  ),
  crossSitePost: problem(
    "Isso não veio da nossa página",
    "Outro site tentou pressionar um botão aqui por você, então não fizemos nada.",
    "Se foi você: volte para o aplicativo e entre novamente.",
  ),
  alreadyUsed: problem(
    "Este login já foi concluído",
    "Você já avançou a partir desta página, e ela só funciona uma vez.",
    "Volte para o aplicativo. Se o seu login não estiver ativo lá, comece de novo.",
  ),
  tooManyRequests: problem(
    "Foram pedidos demais em pouco tempo",
    "Acabamos de receber muitos pedidos da sua rede.",
    "Espere um minuto e tente novamente.",
  ),
  notFound: problem(
    "Não há nada aqui",
    "O endereço está errado ou a página não existe mais.",
    "Para entrar, comece pelo aplicativo que você quer usar.",
  ),
  serverError: problem(
    "Algo deu errado do nosso lado",
    "A culpa não é sua, e nada foi compartilhado.",
    "Tente novamente. Se acontecer de novo, avise quem opera este serviço.",
  ),
  temporarilyUnavailable: problem(
    "Não podemos responder agora",
    "Uma parte deste serviço não está disponível no momento.",
    "Espere um minuto e tente novamente. Nada do que você configurou se perdeu.",
  ),
};

function problem(title: string, summary: string, ...details: string[]): Problem {
  return { title, summary, details };
}
