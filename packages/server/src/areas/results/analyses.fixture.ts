import { expect } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

export const DAY = 86_400_000;
export const METRICS = [
  { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" },
  { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN" },
  { name: "Basket", id: "basket", event_type: "item", kind: "RATIO", denominator_event_type: "purchase" },
  { name: "Median", id: "median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
];

const params = { experiment_id: "x" };

/** Creates a server for analyses of experiment `x`, with a key that reads and writes. */
export async function createAnalysisServer() {
  const server: TestServer = await createTestServer();
  const key = await server.withKey(["read", "write"]);
  const at = (offset: number) => new Date(server.now() + offset).toISOString();
  return {
    ...server,
    key,
    params,
    /** Returns the time that many milliseconds from now, in ISO 8601. */
    at,
    /** Creates experiment `x`: ACTIVE, with two equal arms and the given changes. */
    create: (body: object = {}) =>
      server.admin.request("POST /experiments/", {
        body: {
          key: "x",
          name: "X",
          status: "ACTIVE",
          variants: [{ key: "a" }, { key: "b" }],
          metrics: METRICS,
          ...body,
        } as never,
      }),
    async report(events: object[]): Promise<void> {
      for (let from = 0; from < events.length; from += 5000) {
        await key.request("POST /tracking/events", { body: { events: events.slice(from, from + 5000) } as never });
      }
    },
    /**
     * Returns the events of `n` users per arm: a purchase a day before, the exposure, and a purchase by the arm's
     * share.
     */
    users: (n: number, share: { a: number; b: number }, prefix = "u"): object[] =>
      (["a", "b"] as const).flatMap((variant_id) =>
        Array.from({ length: n }, (_, index) => {
          const user_id = `${prefix}-${variant_id}-${index}`;
          const plan = index % 3 === 0 ? "pro" : "free";
          const spent = 10 + (index % 7);
          return [
            { event_type: "purchase", user_id, value: spent, timestamp: at(-DAY) },
            {
              event_type: "exposure",
              user_id,
              experiment_id: "x",
              variant_id,
              event_metadata: { plan },
              timestamp: at(-2),
            },
            ...(index % 100 < share[variant_id] * 100
              ? [
                  { event_type: "purchase", user_id, value: 2 * spent + (index % 3), timestamp: at(-1) },
                  { event_type: "item", user_id, timestamp: at(-1) },
                ]
              : []),
          ];
        }).flat(),
      ),
    sequential: (query: object = {}) =>
      key.request("GET /results/{experiment_id}/sequential", { params, query: query as never }),
    cuped: (query: object = {}) => key.request("GET /results/{experiment_id}/cuped", { params, query: query as never }),
    breakdown: (query: object = {}) =>
      key.request("GET /results/{experiment_id}/breakdown", { params, query: query as never }),
    timeseries: (query: object = {}) =>
      key.request("GET /results/{experiment_id}/timeseries", { params, query: query as never }),
  };
}

export type AnalysisServer = Awaited<ReturnType<typeof createAnalysisServer>>;

/** Expects every number in an answer to be finite. JSON turns others into null, which schemas do not always accept. */
export const isClean = (answer: unknown) => expect(JSON.stringify(answer)).not.toMatch(/NaN|Infinity/);
