// What the Arabic catalogue says about domains and their records.

import { counted, isolated } from "./ar-text.ts";
import type { Messages } from "./en.ts";
import type { Explanation, FoundProblem } from "./en-domain.ts";

const recordName = isolated("_domain-signin");

export const domainMistakes: Messages["domainMistakes"] = {
  empty: () => say("أدخل اسم النطاق الذي تريد تسجيل الدخول به."),
  email_address: (domain) =>
    say(
      `${isolated(domain)} هو نطاق عنوان البريد هذا. هل تملكه؟`,
      `إذا كان ${isolated(domain)} لك، فأدخله بلا الجزء الذي قبل الرمز @. لا يمكن هنا استخدام عنوان لدى مزوّد بريد إلكتروني.`,
    ),
  url_with_path: (domain) =>
    say("أدخل النطاق وحده، لا العنوان الكامل لصفحة.", `أي ${isolated(domain)}.`),
  single_label: (domain) =>
    say(`«${isolated(domain)}» ليس اسم نطاق كاملًا.`, "أدخله مع نهايته، مثل alice.com."),
  ip_address: (domain) => say(`${isolated(domain)} عنوان IP.`, "أدخل اسم نطاق، مثل alice.com."),
  numeric_tld: (domain) =>
    say(`«${isolated(domain)}» ينتهي برقم.`, "لا ينتهي أي اسم نطاق برقم. هل تنقصه نهايته؟"),
  too_long: () =>
    say(
      "هذا أطول مما يمكن أن يكون عليه اسم نطاق هنا.",
      "يمكن أن يبلغ طول النطاق 228 حرفًا، على ألا يزيد ما بين كل نقطتين على 63 حرفًا.",
    ),
  public_suffix: (domain) =>
    say(
      `${isolated(domain)} نهاية تشترك فيها نطاقات كثيرة.`,
      `أدخل اسمك أنت مع هذه النهاية، مثل ${isolated(`alice.${domain}`)}.`,
    ),
  special_use: (domain) =>
    say(
      `${isolated(domain)} ينتهي باسم محجوز لاستخدامات خاصة.`,
      "لا يمكن لأحد أن يملك نطاقًا تحته. أدخل نطاقًا سجّلته.",
    ),
  bad_characters: (domain) =>
    say(
      `في «${isolated(domain)}» حروف أو رموز لا يمكن أن ترد في اسم نطاق.`,
      "ابحث عن مسافات وشرطات سفلية وعلامات جاءت مع النسخ.",
    ),
};

export const lookOutcomes: Messages["lookOutcomes"] = {
  absent: (domain) => say(`ليس للنطاق ${isolated(domain)} سجل دخول بعد.`),
  disabled: (domain) =>
    say(
      `لا يجوز لأحد تسجيل الدخول باسم ${isolated(domain)}.`,
      `هذا ما يقوله سجل النطاق (${isolated("sp=none")}). إذا كان النطاق لك، فيمكنك تغيير ذلك في DNS الخاص به.`,
    ),
  invalid: (domain) =>
    say(`في سجل الدخول للنطاق ${isolated(domain)} خطأ.`, "صحّحه في إعدادات DNS لديك."),
  ambiguous: (domain) =>
    say(
      `للنطاق ${isolated(domain)} أكثر من سجل دخول.`,
      "يجب أن يكون هناك سجل واحد فقط. احذف السجلات الأخرى في إعدادات DNS لديك.",
    ),
  unsupported: (domain) =>
    say(
      `سجل الدخول للنطاق ${isolated(domain)} من نوع أحدث مما تفهمه هذه الخدمة.`,
      `يلزم سجل يبدأ بـ ${isolated("v=dsi1")}.`,
    ),
  alias_invalid: (domain) =>
    say(
      `سجل الدخول للنطاق ${isolated(domain)} اسم مستعار لاسم غير مخصص لتسجيل الدخول.`,
      `غالبًا ما يأتي هذا من سجل CNAME شامل (wildcard). انشر بدلًا منه سجل TXT عند ${recordName}، أو اجعل الاسم المستعار ينتهي إلى اسم يتضمن ${recordName}.`,
    ),
  unavailable: (domain) =>
    say(
      `لم تُجب خوادم DNS الخاصة بالنطاق ${isolated(domain)}.`,
      "لذلك لا يمكننا أن نعرف ما تقوله. كثيرًا ما يزول هذا خلال دقيقة: حاول مرة أخرى. وإذا استمر، فاسأل من يدير DNS الخاص بالنطاق.",
    ),
  unconfirmed: (domain) =>
    say(
      `قليل جدًا من الخوادم التي نسألها يقول الشيء نفسه عن DNS الخاص بالنطاق ${isolated(domain)}.`,
      "يجب أن يقول اثنان منها الشيء نفسه كي نصدّقه. يستغرق هذا بضع دقائق بعد تغيير في DNS: حاول مرة أخرى.",
    ),
  bogus: (domain) =>
    say(
      `سجلات DNS الخاصة بالنطاق ${isolated(domain)} موقّعة (DNSSEC)، لكن التوقيعات غير صحيحة.`,
      "لا نصدّق شيئًا مما فيها حتى تصح التوقيعات. ويستطيع من يدير DNS الخاص بالنطاق إصلاح ذلك.",
    ),
  external: (domain) =>
    say(
      `يحدّد سجل ${isolated(domain)} الآن خدمة أخرى.`,
      "هي التي تتولى تسجيل دخولك. ارجع إلى التطبيق وابدأ من جديد.",
    ),
  names_another: (domain, sp, client) =>
    say(
      `سجل النطاق ${isolated(domain)} يحدّد خدمة أخرى: ${isolated(sp)}.`,
      `أرسلك ${isolated(client)} إلى هنا كأنه يحدّد هذه الخدمة. إما أن السجل تغيّر قبل لحظات، أو أن خدمتين تحيل كل منهما إلى الأخرى. عُد إلى التطبيق وحاول مرة أخرى؛ وإذا بقي الأمر كذلك، فراجع السجل في إعدادات DNS.`,
    ),
  own_unknown: (domain) =>
    say(
      `سجل النطاق ${isolated(domain)} يعود إلى إعداد بدأه متصفح آخر.`,
      "أكمل الإعداد في ذلك المتصفح، أو انشر السجل المعروض هنا بدلًا من القديم.",
    ),
  not_permitted: (domain) =>
    say(
      `هذه الخدمة غير متاحة للنطاق ${isolated(domain)}.`,
      "لا تقبل إلا النطاقات التي سجلات DNS الخاصة بها موقّعة (DNSSEC). ويستطيع من يدير DNS الخاص بالنطاق توقيعها.",
    ),
};

export const looks: Messages["looks"] = {
  seen: () => say("السجل موجود."),
  absent: (name) =>
    say(
      "السجل غير موجود بعد.",
      `بحثنا عن ${isolated(name)}. يظهر السجل الجديد عادة خلال بضع دقائق، ولدى بعض الشركات خلال ساعة.`,
    ),
  otherValue: (name) =>
    say(
      "يوجد سجل، لكنه ليس هذا السجل.",
      `إذا كنت قد غيّرت ${isolated(name)} للتو، فقد تظل القيمة القديمة ظاهرة حتى تنتهي مدة TTL الخاصة بها. وإلا فقارن بين القيمتين.`,
    ),
  atDomain: (domain, name) =>
    say(
      `السجل موجود عند ${isolated(domain)} نفسه.`,
      `مكانه الصحيح هو ${isolated(name)}. انقله إلى هناك.`,
    ),
  doubledName: (name, entry) =>
    say(
      `السجل موجود عند ${isolated(name)}، ويرد النطاق في اسمه مرتين.`,
      `تضيف لوحة التحكم النطاق إلى آخر الاسم تلقائيًا: أدخل في خانة الاسم ${isolated(entry)} فقط.`,
    ),
  cutAtSemicolon: () =>
    say(
      "ينتهي السجل عند أول فاصلة منقوطة (;) فيه.",
      "تعدّ لوحة التحكم الفاصلة المنقوطة نهاية للقيمة. أدخل القيمة بين علامتي اقتباس.",
    ),
  inQuotes: () =>
    say(
      "في قيمة السجل علامات اقتباس.",
      "تضيفها لوحة التحكم تلقائيًا: أدخل القيمة بلا علامات اقتباس.",
    ),
  oldValue: (seconds) =>
    say(
      "السجل موجود على خوادم الأسماء لديك. وما زالت خوادم أخرى تتذكر ما كان قبله.",
      `ينتهي ذلك خلال ${secondsOf(seconds)} على الأكثر. ليس عليك فعل أي شيء.`,
    ),
  notCertain: () =>
    say(
      "ترى بعض الخوادم السجل، ولا تراه خوادم أخرى بعد.",
      "يستغرق هذا عادة بضع دقائق. ليس عليك فعل أي شيء.",
    ),
};

export const servers: Messages["servers"] = {
  title: "ما يقوله كل خادم DNS",
  question: (name) => `سألنا كل خادم منها عن سجل TXT عند ${isolated(name)}.`,
  resolver: (address) => `المحلّل ${isolated(address)}`,
  nameServer: (name) => `خادم الأسماء ${isolated(name)}`,
  found: {
    wanted: "لديه هذا السجل",
    other: "لديه قيمة أخرى",
    absent: "ليس لديه سجل كهذا",
    silent: "لم يُجب",
    failed: "أجاب بخطأ",
    not_asked: "لم نسأله، لأن عنوانه ليس عنوانًا عامًا",
  },
  repeats: (seconds) => `قد يستمر في هذا الجواب مدة ${secondsOf(seconds)}.`,
};

const recordProblems: Record<FoundProblem["code"], (about: string) => string> = {
  not_ours: () =>
    `لا يبدأ السجل بـ ${isolated("v=dsi1")}، لذلك لا يُؤخذ به. إذا كان هذا سجل الدخول، فاحذف ما يسبق ${isolated("v=dsi1")}.`,
  unsupported_version: (about) => `الإصدار ${isolated(about)} غير معروف هنا.`,
  not_alone: () => `تبدأ عدة سجلات بـ ${isolated("v=dsi1")}: أبقِ على واحد منها فقط.`,
  not_ascii: () => "في السجل رموز ليست من رموز ASCII القابلة للطباعة.",
  too_long: (about) => `طول السجل بالبايت ${isolated(about)}، والحد الأقصى 1024.`,
  malformed_version: (about) =>
    `تنقص فاصلة منقوطة (;) بعد ${isolated("v=dsi1")} في «${isolated(about)}».`,
  // Between two semicolons there may be nothing that could be quoted.
  malformed_tag: (about) =>
    about === ""
      ? `في السجل جزء ليس على الصيغة ${isolated("name=value")}.`
      : `«${isolated(about)}» ليس على الصيغة ${isolated("name=value")}.`,
  repeated_tag: (about) => `يرد الوسم ${isolated(about)} أكثر من مرة.`,
  missing_sp: () =>
    "الوسم sp مفقود. تقطع بعض لوحات DNS القيمة عند أول فاصلة منقوطة (;) ما لم تكن بين علامتي اقتباس.",
  bad_sp: () =>
    `يجب أن يكون sp عنوان URL يتألف من ${isolated("https://")} واسم نطاق كامل بأحرف صغيرة، بلا استعلام (?) ولا جزء (#) ولا اسم مستخدم ولا منفذ.`,
  missing_acct: () => "الوسم acct مفقود، وهو الذي يحدّد الحساب المقصود.",
  bad_acct: () => "يجب أن يتألف acct من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.",
  bad_jkt: () =>
    "يجب أن يتألف jkt من بصمة SHA-256 واحدة إلى أربع بصمات، طول كل منها 43 حرفًا، وبينها فواصل (,).",
  missing_chal: () => "الوسم chal مفقود، وهو الذي يجيب عن التحدي.",
  bad_chal: () => "يجب أن يتألف chal من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.",
  other_sp: () => "هذا السجل لخدمة أخرى.",
  other_chal: () => "هذا السجل يجيب عن تحدٍّ آخر.",
  alias_leads_away: () => "يقود هذا الاسم المستعار بعيدًا عن اسم السجل، لذلك لا نتبعه.",
};

export const recordProblem: Messages["recordProblem"] = ({ code, about = "" }) =>
  recordProblems[code](about);

export const recoveryProblems: Messages["recoveryProblems"] = {
  missing: "أدخل أحد رموز الاسترداد الخاصة بك.",
  wrong: "ليس هذا من رموز هذا النطاق، أو سبق استخدامه.",
  tooMany: "جُرّبت هنا رموز كثيرة جدًا. انتظر بضع دقائق، ثم حاول مرة أخرى.",
};

/** As it stands after a preposition or a noun, in the genitive. */
function secondsOf(count: number): string {
  return counted(count, {
    one: "ثانية واحدة",
    two: "ثانيتين",
    few: "ثوانٍ",
    many: "ثانية",
    other: "ثانية",
  });
}

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
