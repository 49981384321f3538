import type { Proposal } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { proposals: text } = TEXT;

export type Decision = "approve" | "reject" | "withdraw";

/** Asks before a proposal is decided. A rejection needs a reason. */
export function Decide({
  proposal: { id },
  decision,
  onClose,
}: {
  proposal: Proposal;
  decision: Decision;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const step = useMutation({
    mutationFn() {
      const params = { id };
      const why = reason.trim();
      if (decision === "withdraw") return api.request("POST /proposals/{id}/withdraw", { params });
      if (decision === "reject") return api.request("POST /proposals/{id}/reject", { params, body: { reason: why } });
      return api.request("POST /proposals/{id}/approve", { params, body: why ? { reason: why } : {} });
    },
    async onSuccess() {
      // An approval can change any page.
      await queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.titles[decision]}
      submit={text[decision]}
      isDangerous={decision === "reject"}
      action={step}
      onSubmit={() => step.mutate()}
      onClose={onClose}
    >
      <p>{text.leads[decision]}</p>
      {decision !== "withdraw" && (
        <Field label={TEXT.reason} hint={TEXT.reasonHint}>
          <input
            value={reason}
            required={decision === "reject"}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
