import type { HoldoutReport } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { toCount, toDay, toPercent } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { byAxis } from "./effects.ts";
import { EffectTable } from "./forest.tsx";

const words = TEXT.holdout;

/** What all experiments together do, beside the users who see none of them. */
export function Holdout() {
  const { data, error, refetch } = useQuery({
    queryKey: ["results", "holdout"],
    async queryFn() {
      const active = await api.request("GET /holdout");
      return active && api.request("GET /holdout/{id}", { params: { id: active.id }, query: {} });
    },
  });
  return (
    <div className="card stack">
      <h2>{words.title}</h2>
      <p className="muted">{words.lead}</p>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton rows={3} />}
      {data === null && <p>{words.none}</p>}
      {data && <Report report={data} />}
    </div>
  );
}

function Report({ report: { name, percentage, started_at, effect, programme } }: { report: HoldoutReport }) {
  const rows = (effect?.metrics ?? []).map((one) => ({
    id: one.metric_id,
    name: one.name,
    note: TEXT.results.roles[one.role],
    variant: one.variant,
    isRate: one.kind === "CONVERSION",
    control: one.control_value,
    treatment: one.treatment_value,
    difference: one.standard_error === null ? null : one.difference,
    interval: one.confidence_interval as [number, number] | null,
    reading: READINGS[one.conclusion] ?? ("inconclusive" as const),
  }));
  return (
    <>
      <p>{words.active(name, toPercent(percentage), started_at ? toDay(started_at) : "")}</p>
      {effect && <p>{words.users(toCount(effect.sample_size.held_out), toCount(effect.sample_size.not_held_out))}</p>}
      {programme && <p>{words.shipped(programme.shipped)}</p>}
      {byAxis(rows).map((group) => (
        <EffectTable
          key={group[0]?.id}
          rows={group}
          control={words.heldOut}
          treatment={words.others}
          label={TEXT.design.metric}
        />
      ))}
    </>
  );
}

const READINGS: Partial<Record<string, "better" | "worse">> = { SUPERIOR: "better", INFERIOR: "worse" };
