import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RoleButton } from "../parts/needs-role.tsx";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { GroupCard } from "./group-card.tsx";
import { GroupForm } from "./group-form.tsx";
import { HoldoutCard } from "./holdout-card.tsx";

const { traffic: text } = TEXT;
const PAGE = 50;

/** Who shares which users: the holdout, and the slots of exclusion groups. */
export function TrafficPage() {
  const [isCreating, setCreating] = useState(false);
  const list = useInfiniteQuery({
    queryKey: ["groups"],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.request("GET /mutual-exclusion-groups", { query: { skip: pageParam, limit: PAGE } }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
  });
  const groups = list.data?.pages.flatMap(({ items }) => items);
  const taken = new Set(groups?.flatMap(({ experiments }) => experiments.map(({ key }) => key)));
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <HoldoutCard />
      <div className="title-row">
        <div>
          <h2>{text.groups}</h2>
          <p className="muted">{text.groupsLead}</p>
        </div>
        <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </RoleButton>
      </div>
      {list.isPending && <Skeleton rows={3} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {groups?.length === 0 && <Empty>{text.empty}</Empty>}
      {groups?.map((group) => (
        <GroupCard key={group.id} group={group} taken={taken} />
      ))}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
      {isCreating && <GroupForm onClose={() => setCreating(false)} />}
    </div>
  );
}
