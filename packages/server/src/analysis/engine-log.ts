import type { EngineLog, EventEngine } from "@assay/analysis";
import { keyOf, type Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/** The id under which an engine has the events of this store, so that several servers can use one database. */
const KEY = keyOf("events", "engine");

/**
 * Opens an engine, and in it the copy of a store's events. A store that is older than its copy was restored from a backup:
 * then it gets a new copy.
 * @throws EngineRefused, EngineUnavailable
 */
export async function openEngineLog(store: Store, runtime: Runtime, engine: EventEngine): Promise<EngineLog> {
  await engine.open();
  const { id, version } = await readId(store, runtime);
  const log = engine.log(id);
  const { position } = await log.progress();
  if (position <= (await store.head(EVENTS_JOURNAL))) return log;
  runtime.logger.warn(`The store is older than its copy in ${engine.name}; the events are copied again`);
  const next = runtime.id();
  const renewed = await store.batch([{ type: "put", key: KEY, value: toBytes({ id: next }), ifVersion: version }]);
  if (!renewed.ok) return openEngineLog(store, runtime, engine);
  await log.drop();
  await log.close();
  return engine.log(next);
}

async function readId(store: Store, runtime: Runtime): Promise<{ id: string; version: number }> {
  for (;;) {
    const entry = await store.get(KEY);
    if (entry) return { id: parseBytes<{ id: string }>(entry.value).id, version: entry.version };
    await store.batch([{ type: "put", key: KEY, value: toBytes({ id: runtime.id() }), ifAbsent: "skip" }]);
  }
}
