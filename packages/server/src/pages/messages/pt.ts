// The Portuguese catalogue, as written in Brazil: every sentence that the pages show.

import type { Messages } from "./en.ts";
import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./pt-domain.ts";
import { external } from "./pt-external.ts";
import { requestProblems } from "./pt-problems.ts";

export const pt: Messages = {
  common: {
    serviceName: "domain-signin",
    copy: "Copiar",
    copied: "Copiado",
    backTo: (client) => `Voltar para ${client}`,
    backToApp: "Voltar para o aplicativo",
    problemTitle: (title) => `Problema: ${title}`,
    through: (app, service) => `${service} diz que este login é para ${app}.`,
  },

  domain: {
    title: (client) => `Entrar em ${client}`,
    returnTo: (host) => `Use um nome de domínio que seja seu. Depois, você volta para ${host}.`,
    label: "Seu domínio",
    hint: "Por exemplo, alice.com. Sem senha e sem cadastro.",
    submit: "Continuar",
    how: {
      title: "Como funciona?",
      paragraphs: [
        "Quem é dono de um nome de domínio decide o que consta no DNS dele. Um pequeno registro ali indica o serviço que pode fazer seu login com o domínio.",
        "Se o seu domínio ainda não tem esse registro, mostramos um para você publicar. Leva alguns minutos e só é preciso uma vez.",
      ],
    },
  },

  continue: {
    heading: (domain) => `Continuar como ${domain}`,
    client: (client, host) => `em ${client}, no endereço ${host}`,
    submit: "Continuar",
    other: "Usar outro domínio",
  },

  dns: {
    name: "Nome",
    type: "Tipo",
    value: "Valor",
    ttl: "TTL",
    seconds: "segundos",
    checksByItself:
      "Esta página também verifica sozinha, a cada poucos segundos. Você pode deixá-la aberta.",
    stopChecking: "Parar de verificar automaticamente",
    checksNoMore: "Esta página não está verificando automaticamente agora.",
    checkAgain: "Voltar a verificar automaticamente",
    checkedAt: (time) => `Última verificação: ${time}`,
    found: (count) =>
      count === 1 ? "Encontrado no DNS" : `Encontrados no DNS: ${count} registros`,
    panel: {
      title: "Onde devo inserir isto?",
      relative:
        "Nas configurações de DNS da empresa em que você registrou o domínio ou que cuida do DNS dele. Adicione um novo registro TXT. Muitos desses painéis acrescentam o domínio ao final do nome automaticamente. Nesse caso, insira apenas a primeira parte:",
      inZone: (zone) => `Nas configurações de ${zone}:`,
      paragraphs: [
        "Se o painel mostrar o nome completo antes de salvar, ele deve ser igual ao que aparece acima, com o domínio uma única vez.",
        "Não altere seus outros registros. Insira o valor sem aspas. Se o painel não permitir escolher o TTL, mantenha o que ele sugere.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain) => `Mostre que ${domain} é seu`,
    lead: "Adicione um registro ao DNS do seu domínio. Você faz isso uma única vez e depois o deixa lá.",
    client: (client, host) => `Você está entrando em ${client}, no endereço ${host}.`,
    warning: (domain) =>
      `Publicar este registro permite que o navegador em que ele aparece entre como ${domain}. Se alguém enviou o registro para você, pare.`,
    record: "Publique este registro",
    check: "Vamos procurar o registro",
    submit: "Já publiquei, verificar agora",
    startOver: {
      title: "Recomeçar com um novo registro",
      explanation:
        "Você recebe um novo valor para publicar e novos códigos de recuperação. Os desta página deixam de funcionar.",
      submit: "Criar um novo registro",
    },
  },

  recoveryCodes: {
    heading: "Enquanto espera: guarde estes dez códigos",
    why: (domain) =>
      `Com um código, você volta a entrar como ${domain} em outro navegador, ou neste quando ele não for mais reconhecido. O registro sozinho não basta para isso, pois qualquer pessoa pode lê-lo. Salve os códigos em um gerenciador de senhas ou imprima esta página.`,
    valid:
      "Eles passam a valer quando o seu registro for encontrado. Cada um funciona uma única vez.",
    all: "todos os dez códigos",
  },

  dnsChallenge: {
    heading: (domain) => `Entrar como ${domain}`,
    lead: "Adicione um registro temporário ao DNS do seu domínio para mostrar que ele ainda é seu. Depois de entrar, você pode removê-lo.",
    client: (client, host) => `Você está entrando em ${client}, no endereço ${host}.`,
    warning: (issuer) => `Publique isto somente se foi você quem começou, em ${issuer}.`,
    warningReason: (domain) =>
      `Isto permite que este navegador entre como ${domain}. Se alguém enviou o registro para você, pare.`,
    record: "Publique este registro por enquanto",
    check: "Vamos procurar o registro",
    checkWithCode: "Insira um código de recuperação e vamos procurar o registro",
    submit: "Já publiquei, verificar agora",
    recoveryCode: {
      label: "Código de recuperação",
      hint: "Um dos dez códigos que você guardou ao configurar o domínio. Ele é necessário porque ainda não conhecemos este navegador.",
    },
    lostAccess: {
      title: "Perdi meus códigos ou o navegador que eu usava",
      explanation: (domain) =>
        `Você pode recomeçar com um novo registro, que substitui o atual de ${domain}.`,
      consequence:
        "Os aplicativos verão então uma conta nova. O que você guardava neles com a conta antiga não é transferido.",
      submit: "Recomeçar com um novo registro",
    },
  },

  ownUnknown: {
    heading: (domain) => `Outro navegador começou com ${domain}`,
    lead: "O registro do domínio já indica este serviço, mas a configuração correspondente não foi iniciada neste navegador.",
    client: (client, host) => `Você está entrando em ${client}, no endereço ${host}.`,
    finish: {
      title: "Foi você quem começou?",
      explanation:
        "Então termine no navegador em que começou. Uma janela anônima ou outro dispositivo conta como outro navegador.",
    },
    startOver: {
      title: "Ou recomece aqui",
      explanation: (domain) =>
        `Você recebe um novo registro para publicar no lugar do atual de ${domain}. Se você não sabe de onde veio o atual, substituí-lo é a coisa certa a fazer.`,
      submit: "Recomeçar com um novo registro",
    },
  },

  consent: {
    heading: (client) => `Entrar em ${client}?`,
    sentTo: "Você irá para",
    shared: "O aplicativo saberá que você é",
    scopesTitle: "Ele poderá",
    allow: "Permitir",
    deny: "Não permitir",
    caution: (host) =>
      `Cada aplicativo escolhe o próprio nome. Só permita se for em ${host} que você quer entrar.`,
  },

  scopes: new Map([
    ["openid", "saber que você controla este domínio"],
    ["offline_access", "manter seu login ativo enquanto você não estiver usando o aplicativo"],
  ]),

  problem: {
    errorId: "Se pedir ajuda, informe este erro:",
    client: (host) => `Você estava entrando em ${host}.`,
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
