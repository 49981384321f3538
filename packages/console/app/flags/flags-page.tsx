import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Field } from "../parts/field.tsx";
import { toAgo, toDay, toPercent } from "../parts/format.ts";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { FlagState } from "./flag-state.tsx";

const PAGE = 100;
const STATES = ["ACTIVE", "INACTIVE", "ARCHIVED"] as const;
const { columns } = TEXT.flags;

export function FlagsPage() {
  const { search, state, stale } = useSearch({ from: "/flags" });
  const navigate = useNavigate({ from: "/flags" });
  const missing = useMissingRole("DEVELOPER");
  const status = STATES.find((one) => one === state);
  const list = useInfiniteQuery({
    queryKey: ["flags", search, status, stale],
    initialPageParam: 0,
    queryFn: async ({ pageParam }) => {
      const query = { skip: pageParam, limit: PAGE, search, status_filter: status, stale };
      const { data, headers } = await api.raw("GET /feature-flags/", { query });
      const total = headers.get("x-total-count");
      return { flags: data, total: total === null ? null : Number(total) };
    },
    getNextPageParam: (last, pages) => (last.flags.length === PAGE ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
  const filter = (change: { search?: string; state?: string; stale?: true }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const flags = list.data?.pages.flatMap((page) => page.flags);
  const isFiltered = search !== undefined || status !== undefined || stale === true;
  const create = missing ? (
    <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>
  ) : (
    <Link to="/flags/new" className="button primary">
      <Plus aria-hidden size={16} /> {TEXT.flags.create}
    </Link>
  );

  return (
    <div className="page">
      <div className="title-row">
        <h1>
          {TEXT.flags.title}{" "}
          {flags && <span className="count">{TEXT.flags.shown(flags.length, list.data?.pages[0]?.total ?? null)}</span>}
        </h1>
        {create}
      </div>
      <search className="filters">
        <Field label={TEXT.flags.find}>
          <input
            type="search"
            value={search ?? ""}
            onInput={(event) => filter({ search: event.currentTarget.value || undefined })}
          />
        </Field>
        <Field label={TEXT.flags.state}>
          <select value={status ?? ""} onChange={(event) => filter({ state: event.currentTarget.value || undefined })}>
            <option value="">{TEXT.flags.states.all}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {TEXT.flags.states[one]}
              </option>
            ))}
          </select>
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={stale === true}
            onChange={(event) => filter({ stale: event.currentTarget.checked || undefined })}
          />
          {TEXT.flags.stale}
        </label>
      </search>
      {list.isPending && <Skeleton rows={8} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {flags?.length === 0 &&
        (isFiltered ? (
          <Empty
            action={
              <Link to="/flags" className="button">
                {TEXT.flags.clear}
              </Link>
            }
          >
            {TEXT.flags.emptySearch}
          </Empty>
        ) : (
          <Empty
            action={
              <Link to="/start" className="button primary">
                {TEXT.nav.start}
              </Link>
            }
          >
            {TEXT.flags.empty}
          </Empty>
        ))}
      {flags !== undefined && flags.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.flag}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col" className="number">
                {columns.rollout}
              </th>
              <th scope="col">{columns.tags}</th>
              <th scope="col">{columns.evaluated}</th>
              <th scope="col">{columns.changed}</th>
            </tr>
          </thead>
          <tbody>
            {flags.map((flag) => (
              <tr key={flag.id}>
                <td data-label={columns.flag}>
                  <Link to="/flags/$key" params={{ key: flag.key }} className="row-link">
                    <code>{flag.key}</code>
                    <span className="muted small">{flag.name}</span>
                  </Link>
                </td>
                <td data-label={columns.state}>
                  <FlagState status={flag.status} />{" "}
                  {flag.stale && (
                    <span
                      className="badge warn"
                      title={flag.stale_reasons.map((one) => TEXT.flags.staleReasons[one]).join(", ")}
                    >
                      {TEXT.flags.staleBadge}
                    </span>
                  )}
                </td>
                <td data-label={columns.rollout} className="number">
                  {toPercent(flag.rollout_percentage)}
                </td>
                <td data-label={columns.tags}>
                  {flag.tags?.map((tag) => (
                    <span key={tag} className="tag">
                      {tag}
                    </span>
                  ))}
                </td>
                <td data-label={columns.evaluated}>{toAgo(flag.last_evaluated_at)}</td>
                <td data-label={columns.changed}>
                  {toDay(flag.updated_at)}
                  {flag.last_changed_by && <span className="muted small"> {flag.last_changed_by.name}</span>}
                </td>
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
