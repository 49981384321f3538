import type { JsonSchema } from "@assay/core/schema";
import { Plus } from "lucide-react";
import { useState } from "react";
import { TextInput } from "../../parts/inputs.tsx";
import { TEXT } from "../../text.ts";
import { firstValue, flatten, type Json, type Keywords, propertiesOf, propertyList } from "./form.ts";
import { Part, type PartProps, problemAt } from "./part.tsx";

const { schema: text } = TEXT;

type Props = Omit<PartProps, "value" | "schema"> & { schema: Keywords; value: Record<string, Json> };

/** The properties of an object: those that it has as fields, and those that it lacks as buttons. */
export function ObjectPart({ label, schema, value, path, context, onChange }: Props) {
  const known = new Map(propertiesOf(schema));
  const required = propertyList(schema);
  const more = (schema.additionalProperties ?? true) as JsonSchema;
  const names = [...known.keys(), ...Object.keys(value).filter((name) => !known.has(name))];
  const lacking = [...new Set([...known.keys(), ...required])].filter((name) => !Object.hasOwn(value, name));
  const schemaOf = (name: string) => known.get(name) ?? (more === false ? true : more);
  const titleOf = (name: string) => String(flatten(schemaOf(name), context.schemas).title ?? name);
  const set = (name: string, part: Json) => onChange({ ...value, [name]: part });
  const add = (name: string) => set(name, firstValue(schemaOf(name), context.schemas));
  const problem = problemAt(context, path);
  return (
    <fieldset className="parts">
      <legend>{label}</legend>
      {typeof schema.description === "string" && <p className="hint">{schema.description}</p>}
      {problem && (
        <p role="alert" className="problem small">
          {problem}
        </p>
      )}
      {names
        .filter((name) => Object.hasOwn(value, name))
        .map((name) => (
          <Part
            key={name}
            label={titleOf(name)}
            schema={schemaOf(name)}
            value={value[name]!}
            path={[...path, name]}
            context={context}
            isRequired={required.includes(name)}
            onChange={(part) => set(name, part)}
            onRemove={
              required.includes(name)
                ? undefined
                : () => onChange(Object.fromEntries(Object.entries(value).filter(([one]) => one !== name)))
            }
          />
        ))}
      {lacking.length > 0 && (
        <div className="buttons start">
          {lacking.map((name) => (
            <button key={name} type="button" onClick={() => add(name)}>
              <Plus aria-hidden size={16} />{" "}
              {required.includes(name) ? text.addRequired(titleOf(name)) : text.add(titleOf(name))}
            </button>
          ))}
        </div>
      )}
      {lacking
        .filter((name) => problemAt(context, [...path, name]))
        .map((name) => (
          <p key={name} role="alert" className="problem small">
            {titleOf(name)}: {problemAt(context, [...path, name])}
          </p>
        ))}
      {more !== false && <NewProperty isTaken={(name) => Object.hasOwn(value, name)} onAdd={add} />}
    </fieldset>
  );
}

/** Adds a property that the schema does not name. */
function NewProperty({ isTaken, onAdd }: { isTaken: (name: string) => boolean; onAdd: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <div className="new-property">
      <TextInput label={text.newName} value={name} onChange={setName} />
      <button
        type="button"
        disabled={name === "" || isTaken(name)}
        onClick={() => {
          onAdd(name);
          setName("");
        }}
      >
        <Plus aria-hidden size={16} /> {text.addOther}
      </button>
    </div>
  );
}
