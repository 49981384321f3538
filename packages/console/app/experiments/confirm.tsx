import type { Experiment } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { ActionError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { toIssues } from "./form/issues.ts";

export type Action = "start" | "pause" | "complete" | "clone" | "archive" | "delete";

const ROUTES = {
  start: "POST /experiments/{experiment_id}/start",
  pause: "POST /experiments/{experiment_id}/pause",
  archive: "POST /experiments/{experiment_id}/archive",
} as const;
const DANGEROUS: readonly Action[] = ["archive", "delete"];

/** Reads an experiment again after a step of its life. */
export function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      ["experiment", "experiments", "results"].map((name) => queries.invalidateQueries({ queryKey: [name] })),
    );
}

interface Props {
  experiment: Experiment;
  action: Exclude<Action, "complete">;
  label: string;
  onClose: () => void;
}

/** Asks before a step, and takes it. */
export function Confirm({ experiment, action, label, onClose }: Props) {
  const queries = useQueryClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [name, setName] = useState(TEXT.experiments.copyOf(experiment.name).slice(0, 255));
  const params = { experiment_id: experiment.id };
  const step = useMutation({
    async mutationFn(): Promise<string | undefined> {
      if (action === "clone") {
        return (await api.request("POST /experiments/{experiment_id}/clone", { params, body: { name } })).key;
      }
      if (action === "delete") {
        await api.request("DELETE /experiments/{experiment_id}", { params });
        return undefined;
      }
      return (await api.request(ROUTES[action], { params })).key;
    },
    async onSuccess(key) {
      if (key === undefined) {
        // The page of a deleted experiment would read it again.
        await queries.invalidateQueries({ queryKey: ["experiments"] });
        return navigate({ to: "/experiments" });
      }
      await refresh();
      onClose();
      if (action === "clone") await navigate({ to: "/experiments/$key", params: { key } });
    },
  });
  const issue = toIssues(step.error).get("name");
  return (
    <Question
      title={TEXT.experiments[`${action}Title`]}
      lead={TEXT.experiments[`${action}Lead`]}
      label={label}
      isDangerous={DANGEROUS.includes(action)}
      isPending={step.isPending}
      error={issue ? null : step.error}
      onSubmit={() => step.mutate()}
      onClose={onClose}
    >
      {action === "clone" && (
        <Field label={TEXT.newExperiment.name} error={issue}>
          <input required maxLength={255} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
      )}
    </Question>
  );
}

interface QuestionProps {
  title: string;
  lead: string;
  label: string;
  isDangerous?: boolean;
  isPending: boolean;
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with a question, its answer and Cancel. */
export function Question({
  title,
  lead,
  label,
  isDangerous,
  isPending,
  error,
  onSubmit,
  onClose,
  children,
}: QuestionProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{lead}</p>
        {children}
        <ActionError error={error} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {TEXT.actions.cancel}
          </button>
          <button type="submit" className={isDangerous ? "danger" : "primary"} disabled={isPending}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
