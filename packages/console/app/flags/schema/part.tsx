import { isJsonObject, type JsonSchema, type SchemaProblem } from "@assay/core/schema";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Field } from "../../parts/field.tsx";
import { TEXT } from "../../text.ts";
import { choicesOf, constantsOf, firstValue, flatten, hasForm, type Json, type Keywords } from "./form.ts";
import { ListPart } from "./list-part.tsx";
import { ObjectPart } from "./object-part.tsx";

const { schema: text } = TEXT;

/** What all parts of a form know: the schemas by their references, and what is wrong with the value. */
export interface FormContext {
  schemas: ReadonlyMap<string, JsonSchema>;
  problems: readonly SchemaProblem[];
}

export interface PartProps {
  label: string;
  schema: JsonSchema;
  value: Json;
  path: (string | number)[];
  context: FormContext;
  isRequired?: boolean;
  onChange: (value: Json) => void;
  onRemove?: () => void;
}

/** What is wrong with a part itself, or also with what it contains. */
export function problemAt({ problems }: FormContext, path: (string | number)[], isDeep = false): string | undefined {
  const found = problems.filter(
    (one) => path.every((name, at) => one.path[at] === name) && (isDeep || one.path.length === path.length),
  );
  const messages = found.map(({ path: place, message }) => [place.slice(path.length).join(" › "), message]);
  return messages.map((parts) => parts.filter((part) => part !== "").join(": ")).join(". ") || undefined;
}

/** A part of a value as its schema describes it: its form, if there are several, its control and its problem. */
export function Part(props: PartProps) {
  const { label, schema, value, context, isRequired, onChange, onRemove } = props;
  const choices = choicesOf(flatten(schema, context.schemas), context.schemas);
  const fitting = choices.findIndex((choice) => hasForm(value, choice.schema));
  const chosen = choices[Math.max(fitting, 0)]!.schema;
  const title = isRequired ? text.required(label) : label;
  return (
    <div className="part">
      {choices.length > 1 && (
        <Field label={text.form(label)}>
          <select
            value={fitting < 0 ? "" : String(fitting)}
            onChange={(event) =>
              onChange(firstValue(choices[Number(event.currentTarget.value)]!.schema, context.schemas))
            }
          >
            {fitting < 0 && <option value="">{text.other}</option>}
            {choices.map((choice, index) => (
              <option key={index} value={String(index)}>
                {choice.label}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Control {...props} label={title} schema={chosen} />
      {onRemove && (
        <button type="button" className="icon-button" aria-label={text.remove(label)} onClick={onRemove}>
          <Trash2 aria-hidden size={16} />
        </button>
      )}
    </div>
  );
}

function Control(props: PartProps & { schema: Keywords }) {
  const { label, schema, value, path, context, onChange } = props;
  const constants = constantsOf(schema);
  if (schema.type === "object" && !constants && isJsonObject(value))
    return <ObjectPart {...props} value={value as Record<string, Json>} />;
  if (schema.type === "array" && !constants && Array.isArray(value))
    return <ListPart {...props} value={value as Json[]} />;
  if (schema.type === "null" && value === null) {
    return (
      <Field label={label} error={problemAt(context, path)}>
        <output>{text.types.null}</output>
      </Field>
    );
  }
  const hint = typeof schema.description === "string" ? schema.description : undefined;
  const options = constants ?? (schema.type === "boolean" && typeof value === "boolean" ? [true, false] : undefined);
  const isNumber = schema.type === "number" || schema.type === "integer";
  if (options) {
    return (
      <Field label={label} hint={hint} error={problemAt(context, path, true)}>
        <OptionInput options={options} value={value} onChange={onChange} />
      </Field>
    );
  }
  if (isNumber && (typeof value === "number" || typeof value === "string")) {
    return (
      <Field label={label} hint={hint} error={problemAt(context, path)}>
        <NumberInput value={value} onChange={onChange} />
      </Field>
    );
  }
  if (schema.type === "string" && typeof value === "string") {
    return (
      <Field label={label} hint={hint} error={problemAt(context, path)}>
        {value.includes("\n") ? (
          <textarea rows={3} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
        ) : (
          <input value={value} onInput={(event) => onChange(event.currentTarget.value)} />
        )}
      </Field>
    );
  }
  return <JsonPart {...props} hint={hint} />;
}

type ControlProps<T = Json> = { value: T; onChange: (value: Json) => void };

function OptionInput({ options, value, onChange, ...field }: ControlProps & { options: readonly Json[] }) {
  const written = options.map((one) => JSON.stringify(one));
  const current = written.indexOf(JSON.stringify(value));
  return (
    <select
      {...field}
      value={String(current)}
      onChange={(event) => onChange(options[Number(event.currentTarget.value)]!)}
    >
      {current < 0 && <option value="-1">{JSON.stringify(value)}</option>}
      {options.map((one, index) => (
        <option key={index} value={String(index)}>
          {typeof one === "string" && one !== "" ? one : written[index]}
        </option>
      ))}
    </select>
  );
}

const toNumber = (typed: string) => (typed.trim() === "" ? Number.NaN : Number(typed));

/** A number as it is typed. What is not a number stays, so that its problem shows. */
function NumberInput({ value, onChange, ...field }: ControlProps<number | string>) {
  const [typed, setTyped] = useState(String(value));
  const isCurrent = typed === value || toNumber(typed) === value;
  return (
    <input
      {...field}
      className="mono"
      inputMode="decimal"
      value={isCurrent ? typed : String(value)}
      onInput={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        onChange(Number.isFinite(toNumber(next)) ? toNumber(next) : next);
      }}
    />
  );
}

/** A part without a known form, as JSON. */
function JsonPart({ label, value, path, context, hint, onChange }: PartProps & { hint?: string | undefined }) {
  const [typed, setTyped] = useState<string>();
  return (
    <Field
      label={label}
      hint={hint}
      error={typed === undefined ? problemAt(context, path, true) : TEXT.settings.badJson}
    >
      <textarea
        className="mono"
        rows={2}
        spellCheck={false}
        value={typed ?? JSON.stringify(value)}
        onInput={(event) => {
          const next = event.currentTarget.value;
          try {
            const read = JSON.parse(next) as Json;
            setTyped(undefined);
            onChange(read);
          } catch {
            setTyped(next);
          }
        }}
      />
    </Field>
  );
}
