import type { ExperimentBody, Migration, Read, Skipped } from "../mapping/migration.ts";
import { readEach } from "../mapping/shape.ts";
import { type Converted, toFlag } from "./flag.ts";
import { isSegment, readGates } from "./gate.ts";
import { type Named, readSource } from "./payload.ts";

/** Reads documents of config specs. */
export const readStatsig: Read = (payloads, { environment }): Migration => {
  const source = readSource(payloads);
  const gates = readGates(source, environment);
  const skipped: Skipped[] = [...gates.skipped];
  const readAll = (all: readonly Named[], isGate: boolean): Converted[] =>
    readEach(
      all,
      "flag",
      ({ name }) => name,
      (one) => toFlag(one, source, gates, isGate),
      skipped,
    );
  const converted = [
    ...readAll(
      source.gates.filter(({ name }) => !isSegment(name)),
      true,
    ),
    ...readAll([...source.configs, ...source.layers], false),
  ];
  const experiments: ExperimentBody[] = [];
  for (const { flag, isExperiment, drawnIn } of converted) {
    if (!isExperiment) continue;
    const { key, name } = flag.body;
    if (drawnIn === "rest") experiments.push({ key, name, description: "", feature_flag_key: key });
    else {
      const reason =
        drawnIn === "rule"
          ? "It is on some users; an experiment of Assay is on all users of a flag whom no rule serves"
          : "It draws nothing, so only its flag is migrated";
      skipped.push({ kind: "experiment", key, reason });
    }
  }
  return { segments: gates.segments, flags: converted.map(({ flag }) => flag), experiments, skipped };
};
