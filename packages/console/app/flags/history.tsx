import type { FeatureFlag, FlagHistory } from "@assay/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toMinute } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { Diff } from "./diff.tsx";
import { Review } from "./review.tsx";

type Entry = FlagHistory["items"][number] & { actor_name?: string | null };

const PAGE = 50;
/** The fields that a restored version sets. */
const RESTORED = [
  "name",
  "description",
  "status",
  "rollout_percentage",
  "targeting_rules",
  "rules",
  "rules_enabled",
  "prerequisites",
  "variants",
  "default_value",
  "value_schema",
  "defer_to_caller",
  "bucket_by",
  "client_side",
  "expires_at",
  "permanent",
  "tags",
  "metadata",
] as const;

/** Returns the fields that differed from now after an entry, by undoing the entries after it. */
function fieldsAfter(entries: readonly Entry[], index: number): Partial<FeatureFlag> {
  const fields: Record<string, unknown> = {};
  for (const entry of entries.slice(0, index)) Object.assign(fields, entry.old_value);
  return Object.fromEntries(RESTORED.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

export function History({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const mayRead = useHasRole("ANALYST");
  const me = useMe();
  const [restored, setRestored] = useState<{ fields: Partial<FeatureFlag>; when: string }>();
  const history = useInfiniteQuery({
    queryKey: ["history", flag.key],
    enabled: mayRead,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.request("GET /feature-flags/{id}/history", {
        params: { id: flag.key },
        query: { skip: pageParam, limit: PAGE },
      }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
  });
  if (me && !mayRead) return <p className="muted">{TEXT.history.needs}</p>;
  if (history.isPending) return <Skeleton rows={3} />;
  if (history.isError) return <Problem error={history.error} onRetry={() => void history.refetch()} />;
  const entries: Entry[] = history.data.pages.flatMap((page) => page.items);
  if (entries.length === 0) return <p className="muted">{TEXT.history.empty}</p>;
  const actorOf = ({ actor_id, actor_type, actor_name }: Entry) => {
    if (actor_name) return actor_name;
    if (actor_id !== null && actor_id === me?.id) return me.username;
    if (actor_type === "API_KEY") return TEXT.history.key;
    return actor_type === "USER" ? (actor_id ?? TEXT.history.system) : TEXT.history.system;
  };
  return (
    <>
      <ol className="history">
        {entries.map((entry, index) => {
          const when = toMinute(entry.timestamp);
          const fields = fieldsAfter(entries, index);
          return (
            <li key={entry.id} className="card">
              <div className="title-row">
                <h3>
                  {TEXT.history.actions[entry.action] ?? TEXT.history.changed} {TEXT.history.by(actorOf(entry))}{" "}
                  <time dateTime={entry.timestamp} className="muted">
                    {when}
                  </time>
                </h3>
                {index === 0 ? (
                  <span className="muted">{TEXT.history.current}</span>
                ) : (
                  Object.keys(fields).length > 0 && (
                    <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setRestored({ fields, when })}>
                      {TEXT.history.restore}
                    </RoleButton>
                  )
                )}
              </div>
              {entry.reason && <p>“{entry.reason}”</p>}
              <Diff
                before={(entry.old_value ?? {}) as Partial<FeatureFlag>}
                after={(entry.new_value ?? {}) as Partial<FeatureFlag>}
              />
            </li>
          );
        })}
      </ol>
      {history.hasNextPage && (
        <button type="button" disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
      {restored && (
        <Review
          title={TEXT.history.restore}
          stored={stored}
          fields={restored.fields}
          initialReason={TEXT.history.restoreReason(restored.when)}
          onClose={() => setRestored(undefined)}
        />
      )}
    </>
  );
}
