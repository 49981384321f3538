import type { FeatureFlag } from "@assay/client";
import { TEXT } from "../text.ts";

type ValueType = FeatureFlag["value_type"];

/** Reads what was typed as a value of a type. @throws SyntaxError */
export function fromTyped(type: ValueType, text: string): unknown {
  if (type === "STRING") return text;
  if (type === "BOOLEAN") return text === "true";
  const value: unknown = JSON.parse(text);
  const isRight = type === "NUMBER" ? typeof value === "number" : typeof value === "object" && value !== null;
  if (!isRight) throw new SyntaxError();
  return value;
}

/** A value as text that `fromTyped` reads again. */
export function toTypedText(type: ValueType, value: unknown): string {
  if (type === "STRING" && typeof value === "string") return value;
  return JSON.stringify(value, null, type === "OBJECT" ? 2 : undefined);
}

interface Props {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  type: ValueType;
  value: string;
  onChange: (text: string) => void;
}

/** A control for a value of a type: on or off, text, a number or JSON. */
export function ValueInput({ type, value, onChange, ...field }: Props) {
  if (type === "BOOLEAN") {
    return (
      <select
        {...field}
        value={value === "true" ? "true" : "false"}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="true">{TEXT.words.on}</option>
        <option value="false">{TEXT.words.off}</option>
      </select>
    );
  }
  if (type === "OBJECT") {
    return (
      <textarea
        {...field}
        className="mono"
        rows={4}
        spellCheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return <input {...field} className="mono" value={value} onInput={(event) => onChange(event.currentTarget.value)} />;
}
