import type { AuditLogEntry } from "@assay/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { toAction, toMinute } from "../parts/format.ts";
import { ChoiceFilter, ListPage } from "../parts/list-page.tsx";
import { usePages } from "../parts/pages.ts";
import { PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { type Me, useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { useLiveTrail } from "./live-trail.ts";

const { audit: text } = TEXT;
const { columns } = text;

/** Who changed what, newest first. */
export function AuditPage() {
  const { kind } = useSearch({ from: "/audit" });
  const navigate = useNavigate({ from: "/audit" });
  const me = useMe();
  const mayRead = useHasRole("ANALYST");
  const resource_type = kind !== undefined && Object.hasOwn(text.kinds, kind) ? kind : undefined;
  const pages = usePages(
    ["audit", resource_type],
    (page) => api.request("GET /audit-logs", { query: { resource_type, ...page } }),
    // The stream brings what is new, unless it is paused.
    { limit: 50, enabled: mayRead, refetchOnWindowFocus: false },
  );
  const [isPaused, setPaused] = useState(false);
  const { added, isLive } = useLiveTrail(mayRead && !isPaused);
  const news = added.filter((entry) => resource_type === undefined || entry.resource_type === resource_type);
  const items = pages.items && [...new Map([...news, ...pages.items].map((entry) => [entry.id, entry])).values()];
  if (me && !mayRead) {
    return (
      <ListPage title={text.title}>
        <p className="muted">{text.needs}</p>
      </ListPage>
    );
  }
  return (
    <ListPage
      title={text.title}
      action={
        <div className="buttons">
          <span role="status" className={isLive ? "badge state-active" : "badge"}>
            {isPaused ? text.paused : isLive ? text.live : text.connecting}
          </span>
          <button type="button" onClick={() => setPaused(!isPaused)}>
            {isPaused ? text.resume : text.pause}
          </button>
        </div>
      }
      filters={
        <ChoiceFilter
          label={text.kind}
          value={resource_type}
          all={text.all}
          choices={text.kinds}
          onChange={(value) => void navigate({ search: { kind: value }, replace: true })}
        />
      }
    >
      <PagedRows
        pages={{ ...pages, items }}
        keyOf={({ id }) => id}
        rows={8}
        empty={<Empty>{text.empty}</Empty>}
        columns={[
          { label: columns.what, cell: ({ action }) => toAction(action) },
          { label: columns.on, cell: ({ resource_name, resource_id }) => resource_name ?? resource_id },
          { label: columns.who, cell: (entry) => toActor(entry, me) },
          {
            label: columns.when,
            cell: ({ timestamp }) => <time dateTime={timestamp}>{toMinute(timestamp)}</time>,
          },
          { label: columns.reason, cell: ({ reason }) => reason },
        ]}
      />
    </ListPage>
  );
}

function toActor({ actor_id, actor_type, actor_name }: AuditLogEntry, me: Me | undefined): string {
  if (actor_name) return actor_name;
  if (actor_id !== null && actor_id === me?.id) return me.username;
  return actor_type === "USER" ? (actor_id ?? text.actors.USER) : text.actors[actor_type];
}
