import type { Experiment } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { RoleButton } from "../parts/needs-role.tsx";
import { TEXT } from "../text.ts";
import { Complete } from "./complete.tsx";
import { type Action, Confirm } from "./confirm.tsx";

const ACTIONS: Record<Experiment["status"], Action[]> = {
  DRAFT: ["start", "clone", "archive", "delete"],
  ACTIVE: ["pause", "complete", "clone", "archive"],
  PAUSED: ["start", "complete", "clone", "archive"],
  COMPLETED: ["clone", "archive"],
  ARCHIVED: ["clone"],
};

/** The steps that an experiment may take next. Each asks first. */
export function Actions({ experiment }: { experiment: Experiment }) {
  const [action, setAction] = useState<Action>();
  const { key, status, created_by } = experiment;
  const label = (one: Action) => TEXT.experiments[one === "start" && status === "PAUSED" ? "resume" : one];
  const close = () => setAction(undefined);
  return (
    <div className="buttons">
      {status === "DRAFT" && (
        <Link to="/experiments/$key/edit" params={{ key }} className="button">
          {TEXT.experiments.edit}
        </Link>
      )}
      {ACTIONS[status].map((one) => (
        <RoleButton
          key={one}
          needs="DEVELOPER"
          // Anyone with the role may copy an experiment.
          owner={one === "clone" ? undefined : created_by}
          className={one === "start" ? "primary" : undefined}
          onClick={() => setAction(one)}
        >
          {label(one)}
        </RoleButton>
      ))}
      {action === "complete" && <Complete experiment={experiment} onClose={close} />}
      {action && action !== "complete" && (
        <Confirm experiment={experiment} action={action} label={label(action)} onClose={close} />
      )}
    </div>
  );
}
