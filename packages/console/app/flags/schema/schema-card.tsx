import type { FeatureFlag } from "@assay/client";
import {
  createValidator,
  findSchemaProblems,
  inferSchema,
  type JsonSchema,
  type SchemaProblem,
} from "@assay/core/schema";
import { useState } from "react";
import { hasDraft } from "../../parts/draft.ts";
import { LinesInput } from "../../parts/inputs.tsx";
import { RoleButton } from "../../parts/needs-role.tsx";
import { issueOf } from "../../parts/states.tsx";
import { TEXT } from "../../text.ts";
import type { StoredFlag } from "../data.ts";
import { Section } from "../section.tsx";

const { schema: text } = TEXT;
type Values = Parameters<typeof inferSchema>[0];

const MAX_SHOWN = 10;

/** The schema of a flag's values, and the form that changes it. */
export function SchemaCard({ stored }: { stored: StoredFlag }) {
  const { value_schema, key, created_by } = stored.flag;
  const [isEditing, setEditing] = useState(hasDraft(`schema.${key}`));
  if (isEditing) return <SchemaForm key={stored.flag.version} stored={stored} onClose={() => setEditing(false)} />;
  return (
    <section className="card stack" aria-label={text.title}>
      <h2>{text.title}</h2>
      {value_schema ? <pre>{JSON.stringify(value_schema, null, 2)}</pre> : <p className="muted">{text.none}</p>}
      <div>
        <RoleButton needs="DEVELOPER" owner={created_by} onClick={() => setEditing(true)}>
          {value_schema ? text.edit : text.start}
        </RoleButton>
      </div>
    </section>
  );
}

function SchemaForm({ stored, onClose }: { stored: StoredFlag; onClose: () => void }) {
  const { value_schema } = stored.flag;
  const values = valuesOf(stored.flag);
  return (
    <Section
      stored={stored}
      name="schema"
      title={text.title}
      initial={{ typed: value_schema ? JSON.stringify(value_schema, null, 2) : "" }}
      shown={["value_schema"]}
      onClose={onClose}
      toFields={({ typed }) => {
        const { schema, problems } = readSchema(typed, values);
        return problems.length > 0
          ? { faults: { schema: text.unfit } }
          : { fields: { value_schema: schema as FeatureFlag["value_schema"] } };
      }}
    >
      {({ draft, set, error, faults }) => {
        const { problems } = readSchema(draft.typed, values);
        const infer = () => inferSchema(values.map(([, value]) => value) as Values);
        return (
          <>
            <p className="muted">{text.lead}</p>
            <div className="buttons start">
              <button
                type="button"
                disabled={values.length === 0}
                onClick={() => set({ typed: JSON.stringify(infer(), null, 2) })}
              >
                {text.infer}
              </button>
              <button type="button" disabled={draft.typed === ""} onClick={() => set({ typed: "" })}>
                {text.clear}
              </button>
            </div>
            <LinesInput
              label={text.label}
              hint={text.hint}
              rows={14}
              value={draft.typed}
              error={issueOf(error, "value_schema") ?? (problems.length > 0 ? faults.schema : undefined)}
              onChange={(typed) => set({ typed })}
            />
            {problems.length > 0 && (
              <ul className="problem small" aria-label={text.problems}>
                {problems.slice(0, MAX_SHOWN).map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
                {problems.length > MAX_SHOWN && <li>{text.moreProblems(problems.length - MAX_SHOWN)}</li>}
              </ul>
            )}
          </>
        );
      }}
    </Section>
  );
}

/** The values that a flag serves, each with the name that people know it by. */
function valuesOf({ variants, default_value }: FeatureFlag): [name: string, value: unknown][] {
  const own = default_value === null ? [] : [[TEXT.variants.default, default_value] as [string, unknown]];
  return [...variants.map(({ key, value }): [string, unknown] => [key, value]), ...own];
}

/** Reads a schema, and says what is wrong with it, or with the values of the flag. Without a text there is no schema. */
function readSchema(typed: string, values: [string, unknown][]): { schema: unknown; problems: string[] } {
  if (typed.trim() === "") return { schema: null, problems: [] };
  try {
    const schema: unknown = JSON.parse(typed);
    const found = findSchemaProblems(schema).map((one) => say([], one));
    if (found.length > 0) return { schema, problems: found };
    const validate = createValidator(schema as JsonSchema);
    const problems = values.flatMap(([name, value]) => validate(value as never).map((one) => say([name], one)));
    return { schema, problems };
  } catch {
    return { schema: null, problems: [TEXT.settings.badJson] };
  }
}

function say(around: string[], { path, message }: SchemaProblem): string {
  const place = [...around, ...path].join(" › ");
  return place === "" ? message : `${place}: ${message}`;
}
