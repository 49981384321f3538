import type { FeatureFlag } from "@assay/client";
import { type FormEvent, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { ActionError } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { type StoredFlag, useFlagChange } from "./data.ts";
import { Diff } from "./diff.tsx";

interface Props {
  title: string;
  lead?: string;
  stored: StoredFlag;
  fields: Partial<FeatureFlag>;
  submit?: string;
  isDangerous?: boolean;
  reasonIsRequired?: boolean;
  initialReason?: string;
  onClose: () => void;
  onSaved?: () => void;
}

/** Returns the given fields of a flag as they are now. */
export function pick(flag: FeatureFlag, fields: Partial<FeatureFlag>): Partial<FeatureFlag> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, flag[name as keyof FeatureFlag]]));
}

/** Shows what a change does before it is saved, and both changes if someone else was faster. */
export function Review({ title, lead, stored, fields, onClose, onSaved, ...options }: Props) {
  const { submit = TEXT.actions.save, isDangerous, reasonIsRequired, initialReason = "" } = options;
  // What the user saw when the dialog opened; a refetch meanwhile must not hide another person's change.
  const [over] = useState(stored);
  const [reason, setReason] = useState(initialReason);
  const { save, isSaving, error, conflict, keepTheirs } = useFlagChange(stored.flag.key, () => {
    onSaved?.();
    onClose();
  });

  if (conflict) {
    const { base, latest } = conflict;
    const everything = { ...latest.flag, updated_at: undefined, last_evaluated_at: undefined };
    return (
      <Dialog title={TEXT.conflict.title} onClose={onClose}>
        <p>{TEXT.conflict.lead}</p>
        <div className="beside">
          <section>
            <h3>{TEXT.conflict.theirs}</h3>
            <Diff before={pick(base, everything)} after={latest.flag} />
          </section>
          <section>
            <h3>{TEXT.conflict.yours}</h3>
            <Diff before={pick(latest.flag, fields)} after={fields} />
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

  function confirm(event: FormEvent) {
    event.preventDefault();
    save({ fields, reason, over });
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm} className="stack">
        {lead && <p>{lead}</p>}
        <Diff before={pick(over.flag, fields)} after={fields} />
        <Field label={TEXT.reason} hint={TEXT.reasonHint}>
          <input value={reason} required={reasonIsRequired} onInput={(event) => setReason(event.currentTarget.value)} />
        </Field>
        <ActionError error={error} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {TEXT.actions.cancel}
          </button>
          <button type="submit" className={isDangerous ? "danger" : "primary"} disabled={isSaving}>
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
