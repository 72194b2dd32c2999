// Tests of which domains are shown in U-labels, and which in A-labels.

import fc from "fast-check";
import { toASCII } from "tr46";
import { describe, expect, it, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { displayDomain } from "./domain-display.ts";

const asItIs = (domain: string) => ({ shown: domain, inDns: null });

describe("a domain whose letters cannot be confused with others is shown in U-labels", () => {
  test.each([
    ["xn--bcher-kva.example", "bücher.example"],
    ["xn--mnchen-3ya.de", "münchen.de"],
    ["xn--and-6ma2c.es", "ñandú.es"],
    ["xn--strae-oqa.de", "straße.de"],
    ["xn--d-uga0v4h.pl", "łódź.pl"],
    ["xn--smrrebrd-64af.dk", "smørrebrød.dk"],
    ["xn--cur-fya.fr", "cœur.fr"],
    ["xn--alek-8ra7h.sk", "ďaleký.sk"],
    ["shop.xn--bcher-kva.de", "shop.bücher.de"],
    ["xn--wgv71a119e.jp", "日本語.jp"],
    ["xn--ebkp5a86a.jp", "らーめん.jp"],
    ["xn--fdkl2lo33t.jp", "ノート本.jp"],
    ["xn--5ckr0h.jp", "トヨタ.jp"],
    ["xn--tck2c4fb4697i.jp", "コーヒー豆.jp"],
    ["xn--4gq396gdea.jp", "一番町.jp"],
    ["xn--u6jy55gilq.jp", "佐々木.jp"],
    ["xn--fiqs8s.cn", "中国.cn"],
    ["xn--55qx5d.cn", "公司.cn"],
    ["xn--3e0b707e.kr", "한국.kr"],
    ["xn--p8s937bs39bs56a.kr", "漢字한글.kr"],
    ["xn--24-gs4j8o.kr", "삼성24.kr"],
    ["xn--mgbh0fb.xn--kgbechtv", "مثال.إختبار"],
    ["xn--mgbh0fb.com", "مثال.com"],
    ["xn--pgbni38b.ir", "شرکت.ir"],
    ["xn--mgbai9azgqp6j.com", "پاکستان.com"],
    ["xn--4dbrk0ce.co.il", "ישראל.co.il"],
    ["xn--r2bd6bb.xn--h2brj9c", "रामा.भारत"],
    ["xn--j2bd4cyah0f.com", "हिन्दी.com"],
    ["xn--i1b6b1a6a2e.xn--i1b6b1a6a2e", "संगठन.संगठन"],
    ["xn--o3cw4h.com", "ไทย.com"],
    ["xn--72c0anm5e1b3a3md0b.xn--o3cw4h", "น้\u0e4dาผึ้งสด.ไทย"],
    ["xn--e1afmkfd.xn--p1ai", "пример.рф"],
    ["xn--e1adhj9a.com", "музей.com"],
    ["xn---24-qddoytid.xn--p1ai", "пример-24.рф"],
    ["xn--e1afmkfd.xn--j1amh", "пример.укр"],
    ["xn--e1afmkfd.xn--90a3ac", "пример.срб"],
    ["xn--90af4abj.xn--d1alf", "добро.мкд"],
    ["xn--hxajbheg2az3al.xn--jxalpdlp", "παράδειγμα.δοκιμή"],
    ["xn--oxapnm1c.gr", "λόγος.gr"],
    ["xn--hxakic4aa.xn--qxa6a", "ελλάδα.ευ"],
    ["xn--wgv71a119e.xn--e1afmkfd.xn--p1ai", "日本語.пример.рф"],
  ])("%s is shown as %s", (domain, shown) => {
    expect(displayDomain(domain)).toEqual({ shown, inDns: domain });
  });

  test("the letters of a public suffix may look Latin", () => {
    // mon, pyc, ykp, 6r in Cyrillic and ev in Greek; a registered label may not.
    for (const ending of ["xn--l1acc", "xn--p1acf", "xn--j1amh", "xn--90ae", "xn--qxa6a"]) {
      expect(displayDomain(`xn--e1afmkfd.${ending}`).inDns).not.toBeNull();
      expect(displayDomain(`${ending}.com`).inDns).toBeNull();
      expect(displayDomain(`xn--e1afmkfd.${ending}.com`).inDns).toBeNull();
    }
  });
});

describe("a domain that can be confused with another is shown in A-labels", () => {
  test.each([
    ["xn--80ak6aa92e.com", "аррӏе.com", "all Cyrillic, palochka for l"],
    ["xn--l-7sba6dbr.com", "раураl.com", "Cyrillic and a Latin l"],
    ["xn--e1argc3h.com", "ѕсоре.com", "all Cyrillic"],
    ["xn--e1argc3h.xn--p1ai", "ѕсоре.рф", "all Cyrillic, whatever the ending"],
    ["xn--80adxhks.com", "москва.com", "reads as mockba"],
    ["xn--100-ued.com", "100о.com", "Cyrillic o behind a number"],
    ["xn--1-gtbyhc.xn--p1ai", "дом1о.рф", "Cyrillic o after a digit"],
    ["xn--24-6kcim1d1a.xn--p1ai", "авто24д.рф", "its o reads as a zero"],
    ["xn--4-mtb.com", "з4.com", "reads as 34"],
    ["xn--e1afmkfd.xn--p1aadgb", "пример.рурус", "an ending that is no registry's"],
    [
      "google.xn--p1ai.xn--80aa0cbo.com",
      "google.рф.раура.com",
      "the good label is not the bad one",
    ],
    ["xn--mxa1ad.xn--80aa0cbo.com", "οπα.раура.com", "Cyrillic look-alike below"],
    ["xn--qxahdk.com", "νικε.com", "Greek that reads as vike"],
    ["xn--uxacncp.gr", "οικος.gr", "Greek without a letter of its own shape"],
    ["xn--10-x9bn.gr", "1θ0λ.gr", "theta as a zero"],
    ["xn--wxa334l.com", "ᾳλ.com", "polytonic Greek"],
    ["xn--payl-2ld9g.com", "payραl.com", "Greek inside Latin"],
    ["xn--oogle-qmc.com", "ɡoogle.com", "script g"],
    ["xn--paypa-r4a.com", "paypaı.com", "dotless i"],
    ["xn--apital-2bb.de", "ĸapital.de", "kra"],
    ["xn--oe-pra.com", "oŋe.com", "eng"],
    ["xn--aypal-vva.com", "þaypal.com", "thorn"],
    ["xn--rive-9pa.com", "ðrive.com", "eth"],
    ["xn--ell-uqa.com", "đell.com", "d with stroke"],
    ["xn--ome-dta.com", "ħome.com", "h with stroke"],
    ["xn--arget-veb.com", "ŧarget.com", "t with stroke"],
    ["xn--nion-unb.com", "ǔnion.com", "Latin Extended-B"],
    ["xn--ily-n3y.com", "ḷily.com", "Latin Extended Additional"],
    ["xn--10-lka.com", "1ø0.com", "o with stroke as a zero"],
    ["xn--1naa7pn51hcbaa.com", "ɢᴏᴏɢʟᴇ.com", "small capitals"],
    ["xn--google-13b.com", "googleǃ.com", "click letter"],
    ["xn--ll-0ea.cat", "l·l.cat", "middle dot"],
    ["xn--ab-8nb.com", "aʻb.com", "okina as a quote"],
    ["xn--ab-rub.com", "a\u0307b.com", "letter and mark that are one letter"],
    ["xn--b-9fa42o.com", "é\u0323b.com", "marks in another order"],
    ["xn--ab-yyb.com", "a\u0338b.com", "solidus through a letter"],
    ["xn--ii-rub.com", "i\u0307i.com", "second dot on an i"],
    ["xn--aypal-wr33a.com", "ｐaypal.com", "fullwidth p"],
    ["xn--ab-m1t.com", "a\u200db.com", "zero width joiner"],
    ["xn--11b2ezcw70k.com", "क्\u200dष.com", "zero width joiner after a virama"],
    ["xn--paypal-df0c.com", "pay\u200bpal.com", "zero width space"],
    ["xn--b-uca0v.com", "ü\u00adb.com", "soft hyphen"],
    ["xn--ab-g4t.com", "a\u202eb.com", "direction override"],
    ["xn--a-eha89o.com", "a\u034fü.com", "grapheme joiner"],
    ["xn--tda7611k.com", "\ufeffü.com", "byte order mark"],
    ["xn--tda8860k.com", "ü\ufe0f.com", "variation selector"],
    ["xn--a-eha7227a.com", "a。ü.com", "ideographic full stop inside a label"],
    ["xn--com-ge4a.de", "⒈com.de", "digit with a full stop"],
    ["xn--a-eha2426q.com", "a／ü.com", "fullwidth slash"],
    ["xn--abcdef-dg0c.com", "abc‐def.com", "hyphen"],
    ["xn--tda5x.com", "ſü.com", "long s"],
    ["xn--tda9k.com", "ŀü.com", "l with middle dot"],
    ["xn--ab---3ra.com", "ab--ü.com", "hyphens at the third and fourth place"],
    ["xn----eha.com", "-ü.com", "hyphen in front"],
    ["xn----dha.com", "ü-.com", "hyphen behind"],
    ["xn--bcher-kva.ab--cd.com", "bücher.ab--cd.com", "hyphens in another label"],
    ["xn--xn---3ra.com", "xn--ü.com", "A-label prefix inside an A-label"],
    ["xn--9hbc.com", "١٢.com", "Arabic digits"],
    ["xn--mgbh0fb7l.com", "مثال١.com", "Arabic digits in Arabic"],
    ["xn--1-ymcl5hc2p.com", "مثال1٢.com", "mixed digits"],
    ["xn--r2bd6b4j.xn--h2brj9c", "राम१.भारत", "Devanagari digit"],
    ["xn--o3cw4h6b.com", "ไทย๑.com", "Thai digit"],
    ["xn--1-zmcl5hc.com", "1مثال.com", "digit in front, drawn behind"],
    ["xn--mgbh0fb.1com.de", "مثال.1com.de", "number beside a label from right to left"],
    ["xn--mgb8d.com", "اه.com", "Arabic that reads as lo"],
    ["xn--ghba.com", "لل.com", "Arabic that reads as ll"],
    ["xn--mgbh0fb9b.com", "م\u064eثال.com", "Arabic vowel mark"],
    ["xn--mgbh6dsab.com", "مـثال.com", "Arabic tatweel"],
    ["xn--mgbgz7g.xn--mgbh0fb.com", "سايت.مثال.com", "neighbours from right to left before .com"],
    ["www.xn--mgbh0fb.xn--kgbechtv", "www.مثال.إختبار", "neighbours from right to left behind www"],
    ["xn--ab-btdp0kd.com", "مثالab.com", "Arabic and Latin"],
    ["xn--9dbd5a.com", "חוס.com", "Hebrew that reads as nio"],
    ["xn--gdb2duaf0d.com", "ש\u05b8לום.com", "Hebrew point"],
    ["xn--hebt6b.com", "צ״ל.com", "gershayim"],
    ["xn--teb09nmbb.xn--h2brj9c", "רामा.भारत", "Hebrew in Devanagari"],
    ["xn--11b0x.com", "कক.com", "Devanagari and Bengali"],
    ["xn--wxa6v.com", "λд.com", "Greek and Cyrillic"],
    ["xn--8080-k5i1wod.xn--h2brj9c", "राः8080.भारत", "visarga as a colon"],
    ["xn--t2b0a.xn--h2brj9c", "रऽ.भारत", "avagraha as an s"],
    ["xn--11b0ga.xn--h2brj9c", "कीी.भारत", "second vowel sign"],
    ["xn--11b6ia.xn--h2brj9c", "क््.भारत", "second virama"],
    ["xn--l1b8i.xn--h2brj9c", "अा.भारत", "vowel letter with a sign"],
    ["xn--lsa362acc.xn--h2brj9c", "नी\u0301.भारत", "Latin accent on Devanagari"],
    ["xn--r3chp.com", "พรบ.com", "Thai that reads as wsu"],
    ["xn--73cw1da.com", "สี่่.com", "second tone mark"],
    ["xn--q3c8a8f.com", "นํส.com", "ring above without sara aa"],
    ["xn--72c3ezca.com", "เเสง.com", "two sara e for a sara ae"],
    ["xn--googlecom-075n.com", "google一com.com", "ideograph one inside Latin"],
    ["xn--4gq.com", "一.com", "reads as a hyphen"],
    ["xn--12-vu2cy90uexk.com", "銀行1一2.com", "ideograph one between digits"],
    ["xn--6orx2r.com", "山口.com", "simple ideographs"],
    ["xn--w6j461gp43brsi.com", "〇三銀行.com", "ring as a zero"],
    ["xn--oiqy92l4ng.com", "銀行丶.com", "stroke as a dot"],
    ["xn--ebkp5a822w.jp", "ら一めん.jp", "ideograph one for the long mark"],
    ["xn--wekz60nb2a.jp", "日本ー.jp", "long mark behind an ideograph"],
    ["xn--wek060nb2a.jp", "ー日本.jp", "long mark in front"],
    ["xn--24-fi4a1dqjb.jp", "スーパー24.jp", "long mark as a hyphen"],
    ["xn--ldk.jp", "ノ.jp", "reads as a slash"],
    ["xn--12-8j4an43v.jp", "1ノ2本.jp", "slash between digits"],
    ["xn--idk6cua.jp", "ニンレ.jp", "reads as = / L"],
    ["xn--ick870l.jp", "建エ.jp", "Katakana e at the end of ideographs"],
    ["xn--mbk4gqf.jp", "らーニ.jp", "Katakana ni for an ideograph"],
    ["xn--ick997w.jp", "エ藤.jp", "Katakana e for an ideograph"],
    ["xn--cck8aymn81o.jp", "工アコン.jp", "ideograph for a Katakana e"],
    ["xn--tck2c5fw15j.jp", "コ一ヒー.jp", "ideograph one between Katakana"],
    ["xn--hbk5i.jp", "ヘや.jp", "Katakana he before Hiragana"],
    ["xn--49jxi3a4dxg.jp", "モヒートへ.jp", "Hiragana he behind Katakana"],
    ["xn--vek160nb2acz6g.jp", "日本・語.jp", "middle dot"],
    ["xn--9bkw71nb2acz6g.jp", "日本゠語.jp", "double hyphen"],
    ["xn--lck2i.jp", "カヽ.jp", "Katakana repetition mark"],
    ["xn--u6j137n.jp", "々木.jp", "repetition mark without an ideograph"],
    ["xn--v8j9h.jp", "が\u3099.jp", "sound mark that composes with nothing"],
    ["xn--5ekc2017bl89a.tw", "注音ㄅㄆ.tw", "Bopomofo"],
    ["xn--4fkc.tw", "ㄧㄨ.tw", "Bopomofo that reads as - x"],
    ["xn--hello-773d.jp", "helloこ.jp", "Hiragana and Latin"],
    ["xn--y9j4970c.kr", "한ひ.kr", "Hangul and Hiragana"],
    ["xn--hu5ba.kr", "이이.kr", "reads as olol"],
    ["xn--0pdc.com", "ᄂᄃ.com", "parts of syllables"],
    ["xn--p8st409g.jp", "𠀋字.jp", "ideograph outside the common block"],
    ["xn--qvj474l.jp", "⺀字.jp", "radical"],
    ["xn--mbbkok.com", "օուս.com", "Armenian"],
    ["xn--todk4a.com", "იოყ.com", "Georgian"],
    ["xn--58db0a9q.com", "ᏟᎪᎡᎠ.com", "Cherokee that reads as card"],
    ["xn--4gjeg.com", "ⲁⲃⲅ.com", "Coptic"],
    ["xn--9wd8d.com", "ሀሠ.com", "Ethiopic"],
    ["xn--8idp.com", "ဝပ.com", "Myanmar"],
    ["xn--rlcus7b3d.com", "தமிழ்.com", "Tamil"],
    ["xn--9mbe.com", "ܐܒ.com", "Syriac"],
    ["xn--ls8h.la", "💩.la", "emoji"],
    ["xn--i-7iq.ws", "i❤.ws", "heart"],
    ["xn--5free-fga.com", "5free£.com", "pound sign"],
  ])("%s is not shown as %s: %s", (domain) => {
    expect(displayDomain(domain)).toEqual(asItIs(domain));
  });

  test("one bad label keeps all labels in A-labels", () => {
    const domain = "xn--mnchen-3ya.xn--80ak6aa92e.com";
    expect(displayDomain("xn--mnchen-3ya.com").inDns).not.toBeNull();
    expect(displayDomain(domain)).toEqual(asItIs(domain));
  });
});

test("a domain is decoded once, although a page shows it several times", () => {
  const first = displayDomain("xn--bcher-kva.example");
  for (const other of ["xn--strae-oqa.de", "alice.example"]) {
    expect(displayDomain(other)).not.toEqual(first);
  }
  expect(displayDomain("xn--bcher-kva.example")).toBe(first);
});

describe("what is not a domain in A-labels is returned unchanged", () => {
  test.each([
    ["alice.com"],
    ["a-b.3com.co.uk"],
    ["strasse.de"],
    ["paypai.com"],
    ["xn--example-.org"],
    ["xn--a"],
    ["xn--a.com"],
    ["xn--.com"],
    ["xn--zzzzzz.com"],
    ["xn--99999999999.com"],
    ["xn--krank-kg706554a.com"],
    ["xn--mnchen-3YA.de"],
    ["XN--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de."],
    ["xn--mnchen-3ya..de"],
    ["xn--mnchen-3ya._tcp.de"],
    ["xn--mnchen-3ya.de/x"],
    ["münchen.de"],
    ["xn--münchen-3ya.de"],
    [""],
    ["."],
  ])("%j", (domain) => {
    expect(displayDomain(domain)).toEqual(asItIs(domain));
  });

  test("a domain of 228 octets is decoded, one of more than 253 is not", () => {
    const row = `${"a".repeat(56)}.`;
    const longest = `${row.repeat(3)}${"b".repeat(39)}.xn--mnchen-3ya.de`;
    expect(longest).toHaveLength(228);
    expect(displayDomain(longest).inDns).toBe(longest);
    const tooLong = row.repeat(5) + longest;
    expect(displayDomain(tooLong)).toEqual(asItIs(tooLong));
  });
});

describe("for any input", () => {
  const fromPool = (pool: string, maxLength = 12) =>
    fc.string({ unit: fc.constantFrom(...pool), minLength: 1, maxLength });
  const label = fc.oneof(
    fromPool("abcxyz019-"),
    fromPool("aäößéłø1-"),
    fromPool("раупемирждй1-"),
    fromPool("αλπος1-"),
    fromPool("日本一口ノカーへらん々1-"),
    fromPool("한국이1字"),
    fromPool("مثالב1ש"),
    fromPool("रामा्भत1"),
    fromPool("น้ำเไทยส1"),
    fromPool("abcdefghijklmnopqrstuvwxyz0123456789-").map((tail) => `xn--${tail}`),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );
  const soup = fc.array(label, { maxLength: 5 }).map((labels) => labels.join("."));
  const inALabels = soup.map((text) => toASCII(text) ?? text);
  const domains = fc.oneof(soup, inALabels, fc.domain());

  it("does not throw, and the result contains the domain unchanged", () => {
    fc.assert(
      fc.property(domains, (domain) => {
        const { shown, inDns } = displayDomain(domain);
        expect(inDns ?? shown).toBe(domain);
        expect(inDns).not.toBe(shown);
      }),
      { numRuns: 3000 },
    );
  });

  it("what is shown encodes to the domain, and contains only letters, marks, digits and hyphens", () => {
    let decoded = 0;
    fc.assert(
      fc.property(inALabels, (domain) => {
        const { shown, inDns } = displayDomain(domain);
        if (inDns === null) return;
        decoded++;
        expect(toASCII(shown)).toBe(domain);
        expect(shown).toMatch(/^(?!.*xn--)[\p{L}\p{Mn}\p{Mc}0-9.-]+$/u);
        expect(shown.normalize("NFC")).toBe(shown);
        expect(displayDomain(shown)).toEqual(asItIs(shown));
      }),
      { numRuns: 3000 },
    );
    expect(decoded).toBeGreaterThan(100);
  });
});
