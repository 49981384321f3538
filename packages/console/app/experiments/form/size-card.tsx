import { Field } from "../../parts/field.tsx";
import { toCount, toPercent } from "../../parts/format.ts";
import { ActionError } from "../../parts/states.tsx";
import { TEXT } from "../../text.ts";
import type { ExperimentDraft, SizeDraft } from "./draft.ts";
import { Looks, Plan } from "./plan.tsx";
import type { useSampleSize } from "./size.ts";

const { size: words } = TEXT.newExperiment;

interface Props {
  draft: ExperimentDraft;
  answer: ReturnType<typeof useSampleSize>;
  onChange: (change: Partial<ExperimentDraft>) => void;
}

/** How many users and days the experiment needs. */
export function SizeCard({ draft, answer, onChange }: Props) {
  const { size } = draft;
  const isBound = draft.plan.when === "any";
  const set = (change: Partial<SizeDraft>) => onChange({ size: { ...size, ...change } });
  const input = (name: "baseline" | "deviation" | "lift" | "power" | "daily", label: string, hint?: string) => (
    <Field label={label} hint={hint} error={answer.issues.get(name)}>
      <input inputMode="decimal" value={size[name]} onInput={(event) => set({ [name]: event.currentTarget.value })} />
    </Field>
  );
  return (
    <section className="card stack" aria-labelledby="size">
      <h2 id="size">{words.title}</h2>
      <div className="fields">
        <Field label={words.measure}>
          <select
            value={size.isRate ? "rate" : "mean"}
            onChange={(event) => set({ isRate: event.currentTarget.value === "rate" })}
          >
            <option value="rate">{words.measures.rate}</option>
            <option value="mean">{words.measures.mean}</option>
          </select>
        </Field>
        {input("baseline", size.isRate ? words.rate : words.mean, words.baselineHint)}
        {!size.isRate && input("deviation", words.deviation)}
        {input("lift", words.lift, words.liftHint)}
        {input("power", words.power, words.powerHint)}
        {input("daily", words.daily)}
      </div>
      <Plan plan={draft.plan} issues={answer.issues} onChange={(plan) => onChange({ plan })} />
      <p className="sentence" aria-live="polite">
        {answer.size ? (
          <>
            <b>
              {isBound ? words.atMost(toCount(answer.size.total)) : words.users(toCount(answer.size.total))}
              {answer.size.days !== null && `, ${words.days(answer.size.days)}`}
            </b>
            <span className="muted small">
              {" "}
              {words.perArm(toCount(answer.size.per_variant), toPercent(100 * answer.size.alpha))}
            </span>
          </>
        ) : draft.planned === null ? (
          <span className="muted">{words.empty}</span>
        ) : (
          words.planned(toCount(draft.planned))
        )}
      </p>
      {answer.size && <Looks size={answer.size} />}
      <ActionError error={answer.error} />
    </section>
  );
}
