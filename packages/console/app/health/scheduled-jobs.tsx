import type { ScheduledJob, SchedulerHealth } from "@assay/client";
import { toAgo } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
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
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{columns.job}</th>
            <th scope="col">{columns.last}</th>
            <th scope="col">{columns.outcome}</th>
            <th scope="col">{columns.next}</th>
            <th scope="col">
              <span className="sr">{text.run}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.name}>
              <td data-label={columns.job}>
                <div className="row-link">
                  <code>{job.name}</code>
                  <span className="muted small">{job.description}</span>
                </div>
              </td>
              <td data-label={columns.last}>{toAgo(job.last_run_at)}</td>
              <td data-label={columns.outcome}>
                <Outcome job={job} isOverdue={health.overdue.includes(job.name)} />
              </td>
              <td data-label={columns.next}>{job.enabled ? toAgo(job.next_run_at) : text.off}</td>
              <td>
                <RoleButton
                  needs="ADMIN"
                  aria-label={`${text.run}: ${job.name}`}
                  disabled={job.running || run.isPending}
                  onClick={() => run.mutate(job.name)}
                >
                  {text.run}
                </RoleButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
