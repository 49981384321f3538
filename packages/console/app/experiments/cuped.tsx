import type { CupedResults, Experiment } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { toCount, toPercent } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { metricOf, readInterval } from "./effects.ts";
import { EffectTable } from "./forest.tsx";

const words = TEXT.cuped;

/** The effects before and after their adjustment by what the same users did earlier. */
export function Cuped({ experiment }: { experiment: Experiment }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["results", experiment.id, "cuped"],
    queryFn: () =>
      api.request("GET /results/{experiment_id}/cuped", { params: { experiment_id: experiment.id }, query: {} }),
  });
  return (
    <div className="card stack">
      <h2>{words.title}</h2>
      <p className="muted">{words.lead}</p>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.metrics.map((row) => (
        <Metric key={`${row.metric_id} ${row.variant}`} experiment={experiment} row={row} />
      ))}
    </div>
  );
}

function Metric({ experiment, row }: { experiment: Experiment; row: CupedResults["metrics"][number] }) {
  const { isRate, isUp } = metricOf(experiment, row.metric_id);
  const { standard_error, adjusted_standard_error, confidence_interval, covered_users, variance_reduction_pct } = row;
  const control = experiment.variants.find(({ is_control }) => is_control)?.key ?? "";
  const title = (
    <h3>
      {row.metric} <code>{row.variant}</code>
    </h3>
  );
  if (covered_users === 0 || variance_reduction_pct === null || !confidence_interval) {
    return (
      <section>
        {title}
        <p className="muted">{covered_users === 0 ? words.none : words.notApplicable}</p>
      </section>
    );
  }
  const [low, high] = confidence_interval as [number, number];
  const { difference, adjusted_difference } = row;
  // The same quantile as that of the adjusted interval, times the error without the adjustment.
  const half = (((high - low) / 2) * (standard_error ?? 0)) / (adjusted_standard_error || 1);
  const before: [number, number] | null = difference === null ? null : [difference - half, difference + half];
  const shared = { note: "", variant: row.variant, isRate };
  const rows = [
    {
      ...shared,
      id: "before",
      name: words.before,
      control: row.control_mean,
      treatment: row.treatment_mean,
      difference,
      interval: before,
      reading: readInterval(before, isUp),
    },
    {
      ...shared,
      id: "after",
      name: words.after,
      control: row.adjusted_control_mean,
      treatment: row.adjusted_treatment_mean,
      difference: adjusted_difference,
      interval: [low, high] as [number, number],
      reading: readInterval([low, high], isUp),
    },
  ];
  return (
    <section>
      {title}
      <p>
        {words.reduction(
          toPercent(Math.abs(variance_reduction_pct), 1),
          variance_reduction_pct >= 0,
          toCount(covered_users),
        )}
      </p>
      <EffectTable rows={rows} control={control} label={words.estimate} />
    </section>
  );
}
