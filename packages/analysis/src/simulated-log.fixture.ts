import type { PlacedRecord } from "./event-engine.ts";
import type { EventRecord, StoredEvent } from "./event-record.ts";
import type { Subject } from "./subject.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const START = Date.UTC(2026, 0, 20);
export const ARMS = ["control", "blue", "green"];

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
 * Records of a journal of about `events` events: late ones, joined ids, people in two arms, forced arms, inferred
 * exposures, clusters, a holdout, a flag, other experiments, values of any size, names with any characters, and days on
 * which nothing is about the experiment.
 */
export function simulateLog(events: number, seed = 7, hasJoins = true): PlacedRecord[] {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const users = Math.max(20, Math.floor(events / 12));
  const nameOf = (user: number) =>
    user % 97 === 0 ? `\ud800 ünï'"\\\n${user}` : user % 89 === 0 ? `\uffff${user}` : `user-${user}`;
  const armOf = (user: number) => ARMS[(user * 7919) % 3]!;
  const sinceOf = (user: number) => START + ((user * 104_729) % (12 * DAY));
  const records: PlacedRecord[] = [];
  let [count, position, now] = [0, 0, START];

  const event = (userId: string, type: string, time: number, more: Partial<StoredEvent> = {}): StoredEvent => ({
    ...{ id: `e${count}`, type, userId, time, experimentId: null, variantKey: null, flagKey: null },
    ...{ value: null, forced: false, metadata: null, ...more },
  });

  function eventOf(user: number): { event: StoredEvent; record?: Partial<EventRecord> } {
    const [name, arm, since] = [nameOf(user), armOf(user), sinceOf(user)];
    const kind = random();
    const expose = { experimentId: "e-1", variantKey: arm, flagKey: "button" };
    const country: NonNullable<StoredEvent["metadata"]> =
      random() < 0.1 ? {} : { country: pick(["de", "fr", "d'or \\", "jp"]), visits: user % 4, pro: user % 2 === 0 };
    const metadata: StoredEvent["metadata"] = { ...country, nested: { a: [1] } };
    if (kind < 0.2) {
      const time = since + (random() < 0.5 ? 0 : Math.floor(random() * 50 * HOUR));
      const joins = [
        ...(user % 3 === 0 ? [{ userId: name, unitId: `company=${user % 40}`, experimentId: "e-clusters", time }] : []),
        ...(random() < 0.05 ? [{ userId: name, unitId: nameOf(user + 1), experimentId: null }] : []),
      ];
      return { event: event(name, "exposure", time, { ...expose, metadata }), record: { joins } };
    }
    if (kind < 0.22) return { event: event(name, "exposure", since + HOUR, { ...expose, variantKey: pick(ARMS) }) };
    if (kind < 0.23) return { event: event(name, "exposure", since - HOUR, { ...expose, forced: true }) };
    if (kind < 0.24) return { event: event(name, "exposure", since, { ...expose, variantKey: "retired" }) };
    if (kind < 0.3) {
      const experimentId = pick(["e-2", "e-clusters", "e-switch"]);
      const join = { userId: name, unitId: `unit=${Math.floor(since / DAY)}`, experimentId, time: since };
      const joins = experimentId === "e-switch" ? [join] : [];
      return { event: event(name, "exposure", since, { ...expose, experimentId, metadata }), record: { joins } };
    }
    if (kind < 0.33) return { event: event(name, "exposure", since - DAY, { experimentId: "h-1", variantKey: "x" }) };
    const time =
      since + pick([0, -1, 1, 24 * HOUR, Math.floor(random() * 200 * HOUR), -Math.floor(random() * 100 * HOUR)]);
    const experimentId = pick([null, null, null, null, "e-1", "e-9"]);
    const variantKey = experimentId !== null && random() < 0.2 ? arm : null;
    const value =
      random() < 0.1 ? null : random() < 0.002 ? pick([1e16, 1e-120, -3]) : Math.round(random() * 1e4) / 100;
    const type = pick(["purchase", "purchase", "visit", "visit", "click", "rated", 'sign\'up \\ "now"', "\0"]);
    return { event: event(name, type, time, { experimentId, variantKey, value }) };
  }

  while (count < events) {
    const size = random() < 0.02 ? 0 : 1 + Math.floor(random() * 30);
    const record: EventRecord = { at: now, events: [], joins: [] };
    for (let index = 0; index < size; index++, count++) {
      // People who are erased are known to the experiment, and some are joined with others.
      const { event: one, record: more } = eventOf(Math.floor(random() * users));
      record.events.push(one);
      if (hasJoins) record.joins.push(...(more?.joins ?? []));
    }
    // A damaged record leaves a gap.
    position += random() < 0.002 ? 2 : 1;
    records.push({ position, record });
    now += Math.floor(random() * ((40 * DAY) / (events / 15)));
  }
  return records;
}

export const METRICS: NonNullable<Subject["metrics"]> = (
  [
    { name: "Bought", event_type: "purchase", kind: "CONVERSION" },
    { name: "Bought soon", event_type: "purchase", kind: "CONVERSION", conversion_window_hours: 24 },
    { name: "Never", event_type: "never", kind: "CONVERSION" },
    { name: "Visits", event_type: "visit", kind: "COUNT", conversion_window_hours: 0.7 },
    { name: "Revenue", event_type: "purchase", kind: "MEAN", winsorize_pct: 0.05, winsorize_of: "NON_ZERO", cap: 90 },
    { name: "Basket", event_type: "purchase", kind: "MEAN", aggregation: "MEAN" },
    { name: "Least", event_type: "purchase", kind: "MEAN", aggregation: "MIN" },
    { name: "Per visit", event_type: "purchase", kind: "RATIO", denominator_event_type: "visit" },
    { name: "Median", event_type: "rated", kind: "QUANTILE", quantile: 0.5 },
    { name: "Quoted", event_type: 'sign\'up \\ "now"', kind: "COUNT" },
  ] as const
).map((metric) => ({ id: metric.name, direction: "INCREASE", role: "SECONDARY", ...metric }));

/** An experiment that was paused, and that the server saw begin after the first events. */
export const SUBJECT: Subject = {
  experimentId: "e-1",
  variants: ARMS,
  history: [
    { status: "DRAFT", at: 0 },
    { status: "ACTIVE", at: START + HOUR },
    { status: "PAUSED", at: START + 20 * DAY },
    { status: "ACTIVE", at: START + 21.5 * DAY },
    { status: "COMPLETED", at: START + 35 * DAY },
  ],
  metrics: METRICS,
};
