// The table of planted faults, put together from its parts.

import { ACCESS_TOKEN_FAULTS } from "./rows/access-tokens.mjs";
import { ACCOUNT_FAULTS } from "./rows/account.mjs";
import { BACKUP_FAULTS } from "./rows/backup.mjs";
import { BOUND_FAULTS } from "./rows/bounds.mjs";
import { CLIENT_FAULTS } from "./rows/clients.mjs";
import { CREDENTIAL_FAULTS } from "./rows/credentials.mjs";
import { DELIVERY_FAULTS } from "./rows/deliveries.mjs";
import { DNS_FAULTS } from "./rows/dns.mjs";
import { ENDING_FAULTS } from "./rows/endings.mjs";
import { EXTERNAL_FAULTS } from "./rows/external.mjs";
import { FEDERATION_FAULTS } from "./rows/federation.mjs";
import { FILE_FAULTS } from "./rows/files.mjs";
import { HTTP_FAULTS } from "./rows/http.mjs";
import { KEY_FAULTS } from "./rows/keys.mjs";
import { LOG_FAULTS } from "./rows/log.mjs";
import { MOVE_FAULTS } from "./rows/move.mjs";
import { OPERATOR_FAULTS } from "./rows/operator.mjs";
import { OUTGOING_FAULTS } from "./rows/outgoing.mjs";
import { PASSKEY_FAULTS } from "./rows/passkeys.mjs";
import { RESOURCE_FAULTS } from "./rows/resource.mjs";
import { ROOT_FAULTS } from "./rows/root.mjs";
import { SESSION_FAULTS } from "./rows/sessions.mjs";
import { SET_UP_FAULTS } from "./rows/set-up.mjs";
import { SIGN_IN_FAULTS } from "./rows/sign-in.mjs";
import { STORE_FAULTS } from "./rows/store.mjs";
import { STRANGER_FAULTS } from "./rows/strangers.mjs";
import { TIME_FAULTS } from "./rows/time.mjs";
import { TOKEN_FAULTS } from "./rows/tokens.mjs";
import { VERDICT_FAULTS } from "./rows/verdicts.mjs";
import { WRITER_FAULTS } from "./rows/writer.mjs";

/**
 * Each row is one fault: `file` is what it is planted in and `test` the test file that must find it, both as paths
 * in the repository. `guard` says which rule is broken. `find` occurs exactly once in the file, and `replace` is put
 * in its place. `title`, where it is there, is a part of the name of a test that must fail. `only` is the same for a
 * test file that takes long: no other of its tests is run.
 */
export const FAULTS = [
  ...DELIVERY_FAULTS,
  ...DNS_FAULTS,
  ...CLIENT_FAULTS,
  ...VERDICT_FAULTS,
  ...HTTP_FAULTS,
  ...OUTGOING_FAULTS,
  ...SET_UP_FAULTS,
  ...SIGN_IN_FAULTS,
  ...SESSION_FAULTS,
  ...ACCOUNT_FAULTS,
  ...PASSKEY_FAULTS,
  ...CREDENTIAL_FAULTS,
  ...EXTERNAL_FAULTS,
  ...FEDERATION_FAULTS,
  ...KEY_FAULTS,
  ...ENDING_FAULTS,
  ...OPERATOR_FAULTS,
  ...LOG_FAULTS,
  ...STORE_FAULTS,
  ...WRITER_FAULTS,
  ...STRANGER_FAULTS,
  ...BOUND_FAULTS,
  ...BACKUP_FAULTS,
  ...FILE_FAULTS,
  ...ROOT_FAULTS,
  ...TIME_FAULTS,
  ...MOVE_FAULTS,
  ...TOKEN_FAULTS,
  ...ACCESS_TOKEN_FAULTS,
  ...RESOURCE_FAULTS,
];
