import { toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";

/** A part of all users, from `start` to `end` in percent. */
export interface Slot {
  label: string;
  start: number;
  end: number;
  kind: "taken" | "over" | "free" | "outside" | "held";
}

const say = ({ label, start, end }: Slot) => `${label}: ${TEXT.traffic.range(toPercent(start), toPercent(end))}`;

/** All users as a bar, and the slots on it. A table beside it says the same. */
export function SlotBar({ slots }: { slots: readonly Slot[] }) {
  return (
    <div>
      <div className="slots" role="img" aria-label={slots.map(say).join("; ")}>
        {slots.map((slot) => (
          <div
            key={`${slot.start}-${slot.label}`}
            className={`slot ${slot.kind}`}
            style={{ left: `${slot.start}%`, width: `${slot.end - slot.start}%` }}
            title={say(slot)}
          >
            {slot.kind !== "outside" && slot.end - slot.start >= 8 && slot.label}
          </div>
        ))}
      </div>
      <div className="scale" aria-hidden>
        {[0, 25, 50, 75, 100].map((percent) => (
          <span key={percent}>{toPercent(percent)}</span>
        ))}
      </div>
    </div>
  );
}
