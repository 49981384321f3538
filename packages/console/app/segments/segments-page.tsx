import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { toDay } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { saySegment } from "./data.ts";
import { NewSegment } from "./segment-editor.tsx";
import { SegmentState } from "./segment-state.tsx";

const { segments: text } = TEXT;
const { columns } = text;
const PAGE = 100;

/** All segments: who is in them, and where they are used. */
export function SegmentsPage() {
  const { search } = useSearch({ from: "/segments" });
  const navigate = useNavigate({ from: "/segments" });
  const [isCreating, setCreating] = useState(() => hasDraft("segment."));
  const list = useInfiniteQuery({
    queryKey: ["segments", search],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => api.request("GET /segments", { query: { search, skip: pageParam, limit: PAGE } }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
    placeholderData: keepPreviousData,
  });
  const segments = list.data?.pages.flatMap(({ items }) => items);
  return (
    <div className="page">
      <div className="title-row">
        <h1>{text.title}</h1>
        <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </RoleButton>
      </div>
      {isCreating && <NewSegment onClose={() => setCreating(false)} />}
      <search className="filters">
        <Field label={text.find}>
          <input
            type="search"
            value={search ?? ""}
            onInput={(event) =>
              void navigate({ search: { search: event.currentTarget.value || undefined }, replace: true })
            }
          />
        </Field>
      </search>
      {list.isPending && <Skeleton rows={4} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {segments?.length === 0 && <Empty>{search ? text.emptySearch : text.empty}</Empty>}
      {segments !== undefined && segments.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.segment}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.members}</th>
              <th scope="col">{columns.used}</th>
              <th scope="col">{columns.changed}</th>
            </tr>
          </thead>
          <tbody>
            {segments.map((segment) => (
              <tr key={segment.id}>
                <td data-label={columns.segment}>
                  <Link to="/segments/$id" params={{ id: segment.id }} className="row-link">
                    <b>{segment.name}</b>
                    <span className="muted small">{segment.description}</span>
                  </Link>
                </td>
                <td data-label={columns.state}>
                  <SegmentState status={segment.status} />
                </td>
                <td data-label={columns.members}>
                  <span className="break">{saySegment(segment)}</span>
                </td>
                <td data-label={columns.used}>{text.usedBy(segment.used_by.length)}</td>
                <td data-label={columns.changed}>{toDay(segment.updated_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
    </div>
  );
}
