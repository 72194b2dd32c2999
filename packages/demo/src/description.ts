// The description that `--json` prints on one line.

export interface DemoDescription {
  readonly v: 1;
  readonly pid: number;
  readonly issuer: string;
  readonly app: string;
  readonly zone_editor: string;
  /** "ip:port" */
  readonly dns: string;
  /** DS records of the signed root, in presentation format. */
  readonly trust_anchors: readonly string[];
  readonly clients: readonly DemoClient[];
  readonly domains: readonly { readonly domain: string; readonly signed: boolean }[];
  /** The second service and its app. It is the SP of a domain that is set up there. */
  readonly sp: {
    readonly issuer: string;
    readonly app: string;
    readonly clients: readonly DemoClient[];
  };
}

export interface DemoClient {
  readonly client_id: string;
  readonly client_secret: string | null;
  readonly type: "confidential" | "public";
  readonly application_type: "web" | "native";
  readonly redirect_uris: readonly string[];
  readonly scope: string;
  readonly consent: "first" | "never";
}
