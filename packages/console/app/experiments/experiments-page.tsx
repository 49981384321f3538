import type { ExperimentSummary } from "@assay/client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Field } from "../parts/field.tsx";
import { toCount, toDay } from "../parts/format.ts";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { ExperimentState } from "./experiment-state.tsx";
import { toLift } from "./numbers.ts";

const PAGE = 100;
const STATES = ["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"] as const;
const { columns } = TEXT.experiments;

export function ExperimentsPage() {
  const { search, state } = useSearch({ from: "/experiments" });
  const navigate = useNavigate({ from: "/experiments" });
  const status = STATES.find((one) => one === state);
  const list = useInfiniteQuery({
    queryKey: ["experiments", search, status],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.request("GET /experiments/", { query: { skip: pageParam, limit: PAGE, search, status_filter: status } }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
    placeholderData: keepPreviousData,
  });
  const filter = (change: { search?: string; state?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const experiments = list.data?.pages.flatMap((page) => page.items);
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <div className="page">
      <div className="title-row">
        <h1>
          {TEXT.experiments.title}{" "}
          {experiments && (
            <span className="count">{TEXT.flags.shown(experiments.length, list.data?.pages[0]?.total ?? null)}</span>
          )}
        </h1>
        <Link to="/experiments/new" className="button primary">
          {TEXT.experiments.create}
        </Link>
      </div>
      <search className="filters">
        <Field label={TEXT.experiments.find}>
          <input
            type="search"
            value={search ?? ""}
            onInput={(event) => filter({ search: event.currentTarget.value || undefined })}
          />
        </Field>
        <Field label={TEXT.experiments.state}>
          <select value={status ?? ""} onChange={(event) => filter({ state: event.currentTarget.value || undefined })}>
            <option value="">{TEXT.experiments.states.all}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {TEXT.experiments.states[one]}
              </option>
            ))}
          </select>
        </Field>
      </search>
      {list.isPending && <Skeleton rows={6} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {experiments?.length === 0 && (
        <Empty
          action={
            isFiltered && (
              <Link to="/experiments" className="button">
                {TEXT.experiments.clear}
              </Link>
            )
          }
        >
          {isFiltered ? TEXT.experiments.emptySearch : TEXT.experiments.empty}
        </Empty>
      )}
      {experiments !== undefined && experiments.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.experiment}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col" className="number">
                {columns.users}
              </th>
              <th scope="col">{columns.effect}</th>
              <th scope="col">{columns.split}</th>
              <th scope="col">{columns.started}</th>
            </tr>
          </thead>
          <tbody>
            {experiments.map((experiment) => (
              <tr key={experiment.id}>
                <td data-label={columns.experiment}>
                  <Link to="/experiments/$key" params={{ key: experiment.key }} className="row-link">
                    <span>{experiment.name}</span>
                    <code className="muted">{experiment.key}</code>
                  </Link>
                </td>
                <td data-label={columns.state}>
                  <ExperimentState status={experiment.status} />
                </td>
                <td data-label={columns.users} className="number">
                  {experiment.users !== null && toCount(experiment.users)}
                </td>
                <td data-label={columns.effect}>
                  {experiment.primary_effect && <PrimaryEffect effect={experiment.primary_effect} />}
                </td>
                <td data-label={columns.split}>{experiment.srm && TEXT.results.splits[experiment.srm]}</td>
                <td data-label={columns.started}>{experiment.start_date && toDay(experiment.start_date)}</td>
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
