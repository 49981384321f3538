import type { MutualExclusionGroup } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ExperimentState } from "../experiments/experiment-state.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { AddExperiment } from "./add-experiment.tsx";
import { SlotBar } from "./bar.tsx";
import { useTrafficChange } from "./data.ts";
import { GroupForm } from "./group-form.tsx";
import { toSlots } from "./slots.ts";

const { traffic: text } = TEXT;
type Member = MutualExclusionGroup["experiments"][number];

interface Props {
  group: MutualExclusionGroup;
  /** Keys of the experiments that are in a group. */
  taken: ReadonlySet<string>;
}

export function GroupCard({ group, taken }: Props) {
  const [open, setOpen] = useState<"add" | "edit" | "archive">();
  const [leaving, setLeaving] = useState<Member>();
  const close = () => setOpen(undefined);
  const isActive = group.status === "ACTIVE";
  return (
    <section className="card stack" aria-label={group.name}>
      <div className="title-row">
        <div>
          <h3>
            {group.name}{" "}
            <span className={`badge state-${group.status.toLowerCase()}`}>{text.states[group.status]}</span>
          </h3>
          {group.description && <p className="muted">{group.description}</p>}
        </div>
        {isActive && (
          <div className="buttons">
            <RoleButton needs="DEVELOPER" onClick={() => setOpen("add")}>
              {text.add}
            </RoleButton>
            <RoleButton needs="DEVELOPER" onClick={() => setOpen("edit")}>
              {text.edit}
            </RoleButton>
            <RoleButton needs="ADMIN" onClick={() => setOpen("archive")}>
              {text.archive}
            </RoleButton>
          </div>
        )}
      </div>
      <SlotBar slots={toSlots(group)} />
      <p>{text.largestFree(toPercent(group.free_percentage, 4))}</p>
      {group.experiments.length > 0 && <Members members={group.experiments} onRemove={setLeaving} />}
      {open === "add" && <AddExperiment group={group} taken={taken} onClose={close} />}
      {open === "edit" && <GroupForm group={group} onClose={close} />}
      {open === "archive" && <Archive group={group} onClose={close} />}
      {leaving && <Leave group={group} member={leaving} onClose={() => setLeaving(undefined)} />}
    </section>
  );
}

function Members({ members, onRemove }: { members: readonly Member[]; onRemove: (member: Member) => void }) {
  const { columns } = text;
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">{columns.experiment}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.slot}</th>
          <th scope="col">{columns.share}</th>
          <th scope="col">
            <span className="sr">{text.remove}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.experiment_id}>
            <td data-label={columns.experiment}>
              <Link to="/experiments/$key" params={{ key: member.key }}>
                <code>{member.key}</code>
              </Link>
            </td>
            <td data-label={columns.state}>
              <ExperimentState status={member.status} />
            </td>
            <td data-label={columns.slot}>
              {text.range(toPercent(member.slot_start * 100, 4), toPercent(member.slot_end * 100, 4))}
            </td>
            <td data-label={columns.share}>{toPercent((member.slot_end - member.slot_start) * 100, 4)}</td>
            <td>
              {member.status === "DRAFT" ? (
                <RoleButton
                  needs="DEVELOPER"
                  aria-label={`${text.remove} ${member.key}`}
                  onClick={() => onRemove(member)}
                >
                  {text.remove}
                </RoleButton>
              ) : (
                <span className="muted small">{text.stays}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Leave({ group, member, onClose }: { group: MutualExclusionGroup; member: Member; onClose: () => void }) {
  const removal = useTrafficChange(
    () =>
      api.request("DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}", {
        params: { group_id: group.id, eid: member.experiment_id },
      }),
    onClose,
  );
  return (
    <FormDialog
      title={text.removeTitle(member.key, group.name)}
      submit={text.remove}
      isDangerous
      action={removal}
      onSubmit={() => removal.mutate(undefined)}
      onClose={onClose}
    >
      <p>{text.removeLead}</p>
    </FormDialog>
  );
}

function Archive({ group, onClose }: { group: MutualExclusionGroup; onClose: () => void }) {
  const change = useTrafficChange(
    () => api.request("DELETE /mutual-exclusion-groups/{group_id}", { params: { group_id: group.id } }),
    onClose,
  );
  return (
    <FormDialog
      title={text.archiveTitle(group.name)}
      submit={text.archive}
      isDangerous
      action={change}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <p>{text.archiveLead}</p>
    </FormDialog>
  );
}
