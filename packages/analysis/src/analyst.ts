import { type Arrival, computeArrivals } from "./arrivals.ts";
import { type BreakdownOptions, type BreakdownStatistics, computeBreakdown } from "./breakdown.ts";
import { type CarryOverStatistics, computeCarryOver } from "./carry-over.ts";
import { decodeChunk } from "./chunk.ts";
import { type CountOptions, computeCounts, type EventCounts } from "./counts.ts";
import { type CovariateOptions, type CovariateStatistics, computeCovariates } from "./covariates.ts";
import { cutAfter, rowAfter } from "./cutting.ts";
import { createEventLog, type EventLog, type Gap } from "./event-log.ts";
import type { GroupStatistics } from "./groups.ts";
import { computeHoldout, type HoldoutOptions } from "./holdout.ts";
import { computeLooks, type Look, type LookOptions } from "./looks.ts";
import { computeOverlaps, type OverlapOptions, type OverlapStatistics } from "./overlap.ts";
import { computePeriods, type PeriodOptions } from "./periods.ts";
import { decodeColumns } from "./record-bytes.ts";
import { computeRollout, type RolloutOptions, type RolloutStatistics } from "./rollout.ts";
import type { Segment } from "./segment.ts";
import { type Stays, toStays } from "./stays.ts";
import type { Subject } from "./subject.ts";
import { computeStatistics, type SufficientStatistics } from "./sufficient-statistics.ts";
import { type Caller, createInlineCaller } from "./thread-caller.ts";

/** A record of the journal of events, still encoded. */
export interface ReceivedRecord {
  position: number;
  record: Uint8Array;
}

/** How far an analyst has read the journal. */
export interface Progress {
  /** Position of the last journal record that was read. */
  position: number;
  /** Number of events in the log. */
  rows: number;
  /** When the last record was received, in milliseconds since 1970; null before the first. */
  receivedAt: number | null;
  /** The gaps of missing records. */
  gaps: readonly Gap[];
  /** Number of kinds of events in the log. */
  kinds: number;
}

/** The progress of an analyst that has read nothing. */
export const NO_PROGRESS: Progress = { position: 0, rows: 0, kinds: 0, receivedAt: null, gaps: [] };

/** A chunk ready to be stored. */
export interface CutChunk {
  from: number;
  through: number;
  rows: number;
  chunk: Uint8Array;
  /** Null if no event carries metadata. */
  details: Uint8Array | null;
  /** What the chunk contains. */
  segment: Segment;
}

/** The questions about an experiment with their options. Each answer is a pure function of log and question. */
export interface Questions {
  /** The sums of the whole experiment. */
  statistics: { options: null; answer: SufficientStatistics };
  /** The sums at the end of each day. */
  looks: { options: LookOptions; answer: Look[] };
  /** New users by day. */
  arrivals: { options: null; answer: Arrival[] };
  /** The numbers of users, events and conversions by arm. */
  counts: { options: CountOptions; answer: EventCounts };
  /** The sums with the same users' earlier behaviour as covariate. */
  covariates: { options: CovariateOptions; answer: CovariateStatistics };
  /** The sums by segments of an attribute. */
  breakdown: { options: BreakdownOptions; answer: BreakdownStatistics };
  /** The sums by the arm of the same person's stay before; null unless the experiment is a switchback. */
  carryOver: { options: null; answer: CarryOverStatistics | null };
  /** Held-out users compared with all others; the subject is the holdout. */
  holdout: { options: HoldoutOptions; answer: SufficientStatistics };
  /** The sums by the time of the users' first exposure. */
  periods: { options: PeriodOptions; answer: GroupStatistics[] };
  /** Users in a flag's rollout compared with users outside of it; the subject only names the flag. */
  rollout: { options: RolloutOptions; answer: RolloutStatistics };
  /** The sums of pairs with other experiments. */
  overlaps: { options: OverlapOptions; answer: OverlapStatistics[] };
}

/** A question about an experiment; plain data, so that it can be sent to a worker. */
export type Question = { [K in keyof Questions]: { about: K; options: Questions[K]["options"] } }[keyof Questions];

/** The answer to a question. */
export type AnswerTo<Q extends Question> = Questions[Q["about"]]["answer"];

/** The methods of an analyst, which owns the columns and the dictionary, and has no access to a store. */
export interface AnalystMethods {
  /** Adds chunks and records that continue the log. */
  load(chunks: readonly Uint8Array[], records: readonly ReceivedRecord[]): Progress;
  /** Computes the answer to a question about an experiment. */
  answer(subject: Subject, question: Question): AnswerTo<Question>;
  /** Cuts a chunk of at least `rows` rows, if there are that many after a position. */
  cut(after: number, rows: number): CutChunk | null;
  /** Records that chunks hold everything up to a position. */
  compacted(through: number): void;
}

/** Runs an analyst's methods, here or in another thread, one at a time and in order. */
export type Analyst = Caller<AnalystMethods>;

/** Creates the methods over an empty log. */
export function createAnalystMethods(): AnalystMethods {
  const log = createEventLog();
  const { receipts, rows } = log;

  return {
    load(chunks, records) {
      for (const chunk of chunks) log.appendChunk(decodeChunk(chunk));
      for (const { position, record } of records) log.append(position, decodeColumns(record));
      const receivedAt = receipts.length > 0 ? receipts.times[receipts.length - 1]! : null;
      return { position: log.position, rows: rows.length, kinds: log.kinds.length, receivedAt, gaps: log.gaps };
    },
    answer: (subject, question) => answerOf(log, subject, question),
    cut: (after, wanted) => cutAfter(log, after, wanted),
    compacted: (through) => log.dropDetails(rowAfter(log, through)),
  };
}

/** Computes the answer to a question from a log. */
export function answerOf(all: EventLog, subject: Subject, { about, options }: Question): AnswerTo<Question> {
  const stays = staysOf(all, subject, about);
  const log = stays?.log ?? all;
  switch (about) {
    case "statistics":
      return { ...computeStatistics(log, subject), ...(stays && { stays: stays.counts }) };
    case "carryOver":
      return stays && computeCarryOver(stays, subject);
    case "looks":
      return computeLooks(log, subject, options);
    case "arrivals":
      return computeArrivals(log, subject);
    case "counts":
      return computeCounts(log, subject, options);
    case "covariates":
      return computeCovariates(log, subject, options);
    case "breakdown":
      return computeBreakdown(log, subject, options);
    case "holdout":
      return computeHoldout(log, subject, options);
    case "periods":
      return computePeriods(log, subject, options);
    case "rollout":
      return computeRollout(log, options);
    case "overlaps":
      return computeOverlaps(log, subject, options);
  }
}

/**
 * Returns the stays of a switchback, by which it is read; null for other experiments. A pair of experiments shares
 * users, who are not stays.
 */
function staysOf(log: EventLog, subject: Subject, about: Question["about"]): Stays | null {
  return subject.switchback && about !== "overlaps" ? toStays(log, subject, subject.switchback) : null;
}

/** Runs an analyst in this thread: for small logs, or without worker threads. */
export function createInlineAnalyst(): Analyst {
  return createInlineCaller(createAnalystMethods());
}
