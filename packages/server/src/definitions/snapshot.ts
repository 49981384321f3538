import {
  type Assignment,
  createEngine,
  type Definitions,
  type Engine,
  type ExperimentDefinition,
  type FlagDefinition,
  type GroupDefinition,
  SCHEMA_VERSION,
  type SegmentDefinition,
} from "@assay/core";
import { listSegmentReferences } from "@assay/core/server";
import { ApiError } from "../ground/errors.ts";
import {
  toExperimentDefinition,
  toFlagDefinition,
  toGroupDefinition,
  toHoldoutDefinition,
  toSegmentDefinition,
} from "../model/definition.ts";
import type { GroupRecord } from "../model/exclusion-group.ts";
import type { ExperimentRecord } from "../model/experiment.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import { ACTIVE, type HoldoutRecord } from "../model/holdout.ts";
import type { SegmentRecord } from "../model/segment.ts";
import type { Collection } from "../storage/collection.ts";
import { findMissing, namedSegments, neededSegments, type Referring } from "./references.ts";
import { stepLimit } from "./step-limit.ts";

/** Maximum size of all definitions together, in bytes of JSON. */
const MAX_DEFINITION_BYTES = 10 * 1024 * 1024;

/** The collections that definitions come from. */
export interface Sources {
  flags: Collection<FlagRecord>;
  experiments: Collection<ExperimentRecord>;
  segments: Collection<SegmentRecord>;
  groups: Collection<GroupRecord>;
  holdouts: Collection<HoldoutRecord>;
}

/**
 * Keeps the definitions of the engine in sync with the stored documents. Evaluation reads only the engine, never the
 * store.
 */
export interface Snapshot {
  /**
   * Checks the size of a definition before it is written. Segments count once something refers to them.
   * @throws ApiError 413 if all definitions would exceed 10 MB
   */
  requireRoom(key: string, definition: FlagDefinition | ExperimentDefinition | SegmentDefinition): void;
  /** The first IN_SEGMENT condition that names an unknown segment, with its path. Null if all segments exist. */
  missingSegment(definition: Referring): { name: string; path: (string | number)[] } | null;
  /** The arm a user would get if the experiment ran now, with the current holdout, group and segments. */
  assignAsActive(
    experiment: ExperimentRecord,
    userId: string,
    attributes: Record<string, unknown> | undefined,
    now: number,
  ): Assignment | null;
  /** The current definitions with this flag in place of the stored one, or in addition to them. */
  definitionsWith(flag: FlagRecord): Definitions;
  /** Installs the current definitions. Called once after loading, then on every change. */
  refresh(): void;
}

/** A definition in use, its length and the segments it names. */
interface Entry<T> {
  definition: T;
  size: number;
  references: ReadonlySet<string>;
}

/** Creates the snapshot. @param flagSetId names the environment, for telemetry */
export function createSnapshot(engine: Engine, sources: Sources, flagSetId: string): Snapshot {
  const flags = new Map<string, Entry<FlagDefinition>>();
  const experiments = new Map<string, Entry<ExperimentDefinition>>();
  const segments = new Map<string, Entry<SegmentDefinition>>();
  let isOpen = false;

  function take<T extends object>(entries: Map<string, Entry<T>>, id: string, definition: T | null): void {
    if (definition) entries.set(id, toEntry(definition));
    else entries.delete(id);
  }

  function segmentsFor(referring: Iterable<Entry<object>>, available = segments): SegmentDefinition[] {
    const names = new Set<string>();
    for (const { references } of referring) for (const name of references) names.add(name);
    if (names.size === 0) return [];
    return neededSegments(
      [...available.values()].map(({ definition }) => definition),
      names,
    );
  }

  /** Groups of running experiments. Other groups exclude no users. */
  function groupsOf(running: readonly ExperimentDefinition[]): GroupDefinition[] {
    const byGroup = new Map<string, ExperimentDefinition[]>();
    for (const experiment of running) {
      const id = experiment.mutual_exclusion_group_id;
      if (id) byGroup.set(id, [...(byGroup.get(id) ?? []), experiment]);
    }
    return [...byGroup].map(([id, members]) => toGroupDefinition(id, sources.groups.get(id), members));
  }

  const isStored = (idOrName: string) =>
    (sources.segments.get(idOrName) ?? sources.segments.findBy("name", idOrName))?.status === "ACTIVE";

  const holdout = () => toHoldoutDefinition(sources.holdouts.findBy("status", ACTIVE));

  function install(): void {
    if (!isOpen) return;
    const running = [...experiments.values()].map(({ definition }) => definition);
    engine.update({
      schema_version: SCHEMA_VERSION,
      flags: [...flags.values()].map(({ definition }) => definition),
      segments: segmentsFor([...flags.values(), ...experiments.values()]),
      groups: groupsOf(running.filter(({ status }) => status === "ACTIVE")),
      holdout: holdout(),
      experiments: running,
      flag_set_id: flagSetId,
    });
  }

  sources.flags.onChange(({ id, after }) => {
    take(flags, id, after && toServedDefinition(after));
    install();
  });
  sources.experiments.onChange(({ id, after }) => {
    const isOut = !after || after.status === "DRAFT" || after.status === "ARCHIVED";
    take(experiments, id, isOut ? null : toExperimentDefinition(after));
    install();
  });
  sources.segments.onChange(({ id, after }) => {
    take(segments, id, after?.status === "ACTIVE" ? toSegmentDefinition(after) : null);
    install();
  });
  sources.groups.onChange(install);
  sources.holdouts.onChange(install);

  return {
    requireRoom(key, definition) {
      const [kind, id = ""] = key.split(" ");
      const entry = toEntry<object>(definition);
      const others = [...flags, ...experiments].filter(([other]) => other !== id);
      const referring: Entry<object>[] = others.map(([, other]) => other);
      const available = new Map(segments);
      if (kind === "segment") available.set(id, toEntry(definition as SegmentDefinition));
      else referring.push(entry);
      const sizes = new Map([...available.values()].map((segment) => [segment.definition, segment.size]));
      const needed = segmentsFor(referring, available).reduce((sum, segment) => sum + sizes.get(segment)!, 0);
      const size = referring.reduce((sum, other) => sum + other.size, needed);
      if (size > MAX_DEFINITION_BYTES) {
        throw new ApiError(413, `All definitions together would take ${size} bytes, more than ${MAX_DEFINITION_BYTES}`);
      }
    },
    missingSegment({ rules = [] }) {
      const references = rules.flatMap(({ when }, index) => listSegmentReferences(when, ["rules", index, "when"]));
      return findMissing(references, isStored);
    },
    assignAsActive(experiment, userId, attributes, now) {
      const definition = { ...toExperimentDefinition(experiment), status: "ACTIVE" as const };
      const definitions: Definitions = {
        schema_version: SCHEMA_VERSION,
        flags: definition.feature_flag_key ? engine.definitions.flags : [],
        segments: segmentsFor([toEntry(definition), ...(definition.feature_flag_key ? flags.values() : [])]),
        groups: groupsOf([definition]),
        holdout: holdout(),
        experiments: [definition],
      };
      return createEngine(definitions, { now: () => now, limit: stepLimit }).assign(definition.key, userId, attributes);
    },
    definitionsWith(flag) {
      const listed = new Map(flags);
      take(listed, flag.id, toServedDefinition(flag));
      return {
        ...engine.definitions,
        flags: [...listed.values()].map(({ definition }) => definition),
        segments: segmentsFor([...listed.values(), ...experiments.values()]),
      };
    },
    refresh() {
      isOpen = true;
      install();
    },
  };
}

/** Archived flags evaluate as missing. */
function toServedDefinition(flag: FlagRecord): FlagDefinition | null {
  return flag.status === "ARCHIVED" ? null : toFlagDefinition(flag);
}

function toEntry<T extends object>(definition: T): Entry<T> {
  return { definition, size: JSON.stringify(definition).length, references: namedSegments(definition) };
}
