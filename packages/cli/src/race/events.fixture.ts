import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type Check, createExperiment, DEADLINE_MS, type Node, onAll, statusesOf } from "./nodes.fixture.ts";

const countersOf = async ({ client }: Node, experiment_id: string) =>
  (await client.request("GET /counters/{experiment_id}", { params: { experiment_id } })).totals;

const INCREMENTS = 10;

const counters: Check = {
  name: "counters have the sum of what all servers counted",
  async run(race) {
    const { id } = await createExperiment(race, { key: `counted-${race.round}` });
    let sum = 0;
    const amounts = new Map(
      race.nodes.map((node) => [node, Array.from({ length: INCREMENTS }, () => 1 + race.random.below(9))]),
    );
    for (const amount of [...amounts.values()].flat()) sum += amount;
    const params = { experiment_id: id };
    await onAll(race, async ({ client, ...node }) => {
      const own = amounts.get(race.nodes.find(({ name }) => name === node.name)!)!;
      const [first = 0, second = 0, ...others] = own;
      const one = { variant_id: "a", counter: "conversions" } as const;
      await Promise.all(
        others.map((amount) =>
          client.request("POST /counters/{experiment_id}/increment", { params, body: { ...one, amount } }),
        ),
      );
      const increments = [
        { ...one, amount: first },
        { ...one, variant_id: "b", amount: second },
      ];
      return client.raw("POST /counters/{experiment_id}/bulk", { params, body: { increments } });
    });
    for (const node of race.nodes) expect((await countersOf(node, id)).conversions).toBe(sum);
  },
};

const USERS = 40;

const duplicates: Check = {
  name: "an event that is sent to all servers counts once",
  async run(race) {
    const { id, key } = await createExperiment(race, { key: `tracked-${race.round}` });
    const events = Array.from({ length: USERS }, (_, user) => ({
      event_id: `${race.round}-${user}`,
      user_id: `${race.round}-${user}`,
      experiment_id: key,
      event_type: "exposure",
      variant_id: user % 2 ? "b" : "a",
    }));
    const answers = await onAll(race, ({ client }) =>
      client.raw("POST /tracking/events", { body: { events: race.random.shuffled(events) } }),
    );
    const sumOf = (field: "accepted" | "duplicates") =>
      answers.reduce((sum, { answer }) => sum + Number(answer?.[field]), 0);
    expect([sumOf("accepted"), sumOf("duplicates")]).toEqual([USERS, 3 * USERS]);
    const params = { experiment_id: id };
    for (const node of race.nodes) {
      const { sample_size } = await node.client.request("GET /results/{experiment_id}", { params });
      expect(sample_size.control + sample_size.treatment).toBe(USERS);
      expect(await countersOf(node, id)).toEqual({ assignments: USERS, events: USERS, conversions: 0 });
    }
  },
};

const idempotency: Check = {
  name: "a request with the same Idempotency-Key on all servers has one effect and one answer",
  async run(race) {
    const { id } = await createExperiment(race, { key: `once-${race.round}` });
    const untilAnswered = async <Answer>(send: () => Promise<Answer>) => {
      for (const end = performance.now() + DEADLINE_MS; ; await wait(5)) {
        try {
          return await send();
        } catch (error) {
          // Another server performs the request.
          if ((error as { status?: number }).status !== 409 || performance.now() > end) throw error;
        }
      }
    };
    const call = { idempotencyKey: `race-${race.round}`, retries: 0 };
    const counted = await onAll(race, ({ client }) =>
      untilAnswered(() =>
        client.raw("POST /counters/{experiment_id}/increment", {
          ...call,
          params: { experiment_id: id },
          body: { variant_id: "a", counter: "events", amount: 5 },
        }),
      ),
    );
    expect(new Set(counted.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    for (const node of race.nodes) expect((await countersOf(node, id)).events).toBe(5);
    const body = { name: `Once ${race.round}`, variants: [{ key: "a" }, { key: "b" }] };
    const made = await onAll(race, ({ client }) =>
      untilAnswered(() => client.raw("POST /experiments/", { ...call, idempotencyKey: `made-${race.round}`, body })),
    );
    expect(statusesOf(made)).toEqual([201, 201, 201, 201]);
    expect(new Set(made.map(({ answer }) => answer!.id)).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
    const search = { query: { search: body.name, limit: 10 } };
    for (const { client } of race.nodes) {
      await expect.poll(async () => (await client.request("GET /experiments/", search)).total).toBe(1);
    }
  },
};

const assignment: Check = {
  name: "a user whom all servers see first at once gets one variant, while the weights change",
  async run(race) {
    const { id, variants } = await createExperiment(race, {
      key: `sticky-${race.round}`,
      allocation: "THOMPSON",
      metrics: [{ name: "Bought", event_type: "bought", kind: "CONVERSION" }],
    });
    const [a, b] = variants.map(({ id: variant }) => variant!);
    for (let user = 0; user < 10; user++) {
      const weights = user % 2 ? { [a!]: 1, [b!]: 0 } : { [a!]: 0, [b!]: 1 };
      const changed = race.random
        .one(race.nodes)
        .client.request("PUT /bandit/{experiment_id}/weights", { params: { experiment_id: id }, body: { weights } });
      const body = { user_id: `${race.round}-${user}`, experiment_id: id };
      const answers = await onAll(race, ({ client }) => client.raw("POST /tracking/assign", { body }));
      await changed;
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
      const [arm, ...others] = new Set(answers.map(({ answer }) => answer!.variant_key));
      expect(arm).toMatch(/^[ab]$/);
      expect(others).toEqual([]);
    }
    for (const node of race.nodes) expect((await countersOf(node, id)).assignments).toBe(10);
  },
};

export const EVENT_CHECKS: Check[] = [counters, duplicates, idempotency, assignment];
