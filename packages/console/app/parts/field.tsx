import { cloneElement, type ReactElement, type ReactNode, useId } from "react";

interface Props {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | undefined;
  children: ReactElement<{ id?: string; "aria-describedby"?: string; "aria-invalid"?: true }>;
}

/** A control with its label, and a hint and an error below it. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, { id, "aria-describedby": about, "aria-invalid": error ? true : undefined })}
      {hint && (
        <div className="hint" id={about}>
          {hint}
        </div>
      )}
      {error && (
        <div className="problem small" id={`${id}-error`}>
          {error}
        </div>
      )}
    </div>
  );
}
