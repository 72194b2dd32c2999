// What operators change with commands, as the log says it.

/** `command` is the name of the command; the other fields say what was changed. No field is a secret. */
export type OperatorChange =
  | { readonly command: `clients ${RegistryChange}`; readonly clientId: string }
  | { readonly command: `resources ${RegistryChange}`; readonly resource: string }
  /** Names of databases, without passwords. */
  | { readonly command: "move"; readonly from: string; readonly to: string }
  | { readonly command: "move --undo"; readonly from: string }
  | { readonly command: `sp ${"add" | "remove"}` | "check-sp"; readonly sp: string }
  | { readonly command: "restore"; readonly file: string; readonly previous: string | null }
  | { readonly command: "keys rotate"; readonly purpose: string }
  | { readonly command: "keys revoke"; readonly kid: string }
  // A MAC key has no kid.
  | { readonly command: "keys revoke"; readonly purpose: string; readonly id: number }
  | {
      readonly command: "accounts sign-out";
      readonly accountId: string;
      readonly domain: string;
      readonly apps: boolean;
    }
  | { readonly command: "accounts end"; readonly accountId: string; readonly domain: string }
  | {
      readonly command: "grants revoke";
      readonly accountId: string;
      readonly domain: string;
      /** Null for all clients. */
      readonly clientId: string | null;
    }
  /** Epoch seconds. */
  | { readonly command: "clock accept"; readonly before: number; readonly now: number }
  | { readonly command: "migrate"; readonly schema: number }
  | { readonly command: "mark accept"; readonly database: string }
  | {
      readonly command: "restored";
      readonly database: string;
      /** Why not all endings after the backup are known; empty if they are. */
      readonly undetermined: readonly string[];
    };

type RegistryChange = "add" | "update" | "rotate-secret" | "end-secret" | "remove";
