import { isAssayError } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { Actions } from "./actions.tsx";
import { Design } from "./design.tsx";
import { ExperimentState } from "./experiment-state.tsx";
import { Readiness } from "./readiness.tsx";
import { ResultsView } from "./results-view.tsx";

export function ExperimentPage() {
  const { key } = useParams({ from: "/experiments/$key" });
  const params = { experiment_id: key };
  const {
    data: experiment,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ["experiment", key],
    queryFn: () => api.request("GET /experiments/{experiment_id}", { params }),
  });
  if (isPending) {
    return (
      <div className="page">
        <h1>
          <code>{key}</code>
        </h1>
        <Skeleton rows={6} />
      </div>
    );
  }
  if (!experiment) {
    const isUnknown = isAssayError(error) && error.status === 404;
    const all = (
      <Link to="/experiments" className="button">
        {TEXT.experiments.clear}
      </Link>
    );
    return (
      <div className="page">
        {isUnknown ? (
          <Empty action={all}>{TEXT.experiments.notFound}</Empty>
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  const { name, hypothesis, description, status, winner } = experiment;
  return (
    <div className="page">
      <div className="title-row">
        <div>
          <h1>
            {name} <code className="key">{experiment.key}</code> <ExperimentState status={status} />
          </h1>
          <p className="muted">{hypothesis || description}</p>
        </div>
        <Actions experiment={experiment} />
      </div>
      {experiment.schedule_error && <p className="note">{experiment.schedule_error}</p>}
      {winner && <p className="sentence">{TEXT.experiments.won(winner)}</p>}
      {status === "DRAFT" ? <Readiness experiment={experiment} /> : <ResultsView experiment={experiment} />}
      <Design experiment={experiment} />
    </div>
  );
}
