import type { ScheduledJob, SchedulerHealth } from "@assay/client";
import { toAgo } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Rows } from "../parts/rows.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useScheduler, useWork } from "./data.ts";

const { health: text } = TEXT;
const { columns } = text;
const LOOK = { HEALTHY: "state-active", DEGRADED: "warn", STOPPED: "critical" };

/** What failed first, then what is overdue, then the rest. */
function rankOf({ name, last_status }: ScheduledJob, { overdue }: SchedulerHealth): number {
  if (last_status === "FAILED") return 0;
  return overdue.includes(name) ? 1 : 2;
}

export function ScheduledJobs() {
  const { data, error, isPending, refetch } = useScheduler();
  const run = useWork((job_name: string) =>
    api.request("POST /scheduler/jobs/{job_name}/trigger", { params: { job_name } }),
  );
  if (isPending) return <Skeleton rows={4} />;
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />;
  const { health } = data;
  const jobs = data.jobs.toSorted((a, b) => rankOf(a, health) - rankOf(b, health));
  return (
    <>
      <p>
        <span className={`badge ${LOOK[health.status]}`}>{text.states[health.status]}</span>{" "}
        {text.tick(toAgo(health.last_tick_at))}
      </p>
      <ActionError error={run.error} />
      <Rows
        items={jobs}
        keyOf={({ name }) => name}
        columns={[
          {
            label: columns.job,
            cell: ({ name, description }) => (
              <div className="row-link">
                <code>{name}</code>
                <span className="muted small">{description}</span>
              </div>
            ),
          },
          { label: columns.last, cell: ({ last_run_at }) => toAgo(last_run_at) },
          {
            label: columns.outcome,
            cell: (job) => <Outcome job={job} isOverdue={health.overdue.includes(job.name)} />,
          },
          {
            label: columns.next,
            cell: ({ enabled, next_run_at }) => (enabled ? toAgo(next_run_at) : text.off),
          },
          {
            label: text.run,
            kind: "buttons",
            cell: ({ name, running }) => (
              <RoleButton
                needs="ADMIN"
                aria-label={`${text.run}: ${name}`}
                disabled={running || run.isPending}
                onClick={() => run.mutate(name)}
              >
                {text.run}
              </RoleButton>
            ),
          },
        ]}
      />
    </>
  );
}

function Outcome({ job, isOverdue }: { job: ScheduledJob; isOverdue: boolean }) {
  const { running, last_status, last_duration_ms, last_error } = job;
  if (running) return <span className="badge state-active">{text.running}</span>;
  if (last_status === null) return isOverdue ? <span className="badge warn">{text.overdue}</span> : null;
  return (
    <span>
      <span className={last_status === "FAILED" ? "badge critical" : "badge state-active"}>
        {text.outcomes[last_status]}
      </span>{" "}
      {isOverdue && <span className="badge warn">{text.overdue}</span>}{" "}
      {last_error ?? (last_duration_ms === null ? "" : text.took(last_duration_ms))}
    </span>
  );
}
