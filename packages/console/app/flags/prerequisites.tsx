import type { FeatureFlag } from "@assay/client";
import { Plus, Trash2 } from "lucide-react";
import { Field } from "../parts/field.tsx";
import { issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { type Faults, Section } from "./section.tsx";

const { settings: text } = TEXT;
type Prerequisite = FeatureFlag["prerequisites"][number];
type Kind = "on" | "variant" | "value";
const KINDS: readonly Kind[] = ["on", "variant", "value"];

interface Need {
  key: string;
  kind: Kind;
  text: string;
}

const toNeed = ({ flag_key, variant, value }: Prerequisite): Need => {
  if (variant !== undefined) return { key: flag_key, kind: "variant", text: variant };
  if (value !== undefined) return { key: flag_key, kind: "value", text: JSON.stringify(value) };
  return { key: flag_key, kind: "on", text: "" };
};

/** @throws SyntaxError if a value is not JSON */
const fromNeed = ({ key, kind, text: typed }: Need): Prerequisite => ({
  flag_key: key.trim(),
  ...(kind === "variant" ? { variant: typed.trim() } : {}),
  ...(kind === "value" ? { value: JSON.parse(typed) } : {}),
});

/** Flags that must serve something before this one applies. */
export function Prerequisites({ stored }: { stored: StoredFlag }) {
  return (
    <Section
      stored={stored}
      name="prerequisites"
      title={text.prerequisites}
      initial={{ needs: stored.flag.prerequisites.map(toNeed) }}
      shown={["prerequisites"]}
      toFields={({ needs }) => {
        const faults: Faults = {};
        const prerequisites = needs.flatMap((need, index) => {
          try {
            return [fromNeed(need)];
          } catch {
            faults[index] = text.badJson;
            return [];
          }
        });
        return Object.keys(faults).length > 0 ? { faults } : { fields: { prerequisites } };
      }}
    >
      {({ draft: { needs }, set, error, faults }) => {
        const change = (index: number, part: Partial<Need>) =>
          set({ needs: needs.map((one, place) => (place === index ? { ...one, ...part } : one)) });
        const isPlaced = needs.some((_, index) => issueOf(error, "prerequisites", index));
        return (
          <>
            <p className="muted">{text.prerequisitesLead}</p>
            {needs.map((need, index) => (
              <fieldset key={index} className="condition">
                <legend className="sr">{text.prerequisite(index + 1)}</legend>
                <Field label={text.needs} error={issueOf(error, "prerequisites", index)}>
                  <input
                    required
                    className="mono"
                    value={need.key}
                    onInput={(event) => change(index, { key: event.currentTarget.value })}
                  />
                </Field>
                <Field label={text.mustBe}>
                  <select
                    value={need.kind}
                    onChange={(event) => change(index, { kind: event.currentTarget.value as Kind })}
                  >
                    {KINDS.map((one) => (
                      <option key={one} value={one}>
                        {text.kinds[one]}
                      </option>
                    ))}
                  </select>
                </Field>
                {need.kind !== "on" && (
                  <Field label={text.of[need.kind]} error={faults[index]}>
                    <input
                      required
                      className="mono"
                      value={need.text}
                      onInput={(event) => change(index, { text: event.currentTarget.value })}
                    />
                  </Field>
                )}
                <button
                  type="button"
                  className="icon-button"
                  aria-label={text.removePrerequisite(index + 1)}
                  onClick={() => set({ needs: needs.filter((_, place) => place !== index) })}
                >
                  <Trash2 aria-hidden size={16} />
                </button>
              </fieldset>
            ))}
            {!isPlaced && issueOf(error, "prerequisites") && (
              <p role="alert" className="problem small">
                {issueOf(error, "prerequisites")}
              </p>
            )}
            <div>
              <button type="button" onClick={() => set({ needs: [...needs, { key: "", kind: "on", text: "" }] })}>
                <Plus aria-hidden size={16} /> {text.addPrerequisite}
              </button>
            </div>
          </>
        );
      }}
    </Section>
  );
}
