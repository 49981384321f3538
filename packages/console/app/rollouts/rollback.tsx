import type { FeatureFlag } from "@assay/client";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toPercent } from "../parts/format.ts";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useRolloutChange } from "./data.ts";

const { safety: text } = TEXT;

/** Asks before a rollback to nobody. */
export function Rollback({
  flag,
  onClose,
}: {
  flag: Pick<FeatureFlag, "key" | "rollout_percentage">;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const rollback = useRolloutChange(
    () =>
      api.request("POST /safety/rollback/{flag_id}", {
        params: { flag_id: flag.key },
        body: { ...(reason.trim() ? { reason: reason.trim() } : {}) },
      }),
    onClose,
  );
  return (
    <FormDialog
      title={text.rollbackTitle(flag.key)}
      submit={text.rollback}
      isDangerous
      action={rollback}
      fields={["reason"]}
      onSubmit={() => rollback.mutate()}
      onClose={onClose}
    >
      <p>{text.rollbackLead(toPercent(flag.rollout_percentage))}</p>
      <Field label={TEXT.reason} hint={TEXT.reasonHint} error={issueOf(rollback.error, "reason")}>
        <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </Field>
    </FormDialog>
  );
}
