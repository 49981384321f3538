import { createTestServer } from "../../testing.fixture.ts";

/** Users of each arm who bought. */
export interface Played {
  control: number;
  treatment: number;
  /** Users of each arm. @default 500 */
  users?: number;
  /** Changes of the experiment. */
  body?: object;
}

/** Users who bought in the treatments of twenty small experiments. */
export const SMALL = [18, 22, 20, 25, 17, 21, 19, 24, 20, 16, 23, 18, 21, 20, 26, 19, 22, 17, 20, 21] as const;

/** The metric of the played experiments: the users who bought. */
export const BOUGHT = { id: "bought", name: "Bought", event_type: "purchase", role: "PRIMARY" } as const;

/** Creates a server on which tests play experiments with tracked events. */
export async function createPastExperiments() {
  const server = await createTestServer();
  const key = await server.withKey(["read", "write"]);

  /** Creates an ACTIVE experiment with two arms, and reports the exposures and purchases of its users. */
  async function play(name: string, { control, treatment, users = 500, body = {} }: Played): Promise<void> {
    const variants = [{ key: "control" }, { key: "treatment" }];
    const { id } = await server.admin.request("POST /experiments/", {
      body: { key: name, name, status: "ACTIVE", variants, metrics: [BOUGHT], ...body } as never,
    });
    const of = (variant_id: string, bought: number) =>
      Array.from({ length: users }, (_, index) => {
        const event = { user_id: `${name}-${variant_id}-${index}`, experiment_id: id, variant_id };
        const outcome = index < bought ? [{ ...event, event_type: "purchase", value: 10 }] : [];
        return [{ ...event, event_type: "exposure" }, ...outcome];
      }).flat();
    const events = [...of("control", control), ...of("treatment", treatment)];
    for (let from = 0; from < events.length; from += 2500) {
      await key.request("POST /tracking/events", { body: { events: events.slice(from, from + 2500) } as never });
    }
    server.advance(1000);
  }

  async function complete(name: string, winner?: string): Promise<void> {
    const params = { experiment_id: name };
    await server.admin.request("POST /experiments/{experiment_id}/complete", { params, body: { winner } as never });
    server.advance(1000);
  }

  /** Completes experiments of 100 users an arm without a winner. 20 users bought in control, and so many in treatment. */
  async function playSmall(treatments: readonly number[], name = "small"): Promise<void> {
    for (const [index, treatment] of treatments.entries()) {
      await play(`${name}-${index}`, { control: 20, treatment, users: 100 });
      await complete(`${name}-${index}`);
    }
  }

  return { ...server, key, play, complete, playSmall };
}
