import type { EtlJob, EtlRun } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toAgo, toCount, toMinute, toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { isOpen, useDataJobs, useWork } from "./data.ts";
import { RunForm, runDraft } from "./run-form.tsx";

const { health: text } = TEXT;

/** Jobs that people start, such as an export, with the progress of their latest runs; all of them, or one. */
export function DataJobs({ only }: { only?: string }) {
  const { data, error, isPending, refetch } = useDataJobs();
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />;
  const jobs = data.items.filter(({ name }) => only === undefined || name === only);
  return (
    <>
      {jobs.map((job) => (
        <Job key={job.name} job={job} />
      ))}
    </>
  );
}

function Job({ job }: { job: EtlJob }) {
  const [isStarting, setStarting] = useState(() => hasDraft(runDraft(job)));
  return (
    <section className="card stack" aria-label={job.name}>
      <div className="title-row">
        <div>
          <h3>
            <code>{job.name}</code>
          </h3>
          <p className="muted">{job.description}</p>
        </div>
        <RoleButton needs="ADMIN" aria-label={`${text.start}: ${job.name}`} onClick={() => setStarting(true)}>
          {text.start}
        </RoleButton>
      </div>
      {job.latest_runs.map((run) => (
        <Run key={run.run_id} run={run} />
      ))}
      {isStarting && <RunForm job={job} onClose={() => setStarting(false)} />}
    </section>
  );
}

function Run({ run }: { run: EtlRun }) {
  const cancel = useWork(() => api.request("POST /etl/jobs/{run_id}/cancel", { params: { run_id: run.run_id } }));
  const look = run.status === "FAILED" ? "critical" : run.status === "CANCELLED" ? "" : "state-active";
  return (
    <div className="run">
      <span className={`badge ${look}`}>{text.runs[run.status]}</span>
      {isOpen(run) ? (
        <>
          <progress value={run.progress} max={1} aria-label={text.progress} /> {toPercent(run.progress * 100, 0)}
          <RoleButton needs="ADMIN" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {TEXT.actions.cancel}
          </RoleButton>
        </>
      ) : (
        <span>{text.processed(toCount(run.processed), toAgo(run.finished_at))}</span>
      )}
      {run.files.map(({ name, rows }) => (
        <span key={name}>
          <code className="wrap">{name}</code> {text.rows(toCount(rows))}
        </span>
      ))}
      {run.error && <span className="problem">{run.error}</span>}
      <ActionError error={cancel.error} />
      {!isOpen(run) && <RunLog id={run.run_id} />}
    </div>
  );
}

/** What a run wrote about each experiment or file, once someone asks. */
function RunLog({ id }: { id: string }) {
  const [isWanted, setWanted] = useState(false);
  const log = useQuery({
    queryKey: ["run-log", id],
    enabled: isWanted,
    queryFn: () => api.request("GET /etl/jobs/{run_id}/logs", { params: { run_id: id } }),
  });
  return (
    <details onToggle={(event) => setWanted(event.currentTarget.open)}>
      <summary>{text.log}</summary>
      {log.isError && <Problem error={log.error} onRetry={() => void log.refetch()} />}
      {log.data?.items.map(({ timestamp, level, message }, index) => (
        <p key={index} className={level === "ERROR" ? "problem small" : "small"}>
          <time dateTime={timestamp}>{toMinute(timestamp)}</time> {message}
        </p>
      ))}
    </details>
  );
}
