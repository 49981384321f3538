import { HOLDOUT_ARMS, type Subject, type SufficientStatistics } from "@assay/analysis";
import type { Holdout, HoldoutCreate, HoldoutReport, HoldoutUpdate, MetricResult } from "@assay/contract";
import { createBucketer } from "@assay/core";
import { anytimeSampleRatioTest, sampleRatioTest } from "@assay/core/stats";
import type { Analysis } from "../../analysis/analysis.ts";
import { badRequest, conflict } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { runInSlices, type Steps } from "../../ground/slices.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { ACTIVE, type HoldoutRecord } from "../../model/holdout.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { isResumed } from "../../storage/once.ts";
import type { ProgrammeOf } from "./programme.ts";

/** Whether a user is held out now. */
export interface Check {
  user_id: string;
  in_holdout: boolean;
  holdout_id: string | null;
  bucket: number | null;
}

export interface HoldoutService {
  /** Null if no holdout is ACTIVE. */
  active(): Holdout | null;
  all(): Holdout[];
  /** @throws ApiError 400 if it is created as ENDED, 409 while another is ACTIVE */
  create(body: HoldoutCreate, caller: Caller, by: Change): Promise<Holdout>;
  /**
   * @throws ApiError 400 naming both states, or if the percentage can no longer change; 404; 409 while another is
   * ACTIVE; 412
   */
  update(id: string, body: HoldoutUpdate, by: Change, ifVersion?: number): Promise<Holdout>;
  /**
   * The holdout with its effect, and what was shipped of the experiments that the caller may see; with an event type, the
   * effect among users who sent such an event.
   * @throws ApiError 404
   */
  report(id: string, eventType: string | null, caller: Caller): Promise<HoldoutReport>;
  check(userId: string): Check;
}

/** Compares the arms of some metrics. */
export type Comparer = (
  design: Pick<ExperimentRecord, "variants" | "alpha" | "correction">,
  statistics: SufficientStatistics,
) => Steps<MetricResult[]>;

const TRANSITIONS: Record<HoldoutRecord["status"], readonly HoldoutRecord["status"][]> = {
  DRAFT: ["ACTIVE", "ENDED"],
  ACTIVE: ["ENDED"],
  ENDED: [],
};

export function createHoldoutService(deps: {
  runtime: Runtime;
  holdouts: Collection<HoldoutRecord>;
  analysis: Analysis;
  compare: Comparer;
  programmeOf: ProgrammeOf;
}): HoldoutService {
  const { runtime, holdouts, analysis, compare, programmeOf } = deps;
  const now = () => timestampOf(runtime.now());
  const active = () => holdouts.findBy("status", ACTIVE);
  let hash: { id: string; of: (userId: string) => number } | null = null;

  function moved(holdout: HoldoutRecord, status: HoldoutRecord["status"]): HoldoutRecord {
    if (status === holdout.status) return holdout;
    if (!TRANSITIONS[holdout.status].includes(status)) {
      throw badRequest(`A holdout cannot go from ${holdout.status} to ${status}`);
    }
    const other = active();
    if (status === ACTIVE && other && !isResumed(holdouts.name))
      throw conflict(`Holdout "${other.name}" is ACTIVE; end it first`);
    return status === ACTIVE ? { ...holdout, status, started_at: now() } : { ...holdout, status, ended_at: now() };
  }

  return {
    active: () => active() ?? null,
    all: () => holdouts.all(),
    async create({ name, description, percentage, status = ACTIVE }, caller, by) {
      if (status === "ENDED") throw badRequest("A new holdout must be DRAFT or ACTIVE, not ENDED");
      const draft: HoldoutRecord = {
        id: runtime.id(),
        name,
        description: description ?? "",
        percentage,
        status: "DRAFT",
        started_at: null,
        ended_at: null,
        created_by: personOf(caller) ?? "",
        created_at: "",
        updated_at: "",
        version: 0,
      };
      return holdouts.insert(moved(draft, status), by);
    },
    update(id, { name, description, percentage, status }, by, ifVersion) {
      const change = (current: HoldoutRecord) => {
        const next = {
          ...current,
          name: name ?? current.name,
          description: description === undefined ? current.description : (description ?? ""),
          percentage: percentage ?? current.percentage,
        };
        if (current.status !== "DRAFT" && next.percentage !== current.percentage) {
          throw badRequest(`The percentage of a holdout is fixed once it is ACTIVE; this one is ${current.status}`);
        }
        return moved(next, status ?? current.status);
      };
      return holdouts.update(id, change, by, { ifVersion });
    },
    async report(id, eventType, caller) {
      const holdout = holdouts.require(id);
      if (holdout.started_at === null) return { ...holdout, effect: null };
      const { percentage, version } = holdout;
      const from = Date.parse(holdout.started_at);
      const options = { percentage, from, eventType };
      const statistics = await analysis.answer(toSubject(holdout, from), version, { about: "holdout", options });
      const [held = 0, others = 0] = statistics.users;
      const weights = [percentage, 100 - percentage];
      const test = sampleRatioTest(statistics.users, weights);
      const anytime = anytimeSampleRatioTest([{ observed: statistics.users, weights }]);
      const isSeen = held + others > 0;
      const [control, treatment] = HOLDOUT_ARMS;
      const metrics = await runInSlices(compare(DESIGN, statistics));
      return {
        ...holdout,
        effect: {
          population: eventType === null ? "ASKED_OR_SEEN" : "EVENT",
          event_type: eventType,
          sample_size: { held_out: held, not_held_out: others },
          srm: {
            p_value: isSeen ? test.pValue : null,
            anytime_p_value: isSeen ? anytime.pValue : null,
            expected: { [control]: test.expected[0] ?? 0, [treatment]: test.expected[1] ?? 0 },
            observed: { [control]: held, [treatment]: others },
            warning: anytime.warning,
          },
          metrics,
          analysis_warnings: [
            ...(anytime.warning ? ["SAMPLE_RATIO_MISMATCH"] : []),
            ...(await analysis.missing(holdout)),
          ],
          computed_at: now(),
        },
        programme: await programmeOf(holdout, { statistics, metrics }, caller),
      };
    },
    check(userId) {
      const holdout = active();
      if (!holdout) return { user_id: userId, in_holdout: false, holdout_id: null, bucket: null };
      if (hash?.id !== holdout.id) hash = { id: holdout.id, of: createBucketer(`holdout:${holdout.id}`) };
      const bucket = hash.of(userId);
      return { user_id: userId, in_holdout: bucket < holdout.percentage / 100, holdout_id: holdout.id, bucket };
    },
  };
}

/** The design of the comparison: held-out users are the control. */
const DESIGN: Parameters<Comparer>[0] = {
  variants: HOLDOUT_ARMS.map((key, index) => ({ id: key, key, name: key, weight: 0.5, is_control: index === 0 })),
  alpha: 0.05,
  correction: "HOLM",
};

function toSubject({ id, ended_at }: HoldoutRecord, from: number): Subject {
  return {
    experimentId: id,
    variants: [...HOLDOUT_ARMS],
    history: [
      { status: "ACTIVE", at: from },
      ...(ended_at === null ? [] : [{ status: "COMPLETED" as const, at: Date.parse(ended_at) }]),
    ],
    metrics: null,
    everyOutcome: true,
  };
}
