import type { Membership, Segment, SegmentCreate, SegmentUpdate, SegmentUse } from "@assay/contract";
import {
  compileSegment,
  type EvaluationContext,
  isMember,
  type JsonValue,
  type LinkedSegment,
  type TraceStep,
} from "@assay/core";
import { findSegmentCycle, listSegmentReferences, validateSegment } from "@assay/core/server";
import { requireSound } from "../../definitions/problems.ts";
import { findMissing, namedSegments, type Referring } from "../../definitions/references.ts";
import type { Snapshot } from "../../definitions/snapshot.ts";
import { stepLimit } from "../../definitions/step-limit.ts";
import { conflict, invalid, notFound } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { mapInSlices } from "../../ground/slices.ts";
import { type Caller, personOf, seesDrafts } from "../../model/caller.ts";
import { toExperimentDefinition, toFlagDefinition, toSegmentDefinition } from "../../model/definition.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { SegmentRecord } from "../../model/segment.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { type MergedSegment, mergeSegment } from "./segment.ts";

export interface SegmentFilter {
  status_filter?: SegmentRecord["status"] | undefined;
  search?: string | undefined;
}

export interface SegmentService {
  /** By id or name. @throws ApiError 404 */
  get(idOrName: string, caller: Caller): Segment;
  list(filter: SegmentFilter, caller: Caller): Promise<Segment[]>;
  /** @throws ApiError 409 for a taken name, 413, 422 */
  create(body: SegmentCreate, caller: Caller, by: Change): Promise<Segment>;
  /**
   * @throws ApiError 404, 409 for a taken name, or if a referenced segment would be renamed or archived, 412, 413, 422
   */
  update(idOrName: string, body: SegmentUpdate, caller: Caller, by: Change, ifVersion?: number): Promise<Segment>;
  /** @throws ApiError 404, 409 while something refers to it, 412 */
  remove(idOrName: string, by: Change, ifVersion?: number): Promise<void>;
  /** @throws ApiError 404, 422 if evaluating the attributes takes too many steps */
  evaluate(idOrName: string, userId: string, attributes: Record<string, JsonValue> | undefined): Membership;
}

/** A document that refers to segments. */
interface User extends SegmentUse {
  names: ReadonlySet<string>;
  isDraft: boolean;
}

export function createSegmentService(deps: {
  runtime: Runtime;
  segments: Collection<SegmentRecord>;
  flags: Collection<FlagRecord>;
  experiments: Collection<ExperimentRecord>;
  snapshot: Snapshot;
}): SegmentService {
  const { runtime, segments, flags, experiments, snapshot } = deps;
  const compiled = new WeakMap<SegmentRecord, LinkedSegment>();
  const named = new WeakMap<object, ReadonlySet<string>>();

  /**
   * Returns the segments a stored document refers to. Documents are replaced, never mutated, so the result is cached.
   */
  function namesIn<T extends object>(record: T, toDefinition: (record: T) => Referring): ReadonlySet<string> {
    const names = named.get(record) ?? namedSegments(toDefinition(record));
    named.set(record, names);
    return names;
  }

  const find = (idOrName: string) => segments.get(idOrName) ?? segments.findBy("name", idOrName);

  function require(idOrName: string): SegmentRecord {
    const segment = find(idOrName);
    if (!segment) throw notFound();
    return segment;
  }

  /** Returns all references to segments. Experiments that have ended do not count. */
  function users(): User[] {
    const running = experiments.all().filter(({ status }) => status !== "COMPLETED" && status !== "ARCHIVED");
    return [
      ...flags.all().map((flag) => toUser("FEATURE_FLAG", flag.id, flag.key, namesIn(flag, toFlagDefinition))),
      ...running.map((one) => ({
        ...toUser("EXPERIMENT", one.id, one.key, namesIn(one, toExperimentDefinition)),
        isDraft: one.status === "DRAFT",
      })),
      ...segments.all().map((one) => toUser("SEGMENT", one.id, one.name, namesIn(one, toSegmentDefinition))),
    ].filter(({ names }) => names.size > 0);
  }

  function requireUnused(segment: SegmentRecord, names: string[], advice: string): void {
    const using = users().filter((user) => names.some((name) => user.names.has(name)));
    if (using.length === 0) return;
    const kinds = { FEATURE_FLAG: "feature flag", EXPERIMENT: "experiment", SEGMENT: "segment" };
    const shown = using.slice(0, 10).map(({ type, key }) => `${kinds[type]} "${key}"`);
    const more = using.length > shown.length ? ` and ${using.length - shown.length} more` : "";
    throw conflict(`Segment "${segment.name}" is used by ${shown.join(", ")}${more}; ${advice}`);
  }

  /** @throws ApiError 413, 422 */
  function requireValid(segment: SegmentRecord, { toBodyPath }: MergedSegment): void {
    const definition = toSegmentDefinition(segment);
    requireSound(validateSegment(definition).map((problem) => ({ ...problem, path: toBodyPath(problem.path) })));
    const isItself = (name: string) => name === segment.id || name === segment.name;
    const missing = findMissing(
      listSegmentReferences(segment.conditions, ["when"]),
      (name) => isItself(name) || find(name)?.status === "ACTIVE",
    );
    if (missing) throw invalid(["body", ...toBodyPath(missing.path)], `Segment "${missing.name}" does not exist`);
    const others = segments.all().filter(({ id }) => id !== segment.id);
    const cycle = findSegmentCycle([definition, ...others.map(toSegmentDefinition)]);
    if (cycle) throw invalid(["body", ...toBodyPath(["when"])], `Segments form a cycle: ${cycle.join(" -> ")}`);
    snapshot.requireRoom(`segment ${segment.id}`, definition);
  }

  function toAnswer(segment: SegmentRecord, references: readonly User[], caller: Caller): Segment {
    const used_by = references
      .filter(
        ({ names, isDraft }) => (names.has(segment.id) || names.has(segment.name)) && (!isDraft || seesDrafts(caller)),
      )
      .map(({ type, id, key }) => ({ type, id, key }));
    return { ...segment, used_by };
  }

  function compile(segment: SegmentRecord): LinkedSegment {
    let made = compiled.get(segment);
    if (!made) {
      const segmentTest = (idOrName: string) => {
        const other = find(idOrName);
        return other?.status === "ACTIVE" ? compile(other) : undefined;
      };
      made = compileSegment(toSegmentDefinition(segment), { segment: segmentTest, now: runtime.now, limit: stepLimit });
      compiled.set(segment, made);
    }
    return made;
  }

  return {
    get: (idOrName, caller) => toAnswer(require(idOrName), users(), caller),
    async list({ status_filter, search }, caller) {
      const needle = search?.toLowerCase();
      const references = users();
      const found = segments
        .all()
        .filter(({ status }) => !status_filter || status === status_filter)
        .filter(({ name, description }) => !needle || `${name}\n${description}`.toLowerCase().includes(needle));
      return mapInSlices(found, (segment) => toAnswer(segment, references, caller));
    },
    async create(body, caller, by) {
      const merged = mergeSegment(null, body);
      const fields = { ...merged.fields, created_by: personOf(caller) ?? "" };
      const id = runtime.id();
      requireValid({ ...fields, id, created_at: "", updated_at: "", version: 0 }, merged);
      return toAnswer(await segments.insert({ ...fields, id }, by), users(), caller);
    },
    async update(idOrName, body, caller, by, ifVersion) {
      const change = (current: SegmentRecord) => {
        const merged = mergeSegment(current, body);
        const next = { ...current, ...merged.fields };
        requireValid(next, merged);
        if (next.name !== current.name) {
          requireUnused(current, [current.name], "it cannot be renamed while something refers to it by its name");
        }
        if (next.status !== "ACTIVE" && current.status === "ACTIVE") {
          requireUnused(current, [current.id, current.name], "it cannot be archived");
        }
        return next;
      };
      return toAnswer(await segments.update(require(idOrName).id, change, by, { ifVersion }), users(), caller);
    },
    async remove(idOrName, by, ifVersion) {
      const segment = require(idOrName);
      requireUnused(segment, [segment.id, segment.name], "it cannot be deleted");
      await segments.remove(segment.id, by, { ifVersion });
    },
    evaluate(idOrName, userId, attributes) {
      const segment = require(idOrName);
      const answer = { segment_id: segment.id, user_id: userId };
      if (segment.status !== "ACTIVE") return { ...answer, is_member: false, matched: [] };
      if (segment.user_ids.includes(userId)) return { ...answer, is_member: true, matched: ["user_ids"] };
      const trace: TraceStep[] = [];
      const is_member = ask(compile(segment), { ...attributes, targetingKey: userId }, trace);
      return { ...answer, is_member, matched: trace.filter(({ matched }) => matched).map(({ subject }) => subject) };
    },
  };
}

/** @throws ApiError 422 */
function ask(segment: LinkedSegment, context: EvaluationContext, trace: TraceStep[]): boolean {
  try {
    return isMember(segment, context, { trace });
  } catch (error) {
    if (error instanceof RangeError) throw invalid(["body", "attributes"], error.message, "too_big");
    throw error;
  }
}

function toUser(type: SegmentUse["type"], id: string, key: string, names: ReadonlySet<string>): User {
  return { type, id, key, names, isDraft: false };
}
