// Faults in what is believed of the answers of DNS.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const VERDICT_FAULTS = [
  ...inFile(src("dns/validator"), testOf("dns/known-signatures"), {
    "a remembered signature is one of the same octets": {
      find: "signature, signed]);",
      replace: "signature]);",
      title: "of other octets, by another key, or with a changed bit is another one",
    },
    "only a good signature is remembered": {
      find: "if (isGood) good.set(id, true);",
      replace: "good.set(id, true);",
      title: "that is bad, or cannot be checked, is not remembered",
    },
  }),
  ...inFile(src("dns/assurance"), testOf("config/config"), {
    "answers that must be confirmed need three resolvers": {
      find: "resolvers >= RESOLVERS_FOR_A_MAJORITY",
      replace: "resolvers >= 0",
      title: "needs three resolvers",
    },
  }),
  ...inFile(src("dns/view"), testOf("dns/view-age"), {
    "an absence is as old as its newest denial": {
      find: "byAge(signaturesOf(sets.filter(isDenial))).slice(-1)",
      replace: "byAge(signaturesOf(sets.filter(isDenial))).slice(0, 1)",
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("dns/sp-record-assurance"), {
    "an older signature of the same data is not noted": {
      find: "answer.inception >= accepted.inception + NOTED_EVERY_S",
      replace: "answer.inception !== accepted.inception",
    },
  }),
  ...inFile(src("dns/view"), testOf("dns/view"), {
    "an alias must end at a name with the label of the record": {
      find: "labelsOf(end).includes(label)",
      replace: "labelsOf(end).length > 0",
      title: "to-web.alice.test",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/majority"), {
    "two sources must agree": {
      find: "largest.length >= rules.needed && largest.length > votesAgainst",
      replace: "largest.length > votesAgainst",
    },
    "more sources must say it than say otherwise": {
      find: " && largest.length > votesAgainst + pending;",
      replace: ";",
    },
    "a source that says bogus is a voice": {
      find: 'const bogus = unusable.filter(({ security }) => security === "bogus").length;',
      replace: "const bogus = 0;",
    },
    "a proof beats any number of answers without one": {
      find: '({ security }) => security === "secure" || !isProven',
      replace: "() => true",
    },
    "an answer with an older signature and other data needs all sources": {
      find: "mustBeUnanimous(largest, rules) ? isUnanimous : isFinal",
      replace: "isFinal",
      title: "older signature",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/random-looks"), {
    "one voice that says bogus does not veto an older signature that all others have": {
      find: "answers.length === largest.length &&",
      replace: "votesAgainst === 0 &&",
      only: "at what matters most",
    },
    "an older signature is not accepted while a source has not answered, in any order": {
      find: " && pending + unasked === 0;",
      replace: ";",
      only: "at what matters most",
    },
    "an older signature of the accepted data needs no more than the majority": {
      find: "accepted === null || accepted.key === group[0].key",
      replace: "accepted === null",
      only: "at what matters most",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/random-looks"), {
    "a source that is late does not keep the others from being asked": {
      find: "+ pending - late < rules.needed",
      replace: "+ pending < rules.needed",
      only: "at what matters most",
    },
  }),
  ...inFile(src("dns/assured-look"), flow("replayed-answers"), {
    "one resolver that replays an older answer gives no domain back to its former owner": {
      find: "sources.length === 1 ? 1 : 2;",
      replace: "sources.length === 1 ? 1 : 1;",
      title: "is not given back",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/signed-looks"), {
    "a look asks no more sources than must agree": {
      find: "count < rules.needed; count++",
      replace: "count < sources.length; count++",
      title: "costs one question",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/ask-sources"), {
    "sources that could still prove something else are waited for": {
      find: "pending === 0 || isProven",
      replace: "pending >= 0",
      title: "is waited for",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/ask-sources"), {
    "a look ends, though sources are silent": {
      find: "() => end(judge(voices, rules, { pending: 0, unasked: 0 })),",
      replace: "() => end(judge(voices, rules, { pending, unasked: 0 })),",
      title: "are silent",
    },
  }),
  ...inFile(src("dns/assured-look"), testOf("dns/assured-look"), {
    "one resolver is enough only if it is the only one": {
      find: 'minAssurance === "single" && sources.length === 1',
      replace: 'minAssurance === "single"',
    },
    "an answer is corroborated only by two of three resolvers": {
      find: "answers.length > 1 && sources.length >= RESOLVERS_FOR_A_MAJORITY",
      replace: "answers.length > 1",
    },
    "no insecure zone inside the domain gets rid of its signatures": {
      find: "!isAtOrBelow(zone, domain)) return view;",
      replace: "true) return view;",
      title: "inside the domain",
    },
    "a denial by opt-out of the domain itself does not outvote two resolvers with a record": {
      find: "zone === domain || ",
      title: "does not outvote two",
      test: testOf("dns/opt-out"),
    },
    "a record that is removed from an opt-out zone is absent, not bogus for ever": {
      find: "if (optOut) return {",
      replace: "if (optOut && false) return {",
      title: "sleeps and ends",
      test: flow("opt-out"),
    },
    "values in an opt-out zone need a signature": {
      find: "if (optOut)",
      replace: "if (true)",
      title: "are bogus",
      test: testOf("dns/opt-out"),
    },
    "a domain that was signed is not insecure at once": {
      find: "!(await signedBefore.mayBeInsecure(signed))",
      replace: "(await signedBefore.mayBeInsecure(signed)) === null",
      title: "signed recently",
    },
  }),
  ...inFile(src("dns/signed-before"), testOf("dns/signed-before"), {
    "two resolvers must prove that there is no DS record": {
      find: "const PROOFS_NEEDED = 2;",
      replace: "const PROOFS_NEEDED = 1;",
    },
    "one resolver that proves a DS record is enough": { find: " && !results.includes(false)" },
    "domains that cannot be settled do not keep later ones from their second look": {
      find: "          reached = one;\n",
      title: "reaches a domain behind hundreds",
    },
  }),
  ...inFile("packages/verify/src/dnssec/rrsig.ts", testOf("dns/validator-signatures"), {
    "a signature counts only from the zone of the set or one above": {
      find: " || !maySign(signer, set)",
      only: "not above it is bogus",
    },
  }),
  ...inFile("packages/verify/src/dnssec/insecurity.ts", testOf("dns/insecure-denials"), {
    "no DS record is left out without a proof": { find: "  if (proven === null) throw error;\n" },
  }),
  ...inFile(src("dns/look-cache"), testOf("dns/look-cache"), {
    "what was remembered is not taken where a fresh look is asked for": {
      find: 'const entry = freshness === "now" ? undefined : kept.get(name);',
      replace: "const entry = kept.get(name);",
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("dns/sp-record-assurance"), {
    "a record with too little assurance does not decide": {
      find: "isRecord && !isAtLeast(assurance, minAssurance)",
      replace: "isRecord && assurance === undefined",
    },
    "an answer to a challenge needs the assurance as well": {
      find: "if (isAtLeast(verdict.assurance, minAssurance)) return",
      replace: "if (true) return",
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("dns/sp-record-assurance"), {
    "a value from a wildcard is no record": {
      find: "if (isWildcard) {",
      replace: "if (isWildcard && values.length === 0) {",
      title: "wildcard",
    },
    "a value from a wildcard answers no challenge": {
      find: "!isWildcard && found.some",
      replace: "found.some",
      title: "answers no challenge",
    },
    "only keys that all agreeing answers have count": {
      find: "answer.record[tag].includes(key)",
      replace: "key !== null",
      title: "keys that all of them have",
    },
  }),
  ...inFile(src("dns/majority"), testOf("dns/majority"), {
    "the cause of a failure does not depend on the order of arrival": {
      find: ".sort((one, other) => rank(one) - rank(other))",
    },
  }),
  ...inFile(src("dns/bogus"), flow("dns-causes"), {
    "only a validation that failed is called so": {
      find: 'return CAUSES[code] ?? "validation_failed";',
      replace: 'return CAUSES[code] === undefined ? "validation_failed" : "validation_failed";',
    },
  }),
  ...inFile(src("dns/assured-look"), flow("check-sources"), {
    "a diagnosis asks the sources that the answer does not need, too": {
      find: "asked.get(source) ?? ask(source)",
      replace: "asked.get(source) ?? asked.get(sources[0])",
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("account/control"), {
    "an account is named by sp and acct together": {
      find: "return named?.sp === account.sp && named.acct === account.acct;",
      replace: "return named?.acct === account.acct;",
    },
  }),
  ...inFile(src("dns/look-cache"), testOf("dns/look-cache"), {
    "a look from before the clock was set back is not reused": {
      find: " || entry.look.checkedAt > now()",
      title: "of the future",
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("dns/record-reading"), {
    "an absence and a wildcard that is no record agree": {
      find: "return reading({ outcome }, records.map(foundWildcard));",
      replace: "return { ...reading({ outcome }, records.map(foundWildcard)), key: outcome };",
    },
  }),
];
