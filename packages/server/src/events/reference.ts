import { EXPOSURE } from "@assay/analysis";
import type { TrackingEvent } from "@assay/contract";
import type { ExperimentRecord } from "../model/experiment.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import type { Collection } from "../storage/collection.ts";
import { findByIdOrKey } from "../storage/lookup.ts";
import { type Concern, NOT_VISIBLE } from "./concern.ts";

/** The current meaning of an event's references. */
export interface Reference {
  /** Canonical id, or the text as sent. */
  experimentId: string | null;
  /** Canonical key, or the text as sent. */
  variantKey: string | null;
  flagKey: string | null;
  /** The experiment of which the event is an exposure, if it is ACTIVE and has the arm; otherwise null. */
  exposedTo: ExperimentRecord | null;
  concerns: readonly Concern[];
  /** The concerns that CLIENT keys may know. */
  publicConcerns: readonly Concern[];
}

/** The three references of an event, as sent. */
interface SentReference {
  type: string;
  experiment: string | null;
  variant: string | null;
  flag: string | null;
}

/** Resolves the references of events, by id or key. */
export interface References {
  experiment(idOrKey: string): ExperimentRecord | undefined;
  /** Returns the flag that provides the arms of an experiment; undefined if it has its own. */
  flagOf(experiment: ExperimentRecord): FlagRecord | undefined;
  resolve(event: TrackingEvent): Reference;
}

const REMEMBERED = 10_000;

/** The meanings of the same references in an exposure and in other events. */
interface Meanings {
  exposure?: Reference;
  other?: Reference;
}

type ByFlag = Map<string | null, Meanings>;
type ByVariant = Map<string | null, ByFlag>;
const NOTHING: Reference = {
  experimentId: null,
  variantKey: null,
  flagKey: null,
  exposedTo: null,
  concerns: [],
  publicConcerns: [],
};

/**
 * Creates the lookup of experiments and flags. Events repeat a few references, so results are cached until a definition
 * changes.
 */
export function createReferences(experiments: Collection<ExperimentRecord>, flags: Collection<FlagRecord>): References {
  // Maps in maps: ingestion is hot, and joining the references to one key takes several times as long.
  const remembered = new Map<string | null, ByVariant>();
  let size = 0;
  // Most events name the experiment of the event before them, and equal texts are compared faster than hashed.
  let latest: string | null = null;
  let variantsOfLatest: ByVariant | undefined;
  const forget = () => {
    remembered.clear();
    size = 0;
    variantsOfLatest = undefined;
  };
  experiments.onChange(forget);
  flags.onChange(forget);
  const experimentOf = (idOrKey: string) => findByIdOrKey(experiments, idOrKey);

  /** The field is for keys; ids are let pass. */
  const flagNamed = (idOrKey: string) => flags.findBy("key", idOrKey) ?? flags.get(idOrKey);
  const flagOf = ({ feature_flag_key: key }: ExperimentRecord) => (key === null ? undefined : flags.findBy("key", key));

  /** Returns the ACTIVE experiment over a flag, for exposures that name the flag. */
  const experimentOver = (flagKey: string) =>
    experiments.all().find((record) => record.status === "ACTIVE" && record.feature_flag_key === flagKey);

  const isClientSide = (flag: FlagRecord | undefined) => flag?.client_side === true && flag.status !== "ARCHIVED";

  /** Whether CLIENT keys can read everything that an event names: as in `definitions/projection.ts`. */
  function isVisible(sent: SentReference): boolean {
    if (sent.flag !== null && !isClientSide(flagNamed(sent.flag))) return false;
    if (sent.experiment === null) return true;
    const record = experimentOf(sent.experiment);
    return record?.status === "ACTIVE" && isClientSide(flagOf(record));
  }

  function look(sent: SentReference): Reference {
    const reference = lookAsServer(sent);
    return { ...reference, publicConcerns: isVisible(sent) ? reference.concerns : [NOT_VISIBLE] };
  }

  function lookAsServer(sent: SentReference): Omit<Reference, "publicConcerns"> {
    const concerns: Concern[] = [];
    const flagKey = sent.flag === null ? null : canonicalFlag(sent.flag, concerns);
    const isExposure = sent.type === EXPOSURE;
    const byFlag = isExposure && sent.experiment === null && sent.variant !== null && flagKey !== null;
    const record = byFlag
      ? experimentOver(flagKey)
      : sent.experiment === null
        ? undefined
        : experimentOf(sent.experiment);
    if (!record) {
      if (sent.experiment !== null) {
        concerns.push({ code: "UNKNOWN_EXPERIMENT", msg: `Experiment "${sent.experiment}" does not exist` });
      }
      return { experimentId: sent.experiment, variantKey: sent.variant, flagKey, exposedTo: null, concerns };
    }
    const variant = record.variants.find(({ id, key }) => key === sent.variant || id === sent.variant);
    if (sent.variant !== null && !variant) {
      concerns.push({ code: "UNKNOWN_VARIANT", msg: `Experiment "${record.key}" has no variant "${sent.variant}"` });
    }
    const counts = record.status === "ACTIVE" || (record.status === "PAUSED" && !isExposure);
    if (!counts) {
      concerns.push({ code: "EXPERIMENT_NOT_RUNNING", msg: `Experiment "${record.key}" is ${record.status}` });
    }
    const exposedTo = variant && record.status === "ACTIVE" ? record : null;
    return { experimentId: record.id, variantKey: variant?.key ?? sent.variant, flagKey, exposedTo, concerns };
  }

  function canonicalFlag(idOrKey: string, concerns: Concern[]): string {
    const flag = flagNamed(idOrKey);
    if (!flag) concerns.push({ code: "UNKNOWN_FLAG", msg: `Feature flag "${idOrKey}" does not exist` });
    else if (flag.status !== "ACTIVE") {
      concerns.push({ code: "FLAG_NOT_ACTIVE", msg: `Feature flag "${flag.key}" is ${flag.status}` });
    }
    return flag?.key ?? idOrKey;
  }

  function variantsOf(experiment: string | null): ByVariant | undefined {
    if (!variantsOfLatest || latest !== experiment) {
      latest = experiment;
      variantsOfLatest = remembered.get(experiment);
    }
    return variantsOfLatest;
  }

  return {
    experiment: experimentOf,
    flagOf,
    resolve(event) {
      // Without an object for the three: most events find their meaning here.
      const { event_type: type, experiment_id: experiment = null } = event;
      const { variant_id: variant = null, feature_flag_key: flag = null } = event;
      if (experiment === null && flag === null) return variant === null ? NOTHING : { ...NOTHING, variantKey: variant };
      const kind = type === EXPOSURE ? "exposure" : "other";
      const known = variantsOf(experiment)?.get(variant)?.get(flag)?.[kind];
      if (known) return known;
      if (size >= REMEMBERED) forget();
      size++;
      const reference = look({ type, experiment, variant, flag });
      const byVariant: ByVariant = getOrAdd(remembered, experiment, () => new Map());
      const byFlag: ByFlag = getOrAdd(byVariant, variant, () => new Map());
      getOrAdd(byFlag, flag, (): Meanings => ({}))[kind] = reference;
      return reference;
    },
  };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}
