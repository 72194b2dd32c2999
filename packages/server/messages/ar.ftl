### The texts of the pages in Arabic.

## All pages

common-serviceName = domain-signin
common-copy = نسخ
common-copied = تم النسخ
common-backTo = العودة إلى { $client }
common-backToApp = العودة إلى التطبيق
common-problemTitle = مشكلة: { $title }
common-step = { $step } من { $steps }
common-through = يقول { $service } إن تسجيل الدخول هذا إلى { $app }.

## The page that asks for the domain

domain-title = تسجيل الدخول إلى { $client }
domain-returnTo = استخدم اسم نطاق تملكه. وستعود بعد ذلك إلى { $host }.
domain-label = نطاقك
domain-hint = مثال: alice.com
domain-submit = متابعة
domain-how-title = كيف يعمل هذا؟
domain-how-paragraphs =
    .paragraph1 = مالك اسم النطاق هو من يتحكم في DNS الخاص به. ويحدّد سجل صغير فيه الخدمة التي يمكنها تسجيل دخولك باسم نطاقك.
    .paragraph2 = إذا لم يكن لنطاقك هذا السجل بعد، فسنعرض عليك سجلًا لتنشره. يستغرق ذلك بضع دقائق، ولمرة واحدة فقط.

## The page that offers to continue with a remembered domain

continue-heading = المتابعة باسم { $domain }
continue-client = إلى { $client } على { $host }
continue-submit = متابعة
continue-other = استخدام نطاق آخر
continue-news = نشاط جديد للنطاق { $domain } منذ زيارتك الأخيرة:
continue-newsCheck = إن لم تكن أنت، فتحقّق من حسابك.
continue-newsAccount = فتح الحساب
news-heading = هل كنت أنت؟
continue-choose = اختر نطاقًا
continue-as = المتابعة باسم { $domain }

## Signing out

signOut-title = تسجيل الخروج
signOut-effect = يؤدي هذا إلى تسجيل خروجك من هذه الخدمة في هذا المتصفح. وتحتفظ التطبيقات التي سجّلت الدخول إليها بإمكانية الوصول.
signOut-domain = تسجيل خروج { $domain }
signOut-all = تسجيل خروج كل النطاقات في هذا المتصفح
signOut-everywhere = تسجيل خروج { $domain } في كل مكان
logout-heading = هل تريد تسجيل خروج { $domain }؟
logout-headingAll = هل تريد تسجيل الخروج في هذا المتصفح؟
logout-client = يطلب { $client } تسجيل خروجك.
logout-clientAt = يطلب { $client } على { $host } تسجيل خروجك.
logout-unknownClient = يطلب تطبيق تسجيل خروجك، ولم يذكر أي تطبيق هو.
logout-stay = البقاء مسجّل الدخول
logout-backTo = المتابعة إلى { $host }
logout-notSignedIn = الحساب الذي تستخدمه في هذا التطبيق غير مسجّل الدخول في هذا المتصفح

## The front page, and the page that checks a domain

home-title = سجّل الدخول بنطاقك الخاص
home-lead = بهذه الخدمة يسجّل الناس الدخول إلى التطبيقات باسم نطاق يملكونه. لا حاجة إلى كلمة مرور أو إنشاء حساب.
home-operator = تديرها { $host }. لتسجيل الدخول، ابدأ من التطبيق الذي تريد استخدامه.
home-account = حسابك
check-title = التحقق من نطاق
check-lead = اعرف ما إذا كان تسجيل الدخول بنطاق ما ممكنًا، وما يقوله DNS الخاص به.
check-label = اسم النطاق
check-hint = مثل alice.com
check-submit = تحقّق
check-assurance-secure = يحمي DNSSEC هذه الإجابة: توقيعاتها صالحة.
check-assurance-corroborated = هذه الإجابة غير موقّعة بـ DNSSEC. ويؤكدها خادمان على الأقل من خوادم DNS التي نسألها.
check-assurance-single = هذه الإجابة غير موقّعة بـ DNSSEC. وقد أجاب بها خادم DNS واحد فقط.

## The account page

account-heading = حسابك: { $domain }
account-inOrder = النطاق { $domain } على ما يرام.
account-recordHeld = السجل في DNS الخاص بك يشير إلى هذا الحساب. جرى التحقق عند { $time }.
account-recordTitle = السجل في DNS
account-recordNone = لا يوجد سجل دخول عند { $name }.
account-record_lost = لا يشير سجل DNS الخاص بك إلى هذا الحساب حاليًا.
    .detail1 = إلى أن يعود السجل، لا يمكن لأحد استخدام هذا الحساب لتسجيل الدخول باسم { $domain }.
account-record_unknown = تعذّر علينا الاستعلام عن السجل.
    .detail1 = لم تُجب خوادم DNS الخاصة بالنطاق { $domain }، أو لم تكن إجاباتها موثوقة. لا يزال بإمكانك هنا تسجيل الخروج وإلغاء وصول التطبيقات.
account-record_former = هذا حساب سابق للنطاق { $domain }.
    .detail1 = يشير السجل في DNS الخاص بك إلى حساب آخر. يمكنك هنا تسجيل الخروج من هذا الحساب وإلغاء وصول تطبيقاته.
account-betterRecord_lost = لاستخدام هذا الحساب من جديد، انشر هذا السجل:
account-betterRecord_signed = DNS الخاص بك موقَّع (DNSSEC). إذا نشرت هذا السجل بدلًا من السجل الحالي، فستتمكّن التطبيقات من التحقق من عمليات تسجيل دخولك بنفسها:
account-appsTitle = التطبيقات التي لديها وصول
account-noApps = لا يوجد تطبيق لديه وصول.
account-appScopes = يمكنه:
account-usedSince = منذ { $since }، آخر استخدام { $last }
account-revoke = إلغاء الوصول
account-more-apps = عرض المزيد من التطبيقات
account-more-sessions = عرض المزيد من المتصفحات
account-more-browsers = عرض المزيد من المتصفحات التي سجّلت الخروج منها
account-more-passkeys = عرض المزيد من مفاتيح المرور
account-revokeEffect = إذا ألغيت الوصول، فسيفقده التطبيق على الفور. ولاستخدام التطبيق من جديد، سجّل الدخول إليه مرة أخرى.
account-sessionsTitle = أماكن تسجيل دخولك
account-thisBrowser = (هذا المتصفح)
account-browserOn = { $browser } على { $system }
account-unknownBrowser = متصفح غير معروف
account-signOutOther = تسجيل الخروج
account-browsersTitle = متصفحات سجّلت الخروج منها
account-browsersWhy = ما زلنا نتعرّف على هذه المتصفحات. إذا لم يكن لحسابك مفتاح مرور، فيكفي فيها سجل DNS لتسجيل الدخول من دون رمز استرداد. انسَ المتصفحات التي لم تعد تستخدمها.
account-forget = نسيان هذا المتصفح
account-passkeysTitle = مفاتيح المرور
account-providerTitle = مفاتيح المرور ورموز الاسترداد
account-provider = يتولى { $sp } تسجيل دخولك. أدر مفاتيح المرور ورموز الاسترداد هناك.
account-providerDelete = لإنهاء الحساب هنا، أزل السجل من DNS. ينتهي الحساب بعد 30 يومًا.
account-addPasskey = إضافة مفتاح مرور
account-removePasskey = إزالة
account-renamePasskey = إعادة التسمية
account-passkeyName = اسم مفتاح المرور
account-savePasskeyName = حفظ
account-codesTitle = رموز الاسترداد
account-codesLeft = { $count ->
       [one] تبقّى رمز واحد من رموز الاسترداد العشرة.
      *[other] عدد رموز الاسترداد المتبقية من عشرة: { $count }.
    }
account-newCodes = إنشاء رموز استرداد جديدة
account-fewCodes = تبقّى لديك أقل من ثلاثة رموز استرداد.
    .detail1 = أنشئ رموزًا جديدة: فهي لليوم الذي تفقد فيه كل أجهزتك.
account-noPasskey = ليس للنطاق { $domain } مفتاح مرور.
    .detail1 = أضف مفتاحًا، ولن تحتاج بعدها إلى تعديل DNS لتسجيل الدخول.
account-signOutHere = تسجيل الخروج في هذا المتصفح
account-signOutEverywhere = تسجيل الخروج في كل مكان
account-everywhereEffect = تسجيل الخروج في كل مكان ينهي كل جلسات هذا النطاق في كل المتصفحات.
account-everywhereApps = تسجيل الخروج في كل مكان وإلغاء وصول كل التطبيقات
account-others = نطاقات أخرى في هذا المتصفح
account-otherDomain = تسجيل الدخول بنطاق آخر
account-former = الحساب السابق للنطاق { $domain } في هذا المتصفح
account-isFormer = (حساب سابق)
account-present = الحساب الحالي للنطاق { $domain }
account-choose = أي نطاق؟
account-delete = حذف هذا الحساب
account-signedOut = لقد سجّلت الخروج
account-signedOutLead = لم يُسجَّل الدخول إلى أي حساب في هذا المتصفح.
account-notSignedIn = لم يُسجَّل الدخول باسم { $domain } في هذا المتصفح
account-othersSignedIn = لا تزال حسابات أخرى مسجّلة الدخول في هذا المتصفح.
account-signIn = تسجيل الدخول إلى حسابك

## The history on the account page

history-title = السجل الزمني
history-lead = ما حدث لهذا الحساب منذ { $since }، الأحدث أولًا. كل الأوقات بتوقيت UTC.
history-none = لم يُسجَّل شيء.
history-older = أحداث أقدم
history-event-account_created = أُنشئ الحساب
history-event-signed_in = تسجيل الدخول إلى { $client }
history-event-signed_in_passkey = تسجيل الدخول إلى { $client } بمفتاح مرور
history-event-new_browser = أول تسجيل دخول من متصفح جديد
history-event-set_up_reused = فُتح الإعداد في متصفح آخر بعد اكتماله
history-event-challenge_reused = استُخدم سجل تسجيل دخول مرة ثانية بعد أن سجّل شخص ما الدخول به
history-event-session_reused = استخدم شخص ما نسخة قديمة من ملفات تعريف الارتباط لمتصفح؛ وأُنهيت الجلسة المنسوخة
history-event-recovery_code_used = استُخدم رمز استرداد
history-event-recovery_codes_renewed = أُنشئت رموز استرداد جديدة
history-event-passkey_added = أُضيف مفتاح مرور: { $name }
history-event-passkey_removed = أُزيل مفتاح مرور: { $name }
history-event-passkey_renamed = غُيّر اسم مفتاح مرور: { $name }
history-event-app_allowed = سُمح بوصول { $client }
history-event-app_revoked = أُلغي وصول { $client }
history-event-app_revoked_all = أُلغي وصول كل التطبيقات
history-event-token_repeated_elsewhere = كرّر { $client } طلب وصول سابقًا من شبكة أخرى
history-event-record_found = يشير السجل في DNS الخاص بك إلى هذا الحساب من جديد
history-event-record_lost = لم يعد السجل في DNS الخاص بك يشير إلى هذا الحساب
history-event-signed_out = تسجيل الخروج من متصفح واحد
history-event-signed_out_everywhere = تسجيل الخروج في كل مكان
history-event-operator_signed_out = سجّل مشغّل هذه الخدمة خروجك في كل مكان
history-event-operator_revoked = ألغى مشغّل هذه الخدمة وصول { $client }
history-event-operator_revoked_all = ألغى مشغّل هذه الخدمة وصول كل التطبيقات
history-event-account_ended = انتهى الحساب

## The page that adds a passkey

newPasskey-heading = إضافة مفتاح مرور للنطاق { $domain }
newPasskey-lead = ينشئ جهازك مفتاح المرور ويحتفظ به. وبعد ذلك لن تحتاج إلى تعديل DNS لتسجيل الدخول.
newPasskey-leadRecovery = استخدمت رمز استرداد. أنشئ الآن مفتاح مرور جديدًا. وبذلك لن تحتاج في المرة القادمة التي تسجّل فيها الدخول إلى رمز ولا إلى تعديل DNS.
newPasskey-beforeChange = بعد ذلك ابدأ التغيير من جديد وأكّده بمفتاح المرور الجديد.
newPasskey-submit = إنشاء مفتاح مرور
newPasskey-failed = لم يُنشأ أي مفتاح مرور. حاول مرة أخرى.
newPasskey-exists = يحتوي هذا الجهاز بالفعل على مفتاح مرور للنطاق { $domain }. استخدم جهازًا آخر.
newPasskey-unsupported = هذا المتصفح لا يدعم مفاتيح المرور. استخدم متصفحًا آخر.
newPasskey-unsupportedHere = هذا المتصفح لا يدعم مفاتيح المرور. يمكنك المتابعة من دون مفتاح.
newPasskey-without = إذا تابعت من دون مفتاح مرور، فستحتاج إلى رمز استرداد آخر في المرة القادمة التي تسجّل فيها الدخول.
newPasskey-without-submit = المتابعة من دون مفتاح مرور
newPasskey-back = العودة إلى حسابك
newPasskeyProblems-missing = لم يرسل هذا المتصفح أي مفتاح مرور. فعّل JavaScript.
newPasskeyProblems-failed = تعذّر التحقق من مفتاح المرور. حاول مرة أخرى.
newPasskeyProblems-tooLarge = مفتاح المرور هذا أكبر من أن يدخل في الإعداد. تابع من دونه، وأضف مفتاحًا لاحقًا في حسابك. يمكنك حذفه من جهازك.
newPasskeyProblems-full = لدى هذا الحساب أكبر عدد ممكن من مفاتيح المرور. أزل مفتاحًا لم تعد تستخدمه، ثم أضف هذا المفتاح.
removePasskey-heading = إزالة مفتاح مرور للنطاق { $domain }
removePasskey-lead = لن تتمكن بعد ذلك من تسجيل الدخول بمفتاح المرور { $name }.
removePasskey-last = هذا آخر مفتاح مرور لهذا الحساب. من دونه، عليك في كل مرة تسجّل فيها الدخول أن تنشر سجل DNS مؤقتًا، وأن تستخدم متصفحًا نتعرّف عليه أو رمز استرداد.
removePasskey-submit = إزالة مفتاح المرور
passkeyChanged-removed = أُزيل مفتاح المرور
passkeyChanged-removed_effect = لم يعد بإمكانك تسجيل الدخول به. إذا كان سجلك يتضمن مفتاحه، فاستبدل السجل الحالي بالسجل أدناه. وإلى أن تنتهي صلاحية ذاكرات DNS المؤقتة والتوقيعات، قد تظل التطبيقات تقبل إثباتات موقّعة بالمفتاح المُزال.
passkeyChanged-added = أُضيف مفتاح المرور
passkeyChanged-added_effect = يمكنك تسجيل الدخول به الآن. وإذا نشرت السجل أدناه، فستستطيع التطبيقات أيضًا التحقق من أنك وافقت بنفسك على تسجيل الدخول.
passkeyChanged-record = يجب أن يكون سجلك الآن
passkeyChanged-continue = متابعة

## Why a session ended

sessionEnded-reused = استخدم شخص ما نسخة قديمة من جلسة هذا المتصفح الخاصة بالنطاق { $domain }.
    .detail1 = أنهينا الجلسة في هذا المتصفح وفي النسخة. سجّل الدخول من جديد للمتابعة.
    .detail2 = إن لم تكن قد نسخت بيانات هذا المتصفح إلى متصفح آخر، فربما فعل ذلك شخص غيرك. تحقّق من خلوّ هذا الجهاز من البرامج الضارة.
sessionEnded-elsewhere = سُجّل خروج { $domain } هنا بأمر من متصفح آخر.
    .detail1 = إن لم تكن أنت من فعل ذلك، فسجّل الدخول من جديد وتحقّق ممن يستطيع الوصول إلى منطقة DNS الخاصة بك.
sessionEnded-operator = سجّل مشغّل هذه الخدمة خروج { $domain }.
    .detail1 = سجّل الدخول من جديد للمتابعة.

## The two pages that show a record to publish

dns-name = الاسم
dns-fullName = الاسم الكامل
dns-type = النوع
dns-value = القيمة
dns-showAll = عرض الكل
dns-wantsFullName = لوحتي تطلب الاسم الكامل
dns-twoStrings = في لوحتي حقل لكل نص من 255 حرفًا
dns-panelAt = نظام أسماء نطاقك لدى { $panel }.
dns-panelOpen = فتح { $panel }
dns-serversOrCheck = إجابات الخوادم · تحقق الآن
dns-looking = نتحقق كل 3 ثوانٍ.
dns-lookingSlowly = نتحقق كل 15 ثانية.
dns-ttl = مدة البقاء (TTL): { $ttl }، أو ما تقترحه لوحة DNS.
dns-checksByItself = تتحقق هذه الصفحة تلقائيًا. يمكنك تركها مفتوحة.
dns-stopChecking = إيقاف التحقق التلقائي
dns-checksNoMore = التحقق التلقائي متوقف.
dns-checksEnded = لم تعد هذه الصفحة تتحقق تلقائيًا. تحقّق الآن.
dns-checksEndedReload = لم تعد هذه الصفحة تتحقق تلقائيًا. أعد تحميلها.
dns-checkAgain = استئناف التحقق التلقائي
dns-checkedAt = آخر تحقق: { $time }
dns-found = { $count ->
       [one] الموجود في DNS
       [two] سجلان في DNS
       [few] { NUMBER($count, useGrouping: 0) } سجلات في DNS
       [many] { NUMBER($count, useGrouping: 0) } سجلًا في DNS
      *[other] { NUMBER($count, useGrouping: 0) } سجل في DNS
    }
dns-panel-title = أين أضيف هذا السجل؟
dns-panel-relative = افتح إعدادات DNS لدى الشركة التي سجّلت النطاق عندها أو التي تستضيف DNS الخاص به، وأضف سجل TXT جديدًا. كثير من لوحات تحكم DNS تضيف النطاق إلى آخر الاسم تلقائيًا. في هذه الحالة أدخل الجزء الأول فقط:
dns-panel-inZone = في إعدادات DNS الخاصة بالنطاق { $zone }:
dns-panel-paragraphs =
    .paragraph1 = إذا عرضت لوحة التحكم الاسم الكامل قبل الحفظ، فيجب أن يطابق الاسم الظاهر أعلاه، وأن يرد فيه النطاق مرة واحدة فقط.
    .paragraph2 = لا تغيّر سجلاتك الأخرى. أدخل القيمة بلا علامات اقتباس. إذا لم تتمكن من اختيار TTL، فاترك القيمة الافتراضية.

## The setup page

setUpPasskey-heading = أنشئ مفتاح مرور للنطاق { $domain }
setUpPasskey-lead = ستسجّل الدخول به. من دون كلمة مرور.
dnsSetup-heading = أضف هذا السجل إلى { $domain }
dnsSetup-effect = يتيح السجل لهذا المتصفح تسجيل الدخول باسم { $domain }.
dnsSetup-webView = ابقَ في هذه النافذة حتى تنتهي: نافذة هذا التطبيق لا تشارك الإعداد مع متصفحك.
dnsSetup-foundHeading = { $domain } لك هنا
dnsSetup-found = السجل موجود في DNS. اتركه هناك.
dnsSetup-finish = المتابعة بمفتاح المرور
dnsSetup-record = انشر هذا السجل
dnsSetup-submit = تحقّق الآن
dnsSetup-startOver-title = البدء من جديد أو الاستعادة
dnsSetup-startOver-explanation = ستحصل على قيمة جديدة لنشرها. ستتوقف القيمة الحالية عن العمل.
dnsSetup-startOver-submit = إنشاء سجل جديد
dnsSetup-resume = استئناف الإعداد الذي بدأته في { $date }
dnsSetup-resumeFor = استئناف الإعداد الذي بدأ في { $date } من أجل { $client }
dnsSetup-handOn = شخص آخر يدير DNS
dnsSetup-former = إذا سبق أن استخدمت هذه الخدمة، فاستعد سجلك السابق بدلًا من ذلك.
dnsSetup-known = سبق أن استخدمت { $domain } هنا في هذا المتصفح.
dnsSetup-knownEffect = للاحتفاظ بحسابك، استعد سجله. السجل الجديد ينشئ حسابًا جديدًا، وستعدّك التطبيقات شخصًا آخر.
dnsSetup-restore = استعادة السجل السابق

## Recovery codes on the setup page

recoveryCodes-done = اكتمل إعداد { $domain }
recoveryCodes-heading = احفظ رموز الاسترداد
recoveryCodes-why = احفظ هذه الرموز: ستحتاج إلى أحدها إذا فقدت هذا المتصفح. كل رمز صالح مرة واحدة.
recoveryCodes-whyPasskey = احفظ هذه الرموز لليوم الذي تفقد فيه كل أجهزتك. كل رمز صالح مرة واحدة.
recoveryCodes-download = تنزيل
recoveryCodes-print = طباعة
recoveryCodes-saved = لقد حفظتها
recoveryCodes-lost = لا يمكننا عرض الرموز: لم تعد لدى هذا المتصفح، أو حلّت محلها رموز جديدة.
recoveryCodes-continue = متابعة
recoveryCodes-all = الرموز العشرة كلها
newCodes-heading = رموز استرداد جديدة للنطاق { $domain }
newCodes-few = تبقّى لديك أقل من ثلاثة رموز استرداد. إليك عشرة رموز جديدة.
newCodes-lead = تحلّ محل رموزك السابقة عندما تؤكّد أدناه أنك حفظتها. وحتى ذلك الحين تبقى الرموز السابقة صالحة.
newCodes-keep = الاحتفاظ برموزي الحالية
deleteAccount-heading = حذف حساب النطاق { $domain }
deleteAccount-lead = لا يمكن التراجع عن هذا.
deleteAccount-paragraphs =
    .paragraph1 = لن تتعرّف عليك التطبيقات بعد ذلك. فهي تعرفك بمعرّف يضيع مع الحساب. وإذا أعددت هذا النطاق من جديد، فستحصل على معرّف جديد، ويرى كل تطبيق حسابًا جديدًا.
    .paragraph2 = تنتهي على الفور كل الجلسات ووصول التطبيقات ومفاتيح المرور ورموز الاسترداد. ويُحذف السجل الزمني. أما البيانات التي خزّنتها التطبيقات عنك فلا تُحذف.
deleteAccount-confirm = للتأكيد، اكتب النطاق: { $domain }
deleteAccount-wrong = هذا ليس نطاق هذا الحساب.
deleteAccount-submit = حذف الحساب
deleteAccount-done = حُذف حساب النطاق { $domain }
deleteAccount-doneLead = يمكنك الآن إزالة السجل من DNS الخاص بك. ولاستخدام هذه الخدمة من جديد، أعدّ النطاق بسجل جديد.

## The link that hands a setup on, and the page that it leads to

handOn-heading = مشاركة سجل النطاق { $domain }
handOn-lead = أرسل هذا الرابط إلى الشخص الذي يدير DNS الخاص بالنطاق. يعرض الرابط السجل وحالته، ولا يمكن استخدامه لتسجيل الدخول.
handOn-again = إذا بدأت من جديد بعد إرسال الرابط، فأرسل الرابط الجديد.
handOn-link = الرابط
handOn-linkUntil = صالح حتى { $date }
handOn-qr = رمز QR للرابط
handOn-mailSubject = سجل DNS للنطاق { $domain }
handOn-mailAsk = يرجى إضافة سجل TXT إلى DNS الخاص بالنطاق { $domain }. حتى { $date }، تعرض هذه الصفحة السجل وتبيّن ما إذا كان منشورًا:
handOn-mailWarning = يتيح السجل لمتصفحي تسجيل الدخول باسم { $domain } في { $issuer }. إذا كنت لا تعرف من أرسل هذا، فلا تنشره.
handOn-openMail = إرسال بالبريد الإلكتروني
handOn-back = العودة إلى الإعداد
setUpLink-heading = سجل للنطاق { $domain }
setUpLink-lead = يريد شخص ما استخدام هذا النطاق لتسجيل الدخول إلى { $client } عبر { $issuer }، ويطلب منك نشر هذا السجل.
setUpLink-leadUnknownApp = يريد شخص ما استخدام هذا النطاق لتسجيل الدخول عبر { $issuer } إلى تطبيق لم يعد مسجّلًا لديه، ويطلب منك نشر هذا السجل.
setUpLink-warning = نشر هذا السجل يتيح لمتصفح المرسل تسجيل الدخول باسم { $domain }. إذا كنت لا تعرف من أرسل إليك هذا الرابط، فلا تنشره.
setUpLink-status = الحالة
setUpLink-seen = السجل منشور. يمكن الآن للشخص الذي أرسل إليك هذا الرابط أن يتابع.
setUpLink-done = اكتمل الإعداد. لم يبقَ ما يُفعل هنا. اترك السجل في مكانه.
setUpLink-outdated = يتضمن سجل هذا الرابط مفتاحًا سحبته هذه الخدمة. اطلب من الشخص الذي أرسل إليك الرابط أن يبدأ من جديد وأن يرسل إليك رابطًا جديدًا.
setUpLink-until = هذا الرابط صالح حتى { $date }.

## The page with the record of a former account

formerRecord-heading = استعادة سجلك السابق للنطاق { $domain }
formerRecord-lead = انشر هذا السجل من جديد لاستعادة حسابك السابق. ستتعرّف عليك التطبيقات.
formerRecord-leadCode = لا نعرض السجل السابق إلا لمالك حسابه. أدخل أحد رموز الاسترداد لذلك الحساب. سيبقى الرمز صالحًا.
formerRecord-record = انشر هذا السجل بدلاً من السجل الحالي
formerRecord-published = نشرتُه: تسجيل الدخول
formerRecord-submit = عرض السجل السابق
formerRecord-earlier = حساب سابق آخر؟
formerRecord-earlierLead = إذا لم يكن هذا سجل الحساب الذي تريد استعادته، فأدخل أحد رموز الاسترداد لذلك الحساب.
formerRecord-codeHint = أحد الرموز العشرة التي حفظتها عند إعداد ذلك الحساب.
formerRecord-newInstead = إعداد النطاق بسجل جديد بدلاً من ذلك

## The page for a sign-in with a passkey

passkey-heading = تسجيل الدخول باسم { $domain }
passkey-lead = استخدم مفتاح المرور لتثبت أن النطاق ما زال لك.
passkey-client = أنت تسجّل الدخول إلى { $client } على { $host }.
passkey-submit = استخدام مفتاح المرور
passkey-failed = لم يُستخدم مفتاح المرور. حاول مرة أخرى، أو سجّل الدخول من دونه أدناه.
passkey-failedSetUp = لم يُستخدم مفتاح المرور. حاول مرة أخرى، أو ابدأ من جديد أدناه.
passkey-unsupported = هذا المتصفح لا يدعم مفاتيح المرور. استخدم متصفحًا آخر، أو سجّل الدخول من دون مفتاح مرور أدناه.
passkey-unsupportedSetUp = لا يدعم هذا المتصفح مفاتيح المرور. استخدم المتصفح الذي أنشأت فيه المفتاح.
passkey-noScript = تحتاج مفاتيح المرور إلى JavaScript، وهي معطّلة في هذا المتصفح.
passkey-without-title = لا أستطيع استخدام مفتاح المرور
passkey-without-explanation = يمكنك تسجيل الدخول بأحد رموز الاسترداد وسجل مؤقت في DNS الخاص بنطاقك. ولا يُستهلك الرمز إلا بعد تسجيل دخولك.
passkey-without-submit = تسجيل الدخول من دون مفتاح المرور

## The page for a later sign-in by DNS

dnsChallenge-heading = تسجيل الدخول باسم { $domain }
dnsChallenge-lead = أضف سجلًا مؤقتًا إلى DNS الخاص بنطاقك، لتثبت أن النطاق ما زال لك. يمكنك حذف السجل بعد تسجيل الدخول.
dnsChallenge-leadWithCode = أدخل أولًا رمز استرداد. ثم أضف سجلًا مؤقتًا إلى DNS الخاص بنطاقك، لتثبت أن النطاق ما زال لك.
dnsChallenge-deadline = أمامك 24 ساعة. يمكنك إغلاق هذه الصفحة والعودة إليها في هذا المتصفح.
dnsChallenge-client = أنت تسجّل الدخول إلى { $client } على { $host }.
dnsChallenge-warning = لا تنشر هذا السجل إلا إذا بدأت أنت عملية تسجيل الدخول هذه على { $issuer }.
dnsChallenge-warningReason = فهو يتيح لهذا المتصفح تسجيل الدخول باسم { $domain }. إذا أرسله إليك شخص آخر، فلا تنشره.
dnsChallenge-codeFirst = أدخل رمز استرداد
dnsChallenge-submit = تحقّق الآن
dnsChallenge-continue = متابعة
dnsChallenge-next = السجل الذي ستنشره بعد ذلك
dnsChallenge-codeKept = رمز الاسترداد صالح. سيُستهلك بعد تسجيل دخولك.
dnsChallenge-passkeyKept = تم التحقق من مفتاح المرور. استُعيدت هذه الخدمة من نسخة احتياطية، لذلك عليك تأكيد مفتاح المرور مرة واحدة: انشر هذا السجل.
dnsChallenge-recoveryCode-label = رمز الاسترداد
dnsChallenge-recoveryCode-hint = أحد الرموز العشرة التي حفظتها عند إعداد النطاق. نطلبه لأننا لا نتعرّف على هذا المتصفح.
dnsChallenge-recoveryCode-insteadOfPasskey = أحد الرموز العشرة التي حفظتها عند إعداد النطاق. نطلبه لأنك تسجّل الدخول من دون مفتاح المرور.
dnsChallenge-lostAccess-title = فقدت رموزي أو المتصفح الذي كنت أستخدمه
dnsChallenge-lostAccess-explanation = يمكنك البدء من جديد بسجل جديد يحل محل السجل الحالي للنطاق { $domain }.
dnsChallenge-lostAccess-consequence = سترى التطبيقات عندئذ حسابًا جديدًا. ولن ينتقل إليه ما حفظته فيها بالحساب القديم.
dnsChallenge-lostAccess-submit = البدء من جديد بسجل جديد

## The page for a setup that was started in another browser

ownUnknown-heading = لا يمكن استخدام سجل { $domain } في هذا المتصفح
ownUnknown-lead = سجل النطاق يحدّد هذه الخدمة بالفعل، لكنه يعود إلى إعداد بدأ في متصفح آخر، أو إلى حساب انتهى.
ownUnknown-finishedHeading = اكتمل إعداد { $domain } في مكان آخر
ownUnknown-finished = أكمل شخص ما هذا الإعداد، ولكن ليس في علامة التبويب هذه. إن لم تكن أنت، فابدأ من جديد بسجل جديد.
ownUnknown-endedHeading = سبق استخدام سجل { $domain }
ownUnknown-ended = الحساب الذي أُنشئ بهذا السجل انتهى، ولا يمكن للسجل أن ينشئ حسابًا آخر. ابدأ من جديد بسجل جديد.
ownUnknown-restoredHeading = لم يعد من الممكن إكمال إعداد { $domain }
ownUnknown-restored = استُعيدت هذه الخدمة من نسخة احتياطية بعد أن بدأت الإعداد. لحماية نطاقك، لم يعد السجل معتمدًا. ابدأ من جديد بسجل جديد.
ownUnknown-client = أنت تسجّل الدخول إلى { $client } على { $host }.
ownUnknown-finish-explanation = إذا كنت أنت من بدأ، فأكمله في ذلك المتصفح. تُعدّ نافذة التصفح الخاص أو الجهاز الآخر متصفحًا آخر.
ownUnknown-startOver-explanation = ستحصل على سجل جديد لتنشره بدلًا من السجل الحالي للنطاق { $domain }. إذا كنت لا تعرف مصدر السجل الحالي، فاستبدله.
ownUnknown-startOver-submit = البدء من جديد بسجل جديد

## The page on which the person continues an earlier setup of the domain

earlierSetUps-heading = متابعة إعداد { $domain }
earlierSetUps-lead = { $count ->
       [one] يحتفظ هذا المتصفح بثلاثة إعدادات. سبق أن بدأت إعدادًا لهذا النطاق: تابعه. إذا كنت قد نشرت سجلًا أو أرسلته، فإن إعداده لا يزال صالحًا.
       [two] يحتفظ هذا المتصفح بثلاثة إعدادات. سبق أن بدأت إعدادين لهذا النطاق: تابع أحدهما. إذا كنت قد نشرت سجلًا أو أرسلته، فإن إعداده لا يزال صالحًا.
       [few] يحتفظ هذا المتصفح بثلاثة إعدادات. سبق أن بدأت { NUMBER($count, useGrouping: 0) } إعدادات لهذا النطاق: تابع أحدها. إذا كنت قد نشرت سجلًا أو أرسلته، فإن إعداده لا يزال صالحًا.
       [many] يحتفظ هذا المتصفح بثلاثة إعدادات. سبق أن بدأت { NUMBER($count, useGrouping: 0) } إعدادًا لهذا النطاق: تابع أحدها. إذا كنت قد نشرت سجلًا أو أرسلته، فإن إعداده لا يزال صالحًا.
      *[other] يحتفظ هذا المتصفح بثلاثة إعدادات. سبق أن بدأت { NUMBER($count, useGrouping: 0) } إعداد لهذا النطاق: تابع أحدها. إذا كنت قد نشرت سجلًا أو أرسلته، فإن إعداده لا يزال صالحًا.
    }
earlierSetUps-startOver = ستحصل على سجل جديد لتنشره. ولن يعود إعداد النطاق { $domain } الذي بدأ في { $date } صالحًا.

## The consent page

consent-heading = هل تريد تسجيل الدخول إلى { $client }؟
consent-known = سيعرفك { $host } باسم { $domain }.
consent-scopesTitle = سيتمكن أيضًا من
consent-resource = وعلى { $resource } سيتمكن من
consent-resourceUse = استخدام هذه الخدمة نيابةً عنك
consent-allow = السماح
consent-deny = عدم السماح

## What each scope lets a client do; continues consent-scopesTitle

scopes-openid = معرفة أنك تتحكم في هذا النطاق
scopes-profile = معرفة اسم هذا النطاق وموقعه على الويب
scopes-offline_access = إبقاء دخولك مسجّلًا في أثناء غيابك

## All problem pages

problem-errorId = معرّف الخطأ:
problem-client = كنت تسجّل الدخول على { $host }.
problem-setUpFor = كنت تُعِدّ نطاقًا لتسجيل الدخول إلى { $client }.

## Sign-in at an external service provider failed; $sp is the host of that service

external-heading = لم يتم تسجيل الدخول باسم { $domain }
external-lead = وفقًا لسجل النطاق { $domain }، يتم تسجيل الدخول لدى { $sp }.
external-again = حاول مرة أخرى
external-detail = تفاصيل لمشغّل تلك الخدمة (بالإنجليزية):
external-problems-own_issuer = { $sp } هي هذه الخدمة نفسها.
    .detail1 = إذا كان النطاق لك، فصحّح قيمة sp في سجله: يجب أن تكون عنوان هذه الخدمة بالضبط، بلا شرطة مائلة في آخره.
external-problems-unreachable = لا يستجيب { $sp }.
    .detail1 = انتظر دقيقة ثم حاول مرة أخرى.
external-problems-busy = خدمتنا مشغولة الآن، لذلك لم نتمكن من الاتصال بـ { $sp }.
    .detail1 = انتظر بضع ثوانٍ، ثم حاول مرة أخرى.
external-problems-not_public = ليس لدى { $sp } عنوان عام.
    .detail1 = لا نتصل به لأسباب أمنية. إذا كان النطاق لك، فتحقّق من قيمة sp في سجله.
external-problems-bad_metadata = لا يبدو أن { $sp } خدمة لتسجيل الدخول.
    .detail1 = إذا كان النطاق لك، فتحقّق من قيمة sp في سجله. وإلا فلا يمكن إصلاح ذلك إلا لمشغّل { $sp }.
external-problems-unmet_requirements = تنقص { $sp } ميزة أمان نشترط وجودها.
    .detail1 = يمكن لمشغّل { $sp } إضافتها. وإذا كان النطاق لك، فيمكنك أيضًا أن تحدّد خدمة أخرى في سجله.
external-problems-no_client = لا يعرف { $sp } هذه الخدمة، ولم نتمكن من التسجيل لديه.
    .detail1 = حاول مرة أخرى. وإذا استمر ذلك، فعلى مشغّل هذه الخدمة أن يسجّلها لدى { $sp }.
external-problems-bad_answer = أرسل { $sp } ردًا غير صالح.
    .detail1 = لم نتمكن من تسجيل دخولك به. حاول مرة أخرى. وإذا تكرر ذلك، فأخبر مشغّل { $sp }.
external-problems-refused_by_sp = أعادك { $sp } دون تسجيل دخولك.
    .detail1 = ربما ألغيت العملية هناك. يمكنك المحاولة مرة أخرى.
external-problems-other_account = الحساب الذي استخدمته لدى { $sp } ليس الحساب الذي يحدّده سجل النطاق { $domain }.
    .detail1 = سجّل الخروج هناك، ثم حاول مرة أخرى بالحساب الصحيح. وإذا كان النطاق لك، فيمكنك بدلًا من ذلك تغيير سجله ليحدّد الحساب الذي استخدمته.
external-problems-other_domain = سجّلت الدخول لدى { $sp } باسم نطاق آخر، لا باسم { $domain }.
    .detail1 = سجّل الدخول هناك باسم { $domain }، ثم حاول مرة أخرى.
external-problems-record_changed = تغيّر سجل النطاق { $domain } بينما كنت لدى { $sp }.
    .detail1 = لتسجيل الدخول بالسجل الجديد، حاول مرة أخرى.

## Mistakes in the domain that was entered; $domain is the domain found in the input, else the input itself;
## $example is a name below it

domainMistakes-empty = أدخل اسم النطاق الذي تريد تسجيل الدخول به.
domainMistakes-email_address = يبدو هذا عنوان بريد إلكتروني لدى { $domain }.
    .detail1 = إذا كنت تملك { $domain }، فأدخله بلا الجزء الذي قبل الرمز @. لا يمكن هنا استخدام عنوان لدى مزوّد بريد إلكتروني.
domainMistakes-url_with_path = أدخل النطاق وحده، لا العنوان الكامل لصفحة.
    .detail1 = أدخل { $domain } بدلًا من ذلك.
domainMistakes-single_label = «{ $domain }» ليس اسم نطاق كاملًا.
    .detail1 = أدخله مع نهايته، مثل alice.com.
domainMistakes-ip_address = { $domain } عنوان IP.
    .detail1 = أدخل اسم نطاق، مثل alice.com.
domainMistakes-numeric_tld = «{ $domain }» ينتهي برقم.
    .detail1 = لا ينتهي أي اسم نطاق برقم. تحقّق مما إذا كانت نهايته ناقصة.
domainMistakes-too_long = اسم النطاق هذا طويل جدًا.
    .detail1 = أدخل 228 حرفًا على الأكثر، على ألا يزيد ما بين كل نقطتين على 63 حرفًا.
domainMistakes-public_suffix = { $domain } نهاية تشترك فيها نطاقات كثيرة.
    .detail1 = أدخل نطاقك أنت مع هذه النهاية، مثل { $example }.
domainMistakes-special_use = { $domain } ينتهي باسم محجوز لاستخدامات خاصة.
    .detail1 = لا يمكن لأحد أن يملك نطاقًا بهذه النهاية. أدخل نطاقًا سجّلته.
domainMistakes-bad_characters = في «{ $domain }» رموز غير مسموح بها في اسم نطاق.
    .detail1 = ابحث عن مسافات وشرطات سفلية ورموز نُسخت خطأً.

## Results of looking up a domain's record

lookOutcomes-absent = ليس للنطاق { $domain } سجل دخول بعد.
    .detail1 = ستحصل عليه عند أول تسجيل دخول إلى أحد التطبيقات.
lookOutcomes-disabled = تسجيل الدخول باسم { $domain } معطّل.
    .detail1 = في سجل النطاق {"sp=none"}. إذا كان النطاق لك، فيمكنك تغيير ذلك في إعدادات DNS لديك.
lookOutcomes-invalid = في سجل الدخول للنطاق { $domain } خطأ.
    .detail1 = صحّحه في إعدادات DNS لديك.
lookOutcomes-own_issuer = يكتب سجل الدخول للنطاق { $domain } عنوان هذه الخدمة بصيغة مختلفة.
    .detail1 = صحّح sp في إعدادات DNS.
lookOutcomes-ambiguous = للنطاق { $domain } أكثر من سجل دخول.
    .detail1 = يجب أن يكون هناك سجل واحد فقط. احذف السجلات الأخرى في إعدادات DNS لديك.
lookOutcomes-unsupported = سجل الدخول للنطاق { $domain } بإصدار لا تدعمه هذه الخدمة.
    .detail1 = يجب أن يبدأ السجل بـ {"v=dsi1"}.
lookOutcomes-alias_invalid = سجل الدخول للنطاق { $domain } اسم مستعار لاسم غير مخصص لتسجيل الدخول.
    .detail1 = غالبًا ما يكون السبب سجل CNAME شاملًا (wildcard). انشر بدلًا منه سجل TXT عند {"_domain-signin"}، أو وجّه الاسم المستعار إلى اسم يتضمن {"_domain-signin"}.
lookOutcomes-indeterminate = لم تُجب خوادم DNS الخاصة بالنطاق { $domain }.
    .detail1 = لم نتمكن من قراءة سجل النطاق. انتظر دقيقة، ثم حاول مرة أخرى. وإذا استمر ذلك، فتواصل مع الشركة التي تستضيف DNS الخاص بالنطاق.
lookOutcomes-busy = خدمتنا مشغولة الآن، لذلك لم نتمكن من الاستعلام عن النطاق { $domain }.
    .detail1 = انتظر بضع ثوانٍ، ثم حاول مرة أخرى.
lookOutcomes-unconfirmed = لم نتمكن من تأكيد إجابة DNS للنطاق { $domain }.
    .detail1 = يجب أن يعطي خادمان على الأقل من خوادم DNS التي نسألها الإجابة نفسها. قد يستغرق ذلك بضع دقائق بعد تغيير في DNS. حاول مرة أخرى بعدها.
lookOutcomes-contradictory = تتعارض إجابات خوادم DNS بشأن النطاق { $domain }.
    .detail1 = أعطت خوادم DNS التي نسألها إجابات مختلفة. قد يستمر ذلك بعد تغيير في DNS إلى أن تنتهي صلاحية الإجابة القديمة. حاول مرة أخرى بعد بضع دقائق.
lookOutcomes-validation_failed = فشل التحقق من DNSSEC للنطاق { $domain }.
    .detail1 = سجلات DNS الخاصة بالنطاق موقّعة، لكن التوقيعات غير صالحة، لذلك لا يمكننا الوثوق بها. ويمكن للشركة التي تستضيف DNS الخاص بالنطاق إصلاح ذلك.
lookOutcomes-reason = السبب: { $reason }
lookOutcomes-dname = يعيد سجل DNAME توجيه سجل الدخول للنطاق { $domain }.
    .detail1 = لا يُدعم تسجيل الدخول عبر سجل DNAME. احذفه وانشر سجل الدخول في منطقة النطاق نفسه، أو سجّل الدخول بالنطاق الذي يشير إليه.
lookOutcomes-unsigned_subzone = يوجد سجل الدخول للنطاق { $domain } في منطقة منفصلة بلا DNSSEC.
    .detail1 = النطاق نفسه موقّع، لذلك لا يمكننا الوثوق بمنطقة غير موقّعة تحته. انشر السجل في منطقة { $domain }، أو وقّع المنطقة المنفصلة.
lookOutcomes-unsupported_dnssec = النطاق { $domain } موقّع بطريقة لا يمكننا التحقق منها.
    .detail1 = لا يستخدم DNSSEC الخاص به إلا خوارزميات أو إعدادات لا تدعمها هذه الخدمة أو خوادم DNS التي تسألها. ويمكن للشركة التي تستضيف DNS الخاص بالنطاق تغييرها.
lookOutcomes-too_large = إجابات DNS الخاصة بالنطاق { $domain } أكبر من أن نتحقق منها.
    .detail1 = تحتوي على عدد كبير جدًا من المفاتيح أو التوقيعات أو السجلات. ويمكن للشركة التي تستضيف DNS الخاص بالنطاق تقليل عددها.
lookOutcomes-malformed = بنية أحد سجلات DNS الخاصة بالنطاق { $domain } غير صحيحة.
    .detail1 = لم نتمكن من قراءة الإجابة. ويمكن للشركة التي تستضيف DNS الخاص بالنطاق إصلاح ذلك.
lookOutcomes-was_signed = لم يعد النطاق { $domain } موقّعًا بواسطة DNSSEC.
    .detail1 = كان موقّعًا حتى وقت قريب، لذلك قد يكون هذا هجومًا. إذا كنت قد أوقفت DNSSEC، فيجب أن يؤكد ذلك فحصان يفصل بينهما يوم على الأقل.
lookOutcomes-firstConfirmed = أكّد الفحص الأول ذلك. سنجري الفحص الثاني تلقائيًا بعد { $time }.
lookOutcomes-notConfirmed = لم نتمكن من تأكيد ذلك بعد. حاول مرة أخرى بعد ساعة.
lookOutcomes-blocked = تحجب خوادم DNS التي نسألها النطاق { $domain }.
    .detail1 = ترفض هذه الخوادم البحث عن هذا الاسم، لوجوده في قائمة حظر مثلًا. تواصل مع مشغّل هذه الخدمة.
lookOutcomes-no_authority = لا تستطيع خوادم DNS التي نسألها الوصول إلى خوادم أسماء النطاق { $domain }.
    .detail1 = حاول مرة أخرى بعد بضع دقائق. وإذا استمر ذلك، فتواصل مع الشركة التي تستضيف DNS الخاص بالنطاق.
lookOutcomes-stale = ليس لدى خوادم DNS التي نسألها سوى إجابة قديمة للنطاق { $domain }.
    .detail1 = لم تتمكن من الوصول إلى خوادم أسماء النطاق، والإجابة القديمة لا تُظهر محتوى السجل الآن. حاول مرة أخرى بعد بضع دقائق.
lookOutcomes-unregistered = النطاق { $domain } غير مسجّل.
    .detail1 = تحقق من الإملاء. وإذا كنت قد سجّلت النطاق للتو، فحاول مرة أخرى بعد بضع دقائق.
lookOutcomes-external = يحدّد سجل النطاق { $domain } الآن خدمة أخرى.
    .detail1 = لتسجيل الدخول لدى تلك الخدمة، عُد إلى التطبيق وابدأ من جديد.
lookOutcomes-names_another = سجل النطاق { $domain } يحدّد خدمة أخرى: { $sp }.
    .detail1 = أرسلك { $client } إلى هنا كأن السجل يحدّد هذه الخدمة. إما أن السجل تغيّر قبل لحظات، أو أن خدمتين تحيل كل منهما إلى الأخرى. عُد إلى التطبيق وحاول مرة أخرى. وإذا استمر ذلك، فراجع السجل في إعدادات DNS لديك.
lookOutcomes-own_unknown = سجل النطاق { $domain } يعود إلى إعداد بدأ في متصفح آخر، أو إلى حساب انتهى.
    .detail1 = أكمل الإعداد في ذلك المتصفح، أو استبدل السجل القديم بالسجل المعروض هنا.
lookOutcomes-not_permitted = لا يمكنك تسجيل الدخول هنا باسم { $domain }.
    .detail1 = لا تقبل هذه الخدمة إلا النطاقات التي سجلات DNS الخاصة بها موقّعة (DNSSEC). ويمكن للشركة التي تستضيف DNS الخاص بالنطاق توقيعها.

## The verdict on a domain, in one sentence; $problem is a sentence without its full stop

verdicts-own = يمكن تسجيل الدخول هنا باسم { $domain }.
    .detail1 = سجله صالح ويحدّد هذه الخدمة.
verdicts-external = يتم تسجيل الدخول باسم { $domain } عبر { $sp }.
    .detail1 = سجله صالح. ولا يتصل هذا الفحص بـ { $sp }.
verdicts-invalid = سجل النطاق { $domain } غير صالح: { $problem }.

## Results of checking for the record that the owner is publishing

looks-seen = عُثر عليه.
looks-absent = ليس هناك بعد.
looks-absentRemembered = ليس هناك بعد.
    .detail1 = { $seconds ->
       [one] تعذّر علينا سؤال خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة ثانية واحدة على الأكثر.
       [two] تعذّر علينا سؤال خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة ثانيتين على الأكثر.
       [few] تعذّر علينا سؤال خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثوانٍ على الأكثر.
       [many] تعذّر علينا سؤال خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر.
      *[other] تعذّر علينا سؤال خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر.
    }
looks-absentBusy = ليس هناك بعد.
    .detail1 = { $seconds ->
       [one] خدمتنا مشغولة الآن، لذلك لم نسأل خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة ثانية واحدة على الأكثر.
       [two] خدمتنا مشغولة الآن، لذلك لم نسأل خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة ثانيتين على الأكثر.
       [few] خدمتنا مشغولة الآن، لذلك لم نسأل خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثوانٍ على الأكثر.
       [many] خدمتنا مشغولة الآن، لذلك لم نسأل خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر.
      *[other] خدمتنا مشغولة الآن، لذلك لم نسأل خوادم الأسماء الخاصة بنطاقك. قد تظل خوادم DNS أخرى تجيب بأن السجل غير موجود لمدة { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر.
    }
looks-otherValue = عثرنا على سجل، لكنه ليس هذا السجل.
    .detail1 = إذا كنت قد غيّرت { $name } للتو، فقد تظل القيمة القديمة ظاهرة حتى تنتهي مدة TTL الخاصة بها. وإلا فقارن بين القيمتين.
looks-atDomain = السجل موجود عند { $domain }.
    .detail1 = يجب أن يكون عند { $name }. انقله إلى هناك.
looks-doubledName = السجل موجود عند { $name }، وفي هذا الاسم يرد النطاق مرتين.
    .detail1 = تضيف لوحة تحكم DNS النطاق تلقائيًا. أدخل في خانة الاسم { $entry } فقط.
looks-cutAtSemicolon = السجل مقطوع بعد {"v=dsi1"}.
    .detail1 = تعدّ لوحة تحكم DNS المسافة أو الفاصلة المنقوطة نهاية للقيمة. أدخل القيمة بين علامتي اقتباس.
looks-inQuotes = في قيمة السجل علامات اقتباس.
    .detail1 = تضيفها لوحة تحكم DNS تلقائيًا. أدخل القيمة بلا علامات اقتباس.
looks-noUnderscore = السجل موجود عند { $domain }، من دون الشرطة السفلية.
    .detail1 = يجب أن يكون عند { $name }، مع الشرطة السفلية في البداية.
looks-curlyQuotes = في قيمة السجل علامات اقتباس منحنية.
    .detail1 = أضافها على الأرجح محرّر نصوص. انسخ القيمة من هذه الصفحة وأدخلها بلا علامات اقتباس.
looks-spacesLost = المسافات مفقودة من قيمة السجل.
    .detail1 = تحذفها لوحة تحكم DNS. أدخل القيمة بين علامتي اقتباس، أو ضع فاصلة منقوطة (;) مكان كل مسافة.
looks-spaceInside = في قيمة السجل مسافة في غير موضعها.
    .detail1 = انسخ القيمة مرة أخرى وأدخلها دفعة واحدة.
looks-wrongCase = الأحرف الكبيرة والصغيرة في القيمة غير صحيحة.
    .detail1 = انسخ القيمة من هذه الصفحة وأدخلها كما هي.
looks-wrongCharacter = في السجل حرف واحد غير صحيح.
    .detail1 = انسخ القيمة من هذه الصفحة بدلًا من كتابتها.
looks-incomplete = السجل غير مكتمل.
    .detail1 = جزء من القيمة مفقود. انسخ القيمة كاملة من هذه الصفحة مرة أخرى.
looks-tooLong = قيمة السجل أطول من اللازم.
    .detail1 = أدخل القيمة الموجودة في هذه الصفحة فقط.
looks-ownEarlier = هذا سجل إعداد سابق في هذا المتصفح.
    .detail1 = استبدل قيمته بالقيمة المعروضة هنا.
looks-otherService = السجل يخص خدمة أخرى.
    .detail1 = لتسجيل الدخول هنا، استبدل قيمته بالقيمة المعروضة في هذه الصفحة.
looks-oldBesideNew = السجل موجود، لكن إلى جانبه سجل دخول آخر.
    .detail1 = يجب أن يكون هناك سجل واحد فقط. احذف الآخر في إعدادات DNS لديك.
looks-splitInTwo = القيمة مقسّمة على سجلين.
    .detail1 = أدخل القيمة كاملة في سجل واحد، واحذف الآخر.
looks-malformed = عثرنا على السجل، لكن فيه خطأ.
looks-oldValue = السجل موجود على خوادم الأسماء لديك. وما زالت البيانات القديمة لدى خوادم DNS أخرى.
    .detail1 = { $seconds ->
       [one] ستُحدَّث خلال ثانية واحدة على الأكثر. ليس عليك فعل أي شيء.
       [two] ستُحدَّث خلال ثانيتين على الأكثر. ليس عليك فعل أي شيء.
       [few] ستُحدَّث خلال { NUMBER($seconds, useGrouping: 0) } ثوانٍ على الأكثر. ليس عليك فعل أي شيء.
       [many] ستُحدَّث خلال { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر. ليس عليك فعل أي شيء.
      *[other] ستُحدَّث خلال { NUMBER($seconds, useGrouping: 0) } ثانية على الأكثر. ليس عليك فعل أي شيء.
    }
looks-someServers = موجود في { NUMBER($have, useGrouping: 0) } من { $all } من خوادم الأسماء.
looks-notCertain = السجل موجود لدى بعض خوادم DNS، وليس لدى غيرها بعد.
    .detail1 = يستغرق هذا عادة بضع دقائق. ليس عليك فعل أي شيء.
dnsSetup-wildcard = مع هذا السجل، لا يعود سجل حرف البدل { $wildcard } يشمل { $domain }. للإبقاء على الموقع والبريد الإلكتروني، انسخ سجلاته (مثل A وAAAA وMX) إلى هذا الاسم.

## The answer of each DNS server

servers-title = ما أجاب به كل خادم DNS
servers-question = سألنا كل خادم منها عن سجل TXT عند { $name }.
servers-resolver = المحلّل { $address }
servers-nameServer = خادم الأسماء { $name }
servers-found-wanted = لديه هذا السجل
servers-found-other = لديه قيمة أخرى
servers-found-absent = ليس لديه السجل
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

## Problems of a record that was found; $about is the part of the record that has the problem

recordProblem-not_ours = لا يبدأ السجل بـ {"v=dsi1"}. إذا ورد {"v=dsi1"} بعد ذلك، فاحذف كل ما يسبقه. وإلا فهو سجل آخر نتجاهله.
recordProblem-is_challenge = هذا هو الرد على تسجيل دخول بلا مفتاح مرور. مكانه الاسم {"_domain-signin-challenge"}، ولا يُحتسب هنا.
recordProblem-is_sp_record = هذا هو سجل الدخول. مكانه الاسم {"_domain-signin"}، ولا يُحتسب هنا.
recordProblem-unsupported_version = الإصدار { $about } غير مدعوم هنا.
recordProblem-not_alone = هناك عدة سجلات فيها {"v=dsi1"}. أبقِ واحدًا منها فقط.
recordProblem-too_long = طول السجل بالبايت { $about }، والحد الأقصى 1024.
recordProblem-curly_quotes = في السجل علامات اقتباس منحنية. احذفها.
recordProblem-not_ascii = في السجل رموز ليست من رموز ASCII القابلة للطباعة.
recordProblem-quotes = في السجل علامات اقتباس لا تحيط بالقيمة كلها. احذفها.
recordProblem-before_version = يجب أن يبدأ السجل بـ {"v=dsi1"}. احذف كل ما يسبقه.
recordProblem-upper_case_version = اكتب {"v=dsi1"} بأحرف صغيرة.
recordProblem-spaced_version = اكتب {"v=dsi1"} بلا مسافات.
recordProblem-malformed_version = يجب أن يبدأ السجل بـ {"v=dsi1"} ثم مسافة، لا بـ «{ $about }».
recordProblem-upper_case_tag = يجب أن يُكتب اسم الوسم { $about } بأحرف صغيرة.
recordProblem-malformed_tag = «{ $about }» ليس على الصيغة {"name=value"} بلا مسافات.
recordProblem-repeated_tag = يرد الوسم { $about } أكثر من مرة.
recordProblem-missing_sp = الوسم sp مفقود. تقطع بعض لوحات DNS القيمة عند أول مسافة أو فاصلة منقوطة (;) ما لم تكن بين علامتي اقتباس.
recordProblem-bad_sp = يجب أن يكون sp عنوان URL يتألف من {"https://"} واسم نطاق كامل بأحرف صغيرة، بلا استعلام (?) ولا جزء (#) ولا اسم مستخدم ولا منفذ.
recordProblem-own_sp_scheme = يجب أن يكون sp بالضبط { $about }، بالبداية نفسها (http أو https).
recordProblem-own_sp_path = يجب أن يكون sp بالضبط { $about }. احذف الشرطة المائلة وما بعدها.
recordProblem-missing_acct = الوسم acct مفقود، وهو الذي يحدّد الحساب.
recordProblem-bad_acct = يجب أن يتألف acct من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.
recordProblem-bad_jkt = يجب أن يتألف jkt من بصمة SHA-256 واحدة إلى أربع بصمات، طول كل منها 43 حرفًا، وبينها فواصل (,).
recordProblem-bad_spk = يجب أن يتألف spk من بصمة SHA-256 واحدة إلى أربع بصمات، طول كل منها 43 حرفًا، وبينها فواصل (,).
recordProblem-key_in_both = يوجد مفتاح في jkt وفي spk معًا: يسرد jkt مفاتيح المالك، ويسرد spk مفاتيح مزوّد الخدمة.
recordProblem-missing_chal = الوسم chal مفقود، وهو الذي يحدّد عملية تسجيل الدخول التي يخصها السجل.
recordProblem-bad_chal = يجب أن يتألف chal من 22 إلى 64 حرفًا أو رقمًا أو شرطة أو شرطة سفلية.
recordProblem-other_sp = هذا السجل لخدمة أخرى.
recordProblem-other_chal = هذا السجل يخص عملية تسجيل دخول أخرى.
recordProblem-alias_leads_away = يقود هذا الاسم المستعار إلى اسم غير مخصص لتسجيل الدخول، لذلك لا نتبعه.
recordProblem-wildcard = سجل البدل العام (*) لا يُحتسب. انشر سجلًا يحمل هذا الاسم بالضبط.

## Problems with a recovery code

recoveryProblems-missing = أدخل أحد رموز الاسترداد لديك.
recoveryProblems-wrong = هذا الرمز غير صالح لهذا النطاق، أو سبق استخدامه.
recoveryProblems-tooMany = محاولات كثيرة جدًا. انتظر بضع دقائق، ثم حاول مرة أخرى.

## Problems with a passkey

passkeyProblems-missing = لم يرسل هذا المتصفح أي مفتاح مرور. فعّل JavaScript، أو سجّل الدخول من دون مفتاح مرور.
passkeyProblems-expired = لم يعد طلب مفتاح المرور صالحًا. حاول مرة أخرى.
passkeyProblems-unknown = لا يمكن استخدام مفتاح المرور هذا لهذا النطاق. اختر مفتاحًا آخر.
passkeyProblems-notUsable = تعذّر استخدام مفتاح المرور هذا. اختر مفتاحًا آخر أو اكتب نطاقك.
passkeyProblems-notVerified = لم يتحقق جهازك من هويتك. حاول مرة أخرى، وأكّد برقم PIN أو بصمة الإصبع أو الوجه.
passkeyProblems-failed = تعذّر التحقق من مفتاح المرور. حاول مرة أخرى، أو اختر مفتاحًا آخر.

## Problem pages

requestProblems-unknownClient = التطبيق الذي أرسلك إلى هنا غير مسجّل لدى هذه الخدمة.
    .title = لا نعرف هذا التطبيق
    .detail1 = لم تُشارَك أي بيانات مع التطبيق. إذا كنت مطوّره، فتحقّق من client_id.
requestProblems-missingClientId = الرابط الذي جاء بك إلى هنا لا يتضمن معرّف التطبيق.
    .title = لم يعرّف التطبيق بنفسه
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى. إذا كنت مطوّره، فأرسل client_id.
requestProblems-missingRedirectUri = لا يمكننا تسجيل دخولك من دون هذا العنوان.
    .title = لم يحدّد التطبيق إلى أين نعيدك
    .detail1 = لم تُشارَك أي بيانات. إذا كنت مطوّر التطبيق، فأرسل redirect_uri.
requestProblems-redirectUriNotRegistered = طلب منا التطبيق إرسالك إلى عنوان غير مسجّل له.
    .title = لا يمكننا إعادتك إلى ذلك العنوان
    .detail1 = توقّفنا هنا حرصًا على أمانك. ولم تُشارَك أي بيانات. إذا كنت مطوّر التطبيق، فيجب أن يطابق redirect_uri عنوانًا مسجّلًا تمامًا.
requestProblems-postLogoutRedirectUriNotRegistered = طلب منا التطبيق تسجيل خروجك ثم إرسالك إلى عنوان غير مسجّل له.
    .title = لا يمكننا إعادتك إلى ذلك العنوان
    .detail1 = لم يُسجَّل خروجك. لتسجيل الخروج هنا، افتح /account على هذا الموقع. إذا كنت مطوّر التطبيق، فتأكد من أن post_logout_redirect_uri يطابق تمامًا عنوانًا مسجّلًا.
requestProblems-hintOfAnotherClient = يتضمن طلب التطبيق تسجيل خروجك رمزًا مميزًا (token) صدر لتطبيق آخر.
    .title = طلب التطبيق غير متسق
    .detail1 = لم يُسجَّل خروجك. إذا كنت مطوّر التطبيق، فأرسل id_token_hint صدر للمعرّف client_id الخاص بك.
requestProblems-passkeyNeeded = استخدمت رمز استرداد. يتيح لك هذا الرمز إضافة مفتاح مرور، لكنه لا يتيح لك إجراء هذا التغيير.
    .title = يتطلب هذا التغيير مفتاح مرور
    .detail1 = ارجع إلى حسابك. أضف مفتاح مرور، إلا إذا كنت قد أضفت واحدًا للتو. ثم ابدأ هذا التغيير من جديد وأكّده بمفتاح المرور.
requestProblems-ownerProofRequired = يتطلب هذا التطبيق أن توافق على كل عملية تسجيل دخول بمفتاح مرور. يجب أن يشير سجل DNS الخاص بك إلى مفتاح المرور، وأن تكون منطقتك موقّعة بواسطة DNSSEC.
    .title = يتطلب هذا التطبيق مفتاح مرور
    .detail1 = لم تتضمن عملية تسجيل الدخول هذه موافقة كهذه. ولم يُرسَل أي شيء إلى التطبيق.
    .detail2 = أضف مفتاح مرور في صفحة حسابك على /account، وانشر السجل الذي تعرضه. ثم ارجع إلى التطبيق وسجّل الدخول مرة أخرى.
requestProblems-repeatedParameter = يرد فيه «{ $name }» أكثر من مرة، فلا يمكننا معرفة أيها المقصود.
    .title = طلب التطبيق غير واضح
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى.
requestProblems-malformedRequest = جزء منه غير صالح.
    .title = تعذّرت علينا قراءة الطلب
    .detail1 = عُد إلى التطبيق وحاول مرة أخرى.
requestProblems-badClientDocument = أرسلك { $host } إلى هنا، لكن وصفه للتطبيق غير صالح.
    .title = لا يمكننا قبول هذا التطبيق
    .detail1 = لم تُشارَك أي بيانات مع التطبيق. إذا كنت مطوّره، فصحّح مستند بياناته الوصفية ({ $reason }).
requestProblems-unreachableClient = أرسلك { $host } إلى هنا، لكننا لم نتمكن من تحميل وصفه للتطبيق.
    .title = لا يمكننا الوصول إلى التطبيق
    .detail1 = انتظر دقيقة، ثم حاول مرة أخرى. لم تُشارَك أي بيانات مع التطبيق. إذا كنت مطوّره: { $reason }
requestProblems-setUpLinkInvalid = قُطع الرابط في الطريق، أو مضى عليه أكثر من 30 يومًا.
    .title = هذا الرابط لا يعمل
    .detail1 = افتح الرابط كاملاً، أو اطلب رابطًا جديدًا من المرسل.
requestProblems-expired = بقيت مفتوحة مدة طويلة، فأنهينا عملية تسجيل الدخول هذه حرصًا على أمانك.
    .title = انتهت صلاحية هذه الصفحة
    .detail1 = عُد إلى التطبيق وسجّل الدخول من جديد. وإذا كنت قد نشرت سجلًا، فإنه يبقى صالحًا.
requestProblems-recordLost = لم يعد السجل في DNS الخاص بك يشير إلى هذا الحساب، ولذلك لا يمكننا تسجيل دخولك.
    .title = تغيّر سجلك
    .detail1 = إذا كان النطاق لك، فأعد السجل إلى مكانه واتركه هناك. ثم عُد إلى التطبيق وسجّل الدخول من جديد.
requestProblems-challengeUsed = استُخدم سجل تسجيل الدخول هذا من قبل، في علامة تبويب أخرى أو متصفح آخر. وهو صالح لمرة واحدة فقط.
    .title = اكتمل تسجيل الدخول هذا في مكان آخر
    .detail1 = إن لم تكن أنت، فسجّل الدخول من جديد. ثم أنهِ في صفحة حسابك الجلسة التي لا تعرفها، وراجع السجل الزمني.
requestProblems-challengeOver = يصلح السجل الخاص بتسجيل دخول واحد لمدة 24 ساعة، وبشرط ألا تكون هذه الخدمة قد استُعيدت من نسخة احتياطية في هذه الأثناء.
    .title = انتهت مدة هذا السجل
    .detail1 = يمكنك إزالة السجل. عُد إلى التطبيق وسجّل الدخول من جديد: ستحصل على سجل جديد.
requestProblems-wrongBrowser = لا يمكنك المتابعة إلا في المتصفح الذي بدأت فيه. إذا كان هو هذا المتصفح، فربما يحظر ملفات تعريف الارتباط (cookies).
    .title = بدأت عملية تسجيل الدخول هذه في متصفح آخر
    .detail1 = اسمح بملفات تعريف الارتباط لهذا الموقع، ثم عُد إلى التطبيق وسجّل الدخول من جديد. إذا أرسل إليك شخص آخر رابط هذه الصفحة، فلا تتابع.
requestProblems-crossSitePost = حاول موقع آخر أن يضغط زرًا هنا نيابة عنك، فلم نفعل شيئًا.
    .title = لم يأتِ هذا الطلب من صفحتنا
    .detail1 = إذا كنت أنت من فعل ذلك، فعُد إلى التطبيق وسجّل الدخول من جديد.
requestProblems-tooManyAccounts = بلغ عدد حسابات الأسماء التابعة لهذا النطاق المسجَّل الحدَّ الذي تسمح به هذه الخدمة. ولم يُنشأ أي حساب لهذا الاسم.
    .title = لا مزيد من الحسابات لهذا النطاق
    .detail1 = يستطيع مشغّل هذه الخدمة رفع الحد (accounts_per_domain). وتظل الحسابات الموجودة تعمل.
requestProblems-alreadyUsed = تعمل هذه الصفحة مرة واحدة فقط، وقد سبق أن تابعت منها.
    .title = اكتملت عملية تسجيل الدخول هذه بالفعل
    .detail1 = عُد إلى التطبيق. وإذا لم تكن قد سجّلت الدخول فيه، فابدأ من جديد.
requestProblems-signedOut = سجّلت الخروج في علامة تبويب أو نافذة أخرى بينما كان تسجيل الدخول هذا مفتوحًا.
    .title = لقد سجّلت الخروج
    .detail1 = ارجع إلى التطبيق وسجّل الدخول من جديد.
requestProblems-overloaded = عدد من يريدون تسجيل الدخول الآن أكبر مما نستطيع خدمته.
    .title = عدد كبير جدًا في وقت واحد
    .detail1 = انتظر بضع ثوانٍ، ثم حاول مرة أخرى.
requestProblems-tooManyRequests = وصلتنا للتو طلبات كثيرة جدًا من شبكتك.
    .title = طلبات كثيرة جدًا
    .detail1 = { $minutes ->
       [one] حاول مرة أخرى بعد دقيقة واحدة تقريبًا.
       [two] حاول مرة أخرى بعد دقيقتين تقريبًا.
       [few] حاول مرة أخرى بعد { NUMBER($minutes, useGrouping: 0) } دقائق تقريبًا.
       [many] حاول مرة أخرى بعد { NUMBER($minutes, useGrouping: 0) } دقيقة تقريبًا.
      *[other] حاول مرة أخرى بعد { NUMBER($minutes, useGrouping: 0) } دقيقة تقريبًا.
    }
requestProblems-notFound = ربما كُتب العنوان خطأً، أو لم تعد الصفحة موجودة.
    .title = الصفحة غير موجودة
    .detail1 = لتسجيل الدخول، ابدأ من التطبيق الذي تريد استخدامه.
requestProblems-serverError = ليس الخطأ منك، ولم تُشارَك أي بيانات.
    .title = حدث خطأ من جانبنا
    .detail1 = حاول مرة أخرى. وإذا تكرر ذلك، فأخبر مشغّل هذه الخدمة.
requestProblems-temporarilyUnavailable = جزء من هذه الخدمة غير متاح حاليًا.
    .title = لا يمكننا تسجيل دخولك الآن
    .detail1 = انتظر دقيقة، ثم حاول مرة أخرى. لم يضِع شيء مما أعددته.
