import { createClient } from "@assay/client";
import { expect } from "vitest";
import { PASSWORD } from "../cli.fixture.ts";
import { createFlag } from "./changes.fixture.ts";
import { type Check, type Node, onAll, refused, statusesOf, untilAll } from "./nodes.fixture.ts";

/** Signs in with a name that all servers know, on one of them. */
async function signIn({ client, url }: Node) {
  const { username } = await client.request("GET /auth/me");
  return createClient({ baseUrl: url }).request("POST /auth/login", { body: { username, password: PASSWORD } });
}

const refresh = ({ url }: Node, refresh_token: string) =>
  createClient({ baseUrl: url, retries: 0 }).raw("POST /auth/refresh", { body: { refresh_token } });

const rotation: Check = {
  name: "of requests with the same refresh token on all servers, one succeeds, and a repeat ends the session",
  async run(race) {
    const refresh_token = (await signIn(race.random.one(race.nodes))).refresh_token!;
    const answers = await onAll(race, (node) => refresh(node, refresh_token));
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401]);
    const next = answers.find(({ status }) => status === 200)!.answer!;
    const repeats = await onAll(race, (node) => refresh(node, refresh_token));
    expect(statusesOf(repeats)).toEqual([401, 401, 401, 401]);
    const successors = await onAll(race, (node) => refresh(node, next.refresh_token!));
    expect(statusesOf(successors)).toEqual([401, 401, 401, 401]);
    await untilAll(race.nodes, async ({ url }) => {
      const client = createClient({ baseUrl: url, accessToken: next.access_token });
      return (await client.request("GET /auth/me").catch(refused(401))) === null;
    });
  },
};

const wandering: Check = {
  name: "a session or key that another server created or refreshed is valid at once",
  async run(race) {
    const first = race.random.one(race.nodes);
    let tokens = await signIn(first);
    for (const node of race.random.shuffled(race.nodes)) {
      await createClient({ baseUrl: node.url, accessToken: tokens.access_token }).request("GET /auth/me");
      tokens = (await refresh(node, tokens.refresh_token!)).data;
    }
    const body = { name: `wandering-${race.round}`, scopes: ["read" as const] };
    const { key } = await first.client.request("POST /api-keys", { body });
    for (const { url } of race.nodes) await createClient({ baseUrl: url, apiKey: key! }).request("GET /feature-flags/");
  },
};

const lastAdministrator: Check = {
  name: "of administrators who demote each other on two servers, one remains",
  async run(race) {
    const [one, two] = race.random.shuffled(race.nodes) as [Node, Node];
    const password = PASSWORD;
    const own = await one.client.request("GET /users/me");
    const username = `deputy-${race.round}`;
    const deputy = await one.client.request("POST /users/", {
      body: { username, email: `${username}@example.org`, password, role: "ADMIN", is_superuser: true },
    });
    const clients = new Map([
      [one, { client: one.client, id: deputy.id }],
      [two, { client: createClient({ baseUrl: two.url, username, password }), id: own.id }],
    ]);
    await untilAll([two], async () =>
      Boolean(await clients.get(two)!.client.request("GET /auth/me").catch(refused(401))),
    );
    const demote = (node: Node, is_superuser = false) => {
      const { client, id } = clients.get(node)!;
      return client.raw("PUT /users/{user_id}", { params: { user_id: id }, body: { is_superuser } });
    };
    const answers = await onAll({ ...race, nodes: [one, two] }, (node) => demote(node));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    // The administrator of the other checks gets the rank back, and is the only one again.
    if (done[0]!.node === two) {
      await demote(two, true);
      const params = { user_id: own.id };
      const isBack = async ({ client }: Node) =>
        (await client.request("GET /users/{user_id}", { params })).is_superuser;
      await untilAll(race.nodes, isBack);
      await demote(one);
    }
    await untilAll(race.nodes, async ({ client }) => {
      const { items } = await client.request("GET /users/", { query: { limit: 100 } });
      return items.filter((user) => user.is_superuser).length === 1;
    });
  },
};

const signUp: Check = {
  name: "of sign-ups with the same name on all servers, one succeeds",
  async run(race) {
    const username = `user-${race.round}`;
    const answers = await onAll(race, (node) =>
      createClient({ baseUrl: node.url, retries: 0 }).raw("POST /auth/signup", {
        body: { username, email: `${username}-${node.name.at(-1)}@example.org`, password: PASSWORD },
      }),
    );
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
  },
};

/** How long changes took to reach every server, in milliseconds. */
export const LATENCIES = { "a flag": [] as number[], "a revoked key": [] as number[] };

const propagation: Check = {
  name: "changed flags and revoked keys reach every server",
  async run(race) {
    const key = `reach-${race.round}`;
    await createFlag(race, key);
    const creator = race.random.one(race.nodes).client;
    const made = await creator.request("POST /api-keys", { body: { name: key, scopes: ["read"] } });
    const evaluate = ({ url }: Node) =>
      createClient({ baseUrl: url, apiKey: made.key!, retries: 0 })
        .request("POST /feature-flags/{key}/evaluate", { params: { key }, body: { user_id: "u" } })
        .catch(refused(401));
    await untilAll(race.nodes, async (node) => (await evaluate(node))?.enabled === true);
    const changer = race.random.one(race.nodes).client;
    await changer.request("PATCH /feature-flags/{id}/rollout", {
      params: { id: key },
      body: { rollout_percentage: 0 },
    });
    LATENCIES["a flag"].push(await untilAll(race.nodes, async (node) => (await evaluate(node))?.enabled === false));
    await race.random.one(race.nodes).client.request("DELETE /api-keys/{id}", { params: { id: made.id } });
    LATENCIES["a revoked key"].push(await untilAll(race.nodes, async (node) => (await evaluate(node)) === null));
  },
};

export const IDENTITY_CHECKS: Check[] = [rotation, wandering, signUp, lastAdministrator, propagation];
