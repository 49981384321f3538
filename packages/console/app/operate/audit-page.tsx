import type { AuditLogEntry } from "@assay/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Field } from "../parts/field.tsx";
import { toMinute } from "../parts/format.ts";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { type Me, useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";

const { audit: text } = TEXT;
const { columns } = text;
const PAGE = 50;
const KINDS = ["feature_flag", "experiment", "api_key", "user", "segment"] as const;

/** Who changed what, newest first. */
export function AuditPage() {
  const { kind } = useSearch({ from: "/audit" });
  const navigate = useNavigate({ from: "/audit" });
  const me = useMe();
  const mayRead = useHasRole("ANALYST");
  const resource_type = KINDS.find((one) => one === kind);
  const trail = useInfiniteQuery({
    queryKey: ["audit", resource_type],
    enabled: mayRead,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.request("GET /audit-logs", { query: { resource_type, skip: pageParam, limit: PAGE } }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
  });
  const entries = trail.data?.pages.flatMap((page) => page.items);
  if (me && !mayRead) {
    return (
      <div className="page">
        <h1>{text.title}</h1>
        <p className="muted">{text.needs}</p>
      </div>
    );
  }
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <search className="filters">
        <Field label={text.kind}>
          <select
            value={resource_type ?? ""}
            onChange={(event) =>
              void navigate({ search: { kind: event.currentTarget.value || undefined }, replace: true })
            }
          >
            <option value="">{text.all}</option>
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {text.kinds[one]}
              </option>
            ))}
          </select>
        </Field>
      </search>
      {trail.isPending && <Skeleton rows={8} />}
      {trail.isError && <Problem error={trail.error} onRetry={() => void trail.refetch()} />}
      {entries?.length === 0 && <Empty>{text.empty}</Empty>}
      {entries !== undefined && entries.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.what}</th>
              <th scope="col">{columns.on}</th>
              <th scope="col">{columns.who}</th>
              <th scope="col">{columns.when}</th>
              <th scope="col">{columns.reason}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td data-label={columns.what}>{toAction(entry.action)}</td>
                <td data-label={columns.on}>{entry.resource_name ?? entry.resource_id}</td>
                <td data-label={columns.who}>{toActor(entry, me)}</td>
                <td data-label={columns.when}>
                  <time dateTime={entry.timestamp}>{toMinute(entry.timestamp)}</time>
                </td>
                <td data-label={columns.reason}>{entry.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {trail.hasNextPage && (
        <button type="button" disabled={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
    </div>
  );
}

/** An action in words: "feature_flag.update" becomes "Feature flag: update". */
function toAction(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ").replace("api key", "API key");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toActor({ actor_id, actor_type, actor_name }: AuditLogEntry, me: Me | undefined): string {
  if (actor_name) return actor_name;
  if (actor_id !== null && actor_id === me?.id) return me.username;
  return actor_type === "USER" ? (actor_id ?? text.actors.USER) : text.actors[actor_type];
}
