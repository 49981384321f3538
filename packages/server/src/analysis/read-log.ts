import {
  type AnswerTo,
  createInlineReader,
  NO_PROGRESS,
  type Question,
  type Reader,
  type ReaderProgress,
  type Subject,
  startWorkerReader,
  type WantedChunk,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import { type FollowedLog, type FollowedLogOptions, type Follower, followLog } from "./followed-log.ts";
import { putSegment, readChunk, readSegment } from "./storage.ts";

/** The log, of which only what questions need is read. */
export type ReadLog = FollowedLog<Reader, ReaderProgress>;

const CHUNKS_A_STEP = 2;

/** Creates a log that has read nothing. */
export function readLog(store: Store, runtime: Runtime, options: FollowedLogOptions): ReadLog {
  const follower: Follower<Reader, ReaderProgress> = {
    startInline: createInlineReader,
    startWorker: startWorkerReader,
    none: { ...NO_PROGRESS, sealed: 0, unsealed: 0, described: [] },
    chunksEnd: ({ sealed }) => sealed,
    async loadChunks(reader, chunks) {
      const segments = await Promise.all(chunks.map((chunk) => readSegment(store, chunk)));
      const stored = chunks.map(({ bytes }, index) => ({ bytes, segment: segments[index]! }));
      const progress = await reader.ask("load", stored, []);
      // Chunks of an earlier version have no description. Without it, they are read in whole after each start.
      if (progress.described.length > 0) await store.batch(progress.described.map(putSegment)).catch(() => {});
      return progress;
    },
    loadRecords: (reader, records) => reader.ask("load", [], records),
    skip: (reader, _progress, through) => reader.ask("load", [], [], through),
  };
  return followLog(store, runtime, follower, options);
}

/** Gives a reader chunks, one after the other. Stops where `take` returns false. */
export async function readChunks(
  store: Store,
  chunks: readonly WantedChunk[],
  take: (bytes: Uint8Array) => Promise<unknown>,
): Promise<void> {
  for (const chunk of chunks) if ((await take(await readChunk(store, chunk))) === false) return;
}

/**
 * Answers a question from the chunks that it needs.
 * @throws Error if one of them has been damaged since the log was read
 */
export async function answerFrom<Q extends Question>(
  readChunk: (chunk: WantedChunk) => Promise<Uint8Array>,
  reader: Reader,
  subject: Subject,
  question: Q,
): Promise<AnswerTo<Q>> {
  for (;;) {
    const reading = await reader.ask("wants", subject, question);
    // The reader returns an answer to this question; the compiler cannot infer its type.
    if (!reading) return (await reader.ask("answer", subject, question)) as AnswerTo<Q>;
    for (let from = 0; from < reading.chunks.length; from += CHUNKS_A_STEP) {
      const some = reading.chunks.slice(from, from + CHUNKS_A_STEP);
      const chunks = await Promise.all(some.map(readChunk));
      await reader.ask("read", subject, question, reading.pass, chunks);
    }
  }
}
