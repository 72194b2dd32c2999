// The only error of this package that an app needs to handle.

/**
 * Why verification failed. Codes are stable: an app may branch on them, and on nothing else.
 *
 * The options: `malformed_name`, `malformed_time`, `malformed_trust_anchor`,
 * `malformed_options`.
 *
 * The shape of validation_data: `malformed_data`, `unsupported_version`, `missing_part`,
 * `malformed_jws`, `malformed_claims`, `malformed_owner_proof`.
 *
 * The recipient and the request: `wrong_issuer`, `wrong_audience`, `wrong_redirect_uri`,
 * `wrong_request` (another sign-in: `cch` or `nonce`), `wrong_domain`, `wrong_access_token`,
 * `wrong_service_provider`, `wrong_account`, `assurance_too_low`.
 *
 * How it was signed: `wrong_type`, `wrong_algorithm`, `critical_header`, `key_not_in_record`,
 * `wrong_challenge`, `wrong_origin`, `wrong_rp_id`, `user_not_verified`.
 *
 * The proven record: `foreign_alias`, `no_record`, `invalid_record`, `ambiguous_record`,
 * `unsupported_record`, `disabled` (`sp=none`).
 *
 * The encoding and size of the chain: `malformed_chain`, `chain_too_long`, `too_many_records`,
 * `too_many_keys`, `too_many_signatures`, `too_many_aliases`, `alias_loop`.
 *
 * Its contents: `no_answer` (the requested record set is missing), `incomplete_chain` (a key set or
 * a delegation on the way to the root is missing), `unneeded_record`, `dname`.
 *
 * Signatures: `not_signed`, `foreign_signer` (a zone that may not sign this set), `wildcard`,
 * `not_yet_valid`, `expired`, `signature_too_old` (only with `maxSignatureAge`), `no_such_key`,
 * `unsuitable_key`, `bad_signature`.
 *
 * Trust in keys: `key_not_delegated`, `untrusted_root`, `unsupported_digest`,
 * `unsupported_algorithm`, `platform_unsupported` (this platform's WebCrypto lacks the algorithm).
 */
export type VerificationErrorCode =
  | "malformed_name"
  | "malformed_time"
  | "malformed_chain"
  | "chain_too_long"
  | "too_many_records"
  | "too_many_keys"
  | "too_many_signatures"
  | "too_many_aliases"
  | "alias_loop"
  | "no_answer"
  | "incomplete_chain"
  | "unneeded_record"
  | "dname"
  | "not_signed"
  | "foreign_signer"
  | "wildcard"
  | "not_yet_valid"
  | "expired"
  | "signature_too_old"
  | "no_such_key"
  | "unsuitable_key"
  | "bad_signature"
  | "key_not_delegated"
  | "untrusted_root"
  | "unsupported_digest"
  | "unsupported_algorithm"
  | "platform_unsupported"
  | "malformed_trust_anchor"
  | "malformed_options"
  | "malformed_data"
  | "unsupported_version"
  | "missing_part"
  | "malformed_jws"
  | "malformed_claims"
  | "malformed_owner_proof"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_redirect_uri"
  | "wrong_request"
  | "wrong_domain"
  | "wrong_access_token"
  | "wrong_service_provider"
  | "wrong_account"
  | "assurance_too_low"
  | "wrong_type"
  | "wrong_algorithm"
  | "critical_header"
  | "key_not_in_record"
  | "wrong_challenge"
  | "wrong_origin"
  | "wrong_rp_id"
  | "user_not_verified"
  | "foreign_alias"
  | "no_record"
  | "invalid_record"
  | "ambiguous_record"
  | "unsupported_record"
  | "disabled";

/** `message` is English for developers and may change; domain names in it are printable ASCII. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  readonly code: VerificationErrorCode;

  constructor(code: VerificationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
