import type { EventCounts } from "@assay/analysis";
import type { CounterIncrement, CounterName, Counters } from "@assay/contract";
import type { Store } from "@assay/store";
import type { Analysis } from "../../analysis/analysis.ts";
import { EVENTS_JOURNAL } from "../../events/journal.ts";
import { conflict, invalid } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { toSubject } from "../../model/experiment-subject.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import type { AuditEntry, Change } from "../../storage/change.ts";
import { AUDIT_JOURNAL, type Collection } from "../../storage/collection.ts";
import { toBytes } from "../../storage/json.ts";
import { type Addition, addAll, isSimple, readTally, removeAll, resetAll, type Tally } from "./tally.ts";

/**
 * The counters of an experiment, in any status: what callers incremented, plus the users and events that tracking has
 * stored. The latter are computed from the events by the rules of the results, so that both always agree. Every method
 * throws an ApiError 404 for an unknown experiment, and for a DRAFT the caller may not see.
 */
export interface CounterService {
  get(idOrKey: string, caller: Caller): Promise<Counters>;
  /** @throws ApiError 422 for an unknown variant */
  increment(idOrKey: string, increment: CounterIncrement, caller: Caller): Promise<Counters>;
  /** Counts all increments or none. @throws ApiError 409 under too much contention, 422 */
  bulk(idOrKey: string, increments: readonly CounterIncrement[], caller: Caller): Promise<Counters>;
  /** Counts from 0 again. Events that are stored already do not count any more, but stay in the results. */
  reset(idOrKey: string, caller: Caller, by: Change): Promise<void>;
}

/** Creates the counters of a store. */
export function createCounterService(deps: {
  store: Store;
  runtime: Runtime;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  analysis: Pick<Analysis, "answer">;
}): CounterService {
  const { store, runtime, experiments, analysis } = deps;
  const now = () => timestampOf(runtime.now());

  // Only DRAFT experiments are deleted. Their counts are deleted with them.
  experiments.onWrite(({ id, after }) => {
    if (after) return;
    readTally(store, id)
      .then((tally) => store.batch(removeAll(tally)))
      .catch((error: unknown) =>
        runtime.logger.warn("Cannot delete the counters of a deleted experiment", { error: String(error) }),
      );
  });

  async function answer(record: ExperimentRecord): Promise<Counters> {
    const tally = await readTally(store, record.id);
    return toCounters(record, tally, await tracked(record, tally));
  }

  /** Counts what tracking has stored since the last reset, from every acknowledged event. */
  function tracked(record: ExperimentRecord, { after }: Tally): Promise<EventCounts> {
    return analysis.answer(toSubject(record), record.version, { about: "counts", options: { after } });
  }

  const turns = new Map<string, Promise<unknown>>();

  /** Runs the batches of an experiment one after the other, so that only other nodes contend with them. */
  function inTurn<T>(id: string, action: () => Promise<T>): Promise<T> {
    const turn = (turns.get(id) ?? Promise.resolve()).then(action, action);
    const end = () => {
      if (turns.get(id) === turn) turns.delete(id);
    };
    turns.set(id, turn);
    turn.then(end, end);
    return turn;
  }

  /** @throws ApiError 409 under too much contention */
  async function count(record: ExperimentRecord, additions: readonly Addition[]): Promise<Counters> {
    const add = () => addAll(store, record.id, additions, now());
    const isCounted = await (isSimple(additions) ? add() : inTurn(record.id, add));
    if (!isCounted) throw conflict("Other requests are changing the counters; nothing was counted, try again");
    return answer(record);
  }

  return {
    get: async (idOrKey, caller) => answer(requireVisible(experiments, idOrKey, caller)),
    async increment(idOrKey, increment, caller) {
      const record = requireVisible(experiments, idOrKey, caller);
      return count(record, [toAddition(record, increment, ["body", "variant_id"])]);
    },
    async bulk(idOrKey, increments, caller) {
      const record = requireVisible(experiments, idOrKey, caller);
      const additions = increments.map((one, index) =>
        toAddition(record, one, ["body", "increments", index, "variant_id"]),
      );
      return count(record, additions);
    },
    async reset(idOrKey, caller, by) {
      const record = requireVisible(experiments, idOrKey, caller);
      const position = await store.head(EVENTS_JOURNAL);
      const tally = await readTally(store, record.id);
      const { totals } = toCounters(record, tally, await tracked(record, tally));
      const entry: AuditEntry = {
        ...by.actor,
        id: runtime.id(),
        timestamp: now(),
        action: by.action,
        resource_type: "experiment",
        resource_id: record.id,
        resource_name: record.key,
        old_value: { counters: totals },
        new_value: null,
        reason: by.reason ?? null,
      };
      await store.batch([
        ...resetAll(tally, record.id, position),
        { type: "append", journal: AUDIT_JOURNAL, records: [toBytes(entry)] },
      ]);
    },
  };
}

function toAddition(
  { variants }: ExperimentRecord,
  { variant_id, counter, amount }: CounterIncrement,
  loc: (string | number)[],
): Addition {
  const variant = variants.find(({ id, key }) => key === variant_id || id === variant_id);
  if (!variant) throw invalid(loc, `The experiment has no variant "${variant_id}"`, "unknown_variant");
  return { variantKey: variant.key, counter, amount };
}

function toCounters(record: ExperimentRecord, tally: Tally, tracked: EventCounts): Counters {
  const arms = toSubject(record).variants;
  const variants = record.variants.map(({ id, key }) => {
    const incremented = tally.counts(key);
    const count = (counter: CounterName) => incremented[counter] + tracked[counter][arms.indexOf(key)]!;
    return { variant_id: id, variant_key: key, ...toCounts(count) };
  });
  return {
    experiment_id: record.id,
    totals: toCounts((counter) => variants.reduce((total, one) => total + one[counter], 0)),
    variants,
    updated_at: later(tally.updatedAt, tracked.receivedAt),
  };
}

function toCounts(count: (counter: CounterName) => number): Record<CounterName, number> {
  return { assignments: count("assignments"), events: count("events"), conversions: count("conversions") };
}

/** Returns the later of an ISO 8601 time and one in milliseconds since 1970. */
function later(incremented: string | null, received: number | null): string | null {
  const times = [incremented, received === null ? null : timestampOf(received)].filter((time) => time !== null);
  return times.sort().at(-1) ?? null;
}
