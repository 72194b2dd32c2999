// Faults in how DNS is asked.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const DNS_FAULTS = [
  ...inFile(src("dns/tls-connection"), testOf("dns/tls-connection"), {
    "a resolver by TLS has a certificate that holds for its name": {
      find: "rejectUnauthorized: !isAnyTimeValid",
      replace: "rejectUnauthorized: false",
      title: "but expired",
    },
    "questions on a connection that ends are asked once more": {
      find: "isVain || question.isRetried",
      replace: "isVain || true",
      title: "before an answer",
    },
    "questions in flight on a connection are bounded": {
      find: "inFlight.size >= limits.inFlight",
      replace: "false",
      title: "takes 5,000 questions",
    },
  }),
  ...inFile(src("dns/resolvers"), testOf("dns/resolvers"), {
    "a resolver is unreachable only if our own probe fails": {
      find: "isProbing = isWatched && lastHeard < began;",
      replace: "isProbing = isWatched;",
      title: "switches no resolver off",
    },
    "two resolvers are never set aside": {
      find: "Math.max(0, texts.length - LEAST)",
      replace: "texts.length",
      title: "two stay in their order",
    },
  }),
  ...inFile(src("lib/fair-queue"), testOf("dns/bounded"), {
    "one network cannot take all look-ups in flight": {
      find: "        if (free <= 0) return false;\n",
      title: "that one network asks for, another network finds room",
    },
  }),
  ...inFile(src("dns/record-source"), testOf("dns/bounded"), {
    "a source asks nothing more once the verdict is known": {
      find: "over?.aborted || ",
      title: "2.5 s after the verdict",
    },
  }),
  ...inFile(src("dns/server-address"), testOf("config/config"), {
    "a resolver does not count twice, with and without TLS": {
      find: "(!isBoth || one.port === other.port)",
      replace: "one.port === other.port",
      title: "lists a resolver twice",
    },
  }),
  ...inFile(src("dns/exchange"), testOf("dns/resolver"), {
    "a reply has the id of its question": {
      find: "octets.length < 2 || octets.readUInt16BE(0) !== query.id",
      replace: "octets.length < 2",
      title: "another id",
    },
    "a reply is no query": {
      find: "    message.isResponse &&\n",
      title: "the true one after it is: a query",
    },
    "a reply repeats the name of its question": {
      find: "repeated?.name === query.name &&",
      replace: "repeated !== undefined &&",
      title: "another name",
    },
    "a reply repeats the type of its question": {
      find: "    repeated.type === query.type &&\n",
      title: "another type",
    },
    "a reply repeats the class of its question": {
      find: "    repeated.class === classIn\n",
      replace: "    true\n",
      title: "another class",
    },
    "a reply has one question": {
      find: "    second === undefined &&\n",
      title: "two questions",
    },
    "a reply over TCP is whole": {
      find: 'return isCut ? { outcome: "malformed" } : reply;',
      replace: "return isCut ? reply : reply;",
      title: "truncation again is a failure",
    },
    "only the server that was asked is heard": {
      find: "    socket.connect(server.port, server.address);",
      replace: "    socket.send(encodeQuery(query), server.port, server.address);",
    },
  }),
  ...inFile(src("dns/resolver"), testOf("dns/resolver"), {
    "each question has an id that nobody can guess": {
      find: "random = () => randomInt(0x10000)",
      replace: "random = () => randomInt(1)",
      title: "with a new id from a new port each time",
    },
    "no other server is asked after a verdict of bogus": {
      find: 'if (answer.outcome !== "failed") break;',
      replace: 'if (answer.outcome === "answer") break;',
      title: "validated and found forgery is believed",
    },
    "a name with a record of the type asked for exists (showsAsked)": {
      find: "return showsAsked(message)",
      replace: "return message.truncated",
      title: "rcode 3",
    },
  }),
  ...inFile(src("dns/name-servers"), testOf("dns/host-addresses"), {
    "no address is taken from an answer that failed validation": {
      find: 'answer.outcome === "failed" || answer.outcome === "bogus"',
      replace: 'answer.outcome === "failed"',
    },
  }),
  ...inFile(src("dns/server-answer"), testOf("dns/server-answer"), {
    "an alias must keep the label of the record": {
      find: "if (!labelsOf(name).includes(label)) return",
      replace: "if (name === label) return",
    },
  }),
  ...inFile(src("dns/name-servers"), testOf("dns/name-servers"), {
    "a zone's own servers are asked at public addresses only": {
      find: "isOwn || !isPublicUnicast(address)",
      replace: "isOwn",
    },
    "nothing is sent to an address of this service": {
      find: "own.includes(address) ? null : reach(address)",
      replace: "reach(address)",
    },
    "two of three resolvers must agree on a delegation": {
      find: "RESOLVERS_FOR_A_MAJORITY ? AGREEING_RESOLVERS : 1",
      replace: "RESOLVERS_FOR_A_MAJORITY ? 1 : 1",
    },
  }),
  ...inFile(src("dns/zone-look"), testOf("dns/zone-look"), {
    "an answer without AA does not count": {
      find: '  if (!message.authoritative) return { outcome: "failed", reason: "refused" };\n',
    },
    "a referral leads only to a deeper zone": { find: "      record.name !== zone.apex &&\n" },
    "one look asks the resolvers a limited number of questions": {
      find: "searched + queries > MAX_QUERIES",
      replace: "searched < 0",
      title: "at most 40 questions",
    },
    "a search for name servers ends with the time of its look": {
      find: "return within(left, ask());",
      replace: "return ask();",
      title: "keep nobody waiting",
    },
  }),
  ...inFile(src("dns/name-servers"), testOf("dns/zone-look"), {
    "a question without a turn is no absence of name servers": {
      find: "if (end === null) throw new BusyError();",
      replace: "if (end === null) return [];",
      title: "then it is busy",
    },
  }),
  ...inFile(src("dns/diagnosis"), testOf("dns/requesters"), {
    "names below a domain are one look at a time for strangers": {
      find: "const inTurn = () => oneForStrangers(ownedDomain(domain), from, look);",
      replace: "const inTurn = look;",
      title: "strangers share one look at a time",
    },
    "who has the reserve does not wait for strangers": {
      find: "const isFree = from.isReserved || zones.begun(name) !== undefined;",
      replace: "const isFree = zones.begun(name) !== undefined;",
      title: "strangers share one look at a time",
    },
  }),
  ...inFile(src("http/requester"), flow("used-up-questions"), {
    "a set-up that began a minute ago has the reserve": {
      find: "one.startedAt <= now - RESERVED_AFTER_S",
      replace: "one.startedAt > now",
      title: "began a minute ago, and no resolver before them",
    },
  }),
  ...inFile(src("dns/diagnosis"), testOf("dns/diagnosis"), {
    "all name servers that answer must have the record, or one for 60 seconds": {
      find: "isLongSeen || !seen.includes(null)",
      replace: "isLongSeen || seen.some((since) => since !== null)",
    },
  }),
  ...inFile(src("dns/new-records"), flow("used-up-questions"), {
    "no resolver is asked for a record that the zone does not have yet": {
      find: 'if (zone.state !== "unseen") return spRecords.lookToDecide(',
      replace: "if (zone) return spRecords.lookToDecide(",
      test: flow("record-seen"),
    },
    "a stranger who uses up the questions to name servers does not end a set-up": {
      find: 'zone.state !== "unseen") return spRecords.lookToDecide(',
      replace: '!["unseen", "busy"].includes(zone.state)) return spRecords.lookToDecide(',
      test: testOf("dns/requesters"),
      title: "resolvers are asked, and the host for those with the reserve",
    },
    "a stranger who uses up the questions to name servers does not end a DNS challenge": {
      find: 'return zone.state === "unseen"\n',
      replace: 'return zone.state === "unseen" || zone.state === "busy"\n',
      test: testOf("dns/requesters"),
      title: "resolvers are asked, and the host for those with the reserve",
    },
  }),
  ...inFile(src("dns/new-records"), testOf("dns/new-records"), {
    "whether a zone is signed is asked without a question for a name below it": {
      find: 'if (zone.state === "unseen" && zone.apex !== null) return',
      replace: 'if (zone.state === "seen" && zone.apex !== null) return',
    },
  }),
  ...inFile(src("dns/view"), testOf("dns/sp-record"), {
    "what was meant as a record is told by octets, as every verifier does": {
      find: "rdatas.map(octetsOf)",
      replace: 'rdatas.map((rdata) => Buffer.from(octetsOf(rdata), "latin1").toString())',
    },
  }),
  ...inFile(src("dns/sp-record"), testOf("dns/sp-record"), {
    "another spelling of our own issuer is a mistake": {
      find: "allowIssuerPort, ownIssuer: issuer };",
      replace: "allowIssuerPort };",
    },
    "a busy service does not blame the DNS servers of the domain": { find: '  "busy",\n' },
  }),
  ...inFile(src("dns/diagnosis"), flow("used-up-questions"), {
    "a question without a turn is not an unreachable name server": {
      find: 'isBusy ? "busy" : "unreachable"',
      replace: '"unreachable"',
      title: "the page says for how long",
    },
  }),
  ...inFile(src("dns/resolver"), testOf("dns/extended-error"), {
    "what a resolver answers for a name that it blocks, or from old answers, is no answer": {
      find: 'if (kind === "blocked" || kind === "stale") return failed(kind);',
      replace: 'if (kind === "stale" && message.rcode === 2) return failed(kind);',
    },
  }),
  ...inFile(src("dns/extended-error"), testOf("dns/extended-error"), {
    "of several extended errors, a stale or blocked answer counts first": {
      find: "KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)",
      replace: "KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind)",
    },
  }),
  ...inFile(src("dns/panels"), testOf("dns/panels"), {
    "a zone that two providers serve is edited at neither for certain": {
      find: "nameServers.every((name) => isOwn(name) || isOther(name))",
      replace: "nameServers.every(() => true)",
    },
    "a provider is recognized by whole labels": {
      find: 'label.test(labels[first + index] ?? "")',
      replace: '(labels[first + index] ?? "").search(label.source.slice(1)) >= 0',
    },
  }),
  ...inFile(src("dns/zone-look"), testOf("dns/zone-panel"), {
    "a provider is not named for a zone whose name servers may not be asked": {
      find: "zone.nameServers.some(({ server }) => server !== null) ? zone.panel : null",
      replace: "zone.panel",
    },
  }),
  ...inFile(src("dns/wildcard"), testOf("dns/wildcard"), {
    "a page that looks every few seconds asks for wildcards once a minute": {
      find: "lost.set(key, wildcard, REMEMBERED_MS);",
    },
    "a domain that exists beside a wildcard is not said to lose it": {
      find: 'if (state === "absent") return null;',
    },
    "a domain with records of its own does not lose them with the wildcard": {
      find: 'state === "published" ? "" : wildcard.records',
      replace: 'state === "published" ? ofDomain : wildcard.records',
    },
  }),
  ...inFile(src("dns/mistake"), testOf("dns/mistake"), {
    "an old record beside the new one is told apart from two old ones": {
      find: 'isThere ? "old_beside_new" : "several"',
      replace: '"several"',
    },
  }),
  ...inFile(src("dns/registered-domain"), testOf("dns/registered-domain"), {
    "one resolver cannot say that a domain is not registered": {
      find: ".length >= needed;",
      replace: ".length >= 1;",
    },
  }),
];
