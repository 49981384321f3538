import type { AnswerTo, Question } from "./analyst.ts";
import type { Gap } from "./event-log.ts";
import type { EventRecord } from "./event-record.ts";
import type { Subject } from "./subject.ts";

/**
 * A database that holds a copy of the events and answers the questions about experiments. The store keeps every event:
 * a copy can be built again from it at any time.
 */
export interface EventEngine {
  /** Its name in messages: `ClickHouse`. */
  readonly name: string;
  /**
   * Checks the database, and creates or migrates its tables.
   * @throws EngineRefused if it cannot be used as it is; EngineUnavailable if it does not answer
   */
  open(): Promise<void>;
  /** Returns the copy of one log. */
  log(id: string): EngineLog;
  close(): Promise<void>;
}

/** How far the copy of a log reaches. */
export interface EngineProgress {
  /** Position of the last journal record in it. */
  position: number;
  /** When that record was received, in milliseconds since 1970; null before the first. */
  receivedAt: number | null;
  /** Gaps of records that the store has lost. */
  gaps: readonly Gap[];
}

/** A record of the journal with its position. */
export interface PlacedRecord {
  position: number;
  record: EventRecord;
}

/** Consecutive records of the journal. */
export interface EngineBatch {
  records: readonly PlacedRecord[];
  /** How far the copy reaches with them. Only the gaps that are new. */
  reached: EngineProgress;
}

/** The state of a log at which a question is answered. */
export interface EngineMoment {
  position: number;
  /** Raised whenever events are removed from the log. */
  epoch: number;
}

/** The copy of one log. Every method throws EngineUnavailable if the database does not answer. */
export interface EngineLog {
  progress(): Promise<EngineProgress>;
  /**
   * Adds a batch. Adding it again changes nothing, also if parts of it were added and other batches cut it differently.
   * Until it returns, answers do not contain the batch.
   */
  append(batch: EngineBatch): Promise<void>;
  /** Answers a question from the records up to the position of a moment. */
  answer<Q extends Question>(subject: Subject, question: Q, moment: EngineMoment): Promise<AnswerTo<Q>>;
  /** Removes all events and joins of some ids, and what a stopped batch left behind. */
  erase(ids: readonly string[]): Promise<void>;
  /**
   * Removes the events received before a time, in milliseconds since 1970, the joins of users who are not kept, and what a
   * stopped batch left behind.
   */
  purge(before: number, kept: (ids: readonly string[]) => Promise<boolean[]>): Promise<void>;
  /** Removes everything. */
  drop(): Promise<void>;
  /** Frees the memory that answers use. */
  close(): Promise<void>;
}

/** The database cannot be used as it is. The message says what to do, and contains no secrets. */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused";
}

/** The database does not answer now. The message contains no secrets and no data. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
