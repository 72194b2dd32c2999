### Arabic: every sentence of the pages.

## Every page

common-serviceName = domain-signin
common-copy = نسخ
common-copied = تم النسخ
common-backTo = العودة إلى { $client }
common-backToApp = العودة إلى التطبيق
common-problemTitle = مشكلة: { $title }
common-through = يقول { $service } إن تسجيل الدخول هذا إلى { $app }.

## The page that asks for the domain

domain-title = تسجيل الدخول إلى { $client }
domain-returnTo = استخدم اسم نطاق تملكه. ستعود بعد ذلك إلى { $host }.
domain-label = نطاقك
domain-hint = مثل alice.com. بلا كلمة مرور وبلا إنشاء حساب.
domain-submit = متابعة
domain-how-title = كيف يعمل هذا؟
domain-how-paragraphs =
    .paragraph1 = من يملك اسم نطاق يقرّر ما يرد عنه في DNS. ويحدّد سجل صغير هناك الخدمة التي يجوز لها تسجيل دخولك باسم نطاقك.
    .paragraph2 = إذا لم يكن لنطاقك سجل كهذا بعد، فسنعرض عليك سجلًا لتنشره. يستغرق ذلك بضع دقائق، ولمرة واحدة فقط.

## The page that offers to go on as a domain

continue-heading = المتابعة باسم { $domain }
continue-client = إلى { $client } على { $host }
continue-submit = متابعة
continue-other = استخدام نطاق آخر

## Both pages that show a record to publish

dns-name = الاسم
dns-type = النوع
dns-value = القيمة
dns-ttl = TTL
dns-seconds = ثانية
dns-checksByItself = تتحقق هذه الصفحة تلقائيًا أيضًا كل بضع ثوانٍ. يمكنك تركها مفتوحة.
dns-stopChecking = إيقاف التحقق التلقائي
dns-checksNoMore = لا تتحقق هذه الصفحة تلقائيًا الآن.
dns-checkAgain = استئناف التحقق التلقائي
dns-checkedAt = آخر تحقق: { $time }
dns-found = { $count ->
       [one] الموجود في DNS
       [two] سجلان في DNS
       [few] { NUMBER($count, useGrouping: 0) } سجلات في DNS
       [many] { NUMBER($count, useGrouping: 0) } سجلًا في DNS
      *[other] { NUMBER($count, useGrouping: 0) } سجل في DNS
    }
dns-panel-title = أين أُدخل هذا؟
dns-panel-relative = في إعدادات DNS لدى الشركة التي سجّلت النطاق عندها أو التي تدير DNS الخاص به. أضف سجل TXT جديدًا. كثير من لوحات التحكم هذه تضيف النطاق إلى آخر الاسم تلقائيًا. في لوحة كهذه أدخل الجزء الأول فقط:
dns-panel-inZone = في إعدادات { $zone }:
dns-panel-paragraphs =
    .paragraph1 = إذا عرضت لوحة التحكم الاسم الكامل قبل الحفظ، فيجب أن يطابق الاسم الظاهر أعلاه، وأن يرد فيه النطاق مرة واحدة.
    .paragraph2 = اترك سجلاتك الأخرى كما هي. أدخل القيمة بلا علامات اقتباس. إذا لم تتح لك لوحة التحكم اختيار TTL، فأبقِ على ما تقترحه.

## The set-up page

dnsSetup-heading = أثبت أنك تملك { $domain }
dnsSetup-lead = أضف سجلًا واحدًا إلى DNS الخاص بنطاقك. تفعل ذلك مرة واحدة، ثم تتركه هناك.
dnsSetup-client = أنت تسجّل الدخول إلى { $client } على { $host }.
dnsSetup-warning = نشر هذا السجل يتيح للمتصفح الذي يعرضه تسجيل الدخول باسم { $domain }. إذا أرسله إليك شخص آخر، فتوقّف.
dnsSetup-record = انشر هذا السجل
dnsSetup-check = دعنا نبحث عنه
dnsSetup-submit = نشرته، تحقّق الآن
dnsSetup-startOver-title = البدء من جديد بسجل جديد
dnsSetup-startOver-explanation = ستحصل على قيمة جديدة لنشرها وعلى رموز استرداد جديدة. ولن تعمل بعدها الرموز التي في هذه الصفحة.
dnsSetup-startOver-submit = إنشاء سجل جديد

## Recovery codes, on the set-up page

recoveryCodes-heading = في أثناء الانتظار: احتفظ بهذه الرموز العشرة
recoveryCodes-why = يعيدك الرمز إلى الدخول باسم { $domain } من متصفح آخر، أو من هذا المتصفح إذا لم نعد نتعرّف عليه. السجل وحده لا يكفي لذلك، لأن أي شخص يستطيع قراءته. احفظ الرموز في مدير كلمات مرور، أو اطبع هذه الصفحة.
recoveryCodes-valid = تصبح صالحة عندما نرى سجلك. ويعمل كل رمز مرة واحدة.
recoveryCodes-all = الرموز العشرة كلها

## The page of a later sign-in by DNS

dnsChallenge-heading = تسجيل الدخول باسم { $domain }
dnsChallenge-lead = أضف سجلًا مؤقتًا إلى DNS الخاص بنطاقك، لتثبت أنه ما زال لك. يمكنك حذفه بعد تسجيل الدخول.
dnsChallenge-client = أنت تسجّل الدخول إلى { $client } على { $host }.
dnsChallenge-warning = لا تنشر هذا السجل إلا إذا بدأت أنت العملية على { $issuer }.
dnsChallenge-warningReason = فهو يتيح لهذا المتصفح تسجيل الدخول باسم { $domain }. إذا أرسله إليك شخص آخر، فتوقّف.
dnsChallenge-record = انشر هذا السجل مؤقتًا
dnsChallenge-check = دعنا نبحث عنه
dnsChallenge-checkWithCode = أدخل رمز استرداد، ودعنا نبحث عن السجل
dnsChallenge-submit = نشرته، تحقّق الآن
dnsChallenge-recoveryCode-label = رمز الاسترداد
dnsChallenge-recoveryCode-hint = أحد الرموز العشرة التي احتفظت بها عند إعداد النطاق. نطلبه لأن هذا المتصفح جديد علينا.
dnsChallenge-lostAccess-title = فقدت رموزي أو المتصفح الذي كنت أستخدمه
dnsChallenge-lostAccess-explanation = يمكنك البدء من جديد بسجل جديد يحل محل السجل الحالي للنطاق { $domain }.
dnsChallenge-lostAccess-consequence = سترى التطبيقات عندئذ حسابًا جديدًا. وما احتفظت به فيها تحت الحساب القديم لن ينتقل إليه.
dnsChallenge-lostAccess-submit = البدء من جديد بسجل جديد

## The page of a set-up that another browser began

ownUnknown-heading = بدأ متصفح آخر إعداد { $domain }
ownUnknown-lead = سجل النطاق يحدّد هذه الخدمة بالفعل، لكن الإعداد الذي يعود إليه السجل لم يبدأ في هذا المتصفح.
ownUnknown-client = أنت تسجّل الدخول إلى { $client } على { $host }.
ownUnknown-finish-title = هل أنت من بدأه؟
ownUnknown-finish-explanation = إذن أكمله في المتصفح الذي بدأت فيه. نافذة التصفح الخاص أو الجهاز الآخر يُعدّ متصفحًا آخر.
ownUnknown-startOver-title = أو ابدأ من جديد هنا
ownUnknown-startOver-explanation = ستحصل على سجل جديد لتنشره بدلًا من السجل الحالي للنطاق { $domain }. إذا كنت لا تعرف مصدر السجل الحالي، فاستبداله هو التصرف الصحيح.
ownUnknown-startOver-submit = البدء من جديد بسجل جديد

## The consent page

consent-heading = هل تريد تسجيل الدخول إلى { $client }؟
consent-sentTo = ستنتقل إلى
consent-shared = سيعرف التطبيق أنك
consent-scopesTitle = سيُسمح له بما يلي
consent-allow = السماح
consent-deny = عدم السماح
consent-caution = تختار التطبيقات أسماءها بنفسها. لا تسمح إلا إذا كنت تريد تسجيل الدخول على { $host }.

## What a client may do with a scope, after consent-scopesTitle

scopes-openid = معرفة أنك تتحكم في هذا النطاق
scopes-offline_access = إبقاء دخولك مسجّلًا في أثناء غيابك

## Every problem page

problem-errorId = إذا طلبت المساعدة، فاذكر هذا الخطأ:
problem-client = كنت تسجّل الدخول على { $host }.

## When an external service provider has not signed the person in; $sp is the host of that service

external-heading = لم يتم تسجيل الدخول باسم { $domain }
external-lead = يتم تسجيل الدخول باسم { $domain } لدى { $sp }، فهذا ما يقوله سجله.
external-again = حاول مرة أخرى
external-detail = لمن يدير تلك الخدمة، بالإنجليزية:
external-problems-unreachable = لا يجيب { $sp }.
    .detail1 = انتظر دقيقة ثم حاول مرة أخرى.
external-problems-not_public = ليس لدى { $sp } عنوان عام.
    .detail1 = لذلك لا نتصل به. إذا كان النطاق لك فتحقّق من sp في سجله.
external-problems-bad_metadata = لا يصف { $sp } نفسه بأنه خدمة لتسجيل الدخول.
    .detail1 = إذا كان النطاق لك فتحقّق من sp في سجله، وإلا فبوسع من يدير تلك الخدمة إصلاح ذلك.
external-problems-unmet_requirements = ينقص { $sp } شيء نحتاج إليه للأمان.
    .detail1 = بوسع من يدير تلك الخدمة إضافته. وإذا كان النطاق لك فيمكنك أيضًا أن تحدّد خدمة أخرى في سجله.
external-problems-no_client = لا يعرفنا { $sp }، ولم نتمكن من التعريف بأنفسنا.
    .detail1 = حاول مرة أخرى. إذا بقي الأمر كذلك فعلى من يدير هذه الخدمة أن يسجّلها هناك.
external-problems-bad_answer = جواب { $sp } غير سليم.
    .detail1 = لذلك لم نصدّقه. حاول مرة أخرى، وإذا تكرر ذلك فأخبر من يدير تلك الخدمة.
external-problems-refused_by_sp = أعادك { $sp } دون تسجيل دخولك.
    .detail1 = ربما توقفت هناك. يمكنك المحاولة مرة أخرى.
external-problems-other_account = أنت تستخدم لدى { $sp } حسابًا غير الحساب الذي يحدّده { $domain }.
    .detail1 = سجّل الخروج هناك، ثم حاول مرة أخرى بالحساب الصحيح. وإذا كان النطاق لك فيمكنك أيضًا أن تحدّد هذا الحساب في سجله.
external-problems-other_domain = سجّلت الدخول لدى { $sp } باسم نطاق غير { $domain }.
    .detail1 = سجّل الدخول هناك باسم { $domain }، ثم حاول مرة أخرى.
external-problems-record_changed = بينما كنت لدى { $sp } تغيّر سجل { $domain }.
    .detail1 = نعمل بما يقوله الآن. ابدأ من جديد.

## What is wrong with the domain as it was typed; $domain is the domain in it, or else what was typed;
## $example is a name under it

domainMistakes-empty = أدخل اسم النطاق الذي تريد تسجيل الدخول به.
domainMistakes-email_address = { $domain } هو نطاق عنوان البريد هذا. هل تملكه؟
    .detail1 = إذا كان { $domain } لك، فأدخله بلا الجزء الذي قبل الرمز @. لا يمكن هنا استخدام عنوان لدى مزوّد بريد إلكتروني.
domainMistakes-url_with_path = أدخل النطاق وحده، لا العنوان الكامل لصفحة.
    .detail1 = أي { $domain }.
domainMistakes-single_label = «{ $domain }» ليس اسم نطاق كاملًا.
    .detail1 = أدخله مع نهايته، مثل alice.com.
domainMistakes-ip_address = { $domain } عنوان IP.
    .detail1 = أدخل اسم نطاق، مثل alice.com.
domainMistakes-numeric_tld = «{ $domain }» ينتهي برقم.
    .detail1 = لا ينتهي أي اسم نطاق برقم. هل تنقصه نهايته؟
domainMistakes-too_long = هذا أطول مما يمكن أن يكون عليه اسم نطاق هنا.
    .detail1 = يمكن أن يبلغ طول النطاق 228 حرفًا، على ألا يزيد ما بين كل نقطتين على 63 حرفًا.
domainMistakes-public_suffix = { $domain } نهاية تشترك فيها نطاقات كثيرة.
    .detail1 = أدخل اسمك أنت مع هذه النهاية، مثل { $example }.
domainMistakes-special_use = { $domain } ينتهي باسم محجوز لاستخدامات خاصة.
    .detail1 = لا يمكن لأحد أن يملك نطاقًا تحته. أدخل نطاقًا سجّلته.
domainMistakes-bad_characters = في «{ $domain }» حروف أو رموز لا يمكن أن ترد في اسم نطاق.
    .detail1 = ابحث عن مسافات وشرطات سفلية وعلامات جاءت مع النسخ.

## What the look-up of a domain's record came to

lookOutcomes-absent = ليس للنطاق { $domain } سجل دخول بعد.
lookOutcomes-disabled = لا يجوز لأحد تسجيل الدخول باسم { $domain }.
    .detail1 = هذا ما يقوله سجل النطاق ({"sp=none"}). إذا كان النطاق لك، فيمكنك تغيير ذلك في DNS الخاص به.
lookOutcomes-invalid = في سجل الدخول للنطاق { $domain } خطأ.
    .detail1 = صحّحه في إعدادات DNS لديك.
lookOutcomes-ambiguous = للنطاق { $domain } أكثر من سجل دخول.
    .detail1 = يجب أن يكون هناك سجل واحد فقط. احذف السجلات الأخرى في إعدادات DNS لديك.
lookOutcomes-unsupported = سجل الدخول للنطاق { $domain } من نوع أحدث مما تفهمه هذه الخدمة.
    .detail1 = يلزم سجل يبدأ بـ {"v=dsi1"}.
lookOutcomes-alias_invalid = سجل الدخول للنطاق { $domain } اسم مستعار لاسم غير مخصص لتسجيل الدخول.
    .detail1 = غالبًا ما يأتي هذا من سجل CNAME شامل (wildcard). انشر بدلًا منه سجل TXT عند {"_domain-signin"}، أو اجعل الاسم المستعار ينتهي إلى اسم يتضمن {"_domain-signin"}.
lookOutcomes-unavailable = لم تُجب خوادم DNS الخاصة بالنطاق { $domain }.
    .detail1 = لذلك لا يمكننا أن نعرف ما تقوله. كثيرًا ما يزول هذا خلال دقيقة: حاول مرة أخرى. وإذا استمر، فاسأل من يدير DNS الخاص بالنطاق.
lookOutcomes-unconfirmed = قليل جدًا من الخوادم التي نسألها يقول الشيء نفسه عن DNS الخاص بالنطاق { $domain }.
    .detail1 = يجب أن يقول اثنان منها الشيء نفسه كي نصدّقه. يستغرق هذا بضع دقائق بعد تغيير في DNS: حاول مرة أخرى.
lookOutcomes-bogus = سجلات DNS الخاصة بالنطاق { $domain } موقّعة (DNSSEC)، لكن التوقيعات غير صحيحة.
    .detail1 = لا نصدّق شيئًا مما فيها حتى تصح التوقيعات. ويستطيع من يدير DNS الخاص بالنطاق إصلاح ذلك.
lookOutcomes-external = يحدّد سجل { $domain } الآن خدمة أخرى.
    .detail1 = هي التي تتولى تسجيل دخولك. ارجع إلى التطبيق وابدأ من جديد.
lookOutcomes-names_another = سجل النطاق { $domain } يحدّد خدمة أخرى: { $sp }.
    .detail1 = أرسلك { $client } إلى هنا كأنه يحدّد هذه الخدمة. إما أن السجل تغيّر قبل لحظات، أو أن خدمتين تحيل كل منهما إلى الأخرى. عُد إلى التطبيق وحاول مرة أخرى؛ وإذا بقي الأمر كذلك، فراجع السجل في إعدادات DNS.
lookOutcomes-own_unknown = سجل النطاق { $domain } يعود إلى إعداد بدأه متصفح آخر.
    .detail1 = أكمل الإعداد في ذلك المتصفح، أو انشر السجل المعروض هنا بدلًا من القديم.
lookOutcomes-not_permitted = هذه الخدمة غير متاحة للنطاق { $domain }.
    .detail1 = لا تقبل إلا النطاقات التي سجلات DNS الخاصة بها موقّعة (DNSSEC). ويستطيع من يدير DNS الخاص بالنطاق توقيعها.

## What a look for a record to publish saw, while its owner waits

looks-seen = السجل موجود.
looks-absent = السجل غير موجود بعد.
    .detail1 = بحثنا عن { $name }. يظهر السجل الجديد عادة خلال بضع دقائق، ولدى بعض الشركات خلال ساعة.
looks-otherValue = يوجد سجل، لكنه ليس هذا السجل.
    .detail1 = إذا كنت قد غيّرت { $name } للتو، فقد تظل القيمة القديمة ظاهرة حتى تنتهي مدة TTL الخاصة بها. وإلا فقارن بين القيمتين.
looks-atDomain = السجل موجود عند { $domain } نفسه.
    .detail1 = مكانه الصحيح هو { $name }. انقله إلى هناك.
looks-doubledName = السجل موجود عند { $name }، ويرد النطاق في اسمه مرتين.
    .detail1 = تضيف لوحة التحكم النطاق إلى آخر الاسم تلقائيًا: أدخل في خانة الاسم { $entry } فقط.
looks-cutAtSemicolon = ينتهي السجل عند أول فاصلة منقوطة (;) فيه.
    .detail1 = تعدّ لوحة التحكم الفاصلة المنقوطة نهاية للقيمة. أدخل القيمة بين علامتي اقتباس.
looks-inQuotes = في قيمة السجل علامات اقتباس.
    .detail1 = تضيفها لوحة التحكم تلقائيًا: أدخل القيمة بلا علامات اقتباس.
looks-oldValue = السجل موجود على خوادم الأسماء لديك. وما زالت خوادم أخرى تتذكر ما كان قبله.
    .detail1 = { $seconds ->
       [one] ينتهي ذلك خلال ثانية واحدة على الأكثر. ليس عليك فعل أي شيء.
       [two] ينتهي ذلك خلال ثانيتين على الأكثر. ليس عليك فعل أي شيء.
       [few] ينتهي ذلك خلال { NUMBER($seconds, useGrouping: 0) } ثوانٍ على الأكثر. ليس عليك فعل أي شيء.
       [many] ينتهي ذلك خلال { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر. ليس عليك فعل أي شيء.
      *[other] ينتهي ذلك خلال { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر. ليس عليك فعل أي شيء.
    }
looks-notCertain = ترى بعض الخوادم السجل، ولا تراه خوادم أخرى بعد.
    .detail1 = يستغرق هذا عادة بضع دقائق. ليس عليك فعل أي شيء.

## What each DNS server said

servers-title = ما يقوله كل خادم DNS
servers-question = سألنا كل خادم منها عن سجل TXT عند { $name }.
servers-resolver = المحلّل { $address }
servers-nameServer = خادم الأسماء { $name }
servers-found-wanted = لديه هذا السجل
servers-found-other = لديه قيمة أخرى
servers-found-absent = ليس لديه سجل كهذا
servers-found-silent = لم يُجب
servers-found-failed = أجاب بخطأ
servers-found-not_asked = لم نسأله، لأن عنوانه ليس عنوانًا عامًا
servers-repeats = { $seconds ->
       [one] قد يستمر في هذا الجواب مدة ثانية واحدة.
       [two] قد يستمر في هذا الجواب مدة ثانيتين.
       [few] قد يستمر في هذا الجواب مدة { NUMBER($seconds, useGrouping: 0) } ثوانٍ.
       [many] قد يستمر في هذا الجواب مدة { NUMBER($seconds, useGrouping: 0) } ثانية.
      *[other] قد يستمر في هذا الجواب مدة { NUMBER($seconds, useGrouping: 0) } ثانية.
    }

## What is wrong with a record that was found; $about is the part of it that is meant

recordProblem-not_ours = لا يبدأ السجل بـ {"v=dsi1"}، لذلك لا يُؤخذ به. إذا كان هذا سجل الدخول، فاحذف ما يسبق {"v=dsi1"}.
recordProblem-unsupported_version = الإصدار { $about } غير معروف هنا.
recordProblem-not_alone = تبدأ عدة سجلات بـ {"v=dsi1"}: أبقِ على واحد منها فقط.
recordProblem-not_ascii = في السجل رموز ليست من رموز ASCII القابلة للطباعة.
recordProblem-too_long = طول السجل بالبايت { $about }، والحد الأقصى 1024.
recordProblem-malformed_version = تنقص فاصلة منقوطة (;) بعد {"v=dsi1"} في «{ $about }».
recordProblem-malformed_tag = «{ $about }» ليس على الصيغة {"name=value"}.
recordProblem-malformed_tag_empty = في السجل جزء ليس على الصيغة {"name=value"}.
recordProblem-repeated_tag = يرد الوسم { $about } أكثر من مرة.
recordProblem-missing_sp = الوسم sp مفقود. تقطع بعض لوحات DNS القيمة عند أول فاصلة منقوطة (;) ما لم تكن بين علامتي اقتباس.
recordProblem-bad_sp = يجب أن يكون sp عنوان URL يتألف من {"https://"} واسم نطاق كامل بأحرف صغيرة، بلا استعلام (?) ولا جزء (#) ولا اسم مستخدم ولا منفذ.
recordProblem-missing_acct = الوسم acct مفقود، وهو الذي يحدّد الحساب المقصود.
recordProblem-bad_acct = يجب أن يتألف acct من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.
recordProblem-bad_jkt = يجب أن يتألف jkt من بصمة SHA-256 واحدة إلى أربع بصمات، طول كل منها 43 حرفًا، وبينها فواصل (,).
recordProblem-missing_chal = الوسم chal مفقود، وهو الذي يجيب عن التحدي.
recordProblem-bad_chal = يجب أن يتألف chal من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.
recordProblem-other_sp = هذا السجل لخدمة أخرى.
recordProblem-other_chal = هذا السجل يجيب عن تحدٍّ آخر.
recordProblem-alias_leads_away = يقود هذا الاسم المستعار بعيدًا عن اسم السجل، لذلك لا نتبعه.

## What is wrong with a recovery code

recoveryProblems-missing = أدخل أحد رموز الاسترداد الخاصة بك.
recoveryProblems-wrong = ليس هذا من رموز هذا النطاق، أو سبق استخدامه.
recoveryProblems-tooMany = جُرّبت هنا رموز كثيرة جدًا. انتظر بضع دقائق، ثم حاول مرة أخرى.

## Problem pages

requestProblems-unknownClient = التطبيق الذي أرسلك إلى هنا غير مسجّل لدى هذه الخدمة.
    .title = لا نعرف هذا التطبيق
    .detail1 = لم تُشارَك معه أي بيانات. إذا كنت مطوّر التطبيق: تحقّق من client_id الخاص به.
requestProblems-missingClientId = ينقص الرابط الذي جاء بك إلى هنا معرّف التطبيق.
    .title = لم يعرّف التطبيق بنفسه
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى. إذا كنت مطوّره: أرسل client_id.
requestProblems-missingRedirectUri = لا يمكننا تسجيل دخولك من دون ذلك.
    .title = لم يحدّد التطبيق إلى أين نعيدك
    .detail1 = لم تُشارَك أي بيانات. إذا كنت مطوّر التطبيق: أرسل redirect_uri.
requestProblems-redirectUriNotRegistered = طلب منا التطبيق إرسالك إلى عنوان غير مسجّل له.
    .title = لا يمكننا إعادتك إلى ذلك العنوان
    .detail1 = توقّفنا هنا حرصًا على أمانك، ولم تُشارَك أي بيانات. إذا كنت مطوّر التطبيق: يجب أن يطابق redirect_uri عنوانًا مسجّلًا، حرفًا بحرف.
requestProblems-repeatedParameter = يرد فيه «{ $name }» أكثر من مرة، فلا يمكننا معرفة المقصود.
    .title = طلب التطبيق غير واضح
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى.
requestProblems-malformedRequest = فيه شيء ليس كما ينبغي.
    .title = تعذّرت علينا قراءة هذا الطلب
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى.
requestProblems-badClientDocument = أرسلك { $host } إلى هنا، ويصف نفسه بطريقة لا يمكننا قبولها.
    .title = لا يمكننا قبول هذا التطبيق
    .detail1 = لم تُشارَك معه أي بيانات. إذا كنت مطوّر التطبيق: في مستند بياناته الوصفية خطأ ({ $reason }).
requestProblems-unreachableClient = أرسلك { $host } إلى هنا، لكنه لا يخبرنا الآن ما هو.
    .title = لا يمكننا الوصول إلى التطبيق
    .detail1 = انتظر دقيقة، ثم حاول مرة أخرى. لم تُشارَك معه أي بيانات. إذا كنت مطوّر التطبيق: { $reason }
requestProblems-expired = بقيت مفتوحة مدة طويلة، فأنهينا صلاحيتها حرصًا على أمانك.
    .title = هذه الصفحة قديمة جدًا
    .detail1 = عُد إلى التطبيق وسجّل الدخول من جديد. ويبقى السجل الذي نشرته صالحًا.
requestProblems-wrongBrowser = لا يمكن متابعتها إلا حيث بدأت. أو أن هذا المتصفح لا يحتفظ بملفات تعريف الارتباط (cookies) التي نحتاج إليها لذلك.
    .title = عملية تسجيل الدخول هذه تخص متصفحًا آخر
    .detail1 = اسمح بملفات تعريف الارتباط لهذا الموقع، ثم عُد إلى التطبيق وسجّل الدخول من جديد. إذا أرسل إليك شخص آخر رابط هذه الصفحة، فلا تتابع.
requestProblems-crossSitePost = حاول موقع آخر أن يضغط زرًا هنا نيابة عنك، فلم نفعل شيئًا.
    .title = لم يأتِ هذا من صفحتنا
    .detail1 = إذا كنت أنت من ضغطه: عُد إلى التطبيق وسجّل الدخول من جديد.
requestProblems-alreadyUsed = سبق أن تابعت من هذه الصفحة، وهي لا تعمل إلا مرة واحدة.
    .title = اكتملت عملية تسجيل الدخول هذه بالفعل
    .detail1 = عُد إلى التطبيق. وإذا لم يكن دخولك مسجّلًا فيه، فابدأ من جديد.
requestProblems-tooManyRequests = وصلتنا للتو طلبات كثيرة من شبكتك.
    .title = طلبات كثيرة في وقت قصير
    .detail1 = انتظر دقيقة، ثم حاول مرة أخرى.
requestProblems-notFound = العنوان مكتوب بشكل خاطئ، أو لم تعد الصفحة موجودة.
    .title = لا يوجد شيء هنا
    .detail1 = لتسجيل الدخول، ابدأ من التطبيق الذي تريد استخدامه.
requestProblems-serverError = ليس الخطأ منك، ولم تُشارَك أي بيانات.
    .title = حدث خطأ من جانبنا
    .detail1 = حاول مرة أخرى. وإذا تكرر ذلك، فأبلغ من يدير هذه الخدمة.
requestProblems-temporarilyUnavailable = جزء من هذه الخدمة غير متاح حاليًا.
    .title = لا يمكننا الإجابة الآن
    .detail1 = انتظر دقيقة، ثم حاول مرة أخرى. لم يضِع شيء مما أعددته.
