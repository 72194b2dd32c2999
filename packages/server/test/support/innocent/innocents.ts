// The people, apps and APIs that a flood must not keep out, and what each of them does.

import type { UserAgent } from "domain-signin-demo/browser/user-agent";
import { from } from "../load/load.ts";
import { authorizationUrl, redemption, refresh } from "../sign-in.ts";
import { browserAt, movedTo, type World } from "./innocent-world.ts";
import { RefusedError, type Walked, walk } from "./walk.ts";

/** The service as it is in one cell. `round` is another one each time. */
export interface Scene {
  readonly world: World;
  readonly round: number;
  /** Where the innocent is. */
  readonly address: string;
  readonly retries: number;
}

/** What is done beneath the flood. */
type Act = () => Promise<void>;

export interface Innocent {
  readonly name: string;
  /** The domain of the innocent, which a flood may be aimed at. */
  domain(scene: Scene): string;
  /** Is at an address of the flood. */
  readonly isBesideFlood?: boolean;
  /** What has to be done before the flood; then what the innocent does. */
  prepare(scene: Scene): Promise<Act>;
}

const RESOURCE = "https://notes.example/api";

const newDomain = ({ round }: Scene) => `h254-new${round}.test`;

function wayOf({ world, retries }: Scene, domain: string, agent: UserAgent, asked = {}) {
  const { zones, client, issuer } = world;
  return {
    zones,
    client,
    agent,
    domain,
    retries,
    url: authorizationUrl({ issuer }, client, asked),
  };
}

/** A form post of a client, as an app or an API sends it. */
async function post(
  { world, address, retries }: Scene,
  path: string,
  caller: World["client"],
  form: Record<string, string>,
): Promise<Record<string, unknown>> {
  const basic = Buffer.from(`${caller.id}:${caller.secret}`).toString("base64");
  for (let left = retries; ; left--) {
    const response = await fetch(`${world.issuer}${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}`, ...from(address) },
      body: new URLSearchParams(form),
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (response.status === 200) return body;
    const said = `${response.status} ${JSON.stringify(body)} at ${path}`;
    const isRefused = response.status === 429 || response.status === 503;
    if (!isRefused) throw new Error(said);
    if (left === 0) throw new RefusedError(said);
  }
}

const redeem = (scene: Scene, { page }: Walked, more = {}) => {
  const code = new URL(page.url).searchParams.get("code") ?? "";
  const form = redemption(scene.world.client, { code, verifier: "" });
  return post(scene, "/oauth/token", scene.world.client, { ...form, ...more });
};

/** The session's owner signs in, long before the flood. */
function signedIn(scene: Scene, asked = {}): Promise<Walked> {
  const { world, address } = scene;
  const { session } = world.owners;
  const agent = movedTo(address, session, world.issuer);
  return walk(wayOf(scene, session.domain, agent, asked));
}

async function beginAsNewcomer(scene: Scene): Promise<Act> {
  const domain = newDomain(scene);
  return async () => {
    await redeem(scene, await walk(wayOf(scene, domain, browserAt(scene.address))));
  };
}

export const INNOCENTS: readonly Innocent[] = [
  { name: "a newcomer", domain: newDomain, prepare: beginAsNewcomer },
  {
    ...{ name: "a newcomer at the flooded address", isBesideFlood: true },
    ...{ domain: newDomain, prepare: beginAsNewcomer },
  },
  {
    name: "an owner with a session",
    domain: ({ world }) => world.owners.session.domain,
    prepare: async (scene) => async () => void (await redeem(scene, await signedIn(scene))),
  },
  {
    name: "an owner in a new browser, with a DNS challenge",
    domain: ({ world }) => world.owners.challenge.domain,
    async prepare(scene) {
      const { domain, codes } = scene.world.owners.challenge;
      const code = codes[scene.round % codes.length] ?? "";
      const way = wayOf(scene, domain, browserAt(scene.address));
      return async () => void (await redeem(scene, await walk({ ...way, code })));
    },
  },
  {
    name: "an owner with a passkey",
    domain: ({ world }) => world.owners.passkey.domain,
    async prepare(scene) {
      const { domain, passkey } = scene.world.owners.passkey;
      const way = wayOf(scene, domain, browserAt(scene.address));
      return async () => void (await redeem(scene, await walk({ ...way, passkey })));
    },
  },
  {
    name: "an app that redeems and refreshes",
    domain: ({ world }) => world.owners.session.domain,
    async prepare(scene) {
      const walked = await signedIn(scene);
      return async () => {
        let tokens = await redeem(scene, walked);
        for (let times = 0; times < 3; times++) {
          const form = refresh(String(tokens.refresh_token));
          tokens = await post(scene, "/oauth/token", scene.world.client, form);
        }
      };
    },
  },
  {
    name: "an API that introspects",
    domain: ({ world }) => world.owners.session.domain,
    async prepare(scene) {
      const asked = { resource: RESOURCE, scope: "openid notes:read" };
      const tokens = await redeem(scene, await signedIn(scene, asked), { resource: RESOURCE });
      const form = { token: String(tokens.access_token) };
      return async () => {
        for (let times = 0; times < 3; times++) {
          const { active } = await post(scene, "/oauth/introspect", scene.world.api, form);
          if (active !== true) throw new Error("the token is said to be of no use");
        }
      };
    },
  },
];
