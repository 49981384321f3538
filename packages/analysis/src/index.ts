export {
  type Analyst,
  type AnswerTo,
  type CutChunk,
  createInlineAnalyst,
  NO_PROGRESS,
  type Progress,
  type Question,
  type ReceivedRecord,
} from "./analyst.ts";
export type { Arrival } from "./arrivals.ts";
export { toAttribute } from "./attributes.ts";
export type { Baseline, BaselinePlan } from "./baseline.ts";
export type { BreakdownStatistics } from "./breakdown.ts";
export type { CarryOverStatistics } from "./carry-over.ts";
export { type Cells, type CellTally, groupsOfCells, statisticsOfCells, tallyPlans } from "./cells.ts";
export { adjustClusters, type Contributions, contributionsOf, mergeContributions } from "./cluster-adjustment.ts";
export { clusterLiftInterval } from "./cluster-lift.ts";
export type { EventCounts } from "./counts.ts";
export type { CovariateStatistics, MetricCovariate } from "./covariates.ts";
export { type DetailRow, decodeDetails } from "./details.ts";
export { estimateOf } from "./estimate.ts";
export { createEventDecoder, type EventDecoder, type PositionRange } from "./event-decoder.ts";
export {
  type EngineBatch,
  type EngineLog,
  type EngineMoment,
  type EngineProgress,
  EngineRefused,
  EngineUnavailable,
  type EventEngine,
  type PlacedRecord,
} from "./event-engine.ts";
export type { Gap } from "./event-log.ts";
export {
  decodeRecord,
  type EventRecord,
  EXPOSURE,
  encodeRecord,
  type Join,
  MAX_AHEAD_MS,
  MAX_EVENT_VALUE,
  MIN_EVENT_VALUE,
  type StoredEvent,
  withoutEvents,
} from "./event-record.ts";
export { type Exporter, type ExportFilter, startExporter } from "./exporter.ts";
export type { GroupStatistics } from "./groups.ts";
export { HOLDOUT_ARMS } from "./holdout.ts";
export { type KeptEvent, keptEventsOf } from "./kept-event.ts";
export type { Look } from "./looks.ts";
export { defaultMetrics, type MetricStatistics } from "./metric.ts";
export type { Metric } from "./metric-definition.ts";
export { MAX_CELLS, type OverlapStatistics } from "./overlap.ts";
export type { PersonCursor, PersonEvent, StrippedChunk } from "./person.ts";
export {
  createInlineReader,
  type Reader,
  type ReaderProgress,
  type StoredChunk,
  startWorkerReader,
  type WantedChunk,
} from "./reader.ts";
export { encodeColumns } from "./record-bytes.ts";
export { type ColumnsBuilder, createColumns, type RecordColumns } from "./record-columns.ts";
export { createRecordDecoder, type RecordDecoder } from "./record-decoder.ts";
export type { RolloutMetric, RolloutOptions, RolloutStatistics, RolloutStratum } from "./rollout.ts";
export {
  isSampleRatioMismatch,
  type Judgement,
  judgeRollout,
  type RolloutClaim,
  type RolloutComparison,
  type Verdict,
} from "./rollout-judgement.ts";
export { createRolloutSum, IN, OUT, type RolloutEstimate, type RolloutSum } from "./rollout-sum.ts";
export type { Segment } from "./segment.ts";
export type { StayCounts } from "./stays.ts";
export { stratify } from "./stratification.ts";
export type { Subject } from "./subject.ts";
export type { SufficientStatistics } from "./sufficient-statistics.ts";
export type { TallyOperation, TallyPlan } from "./tally-column.ts";
export type { ReaderOptions, ThreadOptions } from "./thread-options.ts";
export { startWorkerAnalyst } from "./worker-analyst.ts";
