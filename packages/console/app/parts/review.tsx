import { type ReactNode, useEffect, useState } from "react";
import { isKill, useProtected } from "../protection.ts";
import { TEXT } from "../text.ts";
import { type Editable, type Stored, useChange } from "./change.ts";
import { Dialog } from "./dialog.tsx";
import { DiffTable, type Fact } from "./diff.tsx";
import { Field } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { ActionError } from "./states.tsx";

export interface ReviewProps<T> {
  title: string;
  lead?: ReactNode;
  stored: Stored<T>;
  fields: Partial<T>;
  editable: Editable<T>;
  /** Says fields in words. Fields that it leaves out do not differ. */
  toFacts: (fields: Partial<T>) => Fact[];
  submit?: string;
  isDangerous?: boolean;
  /** Whether a reason is asked for; `required` if it must be given. */
  reason?: "optional" | "required";
  initialReason?: string;
  onClose: () => void;
  onSaved?: () => void;
  /** Gets the error instead of the dialog, such as to show it beside the fields. */
  onRefused?: (error: unknown) => void;
}

/** Returns the given fields of a thing as they are now. */
function pick<T extends object>(value: T, fields: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, value[name as keyof T]])) as Partial<T>;
}

/** Shows what a change does before it is saved, and both changes if someone else was faster. */
export function ReviewChange<T extends object>(props: ReviewProps<T>) {
  const { title, lead, stored, fields, editable, toFacts, onClose, onSaved, onRefused } = props;
  // What the user saw when the dialog opened; a refetch meanwhile must not hide another person's change.
  const [over] = useState(stored);
  const isProposal = useProtected() && !isKill(fields);
  const [reason, setReason] = useState(props.initialReason ?? "");
  const { save, isSaving, error, conflict, keepTheirs } = useChange(editable, () => {
    onSaved?.();
    onClose();
  });
  useEffect(() => {
    if (error) onRefused?.(error);
  }, [error, onRefused]);

  if (conflict) {
    const { base, latest } = conflict;
    return (
      <Dialog title={TEXT.conflict.title} onClose={onClose}>
        <p>{TEXT.conflict.lead}</p>
        <div className="beside">
          <section>
            <h3>{TEXT.conflict.theirs}</h3>
            <DiffTable before={toFacts(pick(base, latest.value))} after={toFacts(latest.value)} />
          </section>
          <section>
            <h3>{TEXT.conflict.yours}</h3>
            <DiffTable before={toFacts(pick(latest.value, fields))} after={toFacts(fields)} />
          </section>
        </div>
        <ActionError error={error} />
        <div className="buttons">
          <button type="button" onClick={() => void keepTheirs()}>
            {TEXT.conflict.keepTheirs}
          </button>
          <button
            type="button"
            className="primary"
            disabled={isSaving}
            onClick={() => save({ fields, reason, over: latest })}
          >
            {TEXT.conflict.keepYours}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      submit={isProposal ? TEXT.proposals.propose : (props.submit ?? TEXT.actions.save)}
      isDangerous={props.isDangerous}
      action={{ isPending: isSaving, error }}
      onSubmit={() => save({ fields, reason, over })}
      onClose={onClose}
    >
      {lead && <p>{lead}</p>}
      <DiffTable before={toFacts(pick(over.value, fields))} after={toFacts(fields)} />
      {props.reason && (
        <Field label={TEXT.reason} hint={TEXT.reasonHint}>
          <input
            value={reason}
            required={props.reason === "required"}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
