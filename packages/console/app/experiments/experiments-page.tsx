import type { ExperimentSummary } from "@assay/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { toCount, toDay } from "../parts/format.ts";
import { ChoiceFilter, ListPage, SearchFilter } from "../parts/list-page.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { ExperimentState } from "./experiment-state.tsx";
import { toLift } from "./numbers.ts";

const STATES = ["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"] as const;
const { experiments: text } = TEXT;
const { columns } = text;
const { all, ...CHOICES } = text.states;
const COLUMNS: Column<ExperimentSummary>[] = [
  {
    label: columns.experiment,
    cell: ({ key, name }) => (
      <Link to="/experiments/$key" params={{ key }} className="row-link">
        <span>{name}</span>
        <code className="muted">{key}</code>
      </Link>
    ),
  },
  { label: columns.state, cell: ({ status }) => <ExperimentState status={status} /> },
  { label: columns.users, kind: "number", cell: ({ users }) => users !== null && toCount(users) },
  {
    label: columns.effect,
    cell: ({ primary_effect }) => primary_effect && <PrimaryEffect effect={primary_effect} />,
  },
  { label: columns.split, cell: ({ srm }) => srm && TEXT.results.splits[srm] },
  { label: columns.started, cell: ({ start_date }) => start_date && toDay(start_date) },
];

export function ExperimentsPage() {
  const { search, state } = useSearch({ from: "/experiments" });
  const navigate = useNavigate({ from: "/experiments" });
  const status_filter = STATES.find((one) => one === state);
  const pages = usePages(["experiments", search, status_filter], (page) =>
    api.request("GET /experiments/", { query: { ...page, search, status_filter } }),
  );
  const filter = (change: { search?: string; state?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isFiltered = search !== undefined || status_filter !== undefined;
  const clear = isFiltered && (
    <Link to="/experiments" className="button">
      {text.clear}
    </Link>
  );
  return (
    <ListPage
      title={text.title}
      count={pages.items && TEXT.flags.shown(pages.items.length, pages.total)}
      action={
        <Link to="/experiments/new" className="button primary">
          {text.create}
        </Link>
      }
      filters={
        <>
          <SearchFilter label={text.find} value={search} onChange={(value) => filter({ search: value })} />
          <ChoiceFilter
            label={text.state}
            value={status_filter}
            all={all}
            choices={CHOICES}
            onChange={(value) => filter({ state: value })}
          />
        </>
      }
    >
      <PagedRows
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        rows={6}
        empty={<Empty action={clear}>{isFiltered ? text.emptySearch : text.empty}</Empty>}
      />
    </ListPage>
  );
}

/** The lift of the primary metric, with its interval. */
function PrimaryEffect({ effect }: { effect: NonNullable<ExperimentSummary["primary_effect"]> }) {
  const { lift, interval, metric } = effect;
  if (lift === null) return null;
  return (
    <span>
      {TEXT.experiments.lift(metric, toLift(lift))}{" "}
      {interval && <span className="muted small">{TEXT.results.to(toLift(interval[0]), toLift(interval[1]))}</span>}
    </span>
  );
}
