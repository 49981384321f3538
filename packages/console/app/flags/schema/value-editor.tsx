import { createValidator, type JsonSchema, listSchemas } from "@assay/core/schema";
import { useMemo } from "react";
import { Field } from "../../parts/field.tsx";
import { TEXT } from "../../text.ts";
import { firstValue, type Json } from "./form.ts";
import { Part } from "./part.tsx";

const { schema: text } = TEXT;

interface Props {
  label: string;
  schema: JsonSchema;
  /** The value as JSON. */
  value: string;
  /** What is wrong apart from the schema. */
  error?: string | undefined;
  /** Whether there may be no value, which is `null`. */
  isOptional?: boolean;
  onChange: (text: string) => void;
}

/** Reads JSON; undefined for what is not JSON. */
function read(typed: string): Json | undefined {
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return undefined;
  }
}

const write = (value: Json) => JSON.stringify(value, null, 2);

/** A JSON value, as fields by its schema and as text. Both show the same value. */
export function ValueEditor({ label, schema, value: typed, error, isOptional, onChange }: Props) {
  const { schemas, validate } = useMemo(
    () => ({ schemas: listSchemas(schema), validate: createValidator(schema) }),
    [schema],
  );
  const value = read(typed);
  const isAbsent = isOptional && value === null;
  const context = { schemas, problems: value === undefined || isAbsent ? [] : validate(value as never) };
  return (
    <div className="schema-value">
      {value === undefined ? (
        <p className="muted">{text.unreadable}</p>
      ) : isAbsent || typed.trim() === "" ? (
        <div>
          <p className="muted">{text.noDefault}</p>
          <button type="button" onClick={() => onChange(write(firstValue(schema, schemas)))}>
            {text.addDefault}
          </button>
        </div>
      ) : (
        <Part
          label={label}
          schema={schema}
          value={value}
          path={[]}
          context={context}
          onChange={(next) => onChange(write(next))}
        />
      )}
      <Field
        label={text.json(label)}
        error={error ?? (value === undefined && typed.trim() !== "" ? TEXT.settings.badJson : undefined)}
        hint={context.problems.length > 0 ? text.misfits(context.problems.length) : undefined}
      >
        <textarea
          className="mono"
          rows={8}
          spellCheck={false}
          value={typed}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </Field>
    </div>
  );
}

/** Says how many parts of a value do not match its schema; undefined if all do. */
export function misfitsOf(schema: JsonSchema, value: Json): string | undefined {
  const { length } = createValidator(schema)(value as never);
  return length === 0 ? undefined : text.misfits(length);
}
