import type { FormEvent, ReactNode } from "react";
import { Proposed } from "../protection.ts";
import { TEXT } from "../text.ts";
import { Dialog } from "./dialog.tsx";
import { ActionError } from "./states.tsx";

interface Props {
  title: string;
  submit: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** What the form does; errors beside fields are not repeated at its end. */
  action: { isPending: boolean; error: unknown };
  /** Names of the fields that show their errors themselves. */
  fields?: readonly string[];
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** A form in a dialog: its fields, what failed, and two buttons. */
export function FormDialog({
  title,
  submit,
  isDangerous,
  isDisabled,
  action,
  fields,
  onSubmit,
  onClose,
  children,
}: Props) {
  function confirm(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  const isProposed = action.error instanceof Proposed;
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={confirm}>
        {children}
        <ActionError error={action.error} except={fields} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {isProposed ? TEXT.actions.close : TEXT.actions.cancel}
          </button>
          <button
            type="submit"
            className={isDangerous ? "danger" : "primary"}
            disabled={isDisabled || action.isPending || isProposed}
          >
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
