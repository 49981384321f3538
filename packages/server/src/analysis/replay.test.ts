import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInlineReader, type Question, type Reader } from "@assay/analysis";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createTracking, HOUR, NOON } from "../areas/tracking/tracking.fixture.ts";
import { toSubject } from "../model/experiment-subject.ts";
import { type Replay, replayLog } from "./replay.ts";

const DAY = 24 * HOUR;
const QUESTIONS: Question[] = [
  { about: "statistics", options: null },
  { about: "looks", options: { metric: null, cohorts: true } },
  { about: "arrivals", options: null },
  { about: "counts", options: { after: 0 } },
  { about: "covariates", options: { lookbackMs: 2 * DAY, winsorize: null } },
  { about: "breakdown", options: { dimension: "country", metric: null } },
];

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A log of 60 requests of three events each, of which the first ones are in chunks of 30 events. */
async function createPlayed(trimJournal: boolean) {
  const app = await createTracking({ trimJournal });
  cleanUps.push(app.close);
  const experiment = await app.addExperiment();
  for (let number = 0; number < 60; number++) {
    app.clock.now = NOON + number * HOUR;
    const user_id = `user-${number % 23}`;
    const variant_id = number % 2 ? "control" : "treatment";
    const event_metadata = { country: number % 3 ? "NL" : "DE" };
    await app.tracking.events([
      { event_type: "exposure", user_id, experiment_id: "checkout", variant_id, event_metadata },
      { event_type: "purchase", user_id, value: number / 3, event_id: `purchase-${number}` },
      { event_type: "visit", user_id: `user-${number % 7}` },
    ]);
    if (number === 40) await app.analysis.compact(30);
  }
  return { ...app, subject: toSubject(experiment) };
}

type App = Awaited<ReturnType<typeof createPlayed>>;

/** Calls of the reader, and the replay of an app's log in chunks of 12 events. */
async function replay(app: App, options: { signal?: AbortSignal; onProgress?: () => void } = {}) {
  const inline = createInlineReader();
  const calls: string[] = [];
  const reader: Reader = {
    ...inline,
    ask(method, ...parameters) {
      calls.push(method);
      return inline.ask(method, ...parameters);
    },
  };
  const { signal = new AbortController().signal, onProgress = () => {} } = options;
  const replayed = await replayLog(app.store, reader, { signal, onProgress, chunkRows: 12 });
  cleanUps.push(replayed.close);
  return { replayed, calls };
}

async function expectEqualAnswers({ analysis, subject }: App, replayed: Replay): Promise<void> {
  for (const question of QUESTIONS) {
    const shown = await analysis.withQuestions((ask) => ask(subject, question));
    expect([question, await replayed.ask(subject, question)]).toEqual([question, shown]);
  }
}

describe("a replayed log", () => {
  test.each([
    [false, 0],
    [true, 120],
  ])("answers every question as the log does (trimmed: %s)", async (trimJournal, fromChunks) => {
    const app = await createPlayed(trimJournal);
    const { replayed, calls } = await replay(app);
    expect([replayed.rows, replayed.fromChunks, replayed.position]).toEqual([180, fromChunks, 60]);
    expect(calls).toContain("cut");
    await expectEqualAnswers(app, replayed);
    expect(calls).toContain("read");
  });

  test("continues with later events", async () => {
    const app = await createPlayed(false);
    const { replayed } = await replay(app);
    app.clock.now += HOUR;
    await app.tracking.events(
      Array.from({ length: 40 }, (_, number) => ({ event_type: "purchase", user_id: `user-${number}`, value: number })),
    );
    await replayed.readTo(60);
    expect(replayed.rows).toBe(180);
    await replayed.readTo(61);
    expect([replayed.rows, replayed.position]).toEqual([220, 61]);
    await expectEqualAnswers(app, replayed);
  });

  test("reports its progress up to the last record", async () => {
    const app = await createPlayed(true);
    const progress: number[] = [];
    const inline = createInlineReader();
    const onProgress = (_rows: number, part: number) => progress.push(part);
    const replayed = await replayLog(app.store, inline, { signal: new AbortController().signal, onProgress });
    cleanUps.push(replayed.close);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toBe(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  test("leaves no file, also if it is stopped", async () => {
    const app = await createPlayed(false);
    const directory = await mkdtemp(join(tmpdir(), "assay-replay-"));
    cleanUps.push(() => rm(directory, { recursive: true }));
    vi.stubEnv("TMPDIR", directory);
    const { replayed } = await replay(app);
    await replayed.close();
    expect(await readdir(directory)).toEqual([]);
    const abort = new AbortController();
    const stopped = replay(app, { signal: abort.signal, onProgress: () => abort.abort(new Error("stop")) });
    await expect(stopped).rejects.toThrow("stop");
    expect(await readdir(directory)).toEqual([]);
  });
});
