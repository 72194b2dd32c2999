// Tests of clients: validation of registrations, display and caching.

import { beforeEach, describe, expect, it, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { type Clients, readClient } from "./client.ts";
import {
  type ClientRegistrationInput,
  clientRegistration,
  makeClient,
} from "./client-registration.ts";
import { clientView } from "./client-registry.ts";
import { createRegisteredClients } from "./registered-clients.ts";

const clock = clockFrom(() => 1_700_000_000_000);
const redirect_uris = ["https://app.example.org/callback"];

function make(input: Partial<ClientRegistrationInput> = {}) {
  const settings = { name: "App", redirect_uris, ...input };
  const { row, secret } = makeClient(settings, { random: systemRandom, clock });
  return { row, secret, client: readClient(row) };
}

/** Each mistake as `path message`. The registration may contain any JSON types. */
function mistakesIn(input: Record<string, unknown>): string[] {
  const { error } = clientRegistration.safeParse({ name: "App", redirect_uris, ...input });
  return error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`) ?? [];
}

describe("a registration", () => {
  const backchannel_logout_uri = "https://app.example.org/logout";
  const otherOrigin = "backchannel_logout_uri must have the same origin as a redirect_uri";
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      "an owner proof that nothing contains",
      { owner_proof: "required", validation_data: false },
      ['owner_proof cannot be "required" if validation_data is false'],
    ],
    ["one where it may be missing", { owner_proof: "when_available", validation_data: false }, []],
    ["one with validation data", { owner_proof: "required", validation_data: true }, []],
    [
      "a logout address of another origin",
      { backchannel_logout_uri: "https://other.example.org/logout" },
      [otherOrigin],
    ],
    [
      "a logout address without any redirect_uri",
      { backchannel_logout_uri, redirect_uris: "x" },
      ["redirect_uris Invalid input: expected array, received string", otherOrigin],
    ],
    ["a logout address of the same origin", { backchannel_logout_uri }, []],
    [
      "a logout address that is no text",
      { backchannel_logout_uri: 7 },
      ["backchannel_logout_uri Invalid input: expected string, received number"],
    ],
  ])("with %s", (_, input, expected) => {
    expect(mistakesIn(input).sort()).toEqual([...expected].sort());
  });

  it("that is no object is one mistake", () => {
    for (const input of [null, 7, "x"]) {
      expect(clientRegistration.safeParse(input).error?.issues).toHaveLength(1);
    }
  });

  it("needs a name and a redirect_uri, and has a default for all else", () => {
    expect(clientView(make().row)).toEqual({
      client_id: expect.stringMatching(/^dsid_[A-Za-z0-9_-]{22}$/),
      name: "App",
      type: "confidential",
      post_logout_redirect_uris: [],
      backchannel_logout_uri: "",
      owner_proof: "when_available",
      application_type: "web",
      redirect_uris,
      scope: "openid profile offline_access",
      default_scope: "",
      consent: "first",
      require_pkce: false,
      refresh_client_auth: "required",
      subject_type: "account",
      validation_data: true,
      id_token_signed_response_alg: "RS256",
      refresh_idle_lifetime: 30 * 86400,
      refresh_absolute_lifetime: 365 * 86400,
      refresh_retry_window: 30,
    });
  });

  test.each([
    ["native", ["http://127.0.0.1/cb"], "always"],
    ["native", ["com.example.app:/cb"], "always"],
    ["native", ["https://app.example.org/cb", "com.example.app:/cb"], "always"],
    ["native", ["https://app.example.org/cb"], "first"],
    ["web", ["http://localhost:3000/cb"], "first"],
  ] as const)("%s with %j asks for consent by default: %s", (application_type, uris, consent) => {
    expect(make({ application_type, redirect_uris: [...uris] }).client.consent).toBe(consent);
  });

  it("that says when to ask for consent is taken at its word", () => {
    const redirect_uris = ["http://[::1]/cb"];
    const native = make({ application_type: "native", redirect_uris, consent: "never" });
    expect(native.client.consent).toBe("never");
    expect(make({ consent: "always" }).client.consent).toBe("always");
  });

  it("of a public client always requires PKCE (RFC 9700 §2.1.1)", () => {
    expect(make({ type: "public" }).client.require_pkce).toBe(true);
    expect(make({ type: "public", require_pkce: false }).client.require_pkce).toBe(true);
    expect(make({ require_pkce: true }).client.require_pkce).toBe(true);
  });

  it("has its scopes in the order given, with one space between (RFC 6749 §3.3)", () => {
    expect(make({ scope: "  profile  openid " }).client.scope).toBe("profile openid");
  });

  it("reads back from its row as the same client", () => {
    const { row, client } = make({ type: "public", consent: "always", refresh_retry_window: 0 });
    expect(readClient(row)).toEqual(client);
    expect(row.createdAt).toBe(1_700_000_000);
  });

  it("that is older than a setting has the default of it", () => {
    const { row, client } = make();
    const { subject_type: _, validation_data: __, ...older } = JSON.parse(row.registration);
    expect(readClient({ ...row, registration: JSON.stringify(older) })).toEqual(client);
  });
});

describe("a registration is refused", () => {
  const scopes = (length: number) => Array.from({ length }, (_, index) => `s${index}`).join(" ");
  test.each([
    [{ name: "  " }, "name is empty"],
    [{ name: "x".repeat(101) }, "name is longer than 100 characters"],
    [{ redirect_uris: [] }, "redirect_uris must contain at least one entry"],
    [{ redirect_uris: ["http://app.example.org/"] }, /^redirect_uris.0 .*loopback/],
    [{ scope: "" }, "scope must contain 1 to 31 scopes"],
    [{ scope: "   " }, "scope must contain 1 to 31 scopes"],
    [{ scope: scopes(32) }, "scope must contain 1 to 31 scopes"],
    [{ scope: 'a"b' }, "scope contains a character that is not allowed in a scope"],
    [{ scope: "a\\b" }, "scope contains a character that is not allowed in a scope"],
    [{ scope: "a\tb" }, "scope contains a character that is not allowed in a scope"],
    [{ scope: "ä" }, "scope contains a character that is not allowed in a scope"],
    [{ scope: "a b a" }, "scope contains a duplicate scope"],
    [{ default_scope: "openid email" }, "default_scope contains email, which is not in scope"],
    [{ type: "secret" }, /^type /],
    [{ consent: "sometimes" }, /^consent /],
    [{ refresh_client_auth: "none" }, /^refresh_client_auth /],
    [{ validation_data: "false" }, /^validation_data /],
    [{ refresh_idle_lifetime: 59 }, /^refresh_idle_lifetime /],
    [{ refresh_absolute_lifetime: 1.5 }, /^refresh_absolute_lifetime /],
    [{ refresh_retry_window: -1 }, /^refresh_retry_window /],
    [{ client_secret: "mine" }, /client_secret/],
  ])("for %o", (input, mistake) => {
    expect(mistakesIn(input)).toEqual([
      typeof mistake === "string" ? mistake : expect.stringMatching(mistake),
    ]);
  });

  it("with all mistakes reported at once", () => {
    const mistakes = mistakesIn({
      name: "",
      scope: "a a",
      redirect_uris: ["javascript:alert(1)", "https://app.example.org/", "https://a.example/#x"],
    });
    expect(mistakes).toHaveLength(4);
    expect(mistakes.join("\n")).toMatch(/^name .*\nscope .*\nredirect_uris.0 .*\nredirect_uris.2 /);
  });

  it("with a bad redirect_uri reported beside a missing name or a value of the wrong type", () => {
    const redirect_uris = ["javascript:alert(1)"];
    const mistakes = mistakesIn({ name: undefined, consent: "sometimes", redirect_uris });
    const about = mistakes.map((line) => line.split(" ")[0]);
    expect(about).toEqual(["name", "consent", "redirect_uris.0"]);
  });

  it("with 31 scopes it is not: the access token's mask has room for them", () => {
    expect(mistakesIn({ scope: scopes(31) })).toEqual([]);
  });
});

describe("a client's secret", () => {
  it("is 256 random bits that no form-encoding changes, another for each client", () => {
    const { secret } = make();
    expect(secret).toMatch(/^dss_[A-Za-z0-9_-]{43}$/);
    expect(make().secret).not.toBe(secret);
  });

  it("is kept as its SHA-256 and shown to nobody afterwards, nor is the hash", () => {
    const { row, secret } = make();
    expect(row.secretHash).toBe(sha256(secret ?? ""));
    expect(JSON.stringify(row)).not.toContain(secret);
    const view = JSON.stringify(clientView(row));
    expect(view).not.toContain(secret);
    expect(view).not.toContain(row.secretHash);
    expect(view).not.toContain("ecret");
  });

  it("does not exist for a public client", () => {
    const { row, client, secret } = make({ type: "public" });
    expect([secret, row.secretHash, client.secrets]).toEqual([null, null, []]);
  });
});

test("what was left to its default follows a later change of what it depends on", () => {
  const { row } = make();
  expect(readClient(row).consent).toBe("first");
  const changed = {
    ...JSON.parse(row.registration),
    ...{ application_type: "native", redirect_uris: ["com.example.app:/cb"] },
  };
  expect(readClient({ ...row, registration: JSON.stringify(changed) }).consent).toBe("always");
  const said = JSON.stringify({ ...changed, consent: "never" });
  expect(readClient({ ...row, registration: said }).consent).toBe("never");
});

const store = fixture(openMemoryStore, "test");
let now: number;
let reads: number;
let clients: Clients;
beforeEach(() => {
  [now, reads] = [1_700_000_000_000, 0];
  const findClient = (id: string) => {
    reads++;
    return store.registrations.findClient(id);
  };
  ({ clients } = createRegisteredClients(
    { ...store.registrations, findClient },
    clockFrom(() => now),
  ));
});

describe("clients are remembered for five seconds", () => {
  it("so that many requests in a row cost one read, and a removed client is gone soon after", async () => {
    const { row, client } = make();
    await store.registrations.addClient(row);
    expect(await clients.find(row.id)).toEqual(client);
    await store.registrations.removeClient(row.id, 0);
    now += 4999;
    expect(await clients.find(row.id)).toEqual(client);
    expect(reads).toBe(1);
    now += 1;
    expect(await clients.find(row.id)).toBeNull();
    expect(reads).toBe(2);
  });

  it("counted from the read: being asked for does not keep a client alive", async () => {
    const { row } = make();
    await store.registrations.addClient(row);
    for (let second = 0; second < 11; second++) {
      await clients.find(row.id);
      now += 1000;
    }
    expect(reads).toBe(3);
  });

  it("but absence is not: a client works as soon as it is added", async () => {
    const { row } = make();
    expect(await clients.find(row.id)).toBeNull();
    await store.registrations.addClient(row);
    expect((await clients.find(row.id))?.client_id).toBe(row.id);
  });
});

describe("a client that is remembered", () => {
  const fresh = { forceRefresh: true };

  it("is read again after five seconds, or after one where its secret was wrong", async () => {
    const { row } = make();
    const { id } = row;
    await store.registrations.addClient(row);
    expect((await clients.find(id))?.client_id).toBe(id);
    now += 999;
    expect((await clients.find(id, fresh))?.client_id).toBe(id);
    expect(reads).toBe(1);
    now += 1;
    expect((await clients.find(id, fresh))?.client_id).toBe(id);
    expect(reads).toBe(2);
    now += 4999;
    await clients.find(id);
    expect(reads).toBe(2);
    now += 1;
    await clients.find(id);
    expect(reads).toBe(3);
  });

  it("is read once for all requests of the same moment, but for each whose secret was wrong", async () => {
    const { row } = make();
    const { id } = row;
    await store.registrations.addClient(row);
    const found = await Promise.all([1, 2, 3].map(() => clients.find(id)));
    expect(found.map((client) => client?.client_id)).toEqual([id, id, id]);
    expect(reads).toBe(1);
    now += 1000;
    await Promise.all([clients.find(id, fresh), clients.find(id, fresh)]);
    expect(reads).toBe(3);
  });

  it("is not replaced by what a read that began before has found", async () => {
    const { row } = make();
    const newer = { ...row, secretHash: sha256("a newer secret") };
    let respond = (_: ClientRow) => {};
    const slow = new Promise<ClientRow>((resolve) => {
      respond = resolve;
    });
    const rows = [slow, newer];
    const store = { findClient: async () => rows.shift() } as unknown as ClientStore;
    let now = 0;
    const { clients } = createRegisteredClients(store, { ...clock, monotonic: () => now });
    const first = clients.find(row.id);
    now = 1;
    await clients.find(row.id, { forceRefresh: true });
    respond(row);
    await first;
    const found = await clients.find(row.id);
    expect(found?.secrets.map(({ hash }) => hash)).toEqual([newer.secretHash]);
  });

  it("is read once as a caller, whether it is a client, a resource or nobody", async () => {
    const own = make().row;
    const api = { ...make().row, resource: "https://api.example.org" };
    const rows = new Map([own, api].map((row) => [row.id, row]));
    let reads = 0;
    const counted = {
      ...store.registrations,
      findClient: async (id: string) => {
        reads++;
        return rows.get(id) ?? null;
      },
    };
    const { clients, resources } = createRegisteredClients(counted, clock);
    expect((await resources.findCaller(own.id, {}))?.client_id).toBe(own.id);
    expect((await clients.find(own.id))?.client_id).toBe(own.id);
    expect(reads).toBe(1);
    expect((await resources.findCaller(api.id, {}))?.uri).toBe(api.resource);
    expect(reads).toBe(2);
    expect(await resources.findCaller("nobody", {})).toBeNull();
    expect(reads).toBe(3);
    // A resource is no client.
    expect(await clients.find(api.id)).toBeNull();
  });

  it("is forgotten with all others once there are 10,000", async () => {
    const { row } = make();
    let reads = 0;
    const findClient = async (id: string) => {
      reads++;
      return { ...row, id };
    };
    const store = { findClient } as unknown as ClientStore;
    const { clients } = createRegisteredClients(store, clock);
    for (let index = 0; index < 10_000; index++) await clients.find(`client ${index}`);
    await clients.find("client 0");
    expect(reads).toBe(10_000);
    await clients.find("one more");
    await clients.find("client 1");
    expect(reads).toBe(10_002);
  });
});
