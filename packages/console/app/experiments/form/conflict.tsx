import type { Experiment } from "@assay/client";
import { TEXT } from "../../text.ts";
import { type ExperimentDraft, fromExperiment } from "./draft.ts";

const words = TEXT.newExperiment;

/** What a draft says, by the titles of the form. */
function say({
  name,
  key,
  hypothesis,
  flag,
  group,
  arms,
  metrics,
  plan,
  adjust,
  planned,
}: ExperimentDraft): [string, string][] {
  return [
    [words.name, name],
    [words.key, key],
    [words.hypothesis, hypothesis],
    [words.flag, flag],
    [words.group, group],
    [words.arms.title, arms.map((arm) => `${arm.key} ${arm.weight} %`).join(", ")],
    [words.metrics.title, metrics.map((one) => `${one.name} (${TEXT.results.roles[one.role]})`).join(", ")],
    [
      words.plan.title,
      plan.when === "looks" ? `${words.plan.choices.looks}: ${plan.looks}` : words.plan.choices[plan.when],
    ],
    [words.adjust.title, words.adjust.methods[adjust.method]],
    [TEXT.results.users, String(planned ?? "")],
  ];
}

interface Props {
  base: Experiment;
  latest: Experiment;
  mine: ExperimentDraft;
  onKeepMine: () => void;
  onKeepTheirs: () => void;
}

/** What someone else changed meanwhile, beside what is typed here. */
export function Conflict({ base, latest, mine, onKeepMine, onKeepTheirs }: Props) {
  const [before, theirs, yours] = [say(fromExperiment(base)), say(fromExperiment(latest)), say(mine)];
  const changed = theirs.flatMap(([label, text], index) =>
    text === before[index]![1] ? [] : [{ label, theirs: text, yours: yours[index]![1] }],
  );
  return (
    <section className="note stack" role="alert" aria-label={words.conflictTitle}>
      <p>
        <b>{words.conflictTitle}</b> {TEXT.conflict.lead}
      </p>
      <table className="diff">
        <thead>
          <tr>
            <th scope="col">{TEXT.diff.field}</th>
            <th scope="col">{TEXT.conflict.theirs}</th>
            <th scope="col">{TEXT.conflict.yours}</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((one) => (
            <tr key={one.label}>
              <th scope="row">{one.label}</th>
              <td>{one.theirs || TEXT.diff.absent}</td>
              <td>{one.yours || TEXT.diff.absent}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="buttons start">
        <button type="button" onClick={onKeepTheirs}>
          {TEXT.conflict.keepTheirs}
        </button>
        <button type="button" onClick={onKeepMine}>
          {TEXT.conflict.keepYours}
        </button>
      </div>
    </section>
  );
}
