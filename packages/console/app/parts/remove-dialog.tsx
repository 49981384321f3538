import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormDialog } from "./form-dialog.tsx";

interface Props {
  title: string;
  lead: ReactNode;
  submit: string;
  /** What is done after the question. */
  remove: () => Promise<unknown>;
  /** Names of the queries to read again. */
  reads: readonly string[];
  /** Leaves the page of what is gone. @default closes the dialog */
  onRemoved?: () => unknown;
  onClose: () => void;
}

/** Asks before something ends for good. */
export function RemoveDialog({ title, lead, submit, remove, reads, onRemoved, onClose }: Props) {
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: remove,
    async onSuccess() {
      await Promise.all(reads.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      await (onRemoved ?? onClose)();
    },
  });
  return (
    <FormDialog
      title={title}
      submit={submit}
      isDangerous
      action={removal}
      onSubmit={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{lead}</p>
    </FormDialog>
  );
}
