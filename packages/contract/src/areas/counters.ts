import * as z from "zod";
import { IdOrKey, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

/** The names of all counters. */
export const COUNTERS = ["assignments", "events", "conversions"] as const;

/** A counter's name, case-insensitive. */
export const CounterName = z.preprocess(
  (value) => (typeof value === "string" ? value.toLowerCase() : value),
  z.enum(COUNTERS),
);
export type CounterName = z.infer<typeof CounterName>;

const counts = { assignments: z.int(), events: z.int(), conversions: z.int() };

/**
 * The counters of an experiment by variant, since the last reset; `totals` sums the variants. Each adds what was
 * incremented to what tracking has stored: users (`assignments`), their exposures and outcomes (`events`), and the
 * outcomes that a metric counts (`conversions`).
 */
export const Counters = z
  .object({
    experiment_id: z.string(),
    totals: z.object(counts),
    variants: z.array(z.object({ variant_id: z.string(), variant_key: z.string(), ...counts })),
    updated_at: Timestamp.nullable().meta({
      description: "Time of the last increment or counted event; null before the first",
    }),
  })
  .meta({ id: "Counters" });
export type Counters = z.infer<typeof Counters>;

export const CounterIncrement = z
  .object({
    variant_id: z.string().min(1).max(255).meta({ description: "Id or key of a variant" }),
    counter: CounterName,
    amount: z.int().min(1).max(1000).default(1),
  })
  .meta({ id: "CounterIncrement" });
export type CounterIncrement = z.infer<typeof CounterIncrement>;

const byExperimentId = z.object({ experiment_id: IdOrKey });
const counting = {
  auth: { user: "DEVELOPER", key: "write" },
  limit: "api",
  params: byExperimentId,
  idempotent: true,
  response: Counters,
} as const;

export const counters = defineArea({
  "GET /counters/{experiment_id}": {
    operationId: "counters.get",
    summary: "Retrieve the counters of an experiment",
    auth: { user: true, key: "read" },
    limit: "api",
    params: byExperimentId,
    response: Counters,
  },
  "POST /counters/{experiment_id}/increment": {
    ...counting,
    operationId: "counters.increment",
    summary: "Increment one counter",
    body: CounterIncrement,
  },
  "POST /counters/{experiment_id}/bulk": {
    ...counting,
    operationId: "counters.bulk",
    summary: "Increment several counters, all or none",
    body: z.object({ increments: z.array(CounterIncrement).min(1).max(100) }),
  },
  "DELETE /counters/{experiment_id}": {
    operationId: "counters.reset",
    summary: "Reset all counters of an experiment to 0",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byExperimentId,
    status: 204,
  },
});
