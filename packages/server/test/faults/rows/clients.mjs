// Faults of clients that nobody vetted: what their documents and registrations may contain.

import { conformance, flow, inFile, src } from "../row-helpers.mjs";

export const CLIENT_FAULTS = [
  ...inFile(src("clients/client-metadata"), flow("published-documents"), {
    "a client without a type is native if one of its redirect URIs is on the device": {
      find: 'redirectUris.some(isClaimableByAnyone) ? "native" : "web"',
      replace: '"web"',
      title: "a terminal program",
    },
  }),
  ...inFile(src("clients/document-reader"), flow("published-documents"), {
    "a document names no https redirect URI of another origin": {
      find: "isOfDevice || new URL(uri).origin === origin",
      replace: 'type === "native" || new URL(uri).origin === origin',
      title: "gets a page that says why",
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("published-documents"), {
    "a redirect URI with the scheme of browsers or devices is refused": {
      find: "COMMON_SCHEMES.has(name) || COMMON_KINDS.test(name)",
      replace: "COMMON_SCHEMES.has(name)",
      title: "gets a page that says why",
    },
  }),
  ...inFile(src("clients/document-reader"), flow("published-documents"), {
    "one unusable redirect URI leaves the others usable": {
      find: "uris.redirect_uris.length === 0 ? uris.refused.values() : []",
      replace: "uris.refused.values()",
      title: "a scheme of its own without a dot",
    },
  }),
  ...inFile(src("oauth/registration-endpoint"), flow("dynamic-registration"), {
    "a registration needs the initial access token where one is set": {
      find: "if (token === null || !isSecretOf(sha256(token), sent)) throw unknownToken();",
      replace: "void [token, sent];",
      title: "nobody registers without it",
    },
    "registrations are shared by network": {
      find: "    unusedClients.enter({ id: row.id, causedBy: networks, octets: 1 });\n",
      replace: "",
      title: "a flood from an address",
    },
    "a registration is managed by its own token alone": {
      find: "!row?.accessTokenHash || !isSecretOf(row.accessTokenHash, accessToken)",
      replace: "!row?.accessTokenHash",
      title: "is no use at another",
      test: flow("registration-management"),
    },
  }),
  ...inFile(src("clients/client-metadata"), flow("dynamic-registration"), {
    "a client that registered itself asks each time": {
      find: 'consent: "always",',
      replace: 'consent: "first",',
      title: "consent each time",
    },
  }),
  ...inFile(src("clients/client"), flow("dynamic-registration"), {
    "a client is called by the host that the person is sent to": {
      find: "own_name === undefined ? name : nameBehind(hostOf(redirectUri), own_name)",
      replace: "own_name === undefined ? name : own_name",
      title: "is called by the host",
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("dynamic-registration"), {
    "an error that nobody decided on is not redirected to a client that registered itself": {
      find: "client.document === true || client.dynamic === true",
      replace: "client.document === true",
      title: "is refused without PKCE",
    },
  }),
  ...inFile(src("store/issue"), flow("dynamic-registration"), {
    "no grant is made for a client that was removed": {
      find: "...(used ? [writeUse(used)] : []),",
      replace: "...(used ? [{ ...writeUse(used), when: false }] : []),",
      title: "a sign-in that ends after its client was removed",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("self-registered-clients"), {
    "a client that is used while it is cleaned up stays": {
      find: "AND ${isEnded} RETURNING 1 AS removed",
      replace: "RETURNING 1 AS removed",
      title: "whoever is first wins: none is used that is gone",
    },
  }),
  ...inFile(src("store/clients"), conformance("self-registered-clients"), {
    "a client that is used for the first time is not dropped": {
      find: 'const IS_UNUSED_CLIENT = "expires_at IS NOT NULL AND used_at IS NULL";',
      replace: 'const IS_UNUSED_CLIENT = "expires_at IS NOT NULL";',
      title: "while a removal waits for the row",
    },
    "a client is kept as long as its longest grant": {
      find: "CASE WHEN expires_at < ?2 THEN ?2 ELSE expires_at END",
      replace: "?2",
      title: "never for a shorter time",
    },
  }),
  ...inFile(src("oauth/registration-endpoint"), flow("registration-management"), {
    "a client that nobody used is removed without a walk through the grants": {
      find: "await registrations.removeUnusedClient(row.id)",
      replace: "false",
      title: "removes a client that nobody used",
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("published-documents"), {
    "an https URI in capitals is no URI of a device": {
      find: "!/^https:/i.test(uri)",
      replace: "!/^https:/.test(uri)",
      title: "gets a page that says why",
    },
  }),
  ...inFile(src("oauth/registration-endpoint"), flow("registration-management"), {
    "a registration does not change the hosts of its client": {
      find: "requireSameHosts(row.registration, wanted);",
      replace: "void requireSameHosts;",
      title: "cannot have people sent to another host",
    },
  }),
  ...inFile(src("clients/dynamic-client"), flow("registration-management"), {
    "a registration that is sent back as it was read stays as it is": {
      find: "    owner_proof: stored.owner_proof,\n",
      title: "the response to a read is sent back",
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("dynamic-registration"), {
    "an account brings only so many clients into use that registered themselves": {
      find: "if (client.isUnused) await",
      replace: "if (client.isUnused === null) await",
      title: "an account brings ten clients a day into use",
    },
  }),
];
