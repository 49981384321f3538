import type { Bandit } from "@assay/contract";
import { bucket } from "@assay/core";
import type { AssayOptions } from "../../options.ts";
import { createTestServer } from "../../testing.fixture.ts";

export const MINUTE = 60_000;

/** Says of a user in an arm what they bought: nothing (0), or for how much. */
export type Behaviour = (variantKey: string, userId: string) => number;

/** A server with bandit `x` of arms `a` and `b`, ACTIVE by default, whose users buy as a `Behaviour` says. */
export async function createBanditServer(options: AssayOptions = {}) {
  const server = await createTestServer(options);
  const key = await server.withKey(["read", "write"]);
  const params = { experiment_id: "x" };
  let sent = 0;
  return {
    ...server,
    key,
    params,
    create: (body: object = {}) =>
      server.admin.request("POST /experiments/", {
        body: {
          key: "x",
          name: "X",
          status: "ACTIVE",
          allocation: "THOMPSON",
          variants: [{ key: "a" }, { key: "b" }],
          metrics: [{ name: "Bought", event_type: "purchase", role: "PRIMARY" }],
          ...body,
        } as never,
      }),
    /** So many new users get their arms where they are, and act; answers how many came into which arm. */
    async visit(count: number, behaviour: Behaviour, experiment = "x"): Promise<Record<string, number>> {
      const arms: Record<string, number> = {};
      const events: object[] = [];
      for (let index = 0; index < count; index++) {
        const user_id = `user-${sent++}`;
        const variant_id = server.assay.engine.assign(experiment, user_id)!.variant_key;
        arms[variant_id] = (arms[variant_id] ?? 0) + 1;
        events.push({ event_type: "exposure", user_id, experiment_id: experiment, variant_id });
        const value = behaviour(variant_id, user_id);
        if (value !== 0) events.push({ event_type: "purchase", user_id, value });
      }
      for (let from = 0; from < events.length; from += 5000) {
        await key.request("POST /tracking/events", { body: { events: events.slice(from, from + 5000) } as never });
      }
      // What changes from here on is later than what was.
      server.advance(MINUTE);
      return arms;
    },
    get: (client = server.admin) => client.request("GET /bandit/{experiment_id}", { params }),
    async update(client = server.admin) {
      const answer = await client.request("POST /bandit/{experiment_id}/update", { params });
      server.advance(MINUTE);
      return answer;
    },
    async setWeights(weights: Record<string, number>, client = server.admin) {
      const answer = await client.request("PUT /bandit/{experiment_id}/weights", { params, body: { weights } });
      server.advance(MINUTE);
      return answer;
    },
    results: () => key.request("GET /results/{experiment_id}", { params }),
  };
}

export type BanditServer = Awaited<ReturnType<typeof createBanditServer>>;

/** Users who buy with the rate of their arm, each deciding by their own hash. */
export const buying =
  (rates: Record<string, number>): Behaviour =>
  (variantKey, userId) =>
    bucket(userId, "buys") < rates[variantKey]! ? 1 : 0;

export const weightsOf = (answer: Bandit) =>
  Object.fromEntries(answer.weights.map(({ variant_key, weight }) => [variant_key, weight]));
