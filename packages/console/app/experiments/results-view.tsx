import type { Experiment, Overview, Results } from "@assay/client";
import { toCount, toPercent } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { Connect } from "./connect.tsx";
import { useResults } from "./data.ts";
import { Days } from "./days.tsx";
import { Density } from "./density.tsx";
import { type Effect, toEffects } from "./effects.ts";
import { Export } from "./export.tsx";
import { Forest } from "./forest.tsx";
import { toDifference, toInterval, toP } from "./numbers.ts";

/** The results of an experiment: decision, effects, days, likely difference. */
export function ResultsView({ experiment }: { experiment: Experiment }) {
  const { data, error, refetch } = useResults(experiment);
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />;
  const { overview, results } = data;
  if (overview.users === 0) {
    const isOpen = experiment.status === "ACTIVE";
    return isOpen ? <Connect experiment={experiment} /> : <p className="note">{TEXT.experiments.noUsers}</p>;
  }
  const effects = toEffects(experiment, overview, results);
  const { timeseries, posterior } = overview;
  const primary =
    effects.find(({ metricId, variant }) => metricId === timeseries?.metric_id && variant === timeseries.variant) ??
    effects[0];
  const control = overview.variants.find(({ is_control }) => is_control)?.key ?? "";
  const treatments = overview.variants.filter(({ is_control }) => !is_control).map(({ key }) => key);
  const [first] = overview.metrics;
  const levels = [...new Set(overview.metrics.map(({ level }) => toPercent(level * 100)))].join(TEXT.words.and);
  return (
    <>
      <Decision overview={overview} progress={results.progress} primary={primary} />
      {overview.warnings.map(({ code, message }) => (
        <p key={code} className="note">
          {message}
        </p>
      ))}
      {results.crossover > 0 && <p className="note">{TEXT.results.crossover(toCount(results.crossover))}</p>}
      <section className="card stack" aria-labelledby="effects">
        <h2 id="effects">{TEXT.results.effects(treatments.join(", "), control)}</h2>
        {first && <p className="muted small">{TEXT.results.methods[first.method](levels, toCount(overview.users))}</p>}
        <Forest effects={effects} control={control} />
      </section>
      {primary && timeseries && (
        <div className="split">
          <section className="card" aria-labelledby="days">
            <h2 id="days">
              {TEXT.results.days} <span className="muted small">{TEXT.results.daysLead(primary.metric)}</span>
            </h2>
            <Days series={timeseries} isRate={primary.isRate} />
          </section>
          <section className="card" aria-labelledby="density">
            <h2 id="density">
              {TEXT.results.density}{" "}
              <span className="muted small">{TEXT.results.densityLead(primary.metric, posterior !== null)}</span>
            </h2>
            <Density effect={primary} posterior={posterior} />
          </section>
        </div>
      )}
      <Export input={{ experiment, overview, results }} />
    </>
  );
}

interface DecisionProps {
  overview: Overview;
  progress: Results["progress"];
  primary: Effect | undefined;
}

function Decision({ overview, progress, primary }: DecisionProps) {
  const { decision, srm } = overview;
  const split = srm.state;
  const observed = Object.values(srm.observed).map(toCount).join(" : ");
  const p = srm.anytime_p_value;
  const control = overview.variants.find(({ is_control }) => is_control)?.key ?? "";
  return (
    <section className="card decision" aria-label={TEXT.results.decision}>
      <div className="verdict">
        <h2 className="muted small">{TEXT.results.decision}</h2>
        <p>{TEXT.results.verdicts[decision.action](decision.variant ?? "", control)}</p>
        <p>{decision.sentence}</p>
        {decision.reasons.length > 0 && (
          <details>
            <summary>{TEXT.results.reasons}</summary>
            <ul className="reasons">
              {decision.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div>
        <h3 className="muted small">{TEXT.results.users}</h3>
        <p className="figure">{toCount(overview.users)}</p>
        <p className="muted small">
          {overview.planned_users === null
            ? TEXT.results.unplanned
            : TEXT.results.planned(toCount(overview.planned_users))}
          {progress.days_left !== null && progress.days_left > 0 && `, ${TEXT.results.daysLeft(progress.days_left)}`}
        </p>
      </div>
      {primary !== undefined && primary.difference !== null && (
        <div>
          <h3 className="muted small">{TEXT.results.primary(primary.metric)}</h3>
          <p className="figure">{toDifference(primary.difference, primary.isRate)}</p>
          <p className="muted small">{primary.interval && toInterval(primary.interval, primary.isRate)}</p>
        </div>
      )}
      {split && (
        <div>
          <h3 className="muted small">{TEXT.results.split}</h3>
          <p className="figure">{TEXT.results.splits[split]}</p>
          <p className="muted small">{p === null ? observed : TEXT.results.srm(observed, toP(p))}</p>
          <p className="muted small">{TEXT.results.splitHint[split]}</p>
        </div>
      )}
    </section>
  );
}
