// Faults in what strangers may cost: storage, the share of pages, and who goes first.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const STRANGER_FAULTS = [
  ...inFile(src("interaction/flow"), testOf("interaction/interaction"), {
    "a sign-in that nobody has proved is counted for its requester": {
      find: "    unproved.enter({ id, causedBy: networks, octets });\n",
      replace: "",
    },
  }),
  ...inFile(src("oauth/control-evidence"), testOf("oauth/control-evidence"), {
    "evidence has a place in the room of its requester": {
      find: "  room.enter({ id: grantId, causedBy: networks, octets: 400 + body.length });\n",
      replace: "",
    },
  }),
  ...inFile(src("interaction/flow"), testOf("interaction/interaction"), {
    "nothing that nobody has proved is stored for longer than an hour": {
      find: 'method === "passkey" ? PASSKEY_LIFETIME_S : UNPROVED_LIFETIME_S;',
      replace: 'method === "passkey" ? PASSKEY_LIFETIME_S : 24 * UNPROVED_LIFETIME_S;',
    },
  }),
  ...inFile(src("oauth/error-channels"), testOf("oauth/error-channels"), {
    "the page of a flood says the true wait": {
      find: "minutes: Math.ceil(error.retryAfter / 60)",
      replace: "minutes: 1",
    },
  }),
  ...inFile(src("http/stored-room"), testOf("http/stored-room"), {
    "what is proved leaves the room": {
      find: "    places.get(id)?.place.leave();\n    places.delete(id);",
      replace: "    places.delete(id);",
    },
    "a browser that came back keeps its row": {
      find: "    places.get(id)?.place.touch();",
      replace: "    places.get(id);",
    },
    "a walk takes no row for one of a user that it has dropped": {
      find: "else if (!dropped.has(row.id)) enter(row);",
      replace: "else enter(row);",
      title: "a walk learns of the rows",
    },
    "a row does not name its network": {
      find: "deps.mac(label, day * DAY_S).slice(0, MAC_CHARS)",
      replace: "key",
      title: "a row names neither its address",
    },
  }),
  ...inFile(src("store/interactions"), conformance("unproved"), {
    "a proof wins over a drop": {
      find: "\"(account_id IS NULL OR method = 'session') AND decision IS NULL\"",
      replace: '"decision IS NULL"',
    },
  }),
  ...inFile(src("interaction/kept-request"), testOf("interaction/kept-request"), {
    "a request from a cookie counts only if it is that of the row": {
      find: "(ofRow === null || hashOf(query) === ofRow)",
      replace: 'ofRow !== ""',
    },
  }),
  ...inFile(src("oauth/authorization-request"), testOf("oauth/authorization-request"), {
    "parameters that are not read are not kept": {
      find: "for (const name of KEPT_PARAMETERS) {",
      replace: "for (const name of parameters.values.keys()) {",
    },
  }),
  ...inFile(src("oauth/client-authentication"), testOf("oauth/client-assertion"), {
    "the assertions of self-registered clients are counted before they are stored": {
      find: "    if (client.document) assertionLimit.take(",
      replace: "    if (!client.document) assertionLimit.take(",
    },
  }),
  ...inFile(src("oauth/token"), testOf("oauth/token"), {
    "a public client with a token that was issued here is not limited for others at its address": {
      find: "authenticated.isProven || (await isOurs(",
      replace: "authenticated.isProven && (await isOurs(",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("clean-up"), {
    "the nonce goes after the code": {
      find: "        await sql.run(forgetNonces(inStep, `?${values.length + 1}`), ...values, madeBy);\n",
      title: "the nonce goes 15 minutes after the code",
    },
    "the nonce stays while the code may be redeemed, or its answer given again": {
      find: "const madeBy = time.ran - CODE_LIFETIME_S - EVIDENCE_AFTER_CODE_S;",
      replace: "const madeBy = time.ran;",
      title: "the nonce goes 15 minutes after the code",
    },
  }),
  ...inFile(src("store/grants"), conformance("revocation"), {
    "an interaction whose row is gone is no basis for a code": {
      find: "THEN 0 ELSE 1 END AS interaction_ended",
      replace: "THEN 0 ELSE 0 END AS interaction_ended",
    },
  }),
  ...inFile(src("http/network-weights"), testOf("http/network-weights"), {
    "an account raises the weight of a network once a day": {
      find: "keys.filter((key) => isFirst(`${accountId} ${key}`))",
      replace: "keys.filter((key) => key !== accountId)",
      title: "an account counts once a day for a network",
    },
    "an account raises the weights of four addresses a day": {
      find: "keys.length > 0 && PLACES.some((place) => isFirst(`${accountId} ${place}`))",
      replace: "keys.length > 0",
      title: "an account counts once a day for a network",
    },
    "a sign-in counts for seven days": {
      find: "day <= today() - DAYS * DAY_S",
      replace: "day < today() - DAYS * DAY_S",
      title: "a sign-in counts on its day and on the six days after it",
    },
    "what a database that is down has not saved is saved later": {
      find: "        for (const row of rows) keep(row);\n",
      replace: "",
      title: "what a database that is down has not saved",
    },
  }),
  ...inFile(src("telemetry/budgets"), testOf("telemetry/budgets"), {
    "a full limit makes one line in a minute": {
      find: "|| atMs - logged.atMs < ageMs",
      replace: "",
      title: "a flood makes one line in a minute",
    },
    "no line about a limit names a domain": {
      find: "isNetwork || IN_WORDS.has(key) ? key",
      replace: 'isNetwork || key !== "" ? key',
      title: "the largest user",
    },
  }),
  ...inFile(src("lib/fair-room"), testOf("lib/fair-room"), {
    "a full room takes from its largest user": {
      find: "let largest = bySize[0] as User<H>;",
      replace: "let largest = bySize.at(-1) as User<H>;",
    },
    "a network's weight counts as soon as it is learnt": {
      find: "while (isReweighed(users, largest)) largest = bySize[0] as User<H>;\n",
      replace: "",
    },
    "nobody who holds nothing is refused or gives way": {
      find: "mine !== null && shareOf(mine, size) > shareOf(largest) ? mine : largest;",
      replace:
        "mine !== null && shareOf(mine, size) > shareOf(largest) ? mine : largest;\n      if (own !== null && mine === null && size > largest.size) return null;",
    },
    "a network from which people sign in may hold more": {
      find: "return (user.size + more) / (user.weight *",
      replace: "return (user.size + more) / (1 *",
    },
    "a browser that came back keeps its place": {
      find: "(strange > 0 ? capacity : 0)",
      replace: "(strange > 0 ? 0 : 0)",
      title: "one whose browser came back stays",
    },
    "nothing young gives way before what is older": {
      find: "const isOtherFirst = stranger === null || (!isOld(stranger) && isOld(other));",
      replace: "const isOtherFirst = stranger === null;",
      title: "the oldest first",
    },
    "of equally large users, those of the largest group give way": {
      find: "return (groups.get(group) ?? 0) +",
      replace: "return (groups.get(group) ?? 0) * 0 +",
      title: "those of the largest group",
    },
    "users take turns": {
      find: "      unlink(turns, user);\n      append(turns, user);",
      replace: "      append(turns, user);",
      title: "take turns",
    },
  }),
  ...inFile(src("lib/fair-queue"), testOf("lib/fair-queue"), {
    "no lane starves another": {
      find: "if (ready.length > 0 && !ready.some(({ left }) => left > 0)) {",
      replace: "if (!ready.some(({ left }) => left > 0)) {",
    },
    "a gate that opens between two questions wakes the queue": {
      find: "asked.map(({ waitMs }) => waitMs || Number.POSITIVE_INFINITY)",
      replace: "asked.map(({ lane }) => lane.gate.waitMs() || Number.POSITIVE_INFINITY)",
      title: "a gate that opens while it is asked",
    },
    "what gives way in one lane waits in the next": {
      find: "isLast });\n      if (end !== null) return end;",
      replace: "isLast });\n      return end;",
    },
    "the reserve waits for no turn while the other half is free": {
      find: "for (const { lane, keys } of entries) {",
      replace: "for (const { lane, keys } of entries.slice(0, 1)) {",
    },
    "a task that waits once more is not counted as refused": {
      find: "if (isLast) lane.budget?.refused();",
      replace: "lane.budget?.refused();",
      title: "counted as refused only when both are not",
    },
  }),
  ...inFile(src("http/cookies"), testOf("http/cookies"), {
    "a browser that was made up is no browser of its own": {
      find: "tagged(browser.slice(0, RANDOM.chars)) === browser ? browser : undefined",
      replace: "browser || undefined",
      title: "only if this service made it",
    },
  }),
  ...inFile(src("lib/cache"), testOf("lib/cache"), {
    "a flood that gives way makes nobody wait for all of it": {
      find: "      const begun = reading.get(key);\n      const shared = begun === undefined ? null : await unlessBusy(begun);\n      if (shared !== null) return shared.value;\n",
      replace:
        "      for (let begun = reading.get(key); begun !== undefined; begun = reading.get(key)) {\n        const shared = await unlessBusy(begun);\n        if (shared !== null) return shared.value;\n      }\n",
      title: "not one after another",
    },
  }),
  ...inFile(src("http/page-turns"), testOf("http/page-turns"), {
    "browsers of one address take turns": {
      find: "UNNAMED + own.slice(0, 11)",
      replace: "UNNAMED + own.slice(0, 0)",
    },
    "a returning browser has a lane of its own": {
      find: "[{ lane: 0, keys: returning }, stranger]",
      replace: "[stranger, { lane: 0, keys: returning }]",
    },
  }),
  ...inFile(src("sessions/returning-browser"), testOf("sessions/returning-browser"), {
    "a returning browser proves it by a MAC": {
      find: "timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(since, labels)))",
      replace: "timingSafeEqual(Buffer.from(mac), Buffer.from(mac))",
    },
  }),
  ...inFile(src("sign-in/check"), flow("check-page"), {
    "the looks of a check count for the network of who asks": {
      find: "requesterAt(http.clientAddress, false)",
      replace: 'requesterAt("", false)',
      test: testOf("sign-in/check"),
    },
    "a check is made by no page of another site": {
      find: "typed === null || isOfOtherSite(http)",
      replace: "typed === null",
      title: "a page of another site",
    },
  }),
  ...inFile(src("dns/new-records"), testOf("dns/new-records"), {
    "what a stranger is told of a record does not depend on accounts": {
      find: "lookFor(domain, { sp: null }, looked, async () => true),",
      replace: "lookFor(domain, { sp: null }, looked, (named) => isAccount(domain, named)),",
      title: "for a stranger, a record that only some",
    },
  }),
  ...inFile(src("dns/sp-record"), flow("check-page"), {
    "what a stranger is told of a domain without a registration does not depend on accounts": {
      find: "mayBeUnregistered: true",
      replace: "mayBeUnregistered: accepted === null",
      title: "from a domain that is no longer registered",
    },
  }),
  ...inFile(src("sign-in/verdict"), testOf("sign-in/verdict"), {
    "a verdict is not cut inside of what it quotes": {
      find: "const from = quoted === -1 ? 0 : quoted + about.length;",
      replace: "const from = 0;",
    },
  }),
  ...inFile(src("lib/lines"), testOf("lib/lines"), {
    "requests for one row run one after another": {
      find: "if (line === undefined) {",
      replace: "if (line === undefined || line.waiting.size >= 0) {",
    },
  }),
];
