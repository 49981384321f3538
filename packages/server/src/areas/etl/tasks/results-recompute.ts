import { isDeepStrictEqual } from "node:util";
import { createInlineReader, type Question, startWorkerReader } from "@assay/analysis";
import { ExperimentParameters } from "@assay/contract";
import type { Store } from "@assay/store";
import type { Analysis } from "../../../analysis/analysis.ts";
import { isDear } from "../../../analysis/cost.ts";
import type { NeedsThread } from "../../../analysis/followed-log.ts";
import { type Replay, replayLog } from "../../../analysis/replay.ts";
import { readEpoch } from "../../../analysis/storage.ts";
import { invalid } from "../../../ground/errors.ts";
import type { ExperimentRecord } from "../../../model/experiment.ts";
import { toSubject } from "../../../model/experiment-subject.ts";
import type { Collection } from "../../../storage/collection.ts";
import { findByIdOrKey } from "../../../storage/lookup.ts";
import { defineTask, type EtlTask, TaskFailure } from "./task.ts";

/** The minimum number of events for a separate thread; fewer may be expensive too. */
const WORKER_FROM = 20_000;
const QUESTION: Question = { about: "statistics", options: null };

/**
 * Recomputes every experiment from the raw journal and compares the sums exactly with those of the results. If the
 * journal was trimmed, the run log states how many events exist only in chunks.
 */
export function createResultsRecompute(deps: {
  store: Store;
  analysis: Analysis;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
}): EtlTask {
  const { store, analysis, experiments } = deps;

  function wanted({ experiment_id }: ExperimentParameters): ExperimentRecord[] {
    if (experiment_id === undefined) return experiments.all().filter(({ status }) => status !== "DRAFT");
    const record = findByIdOrKey(experiments, experiment_id);
    return record ? [record] : [];
  }

  /** Whether both logs give the same sums of an experiment, at the same position. */
  async function agrees(record: ExperimentRecord, replay: Replay): Promise<boolean> {
    const subject = toSubject(record);
    const shown = await analysis.withQuestions(async (ask, _state, { position }) => {
      await refuseErasure(replay);
      await replay.readTo(position);
      return ask(subject, QUESTION);
    }, needsThread);
    // Requests for results do not wait for this one.
    const again = await replay.ask(subject, QUESTION);
    // Events may have been erased between these two answers.
    await refuseErasure(replay);
    return isDeepStrictEqual(again, shown);
  }

  async function refuseErasure({ epoch }: Replay): Promise<void> {
    if ((await readEpoch(store)) === epoch) return;
    throw new TaskFailure("Events were erased while the job ran; run it again");
  }

  /** Whether any experiment takes too long for the main thread. The question has no days, so it passes no time. */
  const needsThread: NeedsThread = (progress) =>
    progress.rows >= WORKER_FROM ||
    experiments.all().some((record) => isDear(toSubject(record), QUESTION, progress, 0));

  return defineTask<ExperimentParameters>({
    name: "results-recompute",
    description: "Recompute experiments from the raw journal, and compare them with the stored sums",
    parameters: ExperimentParameters,
    check({ experiment_id }) {
      if (experiment_id === undefined || findByIdOrKey(experiments, experiment_id)) return;
      throw invalid(["body", "parameters", "experiment_id"], `Experiment "${experiment_id}" does not exist`);
    },
    async run({ parameters, signal, log, report }) {
      const isLong = await analysis.withQuestions(async (_ask, _state, progress) => needsThread(progress));
      // Each experiment is asked about once.
      const keeps = { keptBytes: 0 };
      const here = () => createInlineReader(keeps);
      const reader = await (isLong ? startWorkerReader(keeps).catch(here) : here());
      const stop = () => void reader.close();
      signal.addEventListener("abort", stop, { once: true });
      let replay: Replay | null = null;
      try {
        replay = await replayLog(store, reader, {
          signal,
          onProgress: (read, progress) => report(read, progress * 0.9),
        });
        const { fromChunks } = replay;
        log("INFO", `Read ${replay.rows - fromChunks} of ${replay.rows} events from the raw journal`);
        if (fromChunks > 0) {
          log(
            "WARN",
            `The raw records of ${fromChunks} events were trimmed, so chunks are used instead; set keepRawEvents to keep them`,
          );
        }
        const records = wanted(parameters);
        const differing: string[] = [];
        for (const [index, record] of records.entries()) {
          signal.throwIfAborted();
          const isEqual = await agrees(record, replay);
          log(isEqual ? "INFO" : "ERROR", `Experiment "${record.key}": ${isEqual ? "equal" : "DIFFERENT"}`);
          if (!isEqual) differing.push(record.key);
          report(replay.rows, 0.9 + (0.1 * (index + 1)) / records.length);
        }
        if (differing.length > 0) throw new TaskFailure(`Results differ from the raw journal: ${differing.join(", ")}`);
      } finally {
        signal.removeEventListener("abort", stop);
        await replay?.close();
        await reader.close();
      }
    },
  });
}
