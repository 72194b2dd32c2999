// The writing systems in which a domain may be shown, letter by letter, and the letters that could be taken for others.

/** What is in none of these is shown in A-labels: a letter that nobody looked at is not shown. */
export type WritingSystem = {
  /** A whole label: letters of this writing system, ASCII digits and hyphens. */
  readonly label: RegExp;
  /** A letter that looks like no Latin letter, digit or punctuation, and no ideograph. */
  readonly unmistakable: RegExp;
};

function writingSystem(letter: string, unmistakable: string): WritingSystem {
  return {
    label: new RegExp(`^(?:[0-9-]|${letter})+$`, "u"),
    unmistakable: new RegExp(unmistakable, "u"),
  };
}

/**
 * The letters of Latin-1 Supplement and Latin Extended-A of today's alphabets whose mark is seen
 * at reading size. Not these: ı (an i), ĸ (a k), ŋ (an n), ð (an o or d), þ (a b or p) and
 * đ ħ ŧ (whose bar is lost on the stem); ĕ ĭ ŏ (no alphabet's, and taken for ě ī ő). The stroke of
 * ł and ø crosses the whole letter, so it is seen. UTS #46 maps ĳ ŀ ŉ ſ away.
 */
const latin = writingSystem(
  "[a-zß-ïñ-öø-ýÿāăąćĉċčďēėęěĝğġģĥĩīįĵķĺļľłńņňōőœŕŗřśŝşšţťũūŭůűųŵŷźżž]",
  // The others are taken for Latin, which is itself.
  "",
);

/**
 * Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh, Mongolian: the languages
 * with a top-level domain of their own. Taken for Latin: а в (b) г (r) е з (3) к м н (h) о п (n)
 * р с т у х ч (4) ш щ (w) ъ ь б (6) ы (bl) ю (io), and what is one of these with a mark.
 * д и п т turn into g u n m in italics, so no page sets a domain in italics.
 */
const cyrillic = writingSystem("[а-яёђѓєѕіїјљњћќўџґәғқңөұүһ]", "[джийлфцэя]");

/** Without the letters that need more than an accent: those are polytonic, which no registry takes. */
const greek = writingSystem("[α-ωάέήίόύώϊϋΐΰ]", "[δζλξπφψ]");

/**
 * Arabic, Persian and Urdu, without the marks for short vowels. Alef and lam can be a stroke, heh
 * and teh marbuta a ring, reh and dal a comma or bracket, waw a 9, noon ghunna a bowl.
 */
const arabic = writingSystem(
  "[\u0621-\u063a\u0641-\u064a\u067e\u0686\u0698\u06a9\u06af\u06cc\u0679\u0688\u0691\u06ba\u06be\u06c1\u06d2]",
  "[\u0626\u0628\u062a-\u062e\u0630\u0632-\u063a\u0641-\u0643\u0645\u0646\u064a\u067e\u0686\u0698\u06a9\u06af\u06cc\u0679\u0688\u0691\u06be\u06d2]",
);

/** Without points. Unmistakable: alef, bet, gimel, lamed, mem, pe and tsadi with their final forms. */
const hebrew = writingSystem(
  "[\u05d0-\u05ea]",
  "[\u05d0-\u05d2\u05dc\u05de\u05e3\u05e4\u05e5\u05e6]",
);

/**
 * Consonant, nukta, then a virama or a vowel sign; or a vowel letter. Fonts drop or overprint marks
 * in any other order. Not avagraha (an s) and visarga (a colon). The head line is unmistakable.
 */
const devanagari = writingSystem(
  "[\u0915-\u0939]\u093c?(?:\u094d|[\u093e-\u0943\u0945\u0947-\u0949\u094b\u094c]?[\u0901\u0902]?)|[\u0905-\u090b\u090d\u090f-\u0911\u0913\u0914][\u0901\u0902]?",
  "[\u0905-\u090b\u090f\u0915-\u0939]",
);

/**
 * One vowel mark and one tone mark on each consonant, since a second one is overprinted. Two sara e
 * are drawn like one sara ae. Fonts without loops draw many consonants as n, u, s, w and a.
 */
const thai = writingSystem(
  "[\u0e01-\u0e2e](?:[\u0e31\u0e34-\u0e39\u0e47]?[\u0e48-\u0e4c]?|[\u0e48-\u0e4b]?\u0e4d(?=\u0e32))|[\u0e30\u0e32\u0e41-\u0e44]|\u0e40(?!\u0e40)",
  "[ขคฆงจฉชซญฐณศษสฮไใ]",
);

/** The common block alone; fonts lack the others. Without the bare strokes, which no name needs. */
const ideograph = "(?![丨丶丷丿乀乁乄乚乛亅亠])[\u4e00-\u9fff]";
const simpleIdeographs =
  "一丁七三丄丅丫乂乃乙了二人入八冂冖几凵刀力勹匕匚匸十千卜厂厶口囗土士夂夕山工己已巳干广彐才日曰";
const unmistakableIdeograph = `(?![${simpleIdeographs}])${ideograph}`;

const hiragana = "ぁ-ん";
const katakana = "ァ-ヴー";

/**
 * Chinese and Japanese; U+3005 repeats an ideograph. Not 〇 (a ring), the middle dot and the kana
 * repetition marks (dots and slashes), and Bopomofo: its letters are parts of ideographs, and many
 * look Latin.
 */
const chineseOrJapanese = writingSystem(
  `${ideograph}|[\u3005${hiragana}${katakana}]`,
  `${unmistakableIdeograph}|[あうえおかがきぎげさざすずせぜそぞたちぢづでどなぬねはばぱひびぴふぶぷほぼぽまみむめもやゆよらるれろわを]|[アウオカガキギクグケゲゴサザシジスズセゼタダチヂツヅテデドヌネバパヒビピブプホボポマムモヤヨラルワヲヴ]`,
);

/** Whole syllables, not their parts. The simplest syllables are rings, boxes and bars. */
const korean = writingSystem(
  `[가-힣]|${ideograph}`,
  `(?![이미므으스])[가-힣]|${unmistakableIdeograph}`,
);

export const writingSystems: readonly WritingSystem[] = [
  ...[latin, cyrillic, greek, arabic, hebrew, devanagari, thai],
  ...[chineseOrJapanese, korean],
];

/** Katakana and the ideographs that are drawn like them. */
const katakanaTwins = "ニミハチロエカタオトナメヒムヨリヘベペ";
const ideographTwins = "一二三八千口囗工力夕才卜十乂匕厶彐";
const notBesideKatakana = `${ideographTwins}へべぺり`;
const besideKatakana = `${hiragana}\u3005\u4e00-\u9fff`;
/** Katakana that are twins all; the mark after a hiragana is the hiragana's. */
const run = `ー?[${katakanaTwins}][${katakanaTwins}ー]*`;

/** Letters like a digit, a hyphen or a slash, of all writing systems. */
const likeDigits =
  "øбзочοθσ\u05d5\u05d8\u05df\u05e1\u05dd\u0627\u0647\u06c1一二三八十丁七口囗工卜ノハニミロエフヨへヘー이";

/** What a label may not hold in any writing system: each letter is good, but not in this place. */
export const misleadingPlaces: readonly RegExp[] = [
  // They would be read as part of the number, the hyphen or a path.
  new RegExp(`[${likeDigits}](?=[0-9-])|(?<=[0-9-])[${likeDigits}]`, "u"),
  // It lengthens a kana; after anything else it is a dash.
  new RegExp(`(?<![${hiragana}ァ-ヴ])ー`, "u"),
  // It repeats an ideograph.
  /(?<![\u4e00-\u9fff])\u3005/u,
  // Beside letters of the other kind nobody sees which one a twin is.
  new RegExp(
    `[${notBesideKatakana}](?=[${katakana}])|(?<=[${katakana}])[${notBesideKatakana}]`,
    "u",
  ),
  new RegExp(`[${besideKatakana}]${run}(?![${katakana}])`, "u"),
  new RegExp(`(?<![${katakana}])${run}[${besideKatakana}]`, "u"),
  /[ぁ-ん]一/u,
];
