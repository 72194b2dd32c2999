// Tests of client management by the operator: every change, and the message for every mistake.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { clockFrom } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { sha256, systemRandom } from "../lib/random.ts";
import type { Store } from "../store/store.ts";
import { clientRegistration } from "./client-registration.ts";
import { type ClientRegistry, createRegistries, type ResourceRegistry } from "./client-registry.ts";
import { readResource } from "./resource.ts";

const NOW = 1_800_000_000;
const GIVEN = { name: "App", redirect_uris: ["https://app.example.org/"] };
const STRANGER = "dsid_stranger";

const store = fixture(openMemoryStore, "test");
let registry: ClientRegistry;
let resources: ResourceRegistry;
let ready: Promise<unknown>;
beforeEach(() => {
  ready = Promise.resolve();
  ({ clients: registry, resources } = registriesOn(store));
});

function registriesOn(used: Store) {
  const clock = clockFrom(() => NOW * 1000);
  return createRegistries({ ...used, clock, random: systemRandom, ready });
}

const registryOn = (used: Store) => registriesOn(used).clients;

test("a new client is shown with its secret once, and never again", async () => {
  const { client_secret, ...added } = await registry.add(GIVEN);
  expect(added.client_id).toMatch(/^dsid_/);
  expect(client_secret).toMatch(/^dss_/);
  const defaults = { type: "confidential", scope: "openid profile offline_access" };
  expect(added).toMatchObject({ ...GIVEN, ...defaults });
  expect(await registry.show(added.client_id)).toEqual(added);
  expect(await registry.list()).toEqual([added]);
  expect((await registry.add({ ...GIVEN, type: "public" })).client_secret).toBeNull();
  expect(await registry.list()).toHaveLength(2);
  expect(await registry.show(STRANGER)).toBeNull();
});

describe("an update", () => {
  test("replaces what it names, and leaves the rest", async () => {
    const { client_id, client_secret: _, ...added } = await registry.add(GIVEN);
    const updated = await registry.update(client_id, { name: "New", consent: "always" });
    expect(updated).toEqual({ client_id, ...added, name: "New", consent: "always" });
    expect(await registry.show(client_id)).toEqual(updated);
  });

  test("that names nothing, or no client that there is, changes nothing", async () => {
    const { client_id } = await registry.add(GIVEN);
    const nothing = new OperatorError("no changes were given");
    await expect(registry.update(client_id, {})).rejects.toThrow(nothing);
    expect(await registry.update(STRANGER, { name: "New" })).toBeNull();
  });

  test("that conflicts with a concurrent change is refused", async () => {
    const { client_id } = await registry.add(GIVEN);
    const raced = registryOn({
      ...store,
      registrations: { ...store.registrations, updateClient: async () => false },
    });
    await expect(raced.update(client_id, { name: "New" })).rejects.toThrow(
      new OperatorError(
        `client ${client_id} was changed by another request: check it and try again`,
      ),
    );
  });
});

describe("a new secret", () => {
  test("is returned once, and the previous one ends after the overlap", async () => {
    const { client_id, client_secret } = await registry.add(GIVEN);
    const rotated = await registry.rotateSecret(client_id, 60);
    expect(rotated).toEqual({
      client_id,
      client_secret: expect.stringMatching(/^dss_/),
      former_secret_expires_at: NOW + 60,
    });
    expect(await store.registrations.findClient(client_id)).toMatchObject({
      secretHash: sha256(rotated?.client_secret ?? ""),
      formerSecretHash: sha256(client_secret ?? ""),
      formerSecretExpiresAt: NOW + 60,
    });
  });

  test("leaves nothing of the previous one without an overlap, whatever a clock says later", async () => {
    const { client_id, client_secret } = await registry.add(GIVEN);
    const second = await registry.rotateSecret(client_id, 3600);
    const rotated = await registry.rotateSecret(client_id, 0);
    expect(rotated?.former_secret_expires_at).toBe(NOW);
    expect(await store.registrations.findClient(client_id)).toMatchObject({
      secretHash: sha256(rotated?.client_secret ?? ""),
      ...{ formerSecretHash: null, formerSecretExpiresAt: null },
    });
    const ended = [client_secret, second?.client_secret].map((secret) => ({
      ...{ clientId: client_id, secretHash: sha256(secret ?? ""), endedAt: NOW },
    }));
    expect(await store.registrations.endedSecrets()).toEqual(expect.arrayContaining(ended));
    expect(await store.registrations.endedSecrets()).toHaveLength(2);
  });

  test("ends nothing during its overlap, and the previous one can be ended once", async () => {
    const { client_id, client_secret } = await registry.add(GIVEN);
    expect(await registry.endSecret(client_id)).toBe(false);
    await registry.rotateSecret(client_id, 3600);
    expect(await store.registrations.endedSecrets()).toEqual([]);
    expect(await registry.endSecret(client_id)).toBe(true);
    expect(await store.registrations.findClient(client_id)).toMatchObject({
      formerSecretHash: null,
    });
    const secretHash = sha256(client_secret ?? "");
    expect(await store.registrations.endedSecrets()).toEqual([
      { clientId: client_id, secretHash, endedAt: NOW },
    ]);
    expect(await registry.endSecret(client_id)).toBe(false);
    expect(await registry.endSecret(STRANGER)).toBeNull();
  });

  test("is for confidential clients that there are", async () => {
    const { client_id } = await registry.add({ ...GIVEN, type: "public" });
    await expect(registry.rotateSecret(client_id, 60)).rejects.toThrow(
      new OperatorError(`client ${client_id} is public and has no secret`),
    );
    expect(await registry.rotateSecret(STRANGER, 60)).toBeNull();
  });

  test("is refused if it was rotated at the same time", async () => {
    const { client_id } = await registry.add(GIVEN);
    const raced = registryOn({
      ...store,
      registrations: { ...store.registrations, rotateClientSecret: async () => false },
    });
    await expect(raced.rotateSecret(client_id, 60)).rejects.toThrow(
      new OperatorError(`the secret of client ${client_id} was rotated by another request`),
    );
  });
});

test("a client is removed once", async () => {
  const { client_id } = await registry.add(GIVEN);
  expect(await registry.remove(client_id)).toBe(true);
  expect(await registry.remove(client_id)).toBe(false);
  expect(await registry.show(client_id)).toBeNull();
});

test("a scope with nothing behind it is not registered, and one that was registered before stays", async () => {
  const words =
    "scope (--scope) contains email phone, but the scopes are openid, profile, offline_access";
  const scope = "openid email phone";
  await expect(registry.add({ ...GIVEN, scope })).rejects.toThrow(new OperatorError(words));
  const { client_id } = await registry.add(GIVEN);
  const row = await store.registrations.findClient(client_id);
  const from = row?.registration ?? "";
  const to = JSON.stringify({ ...JSON.parse(from), scope });
  await store.registrations.updateClient(client_id, { from, to });
  expect(await registry.update(client_id, { name: "New" })).toMatchObject({ name: "New", scope });
  await expect(registry.update(client_id, { scope: `${scope} address` })).rejects.toThrow(
    "contains address, but",
  );
});

test("every mistake is reported with the name of its option", async () => {
  const wrong = { name: " ", redirect_uris: ["https://a.example/", "http://b.example/"] };
  const words = [
    "name (--name) is empty",
    "redirect_uris (--redirect-uri) http://b.example/ uses http for a host that is not loopback",
  ];
  const refused = new OperatorError(words.join("\n"));
  await expect(registry.add(wrong)).rejects.toThrow(refused);
  const { client_id } = await registry.add(GIVEN);
  await expect(registry.update(client_id, wrong)).rejects.toThrow(refused);
  await expect(registry.add({ ...GIVEN, redirect_uris: [] })).rejects.toThrow(
    new OperatorError("redirect_uris (--redirect-uri) must contain at least one entry"),
  );
  const scopeless = registry.add({ ...GIVEN, scope: "" });
  await expect(scopeless).rejects.toThrow("must contain 1 to 31 scopes");
});

describe("a mistake of a registration names the setting and its option", () => {
  const SETTINGS = `name type application_type redirect_uris post_logout_redirect_uris
    backchannel_logout_uri scope default_scope consent require_pkce refresh_client_auth subject_type
    validation_data owner_proof id_token_signed_response_alg refresh_idle_lifetime
    refresh_absolute_lifetime refresh_retry_window`.split(/\s+/);

  test("and these are all settings", () => {
    const known = Object.keys(clientRegistration.shape);
    expect([...SETTINGS].sort()).toEqual(known.sort());
  });

  test.each(SETTINGS)("%s", async (setting) => {
    const option = `--${setting.replace(/s$/, "").replaceAll("_", "-")}`;
    const wrong = { ...GIVEN, [setting]: {} } as unknown as typeof GIVEN;
    await expect(registry.add(wrong)).rejects.toThrow(
      new RegExp(`^${setting} \\(${option}\\) `, "m"),
    );
  });

  test("or what is no setting", async () => {
    const wrong = { ...GIVEN, colour: "red", "redirect-uri": "x" };
    const words = ["colour", "redirect-uri"].map((name) => `${name} is not a setting of a client`);
    await expect(registry.add(wrong)).rejects.toThrow(new OperatorError(words.join("\n")));
  });
});

test("a client with a redirect URI that could be registered before stays as it is, and can be changed", async () => {
  const { client_id } = await registry.add(GIVEN);
  const former = ["https://app.example.org/cb?state=1", "https://app.example.org/*"];
  const row = await store.registrations.findClient(client_id);
  const from = String(row?.registration);
  const to = JSON.stringify({ ...JSON.parse(from), redirect_uris: former });
  expect(await store.registrations.updateClient(client_id, { from, to })).toBe(true);
  expect(await registry.update(client_id, { name: "New" })).toMatchObject({
    ...{ name: "New", redirect_uris: former },
  });
  const more = [...former, "https://app.example.org/?iss=1"];
  await expect(registry.update(client_id, { redirect_uris: more })).rejects.toThrow(
    new OperatorError(
      'redirect_uris (--redirect-uri) https://app.example.org/?iss=1 has the parameter "iss" in its query, which the response adds',
    ),
  );
});

test("what is no mistake of the operator's stays what it is", async () => {
  const broken = new Error("no random octets");
  const random = () => {
    throw broken;
  };
  const clock = clockFrom(() => 0);
  const failing = createRegistries({ ...store, clock, random, ready }).clients;
  await expect(failing.add(GIVEN)).rejects.toBe(broken);
});

test("nothing is asked of a database that cannot be used", async () => {
  const away = new Error("the database is away");
  ready = Promise.reject(away);
  ready.catch(() => {});
  const waiting = registryOn({} as Store);
  for (const asked of [
    () => waiting.add(GIVEN),
    () => waiting.list(),
    () => waiting.show("a"),
    () => waiting.update("a", { name: "New" }),
    () => waiting.rotateSecret("a", 1),
    () => waiting.remove("a"),
  ]) {
    await expect(asked()).rejects.toBe(away);
  }
});

test("of a removed client both secrets are ended, so that no restored backup has them again", async () => {
  const { client_id, client_secret } = await registry.add(GIVEN);
  const rotated = await registry.rotateSecret(client_id, 60);
  expect(await registry.remove(client_id)).toBe(true);
  const hashes = [client_secret, rotated?.client_secret].map((secret) => sha256(secret ?? ""));
  expect(await store.registrations.endedSecrets()).toEqual(
    hashes.sort().map((secretHash) => ({ clientId: client_id, secretHash, endedAt: NOW })),
  );
  expect(await registry.remove(client_id)).toBe(false);
});

describe("a resource", () => {
  const API = "https://notes.example/api";
  const scopes = [{ name: "notes:read", description: "Read your notes" }];
  const shown = { resource: API, name: "Notes", scopes, signing_alg: "ES256" };

  test("is shown with its secret once, and keeps what an update does not name", async () => {
    const { client_secret, client_id, ...added } = await resources.add(API, {
      ...{ name: "Notes", scopes },
    });
    expect(client_secret).toMatch(/^dss_/);
    expect(added).toEqual(shown);
    expect(await resources.show(API)).toEqual({ client_id, ...shown });
    expect(await resources.list()).toEqual([{ client_id, ...shown }]);
    expect(await resources.idOf(API)).toBe(client_id);
    const updated = await resources.update(API, { signing_alg: "EdDSA" });
    expect(updated).toEqual({ client_id, ...shown, signing_alg: "EdDSA" });
    expect(await resources.show(API)).toEqual(updated);
  });

  test("gives each scope an id, which it keeps until it is removed", async () => {
    await resources.add(API, { name: "Notes", scopes });
    const stored = async () => {
      const row = await store.registrations.findResource(API);
      return row === null ? [] : readResource(row).scopes;
    };
    const [first] = await stored();
    expect(first?.id).toMatch(/^[\w-]{8}$/);
    const renamed = [{ name: "notes:read", description: "Read them" }];
    await resources.update(API, { scopes: renamed });
    expect(await stored()).toEqual([{ ...renamed[0], id: first?.id }]);
    await resources.update(API, { scopes: [] });
    await resources.update(API, { scopes });
    expect((await stored())[0]?.id).not.toBe(first?.id);
  });

  test("that is registered already is not registered again", async () => {
    await resources.add(API, { name: "Notes" });
    await expect(resources.add(API, { name: "Others" })).rejects.toThrow(
      new OperatorError(`the resource ${API} is registered already`),
    );
  });

  test("that there is not is neither shown nor changed, and an update names something", async () => {
    expect(await resources.show(API)).toBeNull();
    expect(await resources.idOf(API)).toBeNull();
    expect(await resources.update(API, { name: "New" })).toBeNull();
    await expect(resources.update(API, {})).rejects.toThrow("no changes were given");
  });

  test("with mistakes is refused with all of them", async () => {
    const mistaken = [
      { name: "openid", description: "Know you" },
      { name: "a", description: "Read" },
      { name: "a", description: "Read again" },
      { name: "", description: "Nothing" },
      { name: "b", description: "x".repeat(201) },
    ];
    const error = await resources
      .add("urn:notes", { name: "", scopes: mistaken })
      .catch(({ message }) => message.split("\n"));
    expect(error).toEqual([
      "the resource urn:notes must be an https URI with a host",
      "name (--name) is empty",
      "scopes (--scope) (no name) is not the name of a scope",
      "scopes (--scope) b has a description of more than 200 characters",
      "scopes (--scope) openid is a scope of this service",
      "scopes (--scope) a is given twice",
    ]);
    const own = { name: "openid", description: "Know you" };
    await expect(resources.add(API, { name: "Notes", scopes: [own] })).rejects.toThrow(
      "scopes (--scope) openid is a scope of this service",
    );
    expect(await resources.list()).toEqual([]);
  });
});
