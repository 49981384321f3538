import type { RolloutSchedule } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toMinute, toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useHasRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { LIVE_MS, useSafety } from "./data.ts";
import { Health } from "./health.tsx";
import { Rollback } from "./rollback.tsx";
import { ofSettings } from "./safety-draft.ts";
import { SafetyForm, safetyDraft } from "./safety-form.tsx";
import { ScheduleState } from "./schedule-card.tsx";
import { sayTrigger } from "./words.ts";

const { rollouts: text, safety } = TEXT;
const { columns } = text;

/** What moves now: schedules that are active or paused, and the latest rollbacks. */
export function RolloutsPage() {
  const [isEditing, setEditing] = useState(() => hasDraft(safetyDraft()));
  const isAdmin = useHasRole("ADMIN");
  const moving = useQuery({
    queryKey: ["schedules", "moving"],
    queryFn: async () => {
      const pages = await Promise.all(
        (["ACTIVE", "PAUSED"] as const).map((status) =>
          api.request("GET /rollout-schedules", { query: { status, limit: 50 } }),
        ),
      );
      return pages.flatMap(({ items }) => items);
    },
    refetchInterval: LIVE_MS,
  });
  const settings = useQuery({
    queryKey: ["safety-settings"],
    enabled: isAdmin,
    queryFn: () => api.request("GET /safety/settings"),
  });
  return (
    <div className="page">
      <div className="title-row">
        <h1>{text.title}</h1>
        <RoleButton needs="ADMIN" disabled={!settings.data} onClick={() => setEditing(true)}>
          {safety.editCommon}
        </RoleButton>
      </div>
      {moving.isPending && <Skeleton rows={3} />}
      {moving.isError && <Problem error={moving.error} onRetry={() => void moving.refetch()} />}
      {moving.data?.length === 0 && <Empty>{text.nothingMoves}</Empty>}
      {moving.data !== undefined && moving.data.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.flag}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.now}</th>
              <th scope="col">{columns.next}</th>
              <th scope="col">{columns.health}</th>
              <th scope="col">
                <span className="sr">{safety.rollback}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {moving.data.map((schedule) => (
              <Moving key={schedule.id} schedule={schedule} />
            ))}
          </tbody>
        </table>
      )}
      <h2>{safety.rollbacks}</h2>
      <Rollbacks />
      {isEditing && settings.data && (
        <SafetyForm
          title={safety.editCommon}
          initial={ofSettings(settings.data)}
          save={({ automatic_rollback, window_minutes, metrics }) =>
            api.request("PUT /safety/settings", {
              body: {
                automatic_rollback: automatic_rollback === true,
                metrics: metrics as never,
                ...(window_minutes === null ? {} : { window_minutes }),
              },
            })
          }
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}

function Moving({ schedule }: { schedule: RolloutSchedule }) {
  const { feature_flag_key: key, status, stages } = schedule;
  const [isRollingBack, setRollingBack] = useState(false);
  const { data } = useSafety(key);
  const next = stages.find((stage) => stage.status === "PENDING");
  return (
    <tr>
      <td data-label={columns.flag}>
        <Link to="/flags/$key" params={{ key }} search={{ tab: "schedule" }} className="row-link">
          <code>{key}</code>
          <span className="muted small">{schedule.name}</span>
        </Link>
      </td>
      <td data-label={columns.state}>
        <ScheduleState status={status} />
      </td>
      <td data-label={columns.now}>{data ? toPercent(data.rollout_percentage) : TEXT.diff.absent}</td>
      <td data-label={columns.next}>
        {next ? `${toPercent(next.target_percentage)} ${sayTrigger(next)}` : text.lastStage}
      </td>
      <td data-label={columns.health}>{data && <Health health={data.health} />}</td>
      <td>
        <RoleButton
          needs="DEVELOPER"
          aria-label={`${safety.rollback}: ${key}`}
          disabled={!data || data.rollout_percentage === 0}
          onClick={() => setRollingBack(true)}
        >
          {safety.rollback}
        </RoleButton>
        {isRollingBack && data && (
          <Rollback flag={{ key, rollout_percentage: data.rollout_percentage }} onClose={() => setRollingBack(false)} />
        )}
      </td>
    </tr>
  );
}

function Rollbacks() {
  const mayRead = useHasRole("ANALYST");
  const rollbacks = useQuery({
    queryKey: ["rollbacks"],
    enabled: mayRead,
    queryFn: () => api.request("GET /safety/rollback-history", { query: { limit: 20 } }),
  });
  if (!mayRead) return <p className="muted">{safety.needs}</p>;
  if (rollbacks.isPending) return <Skeleton rows={2} />;
  if (rollbacks.isError) return <Problem error={rollbacks.error} onRetry={() => void rollbacks.refetch()} />;
  const { items } = rollbacks.data;
  if (items.length === 0) return <p className="muted">{safety.noRollbacks}</p>;
  return (
    <ul className="rules">
      {items.map((one) => (
        <li key={one.id}>
          <Link to="/flags/$key" params={{ key: one.feature_flag_key }}>
            <code>{one.feature_flag_key}</code>
          </Link>
          <span>
            {text.fromTo(toPercent(one.previous_percentage), toPercent(one.new_percentage))}{" "}
            {one.automatic ? safety.byAssay : safety.byUser}
          </span>
          {one.reason && <span>“{one.reason}”</span>}
          <time dateTime={one.created_at} className="muted">
            {toMinute(one.created_at)}
          </time>
        </li>
      ))}
    </ul>
  );
}
