// A pending sign-in as a value: what it waits for, what it has proved, and how its row stores both.

/** How the owner proves control of the domain. */
export type Method = "session" | "dns-setup" | "passkey" | "dns-challenge" | "external";

/** One pending authorization in one browser tab. */
export interface Interaction<P extends Progress = Progress> {
  readonly id: string;
  /** Hash of the cookie of its browser. */
  readonly browserHash: string;
  readonly clientId: string;
  /** The query of the authorization request, or the hash of a long query; see `interaction/kept-request`. */
  readonly query: string;
  readonly domain: string;
  readonly grantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly progress: P;
  /** The columns from which `progress` was read. A change of the progress compares them. */
  readonly version: ProgressColumns;
}

export type NewInteraction = Omit<Interaction, "version">;

/** Where a sign-in is. The owner is authenticated once, and from then on the progress stays `authenticated`. */
export type Progress = Proving | Authenticated;

/** The owner is not authenticated yet. `step` is the page on which the sign-in waits. */
export type Proving = DnsSetup | SetUpPasskey | AccountPasskey | DnsChallenge | External;

/** The record of a new account is to be published. */
export interface DnsSetup {
  readonly step: "dns-setup";
  /** Hash of a recovery code that was entered to see the record of a former account. The code is not used up. */
  readonly formerCode: string | null;
}

/** The record of a set-up was seen, and the passkey of that set-up creates the account. */
export interface SetUpPasskey {
  readonly step: "passkey";
  readonly owner: "set-up";
  readonly acct: string;
  readonly ceremony: Ceremony | null;
  readonly formerCode: string | null;
}

/** A passkey of the account is to sign a statement about this request. */
export interface AccountPasskey {
  readonly step: "passkey";
  readonly owner: "account";
  readonly acct: string;
  readonly ceremony: Ceremony | null;
}

/** A challenge record is to be published. */
export interface DnsChallenge {
  readonly step: "dns-challenge";
  readonly acct: string;
  /** The expected value of the challenge record. */
  readonly challenge: string;
  /** Hash of the recovery code that was entered. The authentication uses the code up. */
  readonly recoveryCode: string | null;
  /** A passkey that signed in this interaction, and that the challenge has to confirm. */
  readonly unconfirmed: { readonly credentialId: string; readonly expiresAt: number } | null;
}

/** The SP that the record names is to authenticate the owner. */
export interface External {
  readonly step: "external";
  readonly acct: string;
  /** JSON of `ExternalState`. */
  readonly state: string;
}

/** The statement that a passkey is asked to sign, and until when the signature counts. */
export interface Ceremony {
  readonly statement: string;
  readonly expiresAt: number;
}

export interface Authentication {
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly controlCheckedAt: number;
  /** The session that this authentication started or used. */
  readonly sid: string;
}

/** The owner is authenticated, and the person has still to see or answer what is not null. */
export interface Authenticated extends Authentication {
  readonly step: "authenticated";
  readonly method: Method;
  /** JSON of the proofs for this request, by an external SP or by the owner's passkey. */
  readonly proofs: string | null;
  /** The hash of the recovery code that this authentication used up. */
  readonly usedCode: string | null;
  /** Whether an owner who did not use a passkey of the account is asked for a new one, has added one, or goes on. */
  readonly recovery: "asked" | "added" | "done" | null;
  /** Recovery codes that the person has not saved yet. */
  readonly codes: UnsavedCodes | null;
  /** When the first event happened in another browser that this sign-in has to show. */
  readonly newsFrom: number | null;
  /** The answer to the request: the person's consent. For a change of the account, `allow` once the change was made. */
  readonly decision: "allow" | "deny" | null;
}

/** The codes of a new account, or codes that are offered in the place of a set of which few are left. */
export type UnsavedCodes =
  | { readonly of: "set-up" }
  /** The set that is to be replaced; null is the set of the set-up. */
  | { readonly of: "offer"; readonly replaces: string | null };

/** The columns that a change of the progress writes and compares. */
export interface ProgressColumns {
  readonly method: Method;
  readonly acct: string | null;
  readonly challenge: string | null;
  readonly recoveryHash: string | null;
  readonly external: string | null;
  readonly passkeyStatement: string | null;
  readonly passkeyExpiresAt: number | null;
  readonly recovery: Authenticated["recovery"];
  readonly codesSavedAt: number | null;
  readonly newsFrom: number | null;
  readonly decision: Authenticated["decision"];
}

/** The row. Nodes of the previous version read and write the same columns. */
export interface InteractionRow
  extends ProgressColumns,
    Omit<Interaction, "progress" | "version">,
    Pick<Authenticated, "proofs" | "usedCode"> {
  readonly accountId: string | null;
  readonly authTime: number | null;
  readonly amr: string | null;
  readonly controlCheckedAt: number | null;
  readonly sid: string | null;
  /** The set of recovery codes that this sign-in offers to replace; empty for the set of the set-up. */
  readonly codesOfferedFrom: string | null;
}

export function isAuthenticated(
  interaction: Interaction,
): interaction is Interaction<Authenticated> {
  return interaction.progress.step === "authenticated";
}

/** The value of a row. Throws for a row that this service does not write. */
export function interactionOf(row: InteractionRow): Interaction {
  const { id, browserHash, clientId, query, domain, grantId, createdAt, expiresAt } = row;
  const head = { id, browserHash, clientId, query, domain, grantId, createdAt, expiresAt };
  return { ...head, progress: authenticatedOf(row) ?? provingOf(row), version: row };
}

function authenticatedOf(row: InteractionRow): Authenticated | null {
  const { accountId, authTime, amr, controlCheckedAt, sid } = row;
  if (accountId === null || authTime === null || amr === null) return null;
  if (controlCheckedAt === null || sid === null) return null;
  const { method, proofs, usedCode, recovery, codesSavedAt, newsFrom, decision } = row;
  const codes = codesSavedAt === null ? codesOf(row) : null;
  const proof = { accountId, authTime, amr, controlCheckedAt, sid, method, proofs, usedCode };
  return { step: "authenticated", ...proof, recovery, codes, newsFrom, decision };
}

function codesOf({ method, codesOfferedFrom: from }: InteractionRow): UnsavedCodes | null {
  if (from !== null) return { of: "offer", replaces: from === "" ? null : from };
  return method === "dns-setup" ? { of: "set-up" } : null;
}

function provingOf(row: InteractionRow): Proving {
  const { id, method, acct, challenge, recoveryHash, external } = row;
  const { passkeyStatement: statement, passkeyExpiresAt: expiresAt } = row;
  const ceremony = statement === null || expiresAt === null ? null : { statement, expiresAt };
  if (method === "dns-setup") {
    if (acct === null) return { step: "dns-setup", formerCode: recoveryHash };
    return { step: "passkey", owner: "set-up", acct, ceremony, formerCode: recoveryHash };
  }
  if (method === "passkey" && acct !== null) {
    return { step: "passkey", owner: "account", acct, ceremony };
  }
  if (method === "dns-challenge" && acct !== null && challenge !== null) {
    const unconfirmed = ceremony === null ? null : unconfirmedOf(ceremony);
    return { step: "dns-challenge", acct, challenge, recoveryCode: recoveryHash, unconfirmed };
  }
  if (method === "external" && acct !== null && external !== null) {
    return { step: "external", acct, state: external };
  }
  throw new Error(`the row of interaction ${id} has the method ${method} and lacks its columns`);
}

/** No statement has this form, because statements are JSON. */
const UNCONFIRMED_PREFIX = "to be confirmed: ";

function unconfirmedOf({ statement, expiresAt }: Ceremony): DnsChallenge["unconfirmed"] {
  if (!statement.startsWith(UNCONFIRMED_PREFIX)) return null;
  return { credentialId: statement.slice(UNCONFIRMED_PREFIX.length), expiresAt };
}

const EMPTY_COLUMNS = {
  acct: null,
  challenge: null,
  recoveryHash: null,
  external: null,
  passkeyStatement: null,
  passkeyExpiresAt: null,
  recovery: null,
  codesSavedAt: null,
  newsFrom: null,
  decision: null,
} as const;

/** The columns that store the progress. `codesSavedAt` is the time at which a change says that the codes are saved. */
export function columnsOf(progress: Progress, codesSavedAt: number | null = null): ProgressColumns {
  switch (progress.step) {
    case "dns-setup":
      return { ...EMPTY_COLUMNS, method: "dns-setup", recoveryHash: progress.formerCode };
    case "passkey": {
      const { owner, acct, ceremony } = progress;
      const { statement = null, expiresAt = null } = ceremony ?? {};
      const signed = { acct, passkeyStatement: statement, passkeyExpiresAt: expiresAt };
      const columns = { ...EMPTY_COLUMNS, ...signed };
      if (owner === "account") return { ...columns, method: "passkey" };
      return { ...columns, method: "dns-setup", recoveryHash: progress.formerCode };
    }
    case "dns-challenge": {
      const { acct, challenge, recoveryCode, unconfirmed } = progress;
      return {
        ...EMPTY_COLUMNS,
        ...{ method: "dns-challenge", acct, challenge, recoveryHash: recoveryCode },
        passkeyStatement: unconfirmed && `${UNCONFIRMED_PREFIX}${unconfirmed.credentialId}`,
        passkeyExpiresAt: unconfirmed?.expiresAt ?? null,
      };
    }
    case "external": {
      const { acct, state } = progress;
      return { ...EMPTY_COLUMNS, method: "external", acct, external: state };
    }
    case "authenticated": {
      const { method, recovery, newsFrom, decision } = progress;
      return { ...EMPTY_COLUMNS, method, recovery, codesSavedAt, newsFrom, decision };
    }
  }
}

export function rowOf(interaction: NewInteraction): InteractionRow {
  const { progress, ...head } = interaction;
  const proof = progress.step === "authenticated" ? progress : UNPROVED;
  const { accountId, authTime, amr, controlCheckedAt, sid, proofs, usedCode } = proof;
  const proved = { accountId, authTime, amr, controlCheckedAt, sid, proofs, usedCode };
  return { ...head, ...columnsOf(progress), ...proved, codesOfferedFrom: null };
}

const UNPROVED = {
  accountId: null,
  authTime: null,
  amr: null,
  controlCheckedAt: null,
  sid: null,
  proofs: null,
  usedCode: null,
} as const;
