import type { SampleSize } from "@assay/client";
import { Field } from "../../parts/field.tsx";
import { toCount } from "../../parts/format.ts";
import { ChoiceInput } from "../../parts/inputs.tsx";
import { TEXT } from "../../text.ts";
import type { PlanDraft } from "./draft.ts";
import type { Issues } from "./issues.ts";

const { plan: words } = TEXT.newExperiment;

interface Props {
  plan: PlanDraft;
  issues: Issues;
  onChange: (plan: PlanDraft) => void;
}

/** When the experiment may be decided: once, at planned looks, or on any day. */
export function Plan({ plan, issues, onChange }: Props) {
  return (
    <fieldset className="stack">
      <legend className="label">{words.title}</legend>
      <ChoiceInput
        label={words.when}
        value={plan.when}
        choices={words.choices}
        hint={words.hints[plan.when]}
        onChange={(when) => onChange({ ...plan, when })}
      />
      {plan.when === "looks" && (
        <div className="fields">
          <Field label={words.looks} hint={words.looksHint} error={issues.get("looks")}>
            <input
              type="number"
              min={2}
              max={20}
              value={plan.looks}
              onInput={(event) => onChange({ ...plan, looks: event.currentTarget.value })}
            />
          </Field>
          <ChoiceInput
            label={words.spending}
            value={plan.spending}
            choices={words.spendings}
            hint={words.spendingHints[plan.spending]}
            onChange={(spending) => onChange({ ...plan, spending })}
          />
        </div>
      )}
    </fieldset>
  );
}

/** After how many users, and on which day, each planned look comes. */
export function Looks({ size: { looks, mean_users } }: { size: SampleSize }) {
  if (!looks) return null;
  return (
    <>
      <ol className="rules" aria-label={words.list}>
        {looks.map(({ users, day }, index) => (
          <li key={index}>{words.look(index + 1, toCount(users), day)}</li>
        ))}
      </ol>
      {mean_users !== null && <p className="muted small">{words.mean(toCount(mean_users))}</p>}
    </>
  );
}
