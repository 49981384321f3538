import {
  createInlineAnalyst,
  type EngineLog,
  type EngineProgress,
  EngineUnavailable,
  type EventEngine,
  type EventRecord,
  encodeRecord,
} from "@assay/analysis";

/** An engine in memory that can be away. */
export function memoryEngine() {
  const logs = new Map<string, { records: Map<number, EventRecord>; progress: EngineProgress }>();
  const state = { isAway: false, opened: 0, asked: 0, refusal: null as Error | null };

  function answering(): void {
    if (state.refusal) throw state.refusal;
    if (state.isAway) throw new EngineUnavailable("The engine is away");
  }

  function log(id: string): EngineLog {
    const none = () => ({
      records: new Map<number, EventRecord>(),
      progress: { position: 0, receivedAt: null, gaps: [] },
    });
    const own = logs.get(id) ?? none();
    logs.set(id, own);
    const change = (of: (record: EventRecord) => EventRecord) => {
      answering();
      for (const [position, record] of own.records) own.records.set(position, of(record));
    };
    return {
      async progress() {
        answering();
        return own.progress;
      },
      async append({ records, reached }) {
        answering();
        for (const { position, record } of records) own.records.set(position, record);
        own.progress = { ...reached, gaps: [...own.progress.gaps, ...reached.gaps] };
      },
      async answer(subject, question, { position: through }) {
        answering();
        state.asked++;
        const analyst = createInlineAnalyst();
        const some = [...own.records].filter(([position]) => position <= through).sort(([a], [b]) => a - b);
        const records = some.map(([position, record]) => ({ position, record: encodeRecord(record) }));
        await analyst.ask("load", [], records);
        // The analyst returns an answer to this question; the compiler cannot infer its type.
        return (await analyst.ask("answer", subject, question)) as never;
      },
      erase: async (ids) =>
        change((record) => ({ ...record, events: record.events.filter(({ userId }) => !ids.includes(userId)) })),
      purge: async (before) => change((record) => (record.at < before ? { ...record, events: [] } : record)),
      async drop() {
        logs.delete(id);
      },
      async close() {},
    };
  }

  const engine: EventEngine = {
    name: "Memory",
    async open() {
      answering();
      state.opened++;
    },
    log,
    async close() {},
  };
  return { engine, state, logs };
}
