import { Plus, Trash2 } from "lucide-react";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { useRolloutChange } from "./data.ts";
import { fromDraft, type MetricDraft, NEW_METRIC, type SafetyDraft } from "./safety-draft.ts";

const { safety: text } = TEXT;
const AGGREGATIONS = ["RATE", "COUNT", "MEAN"] as const;
const SIDES = ["GREATER_THAN", "LESS_THAN"] as const;

interface Props {
  title: string;
  /** The key of the flag; absent if these are the settings of all flags. */
  flag?: string;
  initial: SafetyDraft;
  /** Metrics of all flags; absent if these are the settings of all flags. */
  inherited?: readonly string[];
  save: (body: ReturnType<typeof fromDraft>) => Promise<unknown>;
  onClose: () => void;
}

/** Names the draft of the safety of a flag, or of all flags. */
export const safetyDraft = (flag = "") => `safety-form.${flag}`;

/** Edits what is monitored, and whether Assay rolls back by itself. */
export function SafetyForm({ title, flag, initial, inherited, save, onClose }: Props) {
  const { draft, set, close } = useDialogDraft(safetyDraft(flag), initial, onClose);
  const change = useRolloutChange(() => save(fromDraft(draft)), close);
  const setMetric = (index: number, part: Partial<MetricDraft>) =>
    set({ metrics: draft.metrics.map((one, place) => (place === index ? { ...one, ...part } : one)) });
  const modes = inherited ? (["common", "on", "off"] as const) : (["on", "off"] as const);
  // What no metric shows beside its fields, such as that there are too many.
  const isShown = draft.metrics.some(({ name }) => issueOf(change.error, "metrics", name));
  const toggle = (name: string) =>
    set({
      ignored: draft.ignored.includes(name) ? draft.ignored.filter((one) => one !== name) : [...draft.ignored, name],
    });
  return (
    <FormDialog
      title={title}
      submit={TEXT.actions.save}
      action={change}
      fields={isShown ? ["window_minutes", "metrics"] : ["window_minutes"]}
      onSubmit={() => change.mutate()}
      onClose={close}
    >
      <Field label={text.automatic} hint={text.automaticHint}>
        <select
          value={draft.automatic}
          onChange={(event) => set({ automatic: event.currentTarget.value as SafetyDraft["automatic"] })}
        >
          {modes.map((one) => (
            <option key={one} value={one}>
              {text.automatics[one]}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label={text.window}
        hint={inherited ? text.windowHint : undefined}
        error={issueOf(change.error, "window_minutes")}
      >
        <input
          type="number"
          required={!inherited}
          value={draft.window}
          onInput={(event) => set({ window: event.currentTarget.value })}
        />
      </Field>
      {inherited && inherited.length > 0 && (
        <fieldset>
          <legend className="label">{text.inherited}</legend>
          {inherited.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" checked={!draft.ignored.includes(name)} onChange={() => toggle(name)} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {draft.metrics.map((metric, index) => (
        <MetricForm
          key={index}
          metric={metric}
          error={issueOf(change.error, "metrics", metric.name)}
          label={text.metric(index + 1)}
          onChange={(part) => setMetric(index, part)}
          onRemove={() => set({ metrics: draft.metrics.filter((_, place) => place !== index) })}
        />
      ))}
      <div>
        <button type="button" onClick={() => set({ metrics: [...draft.metrics, NEW_METRIC] })}>
          <Plus aria-hidden size={16} /> {text.addMetric}
        </button>
      </div>
    </FormDialog>
  );
}

interface MetricProps {
  metric: MetricDraft;
  error: string | undefined;
  label: string;
  onChange: (part: Partial<MetricDraft>) => void;
  onRemove: () => void;
}

function MetricForm({ metric, error, label, onChange, onRemove }: MetricProps) {
  const unit = text.units[metric.aggregation];
  const number = (name: "warning" | "critical" | "minUsers", title: string) => (
    <Field label={title} error={name === "warning" ? error : undefined}>
      <input
        type="number"
        step="any"
        value={metric[name]}
        onInput={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
  return (
    <fieldset className="card condition">
      <legend className="sr">{label}</legend>
      <Field label={text.name}>
        <input required value={metric.name} onInput={(event) => onChange({ name: event.currentTarget.value })} />
      </Field>
      <Field label={text.event}>
        <input required value={metric.event} onInput={(event) => onChange({ event: event.currentTarget.value })} />
      </Field>
      <Field label={text.aggregation}>
        <select
          value={metric.aggregation}
          onChange={(event) => onChange({ aggregation: event.currentTarget.value as MetricDraft["aggregation"] })}
        >
          {AGGREGATIONS.map((one) => (
            <option key={one} value={one}>
              {text.aggregations[one]}
            </option>
          ))}
        </select>
      </Field>
      <Field label={text.side}>
        <select
          value={metric.comparison.startsWith("GREATER") ? "GREATER_THAN" : "LESS_THAN"}
          onChange={(event) => onChange({ comparison: event.currentTarget.value as MetricDraft["comparison"] })}
        >
          {SIDES.map((one) => (
            <option key={one} value={one}>
              {text.sides[one]}
            </option>
          ))}
        </select>
      </Field>
      {number("warning", text.warning(unit))}
      {number("critical", text.critical(unit))}
      {number("minUsers", text.minUsers)}
      <button type="button" className="icon-button" aria-label={text.removeMetric(label)} onClick={onRemove}>
        <Trash2 aria-hidden size={16} />
      </button>
    </fieldset>
  );
}
