// What the Arabic catalogue says when an external service provider has not signed the person in.

import { isolated } from "./ar-text.ts";
import type { Messages } from "./en.ts";

export const external: Messages["external"] = {
  heading: (domain) => `لم يتم تسجيل الدخول باسم ${isolated(domain)}`,
  lead: (domain, sp) =>
    `يتم تسجيل الدخول باسم ${isolated(domain)} لدى ${isolated(sp)}، فهذا ما يقوله سجله.`,
  again: "حاول مرة أخرى",
  detail: "لمن يدير تلك الخدمة، بالإنجليزية:",
  problems: {
    unreachable: (sp) => say(`لا يجيب ${isolated(sp)}.`, "انتظر دقيقة ثم حاول مرة أخرى."),
    not_public: (sp) =>
      say(
        `ليس لدى ${isolated(sp)} عنوان عام.`,
        "لذلك لا نتصل به. إذا كان النطاق لك فتحقّق من sp في سجله.",
      ),
    bad_metadata: (sp) =>
      say(
        `لا يصف ${isolated(sp)} نفسه بأنه خدمة لتسجيل الدخول.`,
        "إذا كان النطاق لك فتحقّق من sp في سجله، وإلا فبوسع من يدير تلك الخدمة إصلاح ذلك.",
      ),
    unmet_requirements: (sp) =>
      say(
        `ينقص ${isolated(sp)} شيء نحتاج إليه للأمان.`,
        "بوسع من يدير تلك الخدمة إضافته. وإذا كان النطاق لك فيمكنك أيضًا أن تحدّد خدمة أخرى في سجله.",
      ),
    no_client: (sp) =>
      say(
        `لا يعرفنا ${isolated(sp)}، ولم نتمكن من التعريف بأنفسنا.`,
        "حاول مرة أخرى. إذا بقي الأمر كذلك فعلى من يدير هذه الخدمة أن يسجّلها هناك.",
      ),
    bad_answer: (sp) =>
      say(
        `جواب ${isolated(sp)} غير سليم.`,
        "لذلك لم نصدّقه. حاول مرة أخرى، وإذا تكرر ذلك فأخبر من يدير تلك الخدمة.",
      ),
    refused_by_sp: (sp) =>
      say(`أعادك ${isolated(sp)} دون تسجيل دخولك.`, "ربما توقفت هناك. يمكنك المحاولة مرة أخرى."),
    other_account: (sp, domain) =>
      say(
        `أنت تستخدم لدى ${isolated(sp)} حسابًا غير الحساب الذي يحدّده ${isolated(domain)}.`,
        "سجّل الخروج هناك، ثم حاول مرة أخرى بالحساب الصحيح. وإذا كان النطاق لك فيمكنك أيضًا أن تحدّد هذا الحساب في سجله.",
      ),
    other_domain: (sp, domain) =>
      say(
        `سجّلت الدخول لدى ${isolated(sp)} باسم نطاق غير ${isolated(domain)}.`,
        `سجّل الدخول هناك باسم ${isolated(domain)}، ثم حاول مرة أخرى.`,
      ),
    record_changed: (sp, domain) =>
      say(
        `بينما كنت لدى ${isolated(sp)} تغيّر سجل ${isolated(domain)}.`,
        "نعمل بما يقوله الآن. ابدأ من جديد.",
      ),
  },
};

function say(summary: string, ...details: string[]) {
  return { summary, details };
}
