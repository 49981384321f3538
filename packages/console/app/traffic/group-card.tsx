import type { MutualExclusionGroup } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ExperimentState } from "../experiments/experiment-state.tsx";
import { hasDraft } from "../parts/draft.ts";
import { toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { Rows } from "../parts/rows.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { AddExperiment, addDraft } from "./add-experiment.tsx";
import { SlotBar } from "./bar.tsx";
import { TRAFFIC_READS } from "./data.ts";
import { GroupForm, groupDraft } from "./group-form.tsx";
import { toSlots } from "./slots.ts";

const { traffic: text } = TEXT;
type Member = MutualExclusionGroup["experiments"][number];

interface Props {
  group: MutualExclusionGroup;
  /** Keys of the experiments that are in a group. */
  taken: ReadonlySet<string>;
}

export function GroupCard({ group, taken }: Props) {
  const [open, setOpen] = useState<"add" | "edit" | "archive" | undefined>(() =>
    hasDraft(groupDraft(group)) ? "edit" : hasDraft(addDraft(group)) ? "add" : undefined,
  );
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
    <Rows
      items={members}
      keyOf={({ experiment_id }) => experiment_id}
      columns={[
        {
          label: columns.experiment,
          cell: ({ key }) => (
            <Link to="/experiments/$key" params={{ key }}>
              <code>{key}</code>
            </Link>
          ),
        },
        { label: columns.state, cell: ({ status }) => <ExperimentState status={status} /> },
        {
          label: columns.slot,
          cell: ({ slot_start, slot_end }) => text.range(toPercent(slot_start * 100, 4), toPercent(slot_end * 100, 4)),
        },
        { label: columns.share, cell: ({ slot_start, slot_end }) => toPercent((slot_end - slot_start) * 100, 4) },
        {
          label: text.remove,
          kind: "buttons",
          cell: (member) =>
            member.status === "DRAFT" ? (
              <RoleButton
                needs="DEVELOPER"
                aria-label={`${text.remove} ${member.key}`}
                onClick={() => onRemove(member)}
              >
                {text.remove}
              </RoleButton>
            ) : (
              <span className="muted small">{text.stays}</span>
            ),
        },
      ]}
    />
  );
}

function Leave({ group, member, onClose }: { group: MutualExclusionGroup; member: Member; onClose: () => void }) {
  const params = { group_id: group.id, eid: member.experiment_id };
  return (
    <RemoveDialog
      title={text.removeTitle(member.key, group.name)}
      lead={text.removeLead}
      submit={text.remove}
      remove={() => api.request("DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}", { params })}
      reads={TRAFFIC_READS}
      onClose={onClose}
    />
  );
}

function Archive({ group, onClose }: { group: MutualExclusionGroup; onClose: () => void }) {
  return (
    <RemoveDialog
      title={text.archiveTitle(group.name)}
      lead={text.archiveLead}
      submit={text.archive}
      remove={() => api.request("DELETE /mutual-exclusion-groups/{group_id}", { params: { group_id: group.id } })}
      reads={TRAFFIC_READS}
      onClose={onClose}
    />
  );
}
