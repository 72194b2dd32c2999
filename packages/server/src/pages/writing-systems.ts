// The writing systems in which domains are shown, and the letters that can be confused with others.

function writingSystem(letter: string, unmistakable: string) {
  return {
    /** A whole label: letters of this writing system, ASCII digits and hyphens. */
    label: new RegExp(`^(?:[0-9-]|${letter})+$`, "u"),
    /** A letter that does not look like a Latin letter, digit, punctuation or ideograph. */
    unmistakable: new RegExp(unmistakable, "u"),
  };
}

/**
 * The letters of Latin-1 Supplement and Latin Extended-A that current alphabets use and whose mark
 * is visible at reading size. Excluded: ı (looks like i), ĸ (k), ŋ (n), ð (o or d), þ (b or p),
 * đ ħ ŧ (the bar merges with the stem), and ĕ ĭ ŏ (in no alphabet, look like ě ī ő). The stroke of
 * ł and ø crosses the whole letter, so it is visible. UTS #46 maps ĳ ŀ ŉ ſ to other letters.
 */
const latin = writingSystem(
  "[a-zß-ïñ-öø-ýÿāăąćĉċčďēėęěĝğġģĥĩīįĵķĺļľłńņňōőœŕŗřśŝşšţťũūŭůűųŵŷźżž]",
  // Only letters of other writing systems can look Latin, so every label matches.
  "",
);

/**
 * Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh, Mongolian: the languages
 * that have a top-level domain. These look Latin: а в (b) г (r) е з (3) к м н (h) о п (n)
 * р с т у х ч (4) ш щ (w) ъ ь б (6) ы (bl) ю (io), and the same letters with a mark.
 * In italics, д и п т look like g u n m, so no page sets a domain in italics.
 */
const cyrillic = writingSystem("[а-яёђѓєѕіїјљњћќўџґәғқңөұүһ]", "[джийлфцэя]");

/** Without the polytonic letters, which no registry accepts. */
const greek = writingSystem("[α-ωάέήίόύώϊϋΐΰ]", "[δζλξπφψ]");

/**
 * Arabic, Persian and Urdu, without the marks for short vowels. Alef and lam can look like a stroke,
 * heh and teh marbuta like a ring, reh and dal like a comma or bracket, waw like a 9, noon ghunna
 * like a bowl.
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
 * A consonant and nukta, then a virama or a vowel sign; or a vowel letter. Fonts drop or overprint
 * marks in any other order. Excluded: avagraha (looks like s) and visarga (a colon). The head line
 * is unmistakable.
 */
const devanagari = writingSystem(
  "[\u0915-\u0939]\u093c?(?:\u094d|[\u093e-\u0943\u0945\u0947-\u0949\u094b\u094c]?[\u0901\u0902]?)|[\u0905-\u090b\u090d\u090f-\u0911\u0913\u0914][\u0901\u0902]?",
  "[\u0905-\u090b\u090f\u0915-\u0939]",
);

/**
 * At most one vowel mark and one tone mark on a consonant, because a second one is overprinted. Two
 * sara e look like one sara ae. Fonts without loops draw many consonants like n, u, s, w and a.
 */
const thai = writingSystem(
  "[\u0e01-\u0e2e](?:[\u0e31\u0e34-\u0e39\u0e47]?[\u0e48-\u0e4c]?|[\u0e48-\u0e4b]?\u0e4d(?=\u0e32))|[\u0e30\u0e32\u0e41-\u0e44]|\u0e40(?!\u0e40)",
  "[ขคฆงจฉชซญฐณศษสฮไใ]",
);

/** Only the common block, because fonts lack the others. Without the bare strokes, which no name needs. */
const ideograph = "(?![丨丶丷丿乀乁乄乚乛亅亠])[\u4e00-\u9fff]";
const simpleIdeographs =
  "一丁七三丄丅丫乂乃乙了二人入八冂冖几凵刀力勹匕匚匸十千卜厂厶口囗土士夂夕山工己已巳干广彐才日曰";
const unmistakableIdeograph = `(?![${simpleIdeographs}])${ideograph}`;

const hiragana = "ぁ-ん";
const katakana = "ァ-ヴー";

/**
 * Chinese and Japanese; U+3005 repeats an ideograph. Excluded: 〇 (a ring), the middle dot, the kana
 * repetition marks (dots and slashes), and Bopomofo, whose letters are parts of ideographs and often
 * look Latin.
 */
const chineseOrJapanese = writingSystem(
  `${ideograph}|[\u3005${hiragana}${katakana}]`,
  `${unmistakableIdeograph}|[あうえおかがきぎげさざすずせぜそぞたちぢづでどなぬねはばぱひびぴふぶぷほぼぽまみむめもやゆよらるれろわを]|[アウオカガキギクグケゲゴサザシジスズセゼタダチヂツヅテデドヌネバパヒビピブプホボポマムモヤヨラルワヲヴ]`,
);

/** Whole syllables, not their parts. The simplest syllables look like rings, boxes and bars. */
const korean = writingSystem(
  `[가-힣]|${ideograph}`,
  `(?![이미므으스])[가-힣]|${unmistakableIdeograph}`,
);

/** A domain with letters of none of these is shown in A-labels: only reviewed letters are shown. */
export const writingSystems = [
  latin,
  cyrillic,
  greek,
  arabic,
  hebrew,
  devanagari,
  thai,
  chineseOrJapanese,
  korean,
];

/** Katakana, and the ideographs that look like them. */
const katakanaTwins = "ニミハチロエカタオトナメヒムヨリヘベペ";
const ideographTwins = "一二三八千口囗工力夕才卜十乂匕厶彐";
const notBesideKatakana = `${ideographTwins}へべぺり`;
const besideKatakana = `${hiragana}\u3005\u4e00-\u9fff`;
/** A run of Katakana that all look like ideographs; a long mark after Hiragana belongs to the Hiragana. */
const run = `ー?[${katakanaTwins}][${katakanaTwins}ー]*`;

/** Letters of all writing systems that look like a digit, a hyphen or a slash. */
const likeDigits =
  "øбзочοθσ\u05d5\u05d8\u05df\u05e1\u05dd\u0627\u0647\u06c1一二三八十丁七口囗工卜ノハニミロエフヨへヘー이";

/** Patterns that no label may contain: their letters are allowed, but misleading in these places. */
export const misleadingPlaces: readonly RegExp[] = [
  // They would be read as part of a number, as a hyphen or as part of a path.
  new RegExp(`[${likeDigits}](?=[0-9-])|(?<=[0-9-])[${likeDigits}]`, "u"),
  // The long mark belongs after a kana; after anything else, it looks like a dash.
  new RegExp(`(?<![${hiragana}ァ-ヴ])ー`, "u"),
  // The repetition mark belongs after an ideograph.
  /(?<![\u4e00-\u9fff])\u3005/u,
  // Next to letters of the other kind, a look-alike cannot be identified.
  new RegExp(
    `[${notBesideKatakana}](?=[${katakana}])|(?<=[${katakana}])[${notBesideKatakana}]`,
    "u",
  ),
  new RegExp(`[${besideKatakana}]${run}(?![${katakana}])`, "u"),
  new RegExp(`(?<![${katakana}])${run}[${besideKatakana}]`, "u"),
  /[ぁ-ん]一/u,
];
