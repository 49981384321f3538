import type { NotificationPreferences } from "@assay/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toMinute } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Rows } from "../parts/rows.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useHasRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { PreferencesForm } from "./preferences-form.tsx";

const { notifications: text } = TEXT;
const { columns } = text;
type Channel = keyof typeof text.channels;

/** Where the signed-in user gets notifications, and for administrators what was sent. */
export function NotificationsPage() {
  const [isEditing, setEditing] = useState(false);
  const preferences = useQuery({
    queryKey: ["notifications"],
    queryFn: () => api.request("GET /notifications/preferences"),
  });
  const trial = useMutation({ mutationFn: () => api.request("POST /notifications/test") });
  return (
    <div className="page">
      <h1>{text.title}</h1>
      {preferences.isPending && <Skeleton rows={2} />}
      {preferences.isError && <Problem error={preferences.error} onRetry={() => void preferences.refetch()} />}
      {preferences.data && <Channels preferences={preferences.data} />}
      <div className="buttons start">
        <button type="button" className="primary" disabled={!preferences.data} onClick={() => setEditing(true)}>
          {text.edit}
        </button>
        <RoleButton needs="DEVELOPER" disabled={trial.isPending} onClick={() => trial.mutate()}>
          {text.test}
        </RoleButton>
      </div>
      <ActionError error={trial.error} />
      <ul className="rules" aria-live="polite">
        {trial.data?.results.map(({ channel, status, recipient, error }) => (
          <li key={channel}>
            <b>{text.channels[channel]}</b> {text.outcomes[status]} {recipient} {error}
          </li>
        ))}
      </ul>
      <h2>{text.log}</h2>
      <DeliveryLog />
      {isEditing && preferences.data && (
        <PreferencesForm preferences={preferences.data} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

function Channels({ preferences }: { preferences: NotificationPreferences }) {
  const { email_enabled, email_address, slack_enabled, webhook_enabled, webhook_url, events } = preferences;
  const on: Record<Channel, string | false> = {
    EMAIL: email_enabled && (email_address ?? text.accountAddress),
    SLACK: slack_enabled && text.isOn,
    WEBHOOK: webhook_enabled && (webhook_url ?? text.isOn),
  };
  const wanted = (Object.keys(text.events) as (keyof typeof events)[]).filter((event) => events[event]);
  return (
    <dl className="facts card">
      {(Object.keys(on) as Channel[]).map((channel) => (
        <div key={channel}>
          <dt>{text.channels[channel]}</dt>
          <dd className="break">{on[channel] || text.isOff}</dd>
        </div>
      ))}
      <div>
        <dt>{text.about}</dt>
        <dd>{wanted.map((event) => text.events[event]).join(", ") || TEXT.none}</dd>
      </div>
    </dl>
  );
}

function DeliveryLog() {
  const isAdmin = useHasRole("ADMIN");
  const log = useQuery({
    queryKey: ["deliveries"],
    enabled: isAdmin,
    queryFn: () => api.request("GET /notifications/delivery-log", { query: { limit: 50 } }),
  });
  if (!isAdmin) return <p className="muted">{text.needs}</p>;
  if (log.isPending) return <Skeleton rows={2} />;
  if (log.isError) return <Problem error={log.error} onRetry={() => void log.refetch()} />;
  if (log.data.items.length === 0) return <p className="muted">{text.nothing}</p>;
  return (
    <Rows
      items={log.data.items}
      keyOf={({ id }) => id}
      columns={[
        { label: columns.what, cell: ({ title }) => title },
        {
          label: columns.to,
          cell: ({ channel, recipient }) => (
            <span>
              {text.channels[channel]} {recipient}
            </span>
          ),
        },
        {
          label: columns.state,
          cell: ({ status, error }) => (
            <span>
              <span className={`badge ${status === "FAILED" ? "critical" : ""}`}>{text.deliveries[status]}</span>{" "}
              {error}
            </span>
          ),
        },
        { label: columns.when, cell: ({ created_at }) => toMinute(created_at) },
      ]}
    />
  );
}
