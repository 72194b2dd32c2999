// What the Portuguese catalogue says about domains and their records.

import type { Messages } from "./en.ts";
import type { Explanation, FoundProblem } from "./en-domain.ts";

export const domainMistakes: Messages["domainMistakes"] = {
  empty: () => say("Digite o nome de domínio com que você quer entrar."),
  email_address: (domain) =>
    say(
      `${domain} é o domínio desse endereço de e-mail. Ele é seu?`,
      `Se ${domain} for seu, digite-o sem a parte que vem antes do @. Um endereço de um provedor de e-mail não pode ser usado aqui.`,
    ),
  url_with_path: (domain) =>
    say("Digite apenas o domínio, não o endereço completo de uma página.", `Seria ${domain}.`),
  single_label: (domain) =>
    say(
      `“${domain}” não é um nome de domínio completo.`,
      "Digite-o com a terminação, como em alice.com.",
    ),
  ip_address: (domain) =>
    say(`${domain} é um endereço IP.`, "Digite um nome de domínio, como alice.com."),
  numeric_tld: (domain) =>
    say(
      `“${domain}” termina em um número.`,
      "Nenhum nome de domínio termina assim. Será que falta a terminação?",
    ),
  too_long: () =>
    say(
      "Isso é mais longo do que um nome de domínio pode ser aqui.",
      "Um domínio pode ter 228 caracteres, e cada parte separada por pontos pode ter no máximo 63.",
    ),
  public_suffix: (domain) =>
    say(
      `${domain} é uma terminação que muitos domínios compartilham.`,
      `Digite o seu próprio nome com essa terminação, como alice.${domain}.`,
    ),
  special_use: (domain) =>
    say(
      `${domain} tem uma terminação reservada para usos especiais.`,
      "Ninguém pode ser dono de um domínio com ela. Digite um domínio que você registrou.",
    ),
  bad_characters: (domain) =>
    say(
      `“${domain}” tem caracteres que um nome de domínio não pode ter.`,
      "Procure espaços, sublinhados e sinais que vieram junto ao copiar.",
    ),
};

export const lookOutcomes: Messages["lookOutcomes"] = {
  absent: (domain) => say(`${domain} ainda não tem um registro de login.`),
  disabled: (domain) =>
    say(
      `Ninguém pode entrar como ${domain}.`,
      "É o que diz o registro do domínio (sp=none). Se o domínio for seu, você pode mudar isso no DNS dele.",
    ),
  invalid: (domain) =>
    say(
      `O registro de login de ${domain} tem um erro.`,
      "Corrija-o nas suas configurações de DNS.",
    ),
  ambiguous: (domain) =>
    say(
      `${domain} tem mais de um registro de login.`,
      "Deve haver exatamente um. Remova os outros nas suas configurações de DNS.",
    ),
  unsupported: (domain) =>
    say(
      `O registro de login de ${domain} é de um tipo mais novo do que este serviço entende.`,
      "É preciso um registro que comece com v=dsi1.",
    ),
  alias_invalid: (domain) =>
    say(
      `O registro de login de ${domain} é um alias de um nome que não se destina a login.`,
      "Na maioria das vezes, isso vem de um registro CNAME curinga. Publique um registro TXT em _domain-signin ou faça o alias terminar em um nome que contenha _domain-signin.",
    ),
  unavailable: (domain) =>
    say(
      `O DNS de ${domain} não respondeu.`,
      "Por isso, não sabemos o que ele diz. Muitas vezes isso passa em um minuto: tente novamente. Se continuar, fale com quem cuida do DNS do domínio.",
    ),
  unconfirmed: (domain) =>
    say(
      `Poucos dos nossos servidores de consulta dizem o mesmo sobre o DNS de ${domain}.`,
      "Dois deles precisam dizer o mesmo para que confiemos. Depois de uma mudança no DNS, isso leva alguns minutos: tente novamente.",
    ),
  bogus: (domain) =>
    say(
      `O DNS de ${domain} é assinado (DNSSEC), mas as assinaturas não são válidas.`,
      "Enquanto não forem, não confiamos em nada do que ele diz. Quem cuida do DNS do domínio pode corrigir isso.",
    ),
  external: (domain) =>
    say(
      `O registro de ${domain} indica agora outro serviço.`,
      "É ele que faz o seu login. Volte ao aplicativo e comece de novo.",
    ),
  names_another: (domain, sp, client) =>
    say(
      `O registro de ${domain} indica outro serviço: ${sp}.`,
      `${client} trouxe você até aqui como se ele indicasse este. Ou o registro acabou de mudar, ou dois serviços apontam um para o outro. Volte para o aplicativo e tente novamente; se continuar assim, confira o registro nas configurações de DNS.`,
    ),
  own_unknown: (domain) =>
    say(
      `O registro de ${domain} pertence a uma configuração que outro navegador começou.`,
      "Termine naquele navegador ou publique o registro mostrado aqui no lugar do antigo.",
    ),
  not_permitted: (domain) =>
    say(
      `Este serviço não está aberto a ${domain}.`,
      "Ele só aceita domínios cujo DNS é assinado (DNSSEC). Quem cuida do DNS do domínio pode assiná-lo.",
    ),
};

export const looks: Messages["looks"] = {
  seen: () => say("O registro já está lá."),
  absent: (name) =>
    say(
      "O registro ainda não está lá.",
      `Procuramos ${name}. Um registro novo costuma aparecer em alguns minutos; em algumas empresas, em até uma hora.`,
    ),
  otherValue: (name) =>
    say(
      "Existe um registro, mas não é este.",
      `Se você acabou de alterar ${name}, o valor antigo pode aparecer até o TTL dele terminar. Se não, compare os valores.`,
    ),
  atDomain: (domain, name) =>
    say(`O registro está no próprio ${domain}.`, `O lugar dele é ${name}. Mova-o para lá.`),
  doubledName: (name, entry) =>
    say(
      `O registro está em ${name}, com o domínio duas vezes no nome.`,
      `O seu painel acrescenta o domínio ao final automaticamente: como nome, insira apenas ${entry}.`,
    ),
  cutAtSemicolon: () =>
    say(
      "O registro termina no primeiro ponto e vírgula.",
      "O seu painel entende o ponto e vírgula como fim do valor. Insira o valor entre aspas.",
    ),
  inQuotes: () =>
    say(
      "O registro tem aspas no valor.",
      "O seu painel já as acrescenta automaticamente: insira o valor sem aspas.",
    ),
  oldValue: (seconds) =>
    say(
      "Os seus servidores de nomes têm o registro. Outros ainda se lembram do que havia antes.",
      `Isso passa em no máximo ${inSeconds(seconds)}. Você não precisa fazer nada.`,
    ),
  notCertain: () =>
    say(
      "Alguns servidores já veem o registro, outros ainda não.",
      "Isso costuma levar alguns minutos. Você não precisa fazer nada.",
    ),
};

export const servers: Messages["servers"] = {
  title: "O que diz cada servidor DNS",
  question: (name) => `Pedimos a cada um deles o registro TXT em ${name}.`,
  resolver: (address) => `Resolvedor ${address}`,
  nameServer: (name) => `Servidor de nomes ${name}`,
  found: {
    wanted: "tem este registro",
    other: "tem outro valor",
    absent: "não tem esse registro",
    silent: "não respondeu",
    failed: "respondeu com um erro",
    not_asked: "não foi consultado, pois seu endereço não é público",
  },
  repeats: (seconds) => `Ele pode continuar respondendo assim por ${inSeconds(seconds)}.`,
};

const recordProblems: Record<FoundProblem["code"], (about: string) => string> = {
  not_ours: () =>
    "O registro não começa com v=dsi1, por isso é ignorado. Se for o seu registro de login, remova o que vem antes de v=dsi1.",
  unsupported_version: (about) => `A versão ${about} não é conhecida aqui.`,
  not_alone: () => "Vários registros começam com v=dsi1: mantenha exatamente um deles.",
  not_ascii: () => "O registro contém caracteres que não são ASCII imprimíveis.",
  too_long: (about) => `O registro tem ${about} octetos; são permitidos no máximo 1024.`,
  malformed_version: (about) => `Depois de v=dsi1, falta um ponto e vírgula em “${about}”.`,
  // Between two semicolons there may be nothing that could be quoted.
  malformed_tag: (about) =>
    about === ""
      ? "Uma parte do registro não tem a forma nome=valor."
      : `“${about}” não tem a forma nome=valor.`,
  repeated_tag: (about) => `A tag ${about} aparece mais de uma vez.`,
  missing_sp: () =>
    "Falta a tag sp. Alguns painéis de DNS cortam o valor no primeiro ponto e vírgula se ele não estiver entre aspas.",
  bad_sp: () =>
    "sp deve ser uma URL formada por https:// e um nome de domínio completo em letras minúsculas, sem consulta, sem fragmento, sem nome de usuário e sem porta.",
  missing_acct: () => "Falta a tag acct, que indica de quem é a conta.",
  bad_acct: () => "acct deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.",
  bad_jkt: () =>
    "jkt deve ter de 1 a 4 impressões digitais SHA-256 de 43 caracteres, separadas por vírgulas.",
  missing_chal: () => "Falta a tag chal, que responde ao desafio.",
  bad_chal: () => "chal deve ter de 22 a 64 letras, dígitos, hifens ou sublinhados.",
  other_sp: () => "O registro é para outro serviço.",
  other_chal: () => "O registro responde a outro desafio.",
  alias_leads_away: () => "Este alias leva para longe do nome do registro, por isso não é seguido.",
};

export const recordProblem: Messages["recordProblem"] = ({ code, about = "" }) =>
  recordProblems[code](about);

export const recoveryProblems: Messages["recoveryProblems"] = {
  missing: "Insira um dos seus códigos de recuperação.",
  wrong: "Esse não é um dos códigos deste domínio, ou já foi usado.",
  tooMany: "Foram tentados códigos demais aqui. Espere alguns minutos e tente novamente.",
};

/** Zero takes the singular too, as CLDR has it for Portuguese. */
function inSeconds(count: number): string {
  return count < 2 ? `${count} segundo` : `${count} segundos`;
}

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
