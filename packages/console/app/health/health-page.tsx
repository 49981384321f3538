import { Problem, Skeleton } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { useReadiness } from "./data.ts";
import { DataJobs } from "./data-jobs.tsx";
import { ScheduledJobs } from "./scheduled-jobs.tsx";

const { health: text } = TEXT;

/** Whether the server works, and what it does by itself. */
export function HealthPage() {
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <Server />
      <h2>{text.scheduled}</h2>
      <ScheduledJobs />
      <h2>{text.data}</h2>
      <DataJobs />
    </div>
  );
}

function Server() {
  const { data, error, isPending, refetch } = useReadiness();
  if (isPending) return <Skeleton rows={1} />;
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />;
  const isReady = data.status === "ready";
  return (
    <section className="card stack" aria-label={text.server} aria-live="polite">
      <p className="sentence">
        <span className={`badge ${isReady ? "state-active" : "critical"}`}>{isReady ? text.ready : text.notReady}</span>{" "}
        {isReady ? text.works(data.store) : data.reason}
      </p>
      {data.quarantined.length > 0 && (
        <>
          <p className="note">{text.quarantined(data.quarantined.length)}</p>
          <ul className="rules">
            {data.quarantined.map(({ key, reason }) => (
              <li key={key}>
                <code className="wrap">{key}</code> {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
