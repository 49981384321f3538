import { Plus, Trash2 } from "lucide-react";
import { Field } from "../parts/field.tsx";
import { TEXT } from "../text.ts";
import { type ConditionsDraft, LEAF, type LeafDraft, LIST_OPERATORS, type Operator } from "./rule-draft.ts";

const OPERATORS = Object.keys(TEXT.words.operators) as Operator[];

interface Props {
  draft: ConditionsDraft;
  /** How many conditions must stay. */
  least?: 0 | 1;
  onChange: (draft: ConditionsDraft) => void;
}

/** Edits a list of conditions; nested ones as JSON. */
export function ConditionsForm({ draft, least = 1, onChange }: Props) {
  const { match, conditions, json } = draft;
  if (json !== undefined) {
    return (
      <Field label={TEXT.rules.json} hint={TEXT.rules.jsonHint}>
        <textarea
          className="mono"
          rows={8}
          spellCheck={false}
          value={json}
          onInput={(event) => onChange({ match, conditions, json: event.currentTarget.value })}
        />
      </Field>
    );
  }
  const change = (next: LeafDraft[]) => onChange({ match, conditions: next });
  const set = (place: number, part: Partial<LeafDraft>) =>
    change(conditions.map((one, at) => (at === place ? { ...one, ...part } : one)));
  return (
    <>
      {conditions.length > 0 && (
        <Field label={TEXT.rules.match}>
          <select
            value={match}
            onChange={(event) => onChange({ match: event.currentTarget.value as "all" | "any", conditions })}
          >
            <option value="all">{TEXT.rules.all}</option>
            <option value="any">{TEXT.rules.any}</option>
          </select>
        </Field>
      )}
      {conditions.map((leaf, place) => (
        <div key={place} className="condition">
          {leaf.operator !== "IN_SEGMENT" && (
            <Field label={TEXT.rules.attribute}>
              <input
                required
                value={leaf.attribute}
                onInput={(event) => set(place, { attribute: event.currentTarget.value })}
              />
            </Field>
          )}
          <Field label={TEXT.rules.operator}>
            <select
              value={leaf.operator}
              onChange={(event) => set(place, { operator: event.currentTarget.value as Operator })}
            >
              {OPERATORS.map((operator) => (
                <option key={operator} value={operator}>
                  {TEXT.words.operators[operator]}
                </option>
              ))}
            </select>
          </Field>
          {leaf.operator !== "EXISTS" && (
            <Field
              label={TEXT.rules.value}
              hint={LIST_OPERATORS.includes(leaf.operator) ? TEXT.rules.listHint : undefined}
            >
              <input
                required
                value={leaf.value}
                onInput={(event) => set(place, { value: event.currentTarget.value })}
              />
            </Field>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={TEXT.rules.removeCondition}
            disabled={conditions.length === least}
            onClick={() => change(conditions.filter((_, at) => at !== place))}
          >
            <Trash2 aria-hidden size={16} />
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={() => change([...conditions, { ...LEAF }])}>
          <Plus aria-hidden size={16} /> {TEXT.rules.addCondition}
        </button>
      </div>
    </>
  );
}
