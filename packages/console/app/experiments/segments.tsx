import type { BreakdownResults, Experiment } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Field } from "../parts/field.tsx";
import { toCount, toPercent } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { metricOf, toReading } from "./effects.ts";
import { EffectTable } from "./forest.tsx";
import { toIssues } from "./form/issues.ts";
import { toP } from "./numbers.ts";

const words = TEXT.breakdown;

/** The effects by the segments of an attribute. */
export function Segments({ experiment }: { experiment: Experiment }) {
  const { by = "", metric } = useSearch({ from: "/experiments/$key" });
  const navigate = useNavigate({ from: "/experiments/$key" });
  const [typed, setTyped] = useState(by);
  const primary = experiment.metrics.find(({ role }) => role === "PRIMARY") ?? experiment.metrics[0];
  const chosen = experiment.metrics.find(({ id }) => id === metric) ?? primary;
  const answer = useQuery({
    queryKey: ["results", experiment.id, "segments", by, chosen?.id],
    queryFn: () =>
      api.request("GET /results/{experiment_id}/breakdown", {
        params: { experiment_id: experiment.id },
        query: { dimension: by, metric_id: chosen?.id },
      }),
    enabled: by !== "",
  });
  const issue = toIssues(answer.error).get("dimension");
  const show = (change: { by?: string; metric?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    show({ by: typed.trim() || undefined });
  }
  return (
    <div className="card stack">
      <h2>{words.title}</h2>
      <p className="muted">{words.lead}</p>
      <form className="inline-form" onSubmit={submit}>
        <Field label={words.attribute} error={issue}>
          <input required className="mono" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </Field>
        <Field label={words.metric}>
          <select value={chosen?.id} onChange={(event) => show({ metric: event.currentTarget.value })}>
            {experiment.metrics.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <button type="submit">{words.submit}</button>
      </form>
      {by !== "" && answer.isPending && <Skeleton rows={3} />}
      {answer.error && !issue && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data && chosen && <Answer experiment={experiment} metric={chosen.id} data={answer.data} />}
    </div>
  );
}

interface AnswerProps {
  experiment: Experiment;
  metric: string;
  data: BreakdownResults;
}

function Answer({ experiment, metric, data }: AnswerProps) {
  const { isRate, isUp } = metricOf(experiment, metric);
  const control = experiment.variants.find(({ is_control }) => is_control)?.key ?? "";
  const level = toPercent(100 * (1 - data.corrected_alpha));
  const p = data.heterogeneity.find((one) => one.metric_id === metric)?.p_value ?? null;
  const rows = data.segments.map((one) => ({
    id: `${one.segment} ${one.variant}`,
    name: one.segment,
    note: words.users(toCount(one.n_control), toCount(one.n_treatment)),
    variant: one.variant,
    isRate,
    control: one.control_value,
    treatment: one.treatment_value,
    difference: one.difference,
    interval: one.confidence_interval as [number, number] | null,
    reading: one.is_significant ? toReading(one.difference, isUp) : ("inconclusive" as const),
  }));
  if (rows.every(({ difference }) => difference === null)) return <p className="muted">{words.empty}</p>;
  return (
    <>
      <p>
        {words.level(level, data.comparisons)} {p !== null && words.heterogeneity(toP(p), p < data.base_alpha)}
      </p>
      <EffectTable rows={rows} control={control} label={words.segment} />
    </>
  );
}
