import { Field } from "../../parts/field.tsx";
import { TEXT } from "../../text.ts";
import { EMPTY_METRIC, type MetricDraft } from "./draft.ts";
import type { Issues } from "./issues.ts";

const { metrics: words } = TEXT.newExperiment;
const KINDS = ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"] as const;
const ROLES = ["PRIMARY", "SECONDARY", "GUARDRAIL"] as const;
const DIRECTIONS = ["INCREASE", "DECREASE"] as const;

interface Props {
  metrics: MetricDraft[];
  issues: Issues;
  onChange: (metrics: MetricDraft[]) => void;
}

/** What is measured, and what decides. */
export function Metrics({ metrics, issues, onChange }: Props) {
  const change = (index: number, fields: Partial<MetricDraft>) =>
    onChange(metrics.map((metric, place) => (place === index ? { ...metric, ...fields } : metric)));
  return (
    <>
      {metrics.map((metric, index) => {
        const set = (fields: Partial<MetricDraft>) => change(index, fields);
        const error = (field: string) => issues.get(`metrics.${index}.${field}`);
        return (
          <fieldset key={index} className="row-fields">
            <legend className="label">{words.one(index + 1)}</legend>
            <Field label={words.name} error={error("name")}>
              <input required value={metric.name} onInput={(event) => set({ name: event.currentTarget.value })} />
            </Field>
            <Field label={words.event} error={error("event_type")}>
              <input
                className="mono"
                required
                value={metric.event}
                spellCheck={false}
                autoCapitalize="off"
                onInput={(event) => set({ event: event.currentTarget.value })}
              />
            </Field>
            <Choice
              label={words.kind}
              value={metric.kind}
              of={KINDS}
              names={words.kinds}
              onChange={(kind) => set({ kind })}
            />
            {metric.kind === "RATIO" && (
              <Field label={words.denominator} error={error("denominator_event_type")}>
                <input
                  className="mono"
                  value={metric.denominator}
                  onInput={(event) => set({ denominator: event.currentTarget.value })}
                />
              </Field>
            )}
            {metric.kind === "QUANTILE" && (
              <Field label={words.quantile} error={error("quantile")}>
                <input
                  inputMode="decimal"
                  value={metric.quantile}
                  onInput={(event) => set({ quantile: event.currentTarget.value })}
                />
              </Field>
            )}
            <Choice
              label={words.role}
              value={metric.role}
              of={ROLES}
              names={words.roles}
              onChange={(role) => set({ role })}
            />
            <Choice
              label={words.direction}
              value={metric.direction}
              of={DIRECTIONS}
              names={TEXT.design.goals}
              onChange={(direction) => set({ direction })}
            />
            {metrics.length > 1 && (
              <button
                type="button"
                aria-label={words.remove(metric.name || words.one(index + 1))}
                onClick={() => onChange(metrics.filter((_, place) => place !== index))}
              >
                {TEXT.actions.remove}
              </button>
            )}
          </fieldset>
        );
      })}
      <div className="buttons start">
        <button type="button" onClick={() => onChange([...metrics, EMPTY_METRIC])}>
          {words.add}
        </button>
      </div>
    </>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  of: readonly T[];
  names: Record<T, string>;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, of, names, onChange }: ChoiceProps<T>) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {of.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
    </Field>
  );
}
