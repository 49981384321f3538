import type { PersonErasure } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../parts/form-dialog.tsx";
import { TextInput } from "../parts/inputs.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { compliance: text } = TEXT;

interface Props {
  user: string;
  onErased: (outcome: PersonErasure) => void;
  onClose: () => void;
}

/** Erases a person after their id was typed a second time. */
export function Erase({ user, onErased, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const erasure = useMutation({
    mutationFn: () => api.request("DELETE /tracking/users/{user_id}", { params: { user_id: user } }),
    async onSuccess(outcome) {
      onErased(outcome);
      onClose();
      await Promise.all(
        ["results", "segments", "segment"].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
    },
  });
  return (
    <FormDialog
      title={text.eraseTitle(user)}
      submit={text.erase}
      isDangerous
      isDisabled={typed.trim() !== user}
      action={erasure}
      fields={["path"]}
      onSubmit={() => erasure.mutate()}
      onClose={onClose}
    >
      <p>{text.eraseLead}</p>
      <TextInput
        label={text.confirm}
        autoComplete="off"
        value={typed}
        error={issueOf(erasure.error, "path", "user_id")}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
