import { cloneElement, type ReactElement, type ReactNode, useId } from "react";

interface ControlProps {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

interface Props {
  label: string;
  hint?: ReactNode;
  /** Why the server refused the value. */
  error?: string | undefined;
  children: ReactElement<ControlProps>;
}

/** A control with its label, and below it a hint and what is wrong with its value. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const about = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        "aria-describedby": about || undefined,
        ...(error ? { "aria-invalid": true } : {}),
      })}
      {error && (
        <div className="problem small" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
      {hint && (
        <div className="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
