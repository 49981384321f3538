import { deflateRawSync, inflateRawSync } from "node:zlib";
import { addToJointMoments, emptyJointMoments, type Moments, momentsOf, type Proportion } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeArrivals } from "./arrivals.ts";
import { computeBreakdown } from "./breakdown.ts";
import {
  findReferenceParticipants,
  isTaken,
  numberOf,
  type Received,
  type ReferenceParticipant,
} from "./brute-force.fixture.ts";
import { cutChunk, decodeChunk, encodeChunk } from "./chunk.ts";
import { computeCovariates } from "./covariates.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord } from "./event-record.ts";
import type { GroupStatistics } from "./groups.ts";
import { computeLooks } from "./looks.ts";
import type { Metric } from "./metric-definition.ts";
import { stripChunk } from "./person.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, HOUR, journals, SUBJECT } from "./records.fixture.ts";

const DAY = 24 * HOUR;
const COLOURS = ["red", "blue", 7, null, ["no", "segment"]] as const;

/** Journals whose events have a colour attribute, or none. */
const coloured: fc.Arbitrary<EventRecord[]> = journals.map((records) =>
  records.map((record, at) => ({
    ...record,
    at: at * 7 * HOUR,
    events: record.events.map((one, index) => {
      const colour = COLOURS[(at + index) % COLOURS.length]!;
      return { ...one, metadata: index % 3 === 2 ? null : { colour: colour as string, size: { nested: true } } };
    }),
  })),
);

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

/** The same log, with its first half from chunks. */
function cutLogOf(records: readonly EventRecord[]) {
  const whole = logOf(records);
  const log = createEventLog();
  const half = Math.floor(records.length / 2);
  const bounds = [0, Math.floor(half / 2), half];
  for (const [index, first] of bounds.slice(0, -1).entries()) {
    const end = bounds[index + 1]!;
    if (end > first) log.appendChunk(decodeChunk(encodeChunk(cutChunk(whole, first, end))));
  }
  for (const [index, record] of records.entries()) if (index >= half) log.append(index + 1, toColumns(record));
  return log;
}

const dayOf = ({ receivedAt }: Received) => Math.floor(receivedAt / DAY);
const windowOf = (metric: Metric) => (metric.conversion_window_hours ?? Number.POSITIVE_INFINITY) * HOUR;

/** Returns the outcomes of a participant that count for a metric, among those received up to a day. */
function outcomesOf({ first, events }: ReferenceParticipant, metric: Metric, through: number): Received[] {
  return events.filter(
    (one) =>
      isTaken(SUBJECT, one) &&
      dayOf(one) <= through &&
      one.time >= first.time &&
      one.time - first.time <= windowOf(metric),
  );
}

/** Checks a group against its participants. */
function expectGroup(group: GroupStatistics, members: readonly ReferenceParticipant[], through: number): void {
  expect(group.users).toEqual([0, 1].map((arm) => members.filter((one) => one.arm === arm).length));
  for (const { metric, arms, form } of group.metrics) {
    for (const [arm, statistics] of arms.entries()) {
      const own = members.filter((one) => one.arm === arm);
      const values = own.map((one) => numberOf(metric, outcomesOf(one, metric, through)));
      if (form === "PROPORTION") {
        expect(statistics as Proportion).toEqual({ n: own.length, successes: values.filter(Boolean).length });
      } else expectMoments(statistics as Moments, momentsOf(values));
    }
  }
}

function expectMoments(actual: Moments, expected: Moments): void {
  expect(actual.n).toBe(expected.n);
  expect(actual.mean).toBeCloseTo(expected.mean, 9);
  expect(actual.m2).toBeCloseTo(expected.m2, 6);
}

describe("looks", () => {
  it("agree with the rules written down plainly, and do not depend on chunks", () => {
    fc.assert(
      fc.property(coloured, (records) => {
        const options = { metric: null, cohorts: true };
        const looks = computeLooks(logOf(records), SUBJECT, options);
        expect(computeLooks(cutLogOf(records), SUBJECT, options)).toEqual(looks);
        const users = looks.map((look) => ({ date: look.date, users: look.users.reduce((sum, n) => sum + n, 0) }));
        expect(computeArrivals(logOf(records), SUBJECT)).toEqual(users);
        const { participants } = findReferenceParticipants(records, SUBJECT);
        const entered = (one: ReferenceParticipant) => Math.min(...one.exposures.map(dayOf));
        for (const look of looks) {
          const day = Date.parse(look.date) / DAY;
          expectGroup(
            look,
            participants.filter((one) => entered(one) <= day),
            day,
          );
          expectGroup(
            look.cohort!,
            participants.filter((one) => entered(one) === day),
            Number.POSITIVE_INFINITY,
          );
        }
        // No user is forgotten: the last look has everyone.
        expect(looks.at(-1)?.users.reduce((a, b) => a + b) ?? 0).toBe(participants.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("covariates", () => {
  it("agree with the rules written down plainly, and do not depend on chunks", () => {
    fc.assert(
      fc.property(coloured, (records) => {
        const options = { lookbackMs: 48 * HOUR, winsorize: null };
        const covariates = computeCovariates(logOf(records), SUBJECT, options);
        expect(computeCovariates(cutLogOf(records), SUBJECT, options)).toEqual(covariates);
        const { participants } = findReferenceParticipants(records, SUBJECT);
        for (const { metric, arms, covered } of covariates.metrics) {
          for (const [arm, moments] of arms!.entries()) {
            const expected = emptyJointMoments(2);
            let users = 0;
            for (const one of participants.filter((participant) => participant.arm === arm)) {
              const before = one.events.filter(
                ({ time }) => time < one.first.time && one.first.time - time <= options.lookbackMs,
              );
              const outcome = numberOf(metric, outcomesOf(one, metric, Number.POSITIVE_INFINITY));
              addToJointMoments(expected, [outcome, numberOf(metric, before)]);
              if (before.some(({ type }) => type === metric.event_type)) users++;
            }
            expect([moments.n, covered[arm]]).toEqual([expected.n, users]);
            for (const index of [0, 1]) expect(moments.means[index]).toBeCloseTo(expected.means[index]!, 9);
            expect(moments.products[1]![0]).toBeCloseTo(expected.products[1]![0]!, 6);
            expect(moments.products[1]![1]).toBeCloseTo(expected.products[1]![1]!, 6);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("segments", () => {
  it("agree with the rules written down plainly, and do not depend on how the log is stored", () => {
    fc.assert(
      fc.property(coloured, (records) => {
        const options = { dimension: "colour", metric: null };
        const { segments } = computeBreakdown(logOf(records), SUBJECT, options);
        expect(computeBreakdown(cutLogOf(records), SUBJECT, options).segments).toEqual(segments);
        const { participants } = findReferenceParticipants(records, SUBJECT);
        const colourOf = ({ first }: ReferenceParticipant) => {
          const colour = first.metadata?.colour;
          return typeof colour === "string" || typeof colour === "number" ? String(colour) : "(unknown)";
        };
        expect(new Set(segments.map(({ segment }) => segment))).toEqual(new Set(participants.map(colourOf)));
        for (const group of segments) {
          expectGroup(
            group,
            participants.filter((one) => colourOf(one) === group.segment),
            Number.POSITIVE_INFINITY,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are at most a hundred, the rest being one", () => {
    const events = Array.from({ length: 3000 }, (_, index) =>
      exposure(`u${index}`, index % 2 ? "t" : "c", 0, {
        metadata: { page: `page-${Math.floor(Math.sqrt(index * 800))}` },
      }),
    );
    const { segments } = computeBreakdown(logOf([{ at: 1, events, joins: [] }]), SUBJECT, {
      dimension: "page",
      metric: "converted",
    });
    expect(segments.length).toBeLessThanOrEqual(100);
    expect(segments.map(({ segment }) => segment)).toContain("(other)");
    expect(segments.flatMap(({ users }) => users).reduce((a, b) => a + b)).toBe(3000);
  });

  it("can be read from the first layout of chunks, which had no attributes", () => {
    const log = logOf([{ at: 1, events: [exposure("u", "t"), event({ time: 2 })], joins: [] }]);
    const columns = cutChunk(log, 0, 1);
    const plain = inflateRawSync(encodeChunk(columns));
    const length = plain.readUInt32LE();
    const { attributes: _, ...header } = JSON.parse(plain.toString("utf8", 4, 4 + length));
    const head = Buffer.from(JSON.stringify({ ...header, version: 1 }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(head.length);
    const old = deflateRawSync(Buffer.concat([size, head, plain.subarray(4 + length)]));
    expect(decodeChunk(old)).toEqual(columns);
  });

  it("cost little: three attributes of every exposure stay within twenty bytes an event", () => {
    const pick = (list: readonly string[], index: number) => list[(index * 7919) % list.length]!;
    const events = Array.from({ length: 20_000 }, (_, index) =>
      exposure(`0190b6f0-0000-7000-8000-${String((index * 31) % 5000).padStart(12, "0")}`, "t", index, {
        metadata: {
          country: pick(["US", "DE", "FR", "GB", "JP", "BR", "IN"], index),
          browser: pick(["chrome", "safari", "edge"], index),
          plan: pick(["free", "free", "pro"], index),
        },
      }),
    );
    const log = logOf([{ at: 30_000, events, joins: [] }]);
    expect(encodeChunk(cutChunk(log, 0, 1)).length / events.length).toBeLessThan(20);
  });

  it("lose the values of the erased, unless others have them too", () => {
    const said = (plan: string) => ({ metadata: { plan } });
    const records = [
      { at: 1, events: [exposure("u", "t", 1, said("secret")), exposure("v", "c", 1, said("free"))], joins: [] },
      { at: 2, events: [exposure("u", "t", 2, said("free"))], joins: [] },
    ];
    const log = logOf(records);
    const stripped = stripChunk(log, ["u"], encodeChunk(cutChunk(log, 0, 2)), null)!;
    const [plan] = decodeChunk(stripped.chunk).attributes;
    expect(plan).toMatchObject({ name: "plan", values: ["free"], rows: Uint32Array.of(0), codes: Uint16Array.of(0) });
  });

  it("have at most 32 attributes of 1,000 values; what is beyond is one", () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}`, true]));
    const events = Array.from({ length: 1500 }, (_, index) =>
      exposure(`u${index}`, "t", 0, { metadata: { page: index, ...wide } }),
    );
    const log = logOf([{ at: 1, events, joins: [] }]);
    expect(log.attributes.find("x", "page")!.values).toHaveLength(1001);
    expect(log.attributes.find("x", "page")!.values.at(-1)).toBe("(other)");
    expect([log.attributes.find("x", "a30"), log.attributes.find("x", "a31")].map(Boolean)).toEqual([true, false]);
  });
});
