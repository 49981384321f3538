import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createAnalystMethods, type Question } from "./analyst.ts";
import type { PlacedRecord } from "./event-engine.ts";
import { encodeRecord, type StoredEvent } from "./event-record.ts";
import { createReaderMethods, type ReaderMethods, type StoredChunk } from "./reader.ts";
import { event, journals, metric, SUBJECT as SMALL } from "./records.fixture.ts";
import type { Segment } from "./segment.ts";
import { METRICS, START, SUBJECT, simulateLog } from "./simulated-log.fixture.ts";
import type { Subject } from "./subject.ts";

const DAY = 86_400_000;

const QUESTIONS: Question[] = [
  { about: "statistics", options: null },
  { about: "looks", options: { metric: null, cohorts: true } },
  { about: "looks", options: { metric: "Bought", cohorts: false, withinHours: 5 } },
  { about: "arrivals", options: null },
  { about: "counts", options: { after: 0 } },
  { about: "counts", options: { after: 300 } },
  { about: "covariates", options: { lookbackMs: 14 * DAY, winsorize: null } },
  { about: "covariates", options: { lookbackMs: 3 * DAY, winsorize: [0.05, 0.9] } },
  { about: "breakdown", options: { dimension: "country", metric: null } },
  { about: "breakdown", options: { dimension: "pro", metric: "Revenue" } },
  { about: "periods", options: { changes: [START + 4 * DAY, START + 9 * DAY], metric: null } },
];
const { metrics: _, ...unnamed } = SUBJECT;
const withoutMetrics: Subject = { ...unnamed, metrics: null };
const clustered: Subject = { ...SUBJECT, experimentId: "e-clusters", clusters: "REQUIRED" };
const baseline = { method: "REGRESSION", lookbackMs: 14 * DAY, covariates: ["Bought"], attributes: ["country"] };
const switchback: Subject = {
  ...{ ...SUBJECT, experimentId: "e-switch", clusters: "REQUIRED" },
  switchback: { periodMs: DAY, washoutMs: 3_600_000 },
};
const holdout: Subject = {
  ...{ ...withoutMetrics, experimentId: "h-1", everyOutcome: true },
  variants: ["held_out", "not_held_out"],
};
const strata = [
  { percentage: 20, from: START, to: START + 5 * DAY },
  { percentage: 60, from: START + 5 * DAY, to: START + 9 * DAY },
];
const rates = (["RATE", "COUNT", "MEAN"] as const).map((aggregation) => ({ eventType: "purchase", aggregation }));
const others = [{ ...SUBJECT, experimentId: "e-2" }, clustered];

const CASES: [name: string, subject: Subject, questions: Question[]][] = [
  ["an experiment", SUBJECT, QUESTIONS],
  ["an experiment with one metric", { ...SUBJECT, metrics: METRICS.slice(8, 9) }, QUESTIONS.slice(0, 2)],
  ["an experiment without metrics", withoutMetrics, QUESTIONS],
  ["an experiment whose users stay in their first arm", { ...SUBJECT, keepsFirstArm: true }, QUESTIONS.slice(0, 2)],
  ["an experiment that adjusts its metrics", { ...SUBJECT, baseline } as unknown as Subject, QUESTIONS.slice(0, 2)],
  ["an experiment on clusters", clustered, QUESTIONS],
  ["an experiment that may have clusters", { ...SUBJECT, clusters: "IF_KNOWN" }, QUESTIONS.slice(0, 3)],
  ["a switchback", switchback, [...QUESTIONS.slice(0, 2), { about: "carryOver", options: null }]],
  [
    "a holdout",
    holdout,
    [
      { about: "holdout", options: { percentage: 30, from: START, eventType: null } },
      { about: "holdout", options: { percentage: 30, from: START + 2 * DAY, eventType: "visit" } },
    ],
  ],
  [
    "a rollout",
    { ...withoutMetrics, experimentId: "flag" },
    [{ about: "rollout", options: { flagKey: "button", weights: [1], strata, named: ["user-3"], metrics: rates } }],
  ],
  ["pairs of experiments", SUBJECT, [{ about: "overlaps", options: { others, metric: null } }]],
];

/** A log as a server keeps it: chunks of at least so many rows, and the records after them. */
function createStored(rows: number) {
  const chunks = new Map<number, StoredChunk>();
  const records: { position: number; record: Uint8Array }[] = [];
  let sealed = 0;
  return {
    chunks,
    records,
    add(more: readonly PlacedRecord[]) {
      for (const { position, record } of more) records.push({ position, record: encodeRecord(record) });
    },
    /** Moves records to chunks, as compaction does. */
    compact(reader: ReaderMethods) {
      for (;;) {
        const cut = reader.cut(sealed, rows);
        if (!cut) return;
        sealed = cut.through;
        chunks.set(cut.through, { bytes: cut.chunk, segment: JSON.parse(JSON.stringify(cut.segment)) as Segment });
      }
    },
    /** Brings a reader up to date. */
    follow(reader: ReaderMethods, hasSegments = true) {
      let progress = reader.load([], []);
      const missing = [...chunks.entries()].filter(([through]) => through > progress.sealed).map(([, chunk]) => chunk);
      progress = reader.load(hasSegments ? missing : missing.map(({ bytes }) => ({ bytes, segment: null })), []);
      return reader.load(
        [],
        records.filter(({ position }) => position > progress.position),
      );
    },
  };
}

type Stored = ReturnType<typeof createStored>;

/** Answers a question as a server does. Returns how many chunks were read. */
function ask(reader: ReaderMethods, { chunks }: Stored, subject: Subject, question: Question) {
  let reads = 0;
  for (;;) {
    const reading = reader.wants(subject, question);
    if (!reading) return { answer: reader.answer(subject, question), reads };
    reads += reading.chunks.length;
    const bytes = reading.chunks.map(({ through }) => chunks.get(through)!.bytes);
    reader.read(subject, question, reading.pass, bytes);
  }
}

function wholeOf({ records }: Stored) {
  const analyst = createAnalystMethods();
  analyst.load([], records);
  return analyst;
}

describe("a reader answers as an analyst of all events does, to the last digit", () => {
  const records = simulateLog(12_000);
  const stored = createStored(500);
  const reader = createReaderMethods();
  stored.add(records.slice(0, 500));
  stored.follow(reader);
  stored.compact(reader);
  stored.follow(reader);
  const whole = wholeOf(stored);

  test.each(CASES)("about %s", (_name, subject, questions) => {
    for (const question of questions) {
      expect(ask(reader, stored, subject, question).answer).toEqual(whole.answer(subject, question));
      // Again from what it has kept.
      expect(ask(reader, stored, subject, question)).toEqual({ answer: whole.answer(subject, question), reads: 0 });
    }
  });

  test("as the log grows and is compacted", () => {
    for (let from = 500; from < records.length; from += 60) {
      stored.add(records.slice(from, from + 60));
      stored.follow(reader);
      if (from % 120 === 20) stored.compact(reader);
      const grown = wholeOf(stored);
      const [, subject, questions] = CASES[(from / 20) % CASES.length]!;
      for (const [about, question] of [[SUBJECT, QUESTIONS[0]!] as const, [subject, questions[0]!] as const]) {
        expect(ask(reader, stored, about, question).answer).toEqual(grown.answer(about, question));
      }
    }
    expect(stored.chunks.size).toBeGreaterThan(10);
  });

  test("of chunks that nothing is known of, and tells what they contain", () => {
    const again = createReaderMethods();
    let progress = again.load([], []);
    const unknown = [...stored.chunks.values()].map(({ bytes }) => ({ bytes, segment: null }));
    progress = again.load(unknown, []);
    expect(progress.described).toEqual([...stored.chunks.values()].map(({ segment }) => segment));
    stored.follow(again);
    const grown = wholeOf(stored);
    for (const [, subject, questions] of CASES) {
      const [question] = questions;
      expect(ask(again, stored, subject, question!).answer).toEqual(grown.answer(subject, question!));
    }
  });
});

describe("a reader reads only the chunks", () => {
  const START_OF = (chunk: number) => START + chunk * DAY;
  const recordOf = (position: number, at: number, events: StoredEvent[]): PlacedRecord => ({
    position,
    record: { at, events, joins: [] },
  });
  const exposed = (userId: string, experimentId: string, time: number) =>
    event({ type: "exposure", userId, experimentId, variantKey: "c", time });
  const bought = (userId: string, time: number) => event({ userId, time });

  /** Six days, each a chunk of one record: two of other experiments, then those of `x`, then two of no one in it. */
  const days = [
    [exposed("a", "y", START_OF(0)), bought("a", START_OF(0) + 1)],
    [exposed("b", "y", START_OF(1)), event({ type: "visit", userId: "u", time: START_OF(1) })],
    [exposed("u", "x", START_OF(2)), bought("u", START_OF(2) + 1)],
    [bought("u", START_OF(3)), bought("a", START_OF(3))],
    [exposed("c", "y", START_OF(4)), event({ type: "visit", userId: "u", time: START_OF(4) })],
    [exposed("d", "y", START_OF(5)), event({ type: "visit", userId: "d", time: START_OF(5) })],
  ].map((events, day) => recordOf(day + 1, START_OF(day) + 60_000, events));
  const subject: Subject = {
    experimentId: "x",
    variants: ["c", "t"],
    history: [{ status: "ACTIVE", at: 0 }],
    metrics: [metric({ id: "bought", kind: "COUNT" })],
  };

  function readsOf(about: Subject, question: Question) {
    const stored = createStored(1);
    const reader = createReaderMethods();
    stored.add(days);
    stored.follow(reader);
    stored.compact(reader);
    stored.follow(reader);
    expect(stored.chunks.size).toBe(6);
    const reads: Record<string, number[]> = {};
    for (;;) {
      const reading = reader.wants(about, question);
      if (!reading) break;
      const ends = reading.chunks.map(({ through }) => through);
      reads[reading.pass] = ends;
      reader.read(
        about,
        question,
        reading.pass,
        ends.map((through) => stored.chunks.get(through)!.bytes),
      );
    }
    expect(reader.answer(about, question)).toEqual(wholeOf(stored).answer(about, question));
    return reads;
  }

  const statistics: Question = { about: "statistics", options: null };

  it("with its exposures, and with events of its metrics since the first of them", () => {
    expect(readsOf(subject, statistics)).toEqual({ MEMBERS: [3], ROWS: [3, 4] });
  });

  it("with events of its metrics before the first exposure, if they count", () => {
    const before: Question = { about: "covariates", options: { lookbackMs: 2.5 * DAY, winsorize: null } };
    expect(readsOf(subject, before)).toEqual({ MEMBERS: [3], ROWS: [1, 3, 4] });
  });

  it("received while outcomes counted", () => {
    const ended = { ...subject, history: [...subject.history, { status: "COMPLETED" as const, at: START_OF(3) }] };
    expect(readsOf(ended, statistics)).toEqual({ MEMBERS: [3], ROWS: [3] });
  });

  it("whose records were received under different statuses", () => {
    const paused = {
      ...subject,
      history: [...subject.history, { status: "PAUSED" as const, at: START_OF(5) + 60_000 }],
    };
    expect(readsOf(paused, statistics)).toEqual({ MEMBERS: [3], ROWS: [3, 4] });
  });

  it("of the time of a rollout, and those that name its users", () => {
    const rollout: Question = {
      about: "rollout",
      options: {
        ...{ flagKey: "f", weights: [1], named: [] },
        strata: [{ percentage: 50, from: START_OF(1), to: START_OF(2) }],
        metrics: [{ eventType: "purchase", aggregation: "RATE" }],
      },
    };
    expect(readsOf(subject, rollout)).toEqual({ ROWS: [2], NAMES: [2] });
  });
});

test("a reader keeps what the last questions read, up to a bound", () => {
  const stored = createStored(500);
  const reader = createReaderMethods(1);
  stored.add(simulateLog(3000));
  stored.follow(reader);
  stored.compact(reader);
  stored.follow(reader);
  const [first, second] = [SUBJECT, { ...SUBJECT, experimentId: "e-2" }];
  const readsOf = (subject: Subject) => ask(reader, stored, subject, QUESTIONS[0]!).reads;
  expect(readsOf(first)).toBeGreaterThan(0);
  expect(readsOf(first)).toBe(0);
  expect(readsOf(second)).toBeGreaterThan(0);
  expect(readsOf(first)).toBeGreaterThan(0);
});

it("equals an analyst for any journal, cut anywhere", () => {
  const questions = [
    ...QUESTIONS.slice(0, 6),
    { about: "covariates", options: { lookbackMs: 48 * 3_600_000, winsorize: null } } as const,
  ];
  fc.assert(
    fc.property(
      journals,
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.nat(40), { maxLength: 3 }),
      (list, rows, stops) => {
        const stored = createStored(rows);
        const reader = createReaderMethods(1);
        let from = 0;
        for (const stop of [...stops.sort((a, b) => a - b), list.length]) {
          stored.add(list.slice(from, stop).map((record, index) => ({ position: from + index + 1, record })));
          from = Math.max(from, stop);
          stored.follow(reader);
          stored.compact(reader);
          stored.follow(reader);
          const whole = wholeOf(stored);
          for (const question of questions) {
            for (const subject of [SMALL, { ...SMALL, metrics: null, clusters: "IF_KNOWN" } as Subject]) {
              expect(ask(reader, stored, subject, question).answer).toEqual(whole.answer(subject, question));
            }
          }
        }
      },
    ),
  );
});
