import { isAssayError } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { ProposalBanner } from "../proposals/banner.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { Actions } from "./actions.tsx";
import { Cuped } from "./cuped.tsx";
import { Design } from "./design.tsx";
import { ExperimentState } from "./experiment-state.tsx";
import { Holdout } from "./holdout.tsx";
import { Interactions } from "./interactions.tsx";
import { Readiness } from "./readiness.tsx";
import { ResultsView } from "./results-view.tsx";
import { Segments } from "./segments.tsx";
import { EXPERIMENT_TABS } from "./tabs.ts";

export function ExperimentPage() {
  const { key } = useParams({ from: "/experiments/$key" });
  const { tab = "results" } = useSearch({ from: "/experiments/$key" });
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
      <ProposalBanner id={experiment.id} />
      {experiment.schedule_error && <p className="note">{experiment.schedule_error}</p>}
      {winner && <p className="sentence">{TEXT.experiments.won(winner)}</p>}
      {status === "DRAFT" ? (
        <Readiness experiment={experiment} />
      ) : (
        <>
          <nav className="tabs" aria-label={TEXT.experiments.tabs.label}>
            {EXPERIMENT_TABS.map((one) => (
              <Link
                key={one}
                to="/experiments/$key"
                params={{ key }}
                search={{ tab: one }}
                replace
                aria-current={one === tab ? "page" : undefined}
              >
                {TEXT.experiments.tabs[one]}
              </Link>
            ))}
          </nav>
          {tab === "results" && <ResultsView experiment={experiment} />}
          {tab === "segments" && <Segments experiment={experiment} />}
          {tab === "cuped" && <Cuped experiment={experiment} />}
          {tab === "interactions" && <Interactions experiment={experiment} />}
          {tab === "holdout" && <Holdout />}
        </>
      )}
      <Design experiment={experiment} />
    </div>
  );
}
