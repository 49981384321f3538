import type { FeatureFlag } from "@assay/client";
import { Plus, Trash2 } from "lucide-react";
import { Field } from "../parts/field.tsx";
import { toPercent } from "../parts/format.ts";
import { issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { misfitsOf, ValueEditor } from "./schema/value-editor.tsx";
import { type Faults, Section } from "./section.tsx";
import { fromTyped, toTypedText, ValueInput } from "./value-input.tsx";

const { variants: text } = TEXT;
type Variant = FeatureFlag["variants"][number];

interface VariantDraft {
  key: string;
  name?: string;
  value: string;
  weight: string;
}

/** Adds, removes and renames variants, and edits what they and the flag itself serve. */
export function VariantsEditor({ stored, onClose }: { stored: StoredFlag; onClose: () => void }) {
  const { value_type, value_schema, default_value, variants } = stored.flag;
  const toDraft = ({ key, name, value, weight }: Variant): VariantDraft => ({
    key,
    ...(name === undefined ? {} : { name }),
    value: toTypedText(value_type, value),
    weight: weight === undefined ? "" : String(weight),
  });
  const empty = value_schema ? "{}" : "";
  const initial = { off: toTypedText(value_type, default_value), variants: variants.map(toDraft) };
  return (
    <Section
      stored={stored}
      name="variants"
      title={text.editAll}
      initial={initial}
      shown={["variants", "default_value"]}
      onClose={onClose}
      toFields={(draft) => toFields(stored.flag, draft)}
    >
      {({ draft, set, error, faults }) => {
        const change = (index: number, part: Partial<VariantDraft>) =>
          set({ variants: draft.variants.map((one, place) => (place === index ? { ...one, ...part } : one)) });
        const isPlaced = draft.variants.some((_, index) => issueOf(error, "variants", index));
        const general = faults.variants ?? (isPlaced ? undefined : issueOf(error, "variants"));
        return (
          <>
            <p className="muted">{text.renameHint}</p>
            {draft.variants.map((variant, index) => (
              <fieldset key={index} className="condition">
                <legend className="sr">{text.variant(index + 1)}</legend>
                <Field label={text.columns.key} error={issueOf(error, "variants", index, "key")}>
                  <input
                    required
                    className="mono"
                    value={variant.key}
                    onInput={(event) => change(index, { key: event.currentTarget.value })}
                  />
                </Field>
                {!value_schema && (
                  <Field label={text.columns.value} error={faults[index] ?? issueOf(error, "variants", index, "value")}>
                    <ValueInput
                      type={value_type}
                      value={variant.value}
                      onChange={(value) => change(index, { value })}
                    />
                  </Field>
                )}
                <Field label={text.weightShort} error={issueOf(error, "variants", index, "weight")}>
                  <input
                    type="number"
                    min={0}
                    max={100}
                    step="any"
                    value={variant.weight}
                    onInput={(event) => change(index, { weight: event.currentTarget.value })}
                  />
                </Field>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={text.remove(index + 1)}
                  onClick={() => set({ variants: draft.variants.filter((_, place) => place !== index) })}
                >
                  <Trash2 aria-hidden size={16} />
                </button>
                {value_schema && (
                  <ValueEditor
                    label={text.columns.value}
                    schema={value_schema as never}
                    value={variant.value}
                    error={faults[index] ?? issueOf(error, "variants", index, "value")}
                    onChange={(value) => change(index, { value })}
                  />
                )}
              </fieldset>
            ))}
            {general && (
              <p role="alert" className="problem small">
                {general}
              </p>
            )}
            <div>
              <button
                type="button"
                onClick={() => set({ variants: [...draft.variants, { key: "", value: empty, weight: "" }] })}
              >
                <Plus aria-hidden size={16} /> {text.add}
              </button>
            </div>
            {value_schema ? (
              <ValueEditor
                label={text.default}
                schema={value_schema as never}
                value={draft.off}
                error={faults.off ?? issueOf(error, "default_value")}
                isOptional
                onChange={(off) => set({ off })}
              />
            ) : (
              <Field label={TEXT.newFlag.default} error={faults.off ?? issueOf(error, "default_value")}>
                <ValueInput type={value_type} value={draft.off} onChange={(off) => set({ off })} />
              </Field>
            )}
          </>
        );
      }}
    </Section>
  );
}

/** Reads the form. Values must have the type of the flag and match its schema, and the weights must add up. */
function toFields(
  { value_type, value_schema }: FeatureFlag,
  { off, variants }: { off: string; variants: VariantDraft[] },
): { fields: Partial<FeatureFlag> } | { faults: Faults } {
  const faults: Faults = {};
  const read = (name: string, typed: string) => {
    try {
      const value = fromTyped(value_type, typed);
      const misfits = value_schema ? misfitsOf(value_schema as never, value) : undefined;
      if (misfits !== undefined) faults[name] = misfits;
      return value;
    } catch {
      faults[name] = TEXT.newFlag.badValue;
      return null;
    }
  };
  const next = variants.map(
    ({ key, name, value, weight }, index): Variant => ({
      key,
      ...(name === undefined ? {} : { name }),
      value: read(String(index), value) as Variant["value"],
      ...(weight === "" ? {} : { weight: Number(weight) }),
    }),
  );
  // Without a default value, such a flag serves that of the code.
  const isAbsent = value_type === "OBJECT" && off.trim() === "null";
  const default_value = (isAbsent ? null : read("off", off)) as FeatureFlag["default_value"];
  const weighed = next.filter(({ weight }) => weight !== undefined);
  const sum = weighed.reduce((total, { weight = 0 }) => total + weight, 0);
  if (weighed.length > 0 && Math.abs(sum - 100) > 1e-9) faults.variants = text.sum(toPercent(sum));
  return Object.keys(faults).length > 0 ? { faults } : { fields: { variants: next, default_value } };
}
