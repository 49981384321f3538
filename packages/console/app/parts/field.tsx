import { cloneElement, type ReactElement, type ReactNode, useId } from "react";

interface Props {
  label: string;
  hint?: ReactNode;
  children: ReactElement<{ id?: string; "aria-describedby"?: string }>;
}

/** A control with its label, and a hint below it. */
export function Field({ label, hint, children }: Props) {
  const id = useId();
  const about = hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {cloneElement(children, { id, "aria-describedby": about })}
      {hint && (
        <div className="hint" id={about}>
          {hint}
        </div>
      )}
    </div>
  );
}
