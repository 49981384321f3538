import type { Experiment } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { toCount } from "../parts/format.ts";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMe, useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { metricOf } from "./effects.ts";
import { toDifference, toInterval, toP } from "./numbers.ts";

const words = TEXT.interactions;

/** Whether the effect depends on other experiments that run at the same time. */
export function Interactions({ experiment }: { experiment: Experiment }) {
  const me = useMe();
  const missing = useMissingRole("DEVELOPER");
  return (
    <div className="card stack">
      <h2>{words.title}</h2>
      <p className="muted">{words.lead}</p>
      {me && missing && <p>{words.needs(TEXT.roles[missing])}</p>}
      {me &&
        !missing &&
        (experiment.status === "ACTIVE" ? <Pairs experiment={experiment} /> : <p>{words.notRunning}</p>)}
    </div>
  );
}

function Pairs({ experiment }: { experiment: Experiment }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["results", experiment.id, "interactions"],
    queryFn: () => api.request("GET /interactions/scan", { query: {} }),
  });
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />;
  const pairs = data.pairs.flatMap((pair) => {
    if (pair.experiment_a_id === experiment.id) return [{ pair, other: pair.experiment_b_key }];
    return pair.experiment_b_id === experiment.id ? [{ pair, other: pair.experiment_a_key }] : [];
  });
  if (pairs.length === 0) return <p>{words.alone}</p>;
  const { columns } = words;
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">{columns.other}</th>
          <th scope="col">{columns.metric}</th>
          <th scope="col" className="number">
            {columns.users}
          </th>
          <th scope="col" className="number">
            {columns.effect}
          </th>
          <th scope="col" className="number">
            {columns.p}
          </th>
          <th scope="col">{columns.reading}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ pair, other }) => {
          const { isRate } = metricOf(experiment, pair.metric_id ?? "");
          const interval = pair.confidence_interval as [number, number] | null;
          return (
            <tr key={other}>
              <td data-label={columns.other}>
                <Link to="/experiments/$key" params={{ key: other }}>
                  {other}
                </Link>
              </td>
              <td data-label={columns.metric}>{pair.metric}</td>
              <td data-label={columns.users} className="number">
                {toCount(pair.shared_users)}
              </td>
              <td data-label={columns.effect} className="number">
                {pair.interaction_effect !== null && (
                  <div>
                    {toDifference(pair.interaction_effect, isRate)}
                    {interval && <div className="muted small">{toInterval(interval, isRate)}</div>}
                  </div>
                )}
              </td>
              <td data-label={columns.p} className="number">
                {pair.adjusted_p_value !== null && toP(pair.adjusted_p_value)}
              </td>
              <td data-label={columns.reading}>
                <div>
                  {pair.p_value !== null && (pair.significant ? words.significant : words.none)}
                  {pair.warning && <div className="muted small">{words.warnings[pair.warning]}</div>}
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
