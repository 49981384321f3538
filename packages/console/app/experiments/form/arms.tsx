import { Field } from "../../parts/field.tsx";
import { TEXT } from "../../text.ts";
import { type ArmDraft, EMPTY_ARM, type ExperimentDraft, isSplitUrl } from "./draft.ts";
import type { Issues } from "./issues.ts";

const { arms: words } = TEXT.newExperiment;

interface Props {
  draft: ExperimentDraft;
  issues: Issues;
  onChange: (arms: ArmDraft[]) => void;
}

/** The arms with their weights. The first is the control. */
export function Arms({ draft, issues, onChange }: Props) {
  const { arms } = draft;
  const isSplit = isSplitUrl(draft);
  const at = isSplit ? "split_url_config.variants" : "variants";
  const set = (index: number, change: Partial<ArmDraft>) =>
    onChange(arms.map((arm, place) => (place === index ? { ...arm, ...change } : arm)));
  /** As many arms as now, each with the same weight. */
  const even = (list: ArmDraft[]) =>
    list.map((arm) => ({ ...arm, weight: String(Number((100 / list.length).toPrecision(12))) }));
  const problem = issues.get(at) ?? issues.get("variants");
  return (
    <>
      {arms.map((arm, index) => (
        <fieldset key={index} className="row-fields">
          <legend className="label">{index === 0 ? words.control : words.treatment(index)}</legend>
          <Field label={words.key} error={issues.get(`${at}.${index}.key`)}>
            <input
              className="mono"
              required
              value={arm.key}
              spellCheck={false}
              autoCapitalize="off"
              onInput={(event) => set(index, { key: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.weight} error={issues.get(`${at}.${index}.weight`)}>
            <input
              inputMode="decimal"
              value={arm.weight}
              onInput={(event) => set(index, { weight: event.currentTarget.value })}
            />
          </Field>
          {isSplit && (
            <Field label={words.url} error={issues.get(`${at}.${index}.url`)}>
              <input value={arm.url} onInput={(event) => set(index, { url: event.currentTarget.value })} />
            </Field>
          )}
          {arms.length > 2 && index > 0 && (
            <button
              type="button"
              aria-label={words.remove(arm.key || words.treatment(index))}
              onClick={() => onChange(even(arms.filter((_, place) => place !== index)))}
            >
              {TEXT.actions.remove}
            </button>
          )}
        </fieldset>
      ))}
      {problem && (
        <p className="problem small" role="alert">
          {problem}
        </p>
      )}
      <div className="buttons start">
        <button type="button" onClick={() => onChange(even([...arms, EMPTY_ARM]))}>
          {words.add}
        </button>
      </div>
    </>
  );
}
