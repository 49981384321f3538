import { Trash2 } from "lucide-react";
import { Field } from "../parts/field.tsx";
import { issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { type StageDraft, WHENS, type When } from "./stage-draft.ts";

const { rollouts: text } = TEXT;
const COMPARISONS = ["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"] as const;

interface Props {
  stage: StageDraft;
  index: number;
  error: unknown;
  onChange: (stage: StageDraft) => void;
  onRemove: () => void;
}

/** One stage of a schedule: how many users, and when. */
export function StageForm({ stage, index, error, onChange, onRemove }: Props) {
  const set = (change: Partial<StageDraft>) => onChange({ ...stage, ...change });
  const { when } = stage;
  return (
    <fieldset className="card condition">
      <legend className="sr">{text.stage(index + 1)}</legend>
      <Field label={text.share} error={issueOf(error, "stages", index, "target_percentage")}>
        <input
          type="number"
          step="any"
          required
          value={stage.share}
          onInput={(event) => set({ share: event.currentTarget.value })}
        />
      </Field>
      <Field label={text.when} error={issueOf(error, "stages", index, "trigger_config")}>
        <select value={when} onChange={(event) => set({ when: event.currentTarget.value as When })}>
          {WHENS.map((one) => (
            <option key={one} value={one}>
              {text.whens[one]}
            </option>
          ))}
        </select>
      </Field>
      {when === "at" && (
        <Field label={text.time}>
          <input
            type="datetime-local"
            required
            value={stage.at}
            onInput={(event) => set({ at: event.currentTarget.value })}
          />
        </Field>
      )}
      {(when === "after" || when === "metric") && (
        <Field label={when === "after" ? text.hours : text.atLeastHours}>
          <input
            type="number"
            min={0}
            step="any"
            required
            value={stage.hours}
            onInput={(event) => set({ hours: event.currentTarget.value })}
          />
        </Field>
      )}
      {when === "metric" && (
        <>
          <Field label={text.event}>
            <input required value={stage.event} onInput={(event) => set({ event: event.currentTarget.value })} />
          </Field>
          <Field label={text.comparison}>
            <select
              value={stage.comparison}
              onChange={(event) => set({ comparison: event.currentTarget.value as StageDraft["comparison"] })}
            >
              {COMPARISONS.map((one) => (
                <option key={one} value={one}>
                  {TEXT.words.operators[one]}
                </option>
              ))}
            </select>
          </Field>
          <Field label={text.threshold}>
            <input
              type="number"
              step="any"
              required
              value={stage.threshold}
              onInput={(event) => set({ threshold: event.currentTarget.value })}
            />
          </Field>
        </>
      )}
      <button type="button" className="icon-button" aria-label={text.removeStage(index + 1)} onClick={onRemove}>
        <Trash2 aria-hidden size={16} />
      </button>
    </fieldset>
  );
}
