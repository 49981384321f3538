import { ChoiceInput, TextInput } from "../../parts/inputs.tsx";
import { TEXT } from "../../text.ts";
import type { AdjustDraft, ExperimentDraft } from "./draft.ts";
import type { Issues } from "./issues.ts";

const { adjust: words } = TEXT.newExperiment;

interface Props {
  draft: ExperimentDraft;
  issues: Issues;
  onChange: (change: Partial<ExperimentDraft>) => void;
}

/** Whether what users did before takes noise out of the metrics. */
export function Adjust({ draft, issues, onChange }: Props) {
  const { adjust, metrics } = draft;
  const set = (change: Partial<AdjustDraft>) => onChange({ adjust: { ...adjust, ...change } });
  const error = (field: string) => issues.get(`variance_reduction.${field}`);
  return (
    <section className="card stack" aria-labelledby="adjust">
      <h2 id="adjust">{words.title}</h2>
      <p className="hint">{words.lead}</p>
      <ChoiceInput
        label={words.method}
        value={adjust.method}
        choices={words.methods}
        hint={words.hints[adjust.method]}
        error={issues.get("variance_reduction") ?? error("method")}
        onChange={(method) => set({ method })}
      />
      {adjust.method !== "NONE" && (
        <div className="fields">
          <TextInput
            label={words.days}
            hint={words.daysHint}
            value={adjust.days}
            error={error("lookback_days")}
            onChange={(days) => set({ days })}
          />
          <TextInput
            label={words.correlation}
            hint={words.correlationHint}
            value={adjust.correlation}
            error={isShare(adjust.correlation) ? undefined : words.notACorrelation}
            onChange={(correlation) => set({ correlation })}
          />
        </div>
      )}
      {adjust.method === "REGRESSION" && (
        <>
          <fieldset>
            <legend className="label">{words.covariates}</legend>
            {metrics.map((metric, index) => (
              <label key={index} className="check wide">
                <input
                  type="checkbox"
                  checked={metric.isCovariate}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange({
                      metrics: metrics.map((one, place) => (place === index ? { ...one, isCovariate: checked } : one)),
                    })
                  }
                />
                {metric.name || TEXT.newExperiment.metrics.one(index + 1)}
              </label>
            ))}
          </fieldset>
          <TextInput
            label={words.attributes}
            hint={words.attributesHint}
            value={adjust.attributes}
            error={error("attributes")}
            onChange={(attributes) => set({ attributes })}
          />
        </>
      )}
    </section>
  );
}

const isShare = (text: string) => text.trim() === "" || (Number(text) > 0 && Number(text) < 1);
