import type { Experiment } from "@assay/client";
import { TEXT } from "../text.ts";

const words = TEXT.experiments.missing;

/** What a draft lacks: what it needs to start, and what makes its results worth more. */
export function missingIn(experiment: Experiment): { needed: string[]; advised: string[] } {
  const { experiment_type, variants, metrics, hypothesis, planned_sample_size, group_sequential } = experiment;
  const weighted = variants.filter(({ weight }) => weight > 0).length;
  const hasPrimary = metrics.some(({ role }) => role === "PRIMARY");
  const needed = [
    weighted < (experiment_type === "SPLIT_URL" ? 1 : 2) && words.arms,
    group_sequential !== null && planned_sample_size === null && words.looks,
  ];
  const advised = [
    !hasPrimary && words.primary,
    planned_sample_size === null && group_sequential === null && words.size,
    hypothesis === "" && words.hypothesis,
  ];
  return { needed: needed.filter((one) => one !== false), advised: advised.filter((one) => one !== false) };
}

/** Names what is missing before the start. */
export function Readiness({ experiment }: { experiment: Experiment }) {
  const { needed, advised } = missingIn(experiment);
  return (
    <div className="note stack">
      <p>{TEXT.experiments.draft}</p>
      {needed.length > 0 && <p>{words.needed(needed.join(", "))}</p>}
      {advised.length > 0 && <p>{words.advised(advised.join(", "))}</p>}
    </div>
  );
}
