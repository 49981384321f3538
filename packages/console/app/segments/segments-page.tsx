import type { Segment } from "@assay/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toDay } from "../parts/format.ts";
import { ListPage, SearchFilter } from "../parts/list-page.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { saySegment } from "./data.ts";
import { NewSegment } from "./segment-editor.tsx";
import { SegmentState } from "./segment-state.tsx";

const { segments: text } = TEXT;
const { columns } = text;
const COLUMNS: Column<Segment>[] = [
  {
    label: columns.segment,
    cell: ({ id, name, description }) => (
      <Link to="/segments/$id" params={{ id }} className="row-link">
        <b>{name}</b>
        <span className="muted small">{description}</span>
      </Link>
    ),
  },
  { label: columns.state, cell: ({ status }) => <SegmentState status={status} /> },
  { label: columns.members, cell: (segment) => <span className="break">{saySegment(segment)}</span> },
  { label: columns.used, cell: ({ used_by }) => text.usedBy(used_by.length) },
  { label: columns.changed, cell: ({ updated_at }) => toDay(updated_at) },
];

/** All segments: who is in them, and where they are used. */
export function SegmentsPage() {
  const { search } = useSearch({ from: "/segments" });
  const navigate = useNavigate({ from: "/segments" });
  const [isCreating, setCreating] = useState(() => hasDraft("segment."));
  const pages = usePages(["segments", search], (page) => api.request("GET /segments", { query: { search, ...page } }));
  return (
    <ListPage
      title={text.title}
      action={
        <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </RoleButton>
      }
      lead={isCreating && <NewSegment onClose={() => setCreating(false)} />}
      filters={
        <SearchFilter
          label={text.find}
          value={search}
          onChange={(value) => void navigate({ search: { search: value }, replace: true })}
        />
      }
    >
      <PagedRows
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty>{search ? text.emptySearch : text.empty}</Empty>}
      />
    </ListPage>
  );
}
