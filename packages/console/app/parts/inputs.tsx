import type { InputHTMLAttributes, ReactNode } from "react";
import { Field } from "./field.tsx";

interface Common<T> {
  label: string;
  value: T;
  hint?: ReactNode;
  error?: string | undefined;
  onChange: (value: T) => void;
}

type TextProps = Common<string> &
  Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "required" | "placeholder" | "autoComplete" | "step">;

/** A text field with its label, its hint and what the server says about it. */
export function TextInput({ label, value, hint, error, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <input {...rest} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </Field>
  );
}

/** A field for several lines in monospace. */
export function LinesInput({ label, value, hint, error, rows, onChange }: Common<string> & { rows: number }) {
  return (
    <Field label={label} hint={hint} error={error}>
      <textarea
        className="mono"
        rows={rows}
        spellCheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

type ChoiceProps<T extends string> = Common<T> & {
  /** The texts of the values. */
  choices: Record<T, string>;
  isDisabled?: boolean;
};

/** One of a few values. */
export function ChoiceInput<T extends string>({
  label,
  value,
  choices,
  hint,
  error,
  isDisabled,
  onChange,
}: ChoiceProps<T>) {
  return (
    <Field label={label} hint={hint} error={error}>
      <select value={value} disabled={isDisabled} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {(Object.entries(choices) as [T, string][]).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
