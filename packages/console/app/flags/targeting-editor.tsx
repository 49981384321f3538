import type { FeatureFlag, TargetingRules } from "@assay/client";
import type { ReactNode } from "react";
import { Field } from "../parts/field.tsx";
import { issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { toLines, toList } from "./lists.ts";
import { Section } from "./section.tsx";

const { targeting: text } = TEXT;
const LISTS = ["countries", "browsers", "user_segments"] as const;
const USERS = ["included_users", "excluded_users"] as const;
type Attributes = NonNullable<TargetingRules["user_attributes"]>;
type Scalar = Attributes[string][number];

/** Reads numbers and booleans as such; quotes make them text. */
function toScalar(typed: string): Scalar {
  try {
    const value: unknown = JSON.parse(typed);
    return ["string", "number", "boolean"].includes(typeof value) ? (value as Scalar) : typed;
  } catch {
    return typed;
  }
}
const toText = (value: Scalar) =>
  typeof value === "string" && toScalar(value) === value ? value : JSON.stringify(value);

/** Reads lines such as `plan = pro, team`. Returns the first line that is none. */
function readAttributes(typed: string): { attributes: Attributes } | { bad: string } {
  const attributes: Attributes = {};
  for (const line of toLines(typed)) {
    const [, name, values] = /^([^=]+?)\s*=\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || values === undefined) return { bad: line };
    attributes[name] = toList(values).map(toScalar);
  }
  return { attributes };
}

function toDraft(blocks: TargetingRules) {
  const { user_attributes = {}, rollout_percentage } = blocks;
  const lists = Object.fromEntries(LISTS.map((name) => [name, (blocks[name] ?? []).join(", ")]));
  const users = Object.fromEntries(USERS.map((name) => [name, (blocks[name] ?? []).join("\n")]));
  const attributes = Object.entries(user_attributes).map(
    ([name, values]) => `${name} = ${values.map(toText).join(", ")}`,
  );
  return {
    ...(lists as Record<(typeof LISTS)[number], string>),
    ...(users as Record<(typeof USERS)[number], string>),
    user_attributes: attributes.join("\n"),
    rollout_percentage: rollout_percentage === undefined ? "" : String(rollout_percentage),
  };
}

function toFields(draft: ReturnType<typeof toDraft>, before: TargetingRules) {
  const read = readAttributes(draft.user_attributes);
  if ("bad" in read) return { faults: { user_attributes: TEXT.who.badLine(read.bad) } };
  // What the form does not show, such as the scheduled time, stays.
  const { time_rules, sticky_assignment } = before;
  const blocks: TargetingRules = {
    ...(time_rules === undefined ? {} : { time_rules }),
    ...(sticky_assignment === undefined ? {} : { sticky_assignment }),
  };
  for (const name of LISTS) if (toList(draft[name]).length > 0) blocks[name] = toList(draft[name]);
  for (const name of USERS) if (toLines(draft[name]).length > 0) blocks[name] = toLines(draft[name]);
  if (Object.keys(read.attributes).length > 0) blocks.user_attributes = read.attributes;
  if (draft.rollout_percentage !== "") blocks.rollout_percentage = Number(draft.rollout_percentage);
  const fields: Partial<FeatureFlag> = { targeting_rules: Object.keys(blocks).length > 0 ? blocks : null };
  return { fields };
}

/** Edits whom the rollout covers, block by block. All blocks must match. */
export function TargetingEditor({ stored, onClose }: { stored: StoredFlag; onClose: () => void }) {
  const before = stored.flag.targeting_rules ?? {};
  return (
    <Section
      stored={stored}
      name="targeting"
      title={text.title}
      initial={toDraft(before)}
      shown={["targeting_rules"]}
      onClose={onClose}
      toFields={(draft) => toFields(draft, before)}
    >
      {({ draft, set, error, faults }) => {
        const errorOf = (name: string) => faults[name] ?? issueOf(error, "targeting_rules", name);
        const names = [...LISTS, ...USERS, "user_attributes", "rollout_percentage"] as const;
        const isPlaced = names.some((name) => errorOf(name));
        const field = (
          name: (typeof names)[number],
          hint: string | undefined,
          control: "line" | "lines",
        ): ReactNode => (
          <Field key={name} label={text.blocks[name]} hint={hint} error={errorOf(name)}>
            {control === "line" ? (
              <input value={draft[name]} onInput={(event) => set({ [name]: event.currentTarget.value })} />
            ) : (
              <textarea
                className="mono"
                rows={3}
                spellCheck={false}
                value={draft[name]}
                onInput={(event) => set({ [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        );
        return (
          <>
            <p className="muted">{text.lead}</p>
            {LISTS.map((name) => field(name, TEXT.rules.listHint, "line"))}
            {field("user_attributes", text.attributesHint, "lines")}
            <Field label={text.blocks.rollout_percentage} error={errorOf("rollout_percentage")}>
              <input
                type="number"
                step="any"
                value={draft.rollout_percentage}
                onInput={(event) => set({ rollout_percentage: event.currentTarget.value })}
              />
            </Field>
            {USERS.map((name) => field(name, text.usersHint, "lines"))}
            {before.time_rules && <p className="hint">{text.timeStays}</p>}
            {!isPlaced && issueOf(error, "targeting_rules") && (
              <p role="alert" className="problem small">
                {issueOf(error, "targeting_rules")}
              </p>
            )}
          </>
        );
      }}
    </Section>
  );
}
