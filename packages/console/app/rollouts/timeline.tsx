import type { RolloutSchedule } from "@assay/client";
import { Check, Circle, CircleDot, X } from "lucide-react";
import { toMinute, toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import { sayEvidence, sayTrigger } from "./words.ts";

const { rollouts: text } = TEXT;
const ICONS = { PENDING: Circle, IN_PROGRESS: CircleDot, COMPLETED: Check, FAILED: X };

/** The stages of a schedule in order: when each began or begins, and what the data says. */
export function Timeline({ schedule: { stages } }: { schedule: RolloutSchedule }) {
  if (stages.length === 0) return <p className="muted">{text.noStages}</p>;
  return (
    <ol className="timeline">
      {stages.map((stage) => {
        const Icon = ICONS[stage.status];
        return (
          <li key={stage.id} className={stage.status.toLowerCase()}>
            <Icon size={16} role="img" aria-label={text.stageStates[stage.status]} />
            <div className="track" aria-hidden>
              <div style={{ width: `${stage.target_percentage}%` }} />
            </div>
            <div>
              <b>{toPercent(stage.target_percentage)}</b>{" "}
              {stage.started_at ? text.began(toMinute(stage.started_at)) : sayTrigger(stage)}
              {stage.evidence && <p className="muted small">{sayEvidence(stage.evidence)}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
