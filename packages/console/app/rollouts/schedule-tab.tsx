import type { FeatureFlag } from "@assay/client";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { useSchedules } from "./data.ts";
import { ScheduleCard, ScheduleState } from "./schedule-card.tsx";
import { ScheduleEditor } from "./schedule-editor.tsx";

const { rollouts: text } = TEXT;
const OVER: readonly string[] = ["COMPLETED", "CANCELLED"];

/** The schedules of a flag: what runs on a timeline, then the earlier ones. */
export function ScheduleTab({ flag }: { flag: FeatureFlag }) {
  const schedules = useSchedules(flag.key);
  const [isCreating, setCreating] = useState(() => hasDraft(`schedule.${flag.key}`));
  if (schedules.isPending) return <Skeleton rows={3} />;
  if (schedules.isError) return <Problem error={schedules.error} onRetry={() => void schedules.refetch()} />;
  const open = schedules.data.items.filter(({ status }) => !OVER.includes(status));
  const over = schedules.data.items.filter(({ status }) => OVER.includes(status));
  const create = (
    <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setCreating(true)}>
      {text.create}
    </RoleButton>
  );
  return (
    <div className="stack">
      {open.map((schedule) => (
        <ScheduleCard key={schedule.id} listed={schedule} flag={flag} />
      ))}
      {isCreating && <ScheduleEditor flag={flag} onClose={() => setCreating(false)} />}
      {!isCreating && (open.length === 0 ? <Empty action={create}>{text.none}</Empty> : <div>{create}</div>)}
      {over.length > 0 && (
        <details>
          <summary>{text.earlier(over.length)}</summary>
          <ul className="rules">
            {over.map(({ id, name, status, stages }) => (
              <li key={id}>
                <b>{name}</b> <ScheduleState status={status} />
                <span>{stages.map(({ target_percentage }) => toPercent(target_percentage)).join(", ")}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
