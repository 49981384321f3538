import type { Experiment } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { ActionError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

type Action = "start" | "pause" | "complete";

const ACTIONS: Record<Experiment["status"], Action[]> = {
  DRAFT: ["start"],
  ACTIVE: ["pause", "complete"],
  PAUSED: ["start", "complete"],
  COMPLETED: [],
  ARCHIVED: [],
};
const ROUTES = {
  start: "POST /experiments/{experiment_id}/start",
  pause: "POST /experiments/{experiment_id}/pause",
} as const;

/** The steps that an experiment may take next. Each asks first. */
export function Actions({ experiment }: { experiment: Experiment }) {
  const [action, setAction] = useState<Action>();
  const label = (one: Action) => TEXT.experiments[one === "start" && experiment.status === "PAUSED" ? "resume" : one];
  return (
    <div className="buttons">
      {ACTIONS[experiment.status].map((one) => (
        <RoleButton
          key={one}
          needs="DEVELOPER"
          owner={experiment.created_by}
          className={one === "start" ? "primary" : undefined}
          onClick={() => setAction(one)}
        >
          {label(one)}
        </RoleButton>
      ))}
      {action && (
        <Confirm experiment={experiment} action={action} label={label(action)} onClose={() => setAction(undefined)} />
      )}
    </div>
  );
}

interface ConfirmProps {
  experiment: Experiment;
  action: Action;
  label: string;
  onClose: () => void;
}

function Confirm({ experiment, action, label, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const [winner, setWinner] = useState("");
  const params = { experiment_id: experiment.id };
  const step = useMutation({
    mutationFn: () =>
      action === "complete"
        ? api.request("POST /experiments/{experiment_id}/complete", { params, body: winner ? { winner } : {} })
        : api.request(ROUTES[action], { params }),
    async onSuccess() {
      const names = ["experiment", "experiments", "results"];
      await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    step.mutate();
  }
  return (
    <Dialog title={TEXT.experiments[`${action}Title`]} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{TEXT.experiments[`${action}Lead`]}</p>
        {action === "complete" && (
          <Field label={TEXT.experiments.winner} hint={TEXT.experiments.winnerHint}>
            <select value={winner} onChange={(event) => setWinner(event.currentTarget.value)}>
              <option value="">{TEXT.experiments.noWinner}</option>
              {experiment.variants.map(({ id, key }) => (
                <option key={id} value={key}>
                  {key}
                </option>
              ))}
            </select>
          </Field>
        )}
        <ActionError error={step.error} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {TEXT.actions.cancel}
          </button>
          <button type="submit" className="primary" disabled={step.isPending}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
