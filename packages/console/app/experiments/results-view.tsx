import type { Experiment, Results, SequentialResults } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { toCount, toPercent } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { Days } from "./days.tsx";
import { Density } from "./density.tsx";
import { type Effect, toEffects, toSplit } from "./effects.ts";
import { Forest } from "./forest.tsx";
import { toDifference, toInterval, toP } from "./numbers.ts";

const LIVE_MS = 30_000;

/** The results of an experiment: decision, effects, days, likely difference. */
export function ResultsView({ experiment }: { experiment: Experiment }) {
  const params = { experiment_id: experiment.id };
  const method = experiment.group_sequential ? "group_sequential" : "msprt";
  const { data, error, refetch } = useQuery({
    queryKey: ["results", experiment.id],
    queryFn: async () => {
      const [results, sequential] = await Promise.all([
        api.request("GET /results/{experiment_id}", { params }),
        api.request("GET /results/{experiment_id}/sequential", { params, query: { method, alpha: experiment.alpha } }),
      ]);
      return { results, sequential };
    },
    refetchInterval: experiment.status === "ACTIVE" ? LIVE_MS : false,
  });
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />;
  const { results, sequential } = data;
  if (results.progress.users === 0) return <p className="note">{TEXT.experiments.noUsers}</p>;
  const effects = toEffects(experiment, results, sequential);
  const primary = effects.find(({ role }) => role === "PRIMARY") ?? effects[0];
  const control = results.variants.find(({ is_control }) => is_control)?.key ?? "";
  const treatments = results.variants.filter(({ is_control }) => !is_control).map(({ key }) => key);
  const warnings = [...new Set([...results.analysis_warnings, ...sequential.analysis_warnings])];
  const level = toPercent(sequential.confidence_level * 100);
  return (
    <>
      <Decision experiment={experiment} results={results} sequential={sequential} effects={effects} primary={primary} />
      {warnings.map((warning) => (
        <p key={warning} className="note">
          {TEXT.results.warnings[warning] ?? warning}
        </p>
      ))}
      {results.crossover > 0 && <p className="note">{TEXT.results.crossover(toCount(results.crossover))}</p>}
      <section className="card stack" aria-labelledby="effects">
        <h2 id="effects">{TEXT.results.effects(treatments.join(", "), control)}</h2>
        <p className="muted small">{TEXT.results.methods[sequential.method](level, toCount(results.progress.users))}</p>
        <Forest effects={effects} control={control} />
      </section>
      {primary && (
        <div className="split">
          <section className="card" aria-labelledby="days">
            <h2 id="days">
              {TEXT.results.days} <span className="muted small">{TEXT.results.daysLead(primary.metric)}</span>
            </h2>
            <Days effect={primary} />
          </section>
          <section className="card" aria-labelledby="density">
            <h2 id="density">
              {TEXT.results.density} <span className="muted small">{TEXT.results.densityLead(primary.metric)}</span>
            </h2>
            <Density effect={primary} />
          </section>
        </div>
      )}
    </>
  );
}

interface DecisionProps {
  experiment: Experiment;
  results: Results;
  sequential: SequentialResults;
  effects: Effect[];
  primary: Effect | undefined;
}

/** Says the decision in words. */
function toVerdict({ experiment, sequential, effects, primary }: DecisionProps): string {
  const { verdicts } = TEXT.results;
  const { action } = sequential.recommendation;
  const metric = primary?.metric ?? "";
  const deciding = (reading: Effect["reading"]) =>
    effects.find((effect) => effect.role !== "SECONDARY" && effect.reading === reading) ?? primary;
  if (action === "STOP_FOR_HARM") {
    const worse = deciding("worse");
    return verdicts.harm(worse?.variant ?? "", worse?.metric ?? metric);
  }
  if (action === "STOP_FOR_EFFECT") {
    const better = deciding("better");
    return verdicts.effect(better?.variant ?? "", better?.metric ?? metric);
  }
  if (action === "STOP_FOR_FUTILITY") return verdicts.futility(metric);
  return experiment.status === "COMPLETED" ? verdicts.undecided : verdicts.wait;
}

function Decision(props: DecisionProps) {
  const { results, sequential, primary } = props;
  const { progress, srm } = results;
  const split = toSplit(srm);
  const observed = Object.values(srm.observed).map(toCount).join(" : ");
  return (
    <section className="card decision" aria-label={TEXT.results.decision}>
      <div className="verdict">
        <h2 className="muted small">{TEXT.results.decision}</h2>
        <p>{toVerdict(props)}</p>
        <p>{sequential.recommendation.reason}</p>
      </div>
      <div>
        <h3 className="muted small">{TEXT.results.users}</h3>
        <p className="figure">{toCount(progress.users)}</p>
        <p className="muted small">
          {progress.planned_users === null
            ? TEXT.results.unplanned
            : TEXT.results.planned(toCount(progress.planned_users))}
          {progress.days_left !== null && progress.days_left > 0 && `, ${TEXT.results.daysLeft(progress.days_left)}`}
        </p>
      </div>
      {primary?.difference !== null && primary !== undefined && (
        <div>
          <h3 className="muted small">{TEXT.results.primary(primary.metric)}</h3>
          <p className="figure">{toDifference(primary.difference, primary.isRate)}</p>
          <p className="muted small">{primary.interval && toInterval(primary.interval, primary.isRate)}</p>
        </div>
      )}
      <div>
        <h3 className="muted small">{TEXT.results.split}</h3>
        <p className="figure">{TEXT.results.splits[split]}</p>
        <p className="muted small">{srm.p_value === null ? observed : TEXT.results.srm(observed, toP(srm.p_value))}</p>
        <p className="muted small">{TEXT.results.splitHint[split]}</p>
      </div>
    </section>
  );
}
