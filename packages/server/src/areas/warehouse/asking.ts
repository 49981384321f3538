import type { AnswerTo } from "@assay/analysis";
import { conflict, invalid, isApiError } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { SyncRecord } from "../../model/warehouse.ts";
import { SecretUnreadable } from "../../secrets/secrets.ts";
import { readAnswer, type WarehouseQuestion } from "./answers/answers.ts";
import { WarehouseFailure } from "./engines/engine.ts";
import type { Reader } from "./reader.ts";

/** Questions about synced experiments that a sync does not answer. */
export interface WarehouseQuestions {
  /**
   * Reads the answer to a question from the warehouse of the last sync. Keeps it until the next sync or change of the
   * experiment.
   * @throws ApiError 409 if the warehouse cannot answer, 422 for a dimension that the sync does not name
   */
  answer<Q extends WarehouseQuestion>(record: ExperimentRecord, sync: SyncRecord, question: Q): Promise<AnswerTo<Q>>;
}

interface Memo {
  versions: string;
  answer: Promise<AnswerTo<WarehouseQuestion>>;
}

/** Maximum number of kept answers. */
const MAX_MEMOS = 200;
/** Maximum number of questions that wait for a connection. */
const MAX_WAITING = 20;

/** Creates the questions. Each connection answers one at a time. */
export function createQuestions({ read }: Reader): WarehouseQuestions {
  const memos = new Map<string, Memo>();
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  /** Runs work after the work that waits for the same connection. @throws ApiError 409 if too much waits */
  function inTurn<T>(connection: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(connection) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= MAX_WAITING)
      throw conflict("The warehouse is still answering other questions; ask again later");
    queues.set(connection, queue);
    queue.length++;
    const turn = queue.last.then(work);
    queue.last = turn
      .catch(() => {})
      .finally(() => {
        if (--queue.length === 0) queues.delete(connection);
      });
    return turn;
  }

  async function ask(record: ExperimentRecord, { source }: SyncRecord, question: WarehouseQuestion) {
    try {
      return await read(record, source, (reading) => readAnswer(reading, question));
    } catch (error) {
      if (error instanceof WarehouseFailure || error instanceof SecretUnreadable) {
        throw conflict(`The warehouse cannot answer: ${error.message}`);
      }
      if (isApiError(error)) throw conflict("The connection of the last sync does not exist; sync from another one");
      throw error;
    }
  }

  async function current(record: ExperimentRecord, sync: SyncRecord, question: WarehouseQuestion) {
    if (question.about === "breakdown") requireAttribute(sync, question.options.dimension);
    const name = `${record.id} ${JSON.stringify(question)}`;
    const versions = `${record.version} ${sync.version}`;
    const known = memos.get(name);
    if (known?.versions === versions) return known.answer;
    const answer = inTurn(sync.source.connection_id, () => ask(record, sync, question));
    const memo: Memo = { versions, answer };
    memos.delete(name);
    memos.set(name, memo);
    for (const oldest of memos.keys()) {
      if (memos.size <= MAX_MEMOS) break;
      memos.delete(oldest);
    }
    answer.catch(() => {
      if (memos.get(name) === memo) memos.delete(name);
    });
    return answer;
  }

  return {
    // The warehouse returns an answer to this question; the compiler cannot infer its type.
    answer: <Q extends WarehouseQuestion>(record: ExperimentRecord, sync: SyncRecord, question: Q) =>
      current(record, sync, question) as Promise<AnswerTo<Q>>,
  };
}

/** Only columns that the sync names may be shown to everyone who can read results. @throws ApiError 422 */
function requireAttribute({ source }: SyncRecord, dimension: string): void {
  const attributes = source.columns.assignments.attributes ?? [];
  if (attributes.includes(dimension)) return;
  const known = attributes.length > 0 ? `it names ${attributes.join(", ")}` : "it names none";
  const msg = `The last sync does not name the column "${dimension}" in columns.assignments.attributes; ${known}`;
  throw invalid(["query", "dimension"], msg, "unknown_dimension");
}
