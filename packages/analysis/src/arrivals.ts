import type { EventLog } from "./event-log.ts";
import { entryDays } from "./looks.ts";
import { reorder } from "./slot-order.ts";
import { dailySpansOf, type Subject } from "./subject.ts";
import { attendanceOf } from "./sufficient-statistics.ts";

/** The users of an experiment at the end of one day, UTC. */
export interface Arrival {
  /** `2026-01-31` */
  date: string;
  /** Of all arms, since the start. */
  users: number;
}

const DAY = 86_400_000;

/** Counts participants by the day on which their exposure was received, from the first one; as {@link computeLooks} does. */
export function computeArrivals(log: EventLog, subject: Subject): Arrival[] {
  const { participants } = attendanceOf(log, subject);
  const days = dailySpansOf(log.receipts, log.rows.length, subject.history);
  const { ends } = reorder(participants, entryDays(log, subject, participants, days), days.length);
  const arrivals = days.map(({ day }, index) => ({
    date: new Date(day * DAY).toISOString().slice(0, 10),
    users: ends[index]!,
  }));
  return arrivals.filter(({ users }) => users > 0);
}
