import {
  type Analyst,
  type AnswerTo,
  createInlineAnalyst,
  type EngineMoment,
  encodeRecord,
  type PlacedRecord,
  type Question,
  type Subject,
  startWorkerAnalyst,
} from "@assay/analysis";
import type { Connection } from "./connection.ts";
import { createGathering } from "./rows.ts";
import { type LogSource, selectionOf } from "./selection.ts";
import { answerFromSums } from "./sums.ts";

/** Answers questions: from sums of ClickHouse where these say enough, otherwise from the rows that they depend on. */
export interface Reading {
  answer<Q extends Question>(subject: Subject, question: Q, moment: EngineMoment): Promise<AnswerTo<Q>>;
  close(): Promise<void>;
}

/** Records that are sent to the analyst at once. */
const RECORDS_A_STEP = 2000;
/** Milliseconds after which the rows of the last question leave the memory. */
const IDLE_MS = 30_000;

/**
 * Creates the reading of a log, one question at a time. The rows of the last question stay in memory for a while, because
 * a page asks several questions about the same rows.
 */
export function createReading(connection: Connection, source: LogSource): Reading {
  let last: Promise<unknown> = Promise.resolve();
  let held: { name: string; analyst: Analyst } | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function release(): Promise<void> {
    clearTimeout(idle);
    const { analyst } = held ?? {};
    held = null;
    await analyst?.close();
  }

  async function analystOf(sql: string, { epoch }: EngineMoment): Promise<Analyst> {
    const name = `${epoch} ${sql}`;
    if (held?.name === name) return held.analyst;
    await release();
    const analyst = await startWorkerAnalyst().catch(createInlineAnalyst);
    try {
      await load(connection, sql, analyst);
    } catch (error) {
      await analyst.close();
      throw error;
    }
    held = { name, analyst };
    return analyst;
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  }

  return {
    answer: <Q extends Question>(subject: Subject, question: Q, moment: EngineMoment) =>
      inTurn(async () => {
        const summed = await answerFromSums(connection, source, subject, question, moment);
        if (summed !== null) return summed as AnswerTo<Q>;
        clearTimeout(idle);
        const analyst = await analystOf(selectionOf(source, subject, question, moment), moment);
        try {
          // The analyst returns an answer to this question; the compiler cannot infer its type.
          return (await analyst.ask("answer", subject, question)) as AnswerTo<Q>;
        } catch (error) {
          await release();
          throw error;
        } finally {
          idle = setTimeout(() => void inTurn(release), IDLE_MS).unref();
        }
      }),
    close: () => inTurn(release),
  };
}

/** Sends the selected rows to an empty analyst. */
async function load(connection: Connection, sql: string, analyst: Analyst): Promise<void> {
  const gathering = createGathering();
  let waiting: PlacedRecord[] = [];

  async function send(): Promise<void> {
    const records = waiting.map(({ position, record }) => ({ position, record: encodeRecord(record) }));
    const through = waiting.at(-1)?.position ?? 0;
    waiting = [];
    await analyst.ask("load", [], records);
    // Answers do not need ids and metadata.
    await analyst.ask("compacted", through);
  }

  for await (const rows of connection.rows(sql)) {
    for (const row of rows) {
      const record = gathering.add(row);
      if (record) waiting.push(record);
    }
    if (waiting.length >= RECORDS_A_STEP) await send();
  }
  const end = gathering.end();
  if (end) waiting.push(end);
  await send();
}
