import type { FeatureFlag, FlagSafety } from "@assay/client";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toAgo, toCount, toMinute, toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useSafety } from "./data.ts";
import { Health } from "./health.tsx";
import { Rollback } from "./rollback.tsx";
import { inheritedBy, ofFlag, sayDifference, sayValue } from "./safety-draft.ts";
import { SafetyForm, safetyDraft } from "./safety-form.tsx";

const { safety: text } = TEXT;
const { columns } = text;

/** What is monitored while a flag rolls out, live, and the way back. */
export function SafetyTab({ flag }: { flag: FeatureFlag }) {
  const [open, setOpen] = useState<"rollback" | "edit" | undefined>(() =>
    hasDraft(safetyDraft(flag.key)) ? "edit" : undefined,
  );
  const safety = useSafety(flag.key);
  if (safety.isPending) return <Skeleton rows={3} />;
  if (safety.isError) return <Problem error={safety.error} onRetry={() => void safety.refetch()} />;
  const { data } = safety;
  const close = () => setOpen(undefined);
  return (
    <div className="stack">
      <div className="title-row">
        <p className="sentence">
          <Health health={data.health} /> {text.now(toPercent(data.rollout_percentage))}{" "}
          {data.automatic_rollback ? text.isAutomatic : text.isManual}
        </p>
        <RoleButton
          needs="DEVELOPER"
          className="danger"
          disabled={flag.rollout_percentage === 0}
          onClick={() => setOpen("rollback")}
        >
          {text.rollback}
        </RoleButton>
      </div>
      {data.automatic_rollback && data.unguarded_reason && <p className="note">{data.unguarded_reason}</p>}
      {data.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
      {data.values.length === 0 ? <p className="muted">{text.empty}</p> : <Values safety={data} />}
      <p className="hint">
        {text.live(data.window_minutes, toAgo(data.evaluated_at))}{" "}
        {data.watched_since && text.since(toMinute(data.watched_since))}
      </p>
      <div>
        <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setOpen("edit")}>
          {text.edit}
        </RoleButton>
      </div>
      {open === "rollback" && <Rollback flag={flag} onClose={close} />}
      {open === "edit" && (
        <SafetyForm
          title={text.editTitle(flag.key)}
          flag={flag.key}
          initial={ofFlag(data)}
          inherited={inheritedBy(data)}
          save={(body) => api.request("PUT /safety/feature-flags/{id}", { params: { id: flag.key }, body })}
          onClose={close}
        />
      )}
    </div>
  );
}

function Values({ safety: { values, metrics } }: { safety: FlagSafety }) {
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">{columns.metric}</th>
          <th scope="col">{columns.health}</th>
          <th scope="col">{columns.live}</th>
          <th scope="col">{columns.limits}</th>
          <th scope="col">{columns.difference}</th>
          <th scope="col">{columns.users}</th>
        </tr>
      </thead>
      <tbody>
        {values.map((value) => {
          const { name, health, live_value, difference, confidence_interval, worse } = value;
          const metric = metrics[name];
          const say = (number: number) => sayDifference(number, metric?.aggregation);
          return (
            <tr key={name}>
              <td data-label={columns.metric}>
                <b>{name}</b>
              </td>
              <td data-label={columns.health}>
                <Health health={health} />
              </td>
              <td data-label={columns.live}>{sayValue(live_value, metric?.aggregation)}</td>
              <td data-label={columns.limits}>
                {text.limits(
                  sayValue(metric?.warning_threshold, metric?.aggregation),
                  sayValue(metric?.critical_threshold, metric?.aggregation),
                )}
              </td>
              <td data-label={columns.difference}>
                {difference === null || !confidence_interval ? (
                  TEXT.results.noEffect
                ) : (
                  <span className={worse ? "worse" : undefined}>
                    {say(difference)} ({TEXT.results.to(say(confidence_interval[0]), say(confidence_interval[1]))})
                    {worse && ` ${text.worse}`}
                  </span>
                )}
              </td>
              <td data-label={columns.users}>{text.users(toCount(value.users_in), toCount(value.users_out))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
