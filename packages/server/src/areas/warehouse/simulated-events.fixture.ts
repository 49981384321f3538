import type { MetricInput } from "@assay/client";
import type { TestServer } from "../../testing.fixture.ts";

/** An exposure as a row of a warehouse. */
export interface ExposureRow {
  user_id: string;
  variant: string;
  seen_at: string;
  experiment: string;
  forced: boolean;
  received_at: string;
  country: string | null;
  city: string;
  visits: number;
  is_new: boolean;
}

/** An event as a row of a warehouse. */
export interface EventRow {
  user_id: string;
  event_type: string;
  happened_at: string;
  amount: number | null;
  experiment: string | null;
  event_id: string;
  received_at: string;
}

export interface SimulatedEvents {
  exposures: ExposureRow[];
  events: EventRow[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-01-20T00:00:00.000Z");
/** The clock of a test server at first. */
const RECEIVED = Date.parse("2026-03-01T12:00:00.000Z");
export const ARMS = ["control", "blue", "green"];

/** Every kind of metric, with windows, aggregations and winsorising. */
export const METRICS: MetricInput[] = [
  { name: "Bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" },
  { name: "Bought soon", event_type: "purchase", kind: "CONVERSION", conversion_window_hours: 24 },
  { name: "Signed up", event_type: 'sign\'up \\ "now"', kind: "CONVERSION" },
  { name: "Never", event_type: "never", kind: "CONVERSION" },
  { name: "Purchases", event_type: "purchase", kind: "COUNT" },
  { name: "Visits soon", event_type: "visit", kind: "COUNT", conversion_window_hours: 0.7 },
  { name: "Revenue", event_type: "purchase", kind: "MEAN" },
  { name: "Revenue trimmed", event_type: "purchase", kind: "MEAN", winsorize_pct: 0.05 },
  { name: "Revenue capped", event_type: "purchase", kind: "MEAN", cap: 50 },
  {
    name: "Revenue of buyers trimmed",
    event_type: "purchase",
    kind: "MEAN",
    winsorize_pct: 0.05,
    winsorize_of: "NON_ZERO",
    cap: 400,
  },
  { name: "Basket", event_type: "purchase", kind: "MEAN", aggregation: "MEAN" },
  { name: "Least", event_type: "purchase", kind: "MEAN", aggregation: "MIN" },
  { name: "Most", event_type: "purchase", kind: "MEAN", aggregation: "MAX", conversion_window_hours: 72 },
  { name: "Flat", event_type: "flat", kind: "MEAN", aggregation: "MEAN" },
  { name: "Per visit", event_type: "purchase", kind: "RATIO", denominator_event_type: "visit" },
  {
    name: "Per visit trimmed",
    event_type: "purchase",
    kind: "RATIO",
    denominator_event_type: "visit",
    winsorize_pct: 0.02,
    winsorize_of: "NON_ZERO",
    cap: 300.5,
    conversion_window_hours: 100,
  },
  { name: "Median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
  { name: "Upper", event_type: "purchase", kind: "QUANTILE", quantile: 0.9, conversion_window_hours: 200 },
  { name: "Tied", event_type: "rated", kind: "QUANTILE", quantile: 0.25 },
  { name: "Flat median", event_type: "flat", kind: "QUANTILE", quantile: 0.5 },
  { name: "Clicks per visit", event_type: "click", kind: "RATIO", denominator_event_type: "visit" },
];

/** Generates numbers from 0 to 1, the same for a seed every time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Events of experiment users: repeated exposures, users in two arms, forced arms, unknown variants, and events before
 * the exposure, exactly at it, at the end of a window and of other experiments.
 * @param isMessy whether events arrive on several days, late, and twice
 */
export function simulateEvents(users = 300, seed = 7, isMessy = false): SimulatedEvents {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const at = (time: number) => new Date(time).toISOString();
  const exposures: ExposureRow[] = [];
  const events: EventRow[] = [];
  for (let number = 0; number < users; number++) {
    const user_id = number % 50 === 0 ? `ünïcode '${number}' "x"` : `user-${number}`;
    const arm = pick(ARMS);
    const since = START + Math.floor(random() * 200 * HOUR);
    // An event arrives on the day on which it happens, or up to four days later.
    const arrival = (time: number) => {
      if (!isMessy) return at(RECEIVED);
      const late = random() < 0.1 ? Math.ceil(random() * 4) : 0;
      return at(RECEIVED + DAY * (Math.max(0, Math.floor((time - START) / DAY)) + late));
    };
    const user = {
      country: random() < 0.1 ? null : pick(["de", "fr", "jp", "d'or \\", "UNKNOWN"]),
      city: random() < 0.02 ? "(other)" : `city ${Math.floor(150 * random() ** 2)}`,
      visits: Math.floor(random() * 4),
      is_new: random() < 0.5,
    };
    const expose = (variant: string, time: number, forced = false) =>
      exposures.push({
        user_id,
        variant,
        seen_at: at(time),
        experiment: "checkout",
        forced,
        received_at: arrival(time),
        ...user,
        // Attributes of later exposures do not count.
        ...(time > since && { country: "later" }),
      });
    if (random() > 0.03) expose(arm, since);
    while (random() < 0.3) expose(arm, since + Math.floor(random() * 50 * HOUR));
    if (random() < 0.05) expose(pick(ARMS), since + HOUR);
    if (random() < 0.05) expose(pick(ARMS), since - HOUR, true);
    if (random() < 0.05) expose("retired-arm", since - 2 * HOUR);
    const did = (event_type: string, time: number, amount: number | null = null, experiment: string | null = null) => {
      const event_id = `${number}-${events.length}`;
      const event = { user_id, event_type, happened_at: at(time), amount, experiment, event_id };
      events.push({ ...event, received_at: arrival(time) });
      if (isMessy && random() < 0.05)
        events.push({ ...event, received_at: at(Date.parse(events.at(-1)!.received_at) + DAY) });
    };
    const level = 20 + ARMS.indexOf(arm) * 3;
    while (random() < 0.7) {
      const time =
        since + pick([0, -1, 1, 24 * HOUR, 24 * HOUR + 1, 0.7 * HOUR, Math.floor(random() * 400 * HOUR), -5 * HOUR]);
      const amount =
        random() < 0.1 ? null : Math.round(level * 100 * (0.5 + random() * (random() < 0.02 ? 60 : 1))) / 100;
      did("purchase", time, amount, pick([null, null, null, "checkout", "another"]));
    }
    while (random() < 0.8) did("visit", since + Math.floor(random() * 120 * HOUR));
    if (random() < 0.2) did('sign\'up \\ "now"', since + HOUR);
    if (random() < 0.6) did("click", since + HOUR, random() < 0.5 ? null : 2.5);
    // After every exposure, so that the value does not depend on the time of the first.
    did("flat", since + 51 * HOUR, 0.1);
    while (random() < 0.6) did("rated", since + Math.floor(random() * 100 * HOUR), 1 + Math.floor(random() * 5));
    // Before the exposure: within two weeks, exactly then, and earlier.
    while (random() < 0.5)
      did("purchase", since - Math.ceil(random() * 20 * DAY), Math.round(level * 100 * random()) / 100);
    if (random() < 0.05) did("purchase", since - 14 * DAY, level);
    while (random() < 0.5) did("visit", since - Math.ceil(random() * 10 * DAY));
    if (random() < 0.1) did("exposure", since + 3 * HOUR);
  }
  return { exposures, events };
}

/** Creates the experiment and sends the events to a server. */
export async function playEvents(server: TestServer, { exposures, events }: SimulatedEvents, body: object = {}) {
  const experiment = await server.admin.request("POST /experiments/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      variants: ARMS.map((key) => ({ key })),
      metrics: METRICS,
      ...body,
    },
  });
  const { request } = await server.withKey(["write"]);
  const sent = [
    ...exposures.map(({ user_id, variant, seen_at, experiment, forced, received_at, ...attributes }) => ({
      at: received_at,
      event: {
        event_type: "exposure",
        user_id,
        variant_id: variant,
        experiment_id: experiment,
        timestamp: seen_at,
        event_metadata: { ...attributes, ...(forced && { forced }) },
      },
    })),
    ...events.map(({ user_id, event_type, happened_at, amount, experiment, event_id, received_at }) => ({
      at: received_at,
      event: {
        event_id,
        event_type,
        user_id,
        timestamp: happened_at,
        ...(amount !== null && { value: amount }),
        ...(experiment !== null && { experiment_id: experiment }),
      },
    })),
  ];
  for (const day of [...new Set(sent.map(({ at }) => at))].sort()) {
    server.advance(Math.max(0, Date.parse(day) - server.now()));
    const some = sent.filter(({ at }) => at === day).map(({ event }) => event);
    for (let from = 0; from < some.length; from += 1000) {
      const batch = some.slice(from, from + 1000);
      const { accepted, rejected } = await request("POST /tracking/events", { body: { events: batch } });
      if (rejected > 0) throw new Error(`${rejected} events were refused, ${accepted} accepted`);
    }
  }
  return experiment;
}
