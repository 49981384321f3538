import type { FeatureFlag } from "@assay/client";
import { ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { TEXT } from "../text.ts";
import { ConditionsForm } from "./conditions-form.tsx";
import type { StoredFlag } from "./data.ts";
import { Review } from "./review.tsx";
import { fromDraft, LEAF, type RuleDraft, toDraft } from "./rule-draft.ts";

type Rule = FeatureFlag["rules"][number];

/** Edits the rules of a flag. What is typed stays until it is saved or discarded. */
export function RuleEditor({ stored, isKept, onClose }: { stored: StoredFlag; isKept: boolean; onClose: () => void }) {
  const { flag } = stored;
  const [initial] = useState(() => flag.rules.map(toDraft));
  const { draft, setDraft, isChanged, clear } = useDraft<RuleDraft[]>(`rules.${flag.key}`, initial);
  const [reviewed, setReviewed] = useState<Rule[]>();
  const [isBad, setBad] = useState(false);
  const change = (index: number, rule: RuleDraft) =>
    setDraft(draft.map((one, place) => (place === index ? rule : one)));
  const remove = (index: number) => setDraft(draft.filter((_, place) => place !== index));
  const raise = (index: number) => {
    const next = [...draft];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    setDraft(next);
  };
  const add = () => {
    const serve =
      flag.value_type !== "BOOLEAN" && flag.variants[0]
        ? { variant: flag.variants[0].key }
        : { rollout_percentage: 100 };
    let number = draft.length + 1;
    while (draft.some(({ id }) => id === `rule-${number}`)) number += 1;
    setDraft([...draft, { id: `rule-${number}`, match: "all", conditions: [{ ...LEAF }], serve }]);
  };
  const discard = () => {
    clear();
    onClose();
  };

  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            setReviewed(draft.map(fromDraft));
            setBad(false);
          } catch {
            setBad(true);
          }
        }}
      >
        {isKept && <p className="note">{TEXT.rules.kept}</p>}
        <p className="muted">{TEXT.rules.lead}</p>
        {draft.map((rule, index) => (
          <fieldset key={index} className="card rule">
            <legend className="sr">{TEXT.rules.name(index + 1)}</legend>
            <RuleForm rule={rule} index={index} variants={flag.variants} onChange={(next) => change(index, next)} />
            <div className="rule-buttons">
              <button
                type="button"
                className="icon-button"
                disabled={index === 0}
                aria-label={TEXT.rules.up(index + 1)}
                onClick={() => raise(index)}
              >
                <ArrowUp aria-hidden size={16} />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={TEXT.rules.removeRule(index + 1)}
                onClick={() => remove(index)}
              >
                <Trash2 aria-hidden size={16} />
              </button>
            </div>
          </fieldset>
        ))}
        {isBad && (
          <p role="alert" className="problem">
            {TEXT.rules.badJson}
          </p>
        )}
        <div className="buttons start">
          <button type="button" onClick={add}>
            <Plus aria-hidden size={16} /> {TEXT.rules.add}
          </button>
          <button type="submit" className="primary" disabled={!isChanged}>
            {TEXT.flag.review}
          </button>
          <button type="button" onClick={discard}>
            {isChanged ? TEXT.rules.discard : TEXT.actions.close}
          </button>
        </div>
      </form>
      {reviewed && (
        <Review
          title={TEXT.flag.reviewTitle}
          stored={stored}
          fields={{ rules: reviewed }}
          onClose={() => setReviewed(undefined)}
          onSaved={discard}
        />
      )}
    </>
  );
}

interface RuleFormProps {
  rule: RuleDraft;
  index: number;
  variants: FeatureFlag["variants"];
  onChange: (rule: RuleDraft) => void;
}

function RuleForm({ rule, index, variants, onChange }: RuleFormProps) {
  const { serve } = rule;
  const share = "rollout_percentage" in serve ? serve.rollout_percentage : 100;
  return (
    <>
      <Field label={TEXT.rules.name(index + 1)}>
        <input
          required
          maxLength={100}
          value={rule.id}
          onInput={(event) => onChange({ ...rule, id: event.currentTarget.value })}
        />
      </Field>
      <ConditionsForm draft={rule} onChange={(next) => onChange({ ...rule, ...next })} />
      <div className="condition">
        <Field label={TEXT.rules.serve}>
          <select
            value={"variant" in serve ? serve.variant : ""}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...rule, serve: value === "" ? { rollout_percentage: share } : { variant: value } })
            }
          >
            {variants.map(({ key }) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
            <option value="">{TEXT.rules.share}</option>
          </select>
        </Field>
        {"rollout_percentage" in serve && (
          <Field label={TEXT.rules.shareLabel}>
            <input
              type="number"
              min={0}
              max={100}
              step="any"
              required
              value={share}
              onInput={(event) =>
                onChange({ ...rule, serve: { ...serve, rollout_percentage: Number(event.currentTarget.value) } })
              }
            />
          </Field>
        )}
      </div>
    </>
  );
}
