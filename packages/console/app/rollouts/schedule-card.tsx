import type { FeatureFlag, RolloutSchedule } from "@assay/client";
import { useState } from "react";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { api } from "../session.ts";
import { useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { useRolloutChange, useSchedule } from "./data.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";
import { Timeline } from "./timeline.tsx";

const { rollouts: text } = TEXT;
type Move = "activate" | "pause" | "cancel" | "advance" | "delete";

export function ScheduleState({ status }: Pick<RolloutSchedule, "status">) {
  return <span className={`badge state-${status.toLowerCase()}`}>{text.states[status]}</span>;
}

/** One schedule on a timeline, with what can be done to it. */
export function ScheduleCard({ listed, flag }: { listed: RolloutSchedule; flag: FeatureFlag }) {
  const { data: schedule = listed } = useSchedule(listed);
  const [move, setMove] = useState<Move>();
  const [isEditing, setEditing] = useState(false);
  const me = useMe();
  const { status, stages } = schedule;
  const next = stages.find((stage) => stage.status === "PENDING");
  // Who created the schedule may stop it; only who may change the flag moves it on.
  const stopper = schedule.created_by === me?.id ? schedule.created_by : flag.created_by;
  if (isEditing) return <ScheduleEditor flag={flag} schedule={schedule} onClose={() => setEditing(false)} />;
  return (
    <section className="card stack" aria-label={schedule.name}>
      <h2>
        {schedule.name} <ScheduleState status={status} />
      </h2>
      {schedule.description && <p className="muted">{schedule.description}</p>}
      {schedule.pause_reason && <p className="note">{schedule.pause_reason}</p>}
      <Timeline schedule={schedule} />
      <div className="buttons start">
        {(status === "DRAFT" || status === "PAUSED") && (
          <RoleButton needs="DEVELOPER" owner={flag.created_by} className="primary" onClick={() => setMove("activate")}>
            {status === "DRAFT" ? text.activate : text.resume}
          </RoleButton>
        )}
        {status === "ACTIVE" && next && (
          <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setMove("advance")}>
            {text.advance(toPercent(next.target_percentage))}
          </RoleButton>
        )}
        {status === "ACTIVE" && (
          <RoleButton needs="DEVELOPER" owner={stopper} onClick={() => setMove("pause")}>
            {text.pause}
          </RoleButton>
        )}
        {status === "DRAFT" && (
          <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setEditing(true)}>
            {text.edit}
          </RoleButton>
        )}
        <RoleButton needs="DEVELOPER" owner={stopper} onClick={() => setMove(status === "DRAFT" ? "delete" : "cancel")}>
          {status === "DRAFT" ? text.delete : text.cancel}
        </RoleButton>
      </div>
      {move && <Confirm schedule={schedule} move={move} onClose={() => setMove(undefined)} />}
    </section>
  );
}

function Confirm({ schedule, move, onClose }: { schedule: RolloutSchedule; move: Move; onClose: () => void }) {
  const { id, version, status, stages } = schedule;
  const next = stages.find((stage) => stage.status === "PENDING");
  const share = toPercent(next?.target_percentage ?? 0);
  const options = { params: { id }, headers: { "If-Match": `"v${version}"` } };
  const change = useRolloutChange((): Promise<unknown> => {
    if (move === "delete") return api.request("DELETE /rollout-schedules/{id}", options);
    if (move === "advance") {
      return api.request("POST /rollout-schedules/stages/{stage_id}/advance", { params: { stage_id: next!.id } });
    }
    return api.request(`POST /rollout-schedules/{id}/${move}`, options);
  }, onClose);
  const submit = {
    activate: status === "DRAFT" ? text.activate : text.resume,
    pause: text.pause,
    cancel: text.cancel,
    delete: text.delete,
    advance: text.advance(share),
  };
  return (
    <FormDialog
      title={text.titles[move](schedule.name)}
      submit={submit[move]}
      isDangerous={move === "cancel" || move === "delete"}
      action={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p>{text.leads[move](share)}</p>
    </FormDialog>
  );
}
