// The Arabic catalogue: every sentence that the pages show.

import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./ar-domain.ts";
import { external } from "./ar-external.ts";
import { requestProblems } from "./ar-problems.ts";
import { counted, isolated } from "./ar-text.ts";
import type { Messages } from "./en.ts";

// What goes through fill() gets its direction from the markup; only plain text needs isolates.
export const ar: Messages = {
  common: {
    serviceName: "domain-signin",
    copy: "نسخ",
    copied: "تم النسخ",
    backTo: (client) => `العودة إلى ${client}`,
    backToApp: "العودة إلى التطبيق",
    problemTitle: (title) => `مشكلة: ${title}`,
    through: (app, service) => `يقول ${service} إن تسجيل الدخول هذا إلى ${app}.`,
  },

  domain: {
    title: (client) => `تسجيل الدخول إلى ${client}`,
    returnTo: (host) => `استخدم اسم نطاق تملكه. ستعود بعد ذلك إلى ${host}.`,
    label: "نطاقك",
    hint: "مثل alice.com. بلا كلمة مرور وبلا إنشاء حساب.",
    submit: "متابعة",
    how: {
      title: "كيف يعمل هذا؟",
      paragraphs: [
        "من يملك اسم نطاق يقرّر ما يرد عنه في DNS. ويحدّد سجل صغير هناك الخدمة التي يجوز لها تسجيل دخولك باسم نطاقك.",
        "إذا لم يكن لنطاقك سجل كهذا بعد، فسنعرض عليك سجلًا لتنشره. يستغرق ذلك بضع دقائق، ولمرة واحدة فقط.",
      ],
    },
  },

  continue: {
    heading: (domain) => `المتابعة باسم ${domain}`,
    client: (client, host) => `إلى ${client} على ${host}`,
    submit: "متابعة",
    other: "استخدام نطاق آخر",
  },

  dns: {
    name: "الاسم",
    type: "النوع",
    value: "القيمة",
    ttl: "TTL",
    seconds: "ثانية",
    checksByItself: "تتحقق هذه الصفحة تلقائيًا أيضًا كل بضع ثوانٍ. يمكنك تركها مفتوحة.",
    stopChecking: "إيقاف التحقق التلقائي",
    checksNoMore: "لا تتحقق هذه الصفحة تلقائيًا الآن.",
    checkAgain: "استئناف التحقق التلقائي",
    checkedAt: (time) => `آخر تحقق: ${isolated(time)}`,
    // The number stands first: after a Latin word it would be read as a part of that.
    found: (count) => (count === 1 ? "الموجود في DNS" : `${records(count)} في DNS`),
    panel: {
      title: "أين أُدخل هذا؟",
      relative:
        "في إعدادات DNS لدى الشركة التي سجّلت النطاق عندها أو التي تدير DNS الخاص به. أضف سجل TXT جديدًا. كثير من لوحات التحكم هذه تضيف النطاق إلى آخر الاسم تلقائيًا. في لوحة كهذه أدخل الجزء الأول فقط:",
      inZone: (zone) => `في إعدادات ${zone}:`,
      paragraphs: [
        "إذا عرضت لوحة التحكم الاسم الكامل قبل الحفظ، فيجب أن يطابق الاسم الظاهر أعلاه، وأن يرد فيه النطاق مرة واحدة.",
        "اترك سجلاتك الأخرى كما هي. أدخل القيمة بلا علامات اقتباس. إذا لم تتح لك لوحة التحكم اختيار TTL، فأبقِ على ما تقترحه.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain) => `أثبت أنك تملك ${domain}`,
    lead: "أضف سجلًا واحدًا إلى DNS الخاص بنطاقك. تفعل ذلك مرة واحدة، ثم تتركه هناك.",
    client: (client, host) => `أنت تسجّل الدخول إلى ${client} على ${host}.`,
    warning: (domain) =>
      `نشر هذا السجل يتيح للمتصفح الذي يعرضه تسجيل الدخول باسم ${domain}. إذا أرسله إليك شخص آخر، فتوقّف.`,
    record: "انشر هذا السجل",
    check: "دعنا نبحث عنه",
    submit: "نشرته، تحقّق الآن",
    startOver: {
      title: "البدء من جديد بسجل جديد",
      explanation:
        "ستحصل على قيمة جديدة لنشرها وعلى رموز استرداد جديدة. ولن تعمل بعدها الرموز التي في هذه الصفحة.",
      submit: "إنشاء سجل جديد",
    },
  },

  recoveryCodes: {
    heading: "في أثناء الانتظار: احتفظ بهذه الرموز العشرة",
    why: (domain) =>
      `يعيدك الرمز إلى الدخول باسم ${domain} من متصفح آخر، أو من هذا المتصفح إذا لم نعد نتعرّف عليه. السجل وحده لا يكفي لذلك، لأن أي شخص يستطيع قراءته. احفظ الرموز في مدير كلمات مرور، أو اطبع هذه الصفحة.`,
    valid: "تصبح صالحة عندما نرى سجلك. ويعمل كل رمز مرة واحدة.",
    all: "الرموز العشرة كلها",
  },

  dnsChallenge: {
    heading: (domain) => `تسجيل الدخول باسم ${domain}`,
    lead: "أضف سجلًا مؤقتًا إلى DNS الخاص بنطاقك، لتثبت أنه ما زال لك. يمكنك حذفه بعد تسجيل الدخول.",
    client: (client, host) => `أنت تسجّل الدخول إلى ${client} على ${host}.`,
    warning: (issuer) => `لا تنشر هذا السجل إلا إذا بدأت أنت العملية على ${issuer}.`,
    warningReason: (domain) =>
      `فهو يتيح لهذا المتصفح تسجيل الدخول باسم ${domain}. إذا أرسله إليك شخص آخر، فتوقّف.`,
    record: "انشر هذا السجل مؤقتًا",
    check: "دعنا نبحث عنه",
    checkWithCode: "أدخل رمز استرداد، ودعنا نبحث عن السجل",
    submit: "نشرته، تحقّق الآن",
    recoveryCode: {
      label: "رمز الاسترداد",
      hint: "أحد الرموز العشرة التي احتفظت بها عند إعداد النطاق. نطلبه لأن هذا المتصفح جديد علينا.",
    },
    lostAccess: {
      title: "فقدت رموزي أو المتصفح الذي كنت أستخدمه",
      explanation: (domain) =>
        `يمكنك البدء من جديد بسجل جديد يحل محل السجل الحالي للنطاق ${domain}.`,
      consequence:
        "سترى التطبيقات عندئذ حسابًا جديدًا. وما احتفظت به فيها تحت الحساب القديم لن ينتقل إليه.",
      submit: "البدء من جديد بسجل جديد",
    },
  },

  ownUnknown: {
    heading: (domain) => `بدأ متصفح آخر إعداد ${domain}`,
    lead: "سجل النطاق يحدّد هذه الخدمة بالفعل، لكن الإعداد الذي يعود إليه السجل لم يبدأ في هذا المتصفح.",
    client: (client, host) => `أنت تسجّل الدخول إلى ${client} على ${host}.`,
    finish: {
      title: "هل أنت من بدأه؟",
      explanation:
        "إذن أكمله في المتصفح الذي بدأت فيه. نافذة التصفح الخاص أو الجهاز الآخر يُعدّ متصفحًا آخر.",
    },
    startOver: {
      title: "أو ابدأ من جديد هنا",
      explanation: (domain) =>
        `ستحصل على سجل جديد لتنشره بدلًا من السجل الحالي للنطاق ${domain}. إذا كنت لا تعرف مصدر السجل الحالي، فاستبداله هو التصرف الصحيح.`,
      submit: "البدء من جديد بسجل جديد",
    },
  },

  consent: {
    heading: (client) => `هل تريد تسجيل الدخول إلى ${client}؟`,
    sentTo: "ستنتقل إلى",
    shared: "سيعرف التطبيق أنك",
    scopesTitle: "سيُسمح له بما يلي",
    allow: "السماح",
    deny: "عدم السماح",
    caution: (host) =>
      `تختار التطبيقات أسماءها بنفسها. لا تسمح إلا إذا كنت تريد تسجيل الدخول على ${host}.`,
  },

  scopes: new Map([
    ["openid", "معرفة أنك تتحكم في هذا النطاق"],
    ["offline_access", "إبقاء دخولك مسجّلًا في أثناء غيابك"],
  ]),

  problem: {
    errorId: "إذا طلبت المساعدة، فاذكر هذا الخطأ:",
    client: (host) => `كنت تسجّل الدخول على ${host}.`,
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

function records(count: number): string {
  return counted(count, {
    one: "سجل واحد",
    two: "سجلان",
    few: "سجلات",
    many: "سجلًا",
    other: "سجل",
  });
}
