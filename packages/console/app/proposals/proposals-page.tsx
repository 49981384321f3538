import type { ProposalSummary } from "@assay/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { toAction, toMinute } from "../parts/format.ts";
import { ChoiceFilter, ListPage } from "../parts/list-page.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { ProposalState } from "./proposal-state.tsx";

const { proposals: text } = TEXT;
const { columns } = text;
const COLUMNS: Column<ProposalSummary>[] = [
  {
    label: columns.what,
    cell: ({ id, action, resource_name }) => (
      <Link to="/proposals/$id" params={{ id }} className="row-link">
        <b>{toAction(action)}</b>
        <span className="muted small">{resource_name}</span>
      </Link>
    ),
  },
  { label: columns.state, cell: (proposal) => <ProposalState proposal={proposal} /> },
  { label: columns.author, cell: ({ author_name }) => author_name ?? text.someone },
  { label: columns.when, cell: ({ created_at }) => <time dateTime={created_at}>{toMinute(created_at)}</time> },
  { label: columns.reason, cell: ({ reason }) => reason },
];

/** Changes that wait for the approval of another person, and those that were decided. */
export function ProposalsPage() {
  const { status = "OPEN" } = useSearch({ from: "/proposals" });
  const navigate = useNavigate({ from: "/proposals" });
  const me = useMe();
  const mayRead = useHasRole("ANALYST");
  const pages = usePages(
    ["proposals", "list", status],
    (page) => api.request("GET /proposals", { query: { ...(status !== "ALL" && { status }), ...page } }),
    { limit: 50, enabled: mayRead },
  );
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
      filters={
        <ChoiceFilter
          label={columns.state}
          value={status === "ALL" ? undefined : status}
          all={text.all}
          choices={text.states}
          onChange={(value) => void navigate({ search: { status: (value ?? "ALL") as "ALL" }, replace: true })}
        />
      }
    >
      <PagedRows
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty>{status === "OPEN" ? text.empty : text.emptyFilter}</Empty>}
      />
    </ListPage>
  );
}
