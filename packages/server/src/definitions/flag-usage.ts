import type { Definitions, ReadonlyEngine } from "@assay/core";
import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Metrics } from "../ground/metrics.ts";
import type { Runtime } from "../ground/runtime.ts";
import { timestampOf } from "../ground/runtime.ts";
import type { Caller } from "../model/caller.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import type { Collection } from "../storage/collection.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/** A caller that reads all definitions or all flags. It may then evaluate flags without further requests. */
export type Reader = "SERVER" | "CLIENT";

/** Returns the kind of reader that a caller is. */
export function readerOf(caller: Caller): Reader {
  return caller.type === "API_KEY" && caller.kind === "CLIENT" ? "CLIENT" : "SERVER";
}

/** When this server last saw each flag evaluated. */
export interface FlagUsage {
  /** Notes an evaluation. Ignores unknown keys. @param at milliseconds since 1970; now by default */
  note(key: string, at?: number): void;
  /** Notes that a caller read every flag. This does not count as an evaluation of any of them. */
  noteAll(reader: Reader): void;
  lastEvaluated(key: string): string | null;
  /**
   * The last time the flag was evaluated or could have been evaluated unseen, in milliseconds since 1970. This server
   * would have seen any later evaluation.
   */
  unseenSince(flag: Pick<FlagRecord, "key" | "client_side" | "created_at">): number;
  /** Loads the stored times, then writes once a minute. */
  open(): Promise<void>;
  /** Writes pending times and stops. */
  close(): Promise<void>;
}

const AREA = "flag-use";
const MINUTE_MS = 60_000;

/** Creates the usage log on a store. Evaluations only touch memory. */
export function createFlagUsage(store: Store, runtime: Runtime, flags: Collection<FlagRecord>): FlagUsage {
  const last = new Map<string, number>();
  const readers = new Map<string, number>();
  const unwritten = new Map<string, [name: string, at: number]>();
  let since = runtime.now();
  let stop = () => {};

  flags.onChange(({ before, after }) => {
    if (before && !after) last.delete(before.key);
  });
  flags.onWrite(({ before, after }) => {
    if (!before || after) return;
    const key = keyOf(AREA, "flag", before.key);
    unwritten.delete(key);
    store.batch([{ type: "delete", key }]).catch(() => {});
  });

  function note(times: Map<string, number>, kind: "flag" | "reader", name: string, at: number): void {
    const before = times.get(name);
    if (before !== undefined && at - before < MINUTE_MS) return;
    times.set(name, at);
    unwritten.set(keyOf(AREA, kind, name), [name, at]);
  }

  async function load(): Promise<void> {
    for (const [kind, times] of [
      ["flag", last],
      ["reader", readers],
    ] as const) {
      for await (const { value } of listAll(store, prefixOf(AREA, kind))) {
        const [name, at] = parseBytes<[string, number]>(value);
        if ((times.get(name) ?? 0) < at && (kind === "reader" || flags.findBy("key", name))) times.set(name, at);
      }
    }
  }

  async function write(): Promise<void> {
    const taken = new Map(unwritten);
    if (taken.size === 0) return;
    unwritten.clear();
    const operations = [...taken].map(([key, entry]): Operation => ({ type: "put", key, value: toBytes(entry) }));
    try {
      await store.batch(operations);
    } catch (error) {
      for (const [key, entry] of taken) if (!unwritten.has(key)) unwritten.set(key, entry);
      runtime.logger.warn("Times of evaluation could not be written", { error: String(error) });
    }
  }

  return {
    note(key, at = runtime.now()) {
      if (last.has(key) || flags.findBy("key", key)) note(last, "flag", key, at);
    },
    noteAll: (reader) => note(readers, "reader", reader, runtime.now()),
    lastEvaluated(key) {
      const at = last.get(key);
      return at === undefined ? null : timestampOf(at);
    },
    unseenSince({ key, client_side, created_at }) {
      const [server, client] = [readers.get("SERVER") ?? 0, readers.get("CLIENT") ?? 0];
      return Math.max(since, Date.parse(created_at), last.get(key) ?? 0, server, client_side ? client : 0);
    },
    async open() {
      const key = keyOf(AREA, "since");
      // Reads first, so that a server starts on a full disk too.
      if (!(await store.get(key))) {
        await store.batch([{ type: "put", key, value: toBytes(since), ifAbsent: "skip" }]);
      }
      since = parseBytes<number>((await store.get(key))!.value);
      await load();
      const follow = async () => {
        await write();
        // Other nodes record their own evaluations.
        if (store.capabilities.multiProcess) await load();
      };
      stop = every(MINUTE_MS, follow, (error) =>
        runtime.logger.warn("Times of evaluation could not be read", { error: String(error) }),
      );
    },
    async close() {
      stop();
      await write();
    },
  };
}

/** Wraps an engine to record the evaluations of this process. */
export function withUsage(
  engine: ReadonlyEngine,
  use: Pick<FlagUsage, "note" | "noteAll">,
  metrics: Pick<Metrics, "evaluated">,
): ReadonlyEngine {
  let indexed: { definitions: Definitions; flagOf: Map<string, string> } | undefined;

  /** Returns the flag of an experiment. Indexed once per set of definitions, because assignments are frequent. */
  function flagOf(experimentKey: string): string | undefined {
    const { definitions } = engine;
    if (indexed?.definitions !== definitions) {
      const bound = definitions.experiments.flatMap(({ key, feature_flag_key }) =>
        feature_flag_key ? [[key, feature_flag_key] as const] : [],
      );
      indexed = { definitions, flagOf: new Map(bound) };
    }
    return indexed.flagOf.get(experimentKey);
  }

  return {
    get definitions() {
      return engine.definitions;
    },
    evaluate(key, ...rest) {
      const result = engine.evaluate(key, ...rest);
      if (result.error_code !== "FLAG_NOT_FOUND") use.note(key);
      metrics.evaluated(result.reason);
      return result;
    },
    evaluateAll(...question) {
      use.noteAll("SERVER");
      const results = engine.evaluateAll(...question);
      for (const { reason } of Object.values(results)) metrics.evaluated(reason);
      return results;
    },
    assign(experimentKey, ...question) {
      const flagKey = flagOf(experimentKey);
      if (flagKey !== undefined) use.note(flagKey);
      return engine.assign(experimentKey, ...question);
    },
    onChange: engine.onChange,
  };
}
