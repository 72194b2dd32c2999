// Faults in the requests that leave the service for places which strangers name.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const OUTGOING_FAULTS = [
  ...inFile(src("outgoing/guarded-fetch"), testOf("outgoing/connection"), {
    "every address of a name must be public": {
      find: "if (!all.every(isPublicUnicast))",
      replace: "if (!all.some(isPublicUnicast))",
    },
    "no private address is connected to": {
      find: 'if (!all.every(isPublicUnicast)) throw refused("not_public");',
    },
    "what nobody wants to read is cut off": {
      find: "      limit.abort();\n",
      title: "what nobody wants to read is cut off",
      test: testOf("outgoing/limits"),
    },
  }),
  ...inFile(src("outgoing/request"), testOf("outgoing/connection"), {
    "what is cut off is not taken for the whole": {
      find: "  limit.signal.throwIfAborted();\n",
      test: testOf("outgoing/guarded-fetch"),
    },
    "Node connects to the addresses that were checked, and does not resolve the name": {
      find: "    lookup: (_name, _options, callback) => process.nextTick(callback, null, checked),\n",
      title: "Node does not resolve the name itself",
    },
    "the TLS server name is that of the URL": {
      find: "servername: url.hostname,\n",
      replace: 'servername: "",\n',
      title: "the TLS server name and the Host header are those of the URL",
    },
    "the Host header is that of the URL, and not of the caller": {
      find: "      host: url.host,\n",
      title: "the TLS server name and the Host header are those of the URL",
    },
    "a connection that leads to another address is not spoken on": {
      find: "if (!addresses.includes(address)) return",
      replace: 'if (address === "") return',
      title: "turns out to lead to another address",
    },
    "a certificate must be good, whatever the environment says": {
      find: "rejectUnauthorized: true",
      replace: "rejectUnauthorized: false",
    },
    "a certificate must be for the name that was asked": {
      find: "servername: url.hostname,",
      replace: "servername: url.hostname, checkServerIdentity: () => undefined,",
    },
    "TLS is 1.2 or newer": {
      find: '    minVersion: "TLSv1.2",\n',
      title: "speaks no newer TLS than 1.1",
    },
  }),
  ...inFile(src("outgoing/request"), testOf("outgoing/request"), {
    "a redirect is not followed, nor passed on": {
      find: 'if (isRedirect(status)) throw new GuardedFetchError("redirect", host);',
      title: "a redirect is not followed",
    },
    "only a request that says so follows a redirect": {
      find: "while (content.withinOrigin && isRedirect(",
      replace: "while (isRedirect(",
      title: "a redirect is not followed",
    },
    "the connection of a redirect is closed": {
      find: "    answer.destroy();\n",
      title: "closes the connection of a redirect",
      test: testOf("outgoing/redirect"),
    },
  }),
  ...inFile(src("outgoing/request"), testOf("outgoing/redirect"), {
    "a redirect stays at its origin": {
      find: "if (to.origin !== from.origin || to.protocol !== from.protocol)",
      replace: 'if (to.origin === "null")',
      title: "does not leave its origin",
    },
    "another port or scheme is another origin": {
      find: "to.origin !== from.origin ||",
      replace: "to.hostname !== from.hostname ||",
      title: "to another origin: https://sp.example:8443/metadata",
    },
    "three redirects are followed and not more": {
      find: "if (visited.length > MAX_REDIRECTS)",
      replace: "if (visited.length > 100 * MAX_REDIRECTS)",
      title: "does not leave its origin, and sends three more requests at most",
    },
    "a loop of redirects is not followed": {
      find: "if (visited.some(({ href }) => href === to.href))",
      replace: "if (visited.length === 0)",
      title: "back to a URL before the last",
    },
    "a redirect brings no password": {
      find: 'if (to.username !== "" || to.password !== "")',
      replace: 'if (to.username === "nobody")',
      title: "with a password",
    },
  }),
  ...inFile(src("outgoing/guarded-fetch"), testOf("outgoing/redirect"), {
    "what redirects takes one slot": {
      find: "      if (admitted.has(address)) return true;\n",
      title: "has one slot, and counts the connections to one address once",
    },
  }),
  ...inFile(src("outgoing/request"), testOf("outgoing/request"), {
    "only JSON is read": { find: 'if (!isJson) throw new GuardedFetchError("not_json", host);' },
    "an encoded body is not read": {
      find: 'if (encoding.toLowerCase() !== "identity")',
      replace: 'if (encoding === "")',
    },
    "64 KiB of a body are read": {
      find: "if (bytes > MAX_BODY_BYTES)",
      replace: "if (bytes > 2 * MAX_BODY_BYTES)",
      test: testOf("outgoing/limits"),
    },
    "interim answers and chunks are counted too": {
      find: "if (receivedBytes <= MAX_RECEIVED_BYTES) return;",
      replace: "if (receivedBytes > 0) return;",
      test: testOf("outgoing/limits"),
    },
    "no header of a stranger is passed on": {
      find: "headers: keptHeaders(answer) }",
      replace:
        "headers: { ...keptHeaders(answer), ...(headers.location && { location: headers.location }), ...(headers['set-cookie'] && { 'x-cookie': headers['set-cookie'][0] }) } }",
      title: "status, body, type and lifetime are given, and nothing else",
    },
  }),
  ...inFile(src("outgoing/guarded-fetch"), testOf("outgoing/target"), {
    "no user name and no password are sent along": {
      find: 'if (url.username !== "" || url.password !== "")',
      replace: 'if (url.username === "nobody")',
    },
    "plain HTTP goes nowhere but to localhost, and only where that is allowed": {
      find: "if (!(isLocal ? options.allowLoopback :",
      replace: "if (!(isLocal ? true :",
    },
    "a host is a DNS name and no address": {
      find: "if (!isLocal && !DNS_NAME.test(url.hostname))",
      replace: 'if (!isLocal && url.hostname === "")',
    },
    "a URL has one spelling": {
      find: "if (url.href !== text && url.href !== `${text}/`)",
      replace: "if (url.href.length > 2 * text.length + 2048)",
    },
  }),
  ...inFile(src("outgoing/public-address"), testOf("outgoing/public-address"), {
    "IPv6 outside of what was given out is not public": {
      find: 'return parsed.kind() === "ipv4" || parsed.match(globalUnicast());',
      replace: 'return parsed.kind() === "ipv4" || parsed.kind() === "ipv6";',
    },
    "an address has one spelling": {
      find: "if (parsed.toString() !== address || ",
      replace: "if (",
    },
    "private and reserved networks are not public": {
      find: '  if (parsed.range() !== "unicast") return false;\n',
    },
  }),
  ...inFile(src("outgoing/host-slots"), testOf("outgoing/host-slots"), {
    "known hosts have slots that strangers cannot take": {
      find: "return shares.known.roomFor(key, limits.known);",
      replace: "return shares.strangers.roomFor(key, limits.known);",
      title: "strangers that hold all of their slots take none of a known host",
    },
    "a few hosts do not take all slots": {
      find: "Math.ceil((limit * slots.free()) / limits.all)",
      replace: "limit",
      title: "16 known hosts that suddenly hang leave slots to another known one",
    },
    "one network does not take all slots": {
      find: "requester: !slots.isOpenFor(from.keys),",
      replace: "requester: false,",
      title: "a network that names 200 hosts leaves slots to another one",
    },
    "a host that timed out has one request at a time": {
      find: 'host: state === "hanging" ? 1 : strangers.host,',
      replace: "host: strangers.host,",
      title: "one request at a time until it responds",
    },
    "a stranger that timed out leaves its domain one request at a time": {
      find: "domain: hangingDomains.get(domain) ? 1 : strangers.domain,",
      replace: "domain: strangers.domain,",
      title: "one request at a time, whatever the host",
    },
    "connections are counted by address": {
      find: "if (isFull(key, limits.address)) return false;",
      title: "hosts at one address share its slots",
    },
  }),
  ...inFile(src("outgoing/guarded-fetch"), testOf("outgoing/guarded-fetch"), {
    "so many requests are sent a second, whoever causes them": {
      find: "if ((await rate.enter([{ lane: 0, ...from }], { waitMs })) === null) throw new BusyError();\n",
      title: "so many are sent a second",
    },
    "an error response makes no host known": {
      find: "slot.noteResponse(response.ok);",
      replace: "slot.noteResponse(true);",
      title: "so many go to one host, and the others wait for their turn",
    },
    "a timeout is remembered": {
      find: '      if (limit.signal.reason?.code === "timeout") slot.noteTimeout();\n',
      title: "a host that timed out has one until it responds",
    },
  }),
  ...inFile(src("outgoing/request"), testOf("outgoing/guarded-fetch"), {
    "a connection to an address without a free slot is closed": {
      find: 'if (!admit(address)) refused("busy", "limit: address");',
      replace: "admit(address);",
      title: "so many connections to one address are used",
    },
  }),
  ...inFile(src("http/listen"), flow("slow-requests"), {
    "a slow request times out": {
      find: "    requestTimeout: timeouts.requestMs,\n",
      replace: "    requestTimeout: 0,\n",
    },
  }),
];
