import { Plus } from "lucide-react";
import { TEXT } from "../../text.ts";
import { firstValue, itemSchema, type Json, type Keywords } from "./form.ts";
import { Part, type PartProps, problemAt } from "./part.tsx";

const { schema: text } = TEXT;

type Props = Omit<PartProps, "value" | "schema"> & { schema: Keywords; value: Json[] };

/** The items of a list, which can be added and removed. */
export function ListPart({ label, schema, value, path, context, onChange }: Props) {
  const problem = problemAt(context, path);
  const next = itemSchema(schema, value.length);
  return (
    <fieldset className="parts">
      <legend>{label}</legend>
      {typeof schema.description === "string" && <p className="hint">{schema.description}</p>}
      {problem && (
        <p role="alert" className="problem small">
          {problem}
        </p>
      )}
      {value.map((item, index) => (
        <Part
          key={index}
          label={text.item(index + 1)}
          schema={itemSchema(schema, index)}
          value={item}
          path={[...path, index]}
          context={context}
          onChange={(part) => onChange(value.map((one, at) => (at === index ? part : one)))}
          onRemove={() => onChange(value.filter((_, at) => at !== index))}
        />
      ))}
      {next !== false && (
        <div>
          <button type="button" onClick={() => onChange([...value, firstValue(next, context.schemas)])}>
            <Plus aria-hidden size={16} /> {text.addItem}
          </button>
        </div>
      )}
    </fieldset>
  );
}
