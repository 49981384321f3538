import type { FeatureFlagSummary } from "@assay/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { toAgo, toDay, toPercent } from "../parts/format.ts";
import { ChoiceFilter, ListPage, SearchFilter } from "../parts/list-page.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { FlagState } from "./flag-state.tsx";

const STATES = ["ACTIVE", "INACTIVE", "ARCHIVED"] as const;
const { flags: text } = TEXT;
const { columns } = text;
const { all, ...CHOICES } = text.states;
const COLUMNS: Column<FeatureFlagSummary>[] = [
  {
    label: columns.flag,
    cell: ({ key, name }) => (
      <Link to="/flags/$key" params={{ key }} className="row-link">
        <code>{key}</code>
        <span className="muted small">{name}</span>
      </Link>
    ),
  },
  {
    label: columns.state,
    cell: ({ status, stale, stale_reasons }) => (
      <span>
        <FlagState status={status} />{" "}
        {stale && (
          <span className="badge warn" title={stale_reasons.map((one) => text.staleReasons[one]).join(", ")}>
            {text.staleBadge}
          </span>
        )}
      </span>
    ),
  },
  { label: columns.rollout, kind: "number", cell: ({ rollout_percentage }) => toPercent(rollout_percentage) },
  {
    label: columns.tags,
    cell: ({ tags = [] }) =>
      tags.length > 0 && (
        <span>
          {tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
            </span>
          ))}
        </span>
      ),
  },
  { label: columns.evaluated, cell: ({ last_evaluated_at }) => toAgo(last_evaluated_at) },
  {
    label: columns.changed,
    cell: ({ updated_at, last_changed_by }) => (
      <span>
        {toDay(updated_at)} {last_changed_by && <span className="muted small">{last_changed_by.name}</span>}
      </span>
    ),
  },
];

export function FlagsPage() {
  const { search, state, stale } = useSearch({ from: "/flags" });
  const navigate = useNavigate({ from: "/flags" });
  const missing = useMissingRole("DEVELOPER");
  const status_filter = STATES.find((one) => one === state);
  const pages = usePages(["flags", search, status_filter, stale], async (page) => {
    const query = { ...page, search, status_filter, stale };
    const { data, headers } = await api.raw("GET /feature-flags/", { query });
    const total = headers.get("x-total-count");
    return { items: data, total: total === null ? null : Number(total) };
  });
  const filter = (change: { search?: string; state?: string; stale?: true }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isFiltered = search !== undefined || status_filter !== undefined || stale === true;
  const create = missing ? (
    <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>
  ) : (
    <Link to="/flags/new" className="button primary">
      <Plus aria-hidden size={16} /> {text.create}
    </Link>
  );
  const next = isFiltered ? (
    <Link to="/flags" className="button">
      {text.clear}
    </Link>
  ) : (
    <Link to="/start" className="button primary">
      {TEXT.nav.start}
    </Link>
  );
  return (
    <ListPage
      title={text.title}
      count={pages.items && text.shown(pages.items.length, pages.total)}
      action={create}
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
          <label className="check">
            <input
              type="checkbox"
              checked={stale === true}
              onChange={(event) => filter({ stale: event.currentTarget.checked || undefined })}
            />
            {text.stale}
          </label>
        </>
      }
    >
      <PagedRows
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        rows={8}
        empty={<Empty action={next}>{isFiltered ? text.emptySearch : text.empty}</Empty>}
      />
    </ListPage>
  );
}
