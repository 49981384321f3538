import type { Experiment } from "@assay/client";
import { toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";

const { design } = TEXT;

/** The arms and metrics of an experiment. */
export function Design({ experiment }: { experiment: Experiment }) {
  const weights = experiment.variants.map(({ key, weight }) => experiment.current_weights?.[key] ?? weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return (
    <section className="split" aria-label={design.title}>
      <div className="card">
        <h2>{design.arms}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">{design.arm}</th>
              <th scope="col" className="number">
                {design.weight}
              </th>
            </tr>
          </thead>
          <tbody>
            {experiment.variants.map(({ id, key, is_control }, index) => (
              <tr key={id}>
                <td>
                  <code>{key}</code> {is_control && <span className="muted small">{design.control}</span>}
                </td>
                <td className="number">{toPercent((100 * (weights[index] ?? 0)) / sum)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="card">
        <h2>{design.metrics}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">{design.metric}</th>
              <th scope="col">{design.role}</th>
              <th scope="col">{design.goal}</th>
            </tr>
          </thead>
          <tbody>
            {experiment.metrics.map(({ id, name, role, direction }) => (
              <tr key={id}>
                <td>{name}</td>
                <td>{TEXT.results.roles[role]}</td>
                <td>{design.goals[direction]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Plan experiment={experiment} />
      </div>
    </section>
  );
}

/** When the experiment is decided, and how its metrics are adjusted. */
function Plan({ experiment }: { experiment: Experiment }) {
  const { group_sequential, planned_sample_size, variance_reduction } = experiment;
  const { plan, adjust } = TEXT.newExperiment;
  const one = planned_sample_size === null ? plan.choices.any : plan.choices.once;
  return (
    <dl className="facts">
      <div>
        <dt>{plan.title}</dt>
        <dd>{group_sequential ? design.looks(group_sequential.looks, group_sequential.spending_function) : one}</dd>
      </div>
      <div>
        <dt>{adjust.title}</dt>
        <dd>{adjust.methods[variance_reduction?.method ?? "NONE"]}</dd>
      </div>
    </dl>
  );
}
