import { useNavigate, useSearch } from "@tanstack/react-router";
import { Field } from "../parts/field.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { useEnvironments } from "../shell/environments.ts";
import { TEXT } from "../text.ts";
import { Differences } from "./differences.tsx";
import { usePlan } from "./plan.ts";

const { promotion: text } = TEXT;

/** Takes definitions from one environment to another, after a look at what differs. */
export function PromotionPage() {
  const { all, current } = useEnvironments();
  const search = useSearch({ from: "/promotion" });
  const navigate = useNavigate({ from: "/promotion" });
  const names = all.map(({ name }) => name);
  // To the default environment, such as production, unless this page is in it.
  const to = search.to ?? names[0] ?? "";
  const from = search.from ?? (names[current] !== to ? names[current] : names.find((name) => name !== to)) ?? "";
  const choose = (change: { from?: string; to?: string }) =>
    void navigate({ search: { from, to, ...change }, replace: true });
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <p className="muted">{text.lead}</p>
      {names.length === 1 && <p className="note">{text.single}</p>}
      {names.length > 1 && (
        <search className="filters">
          <Choice label={text.from} value={from} names={names} onChange={(name) => choose({ from: name })} />
          <Choice label={text.to} value={to} names={names} onChange={(name) => choose({ to: name })} />
        </search>
      )}
      {names.length > 1 && from === to && <p className="note">{text.same}</p>}
      {names.length > 1 && from !== to && (
        <Comparison key={`${from} ${to}`} from={from} to={to} isProtected={all.some(isProtectedNamed(to))} />
      )}
    </div>
  );
}

const isProtectedNamed = (to: string) => (one: { name: string; is_protected: boolean }) =>
  one.name === to && one.is_protected;

interface ChoiceProps {
  label: string;
  value: string;
  names: readonly string[];
  onChange: (name: string) => void;
}

function Choice({ label, value, names, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!names.includes(value) && <option value={value}>{TEXT.shell.noEnvironment(value)}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Comparison({ from, to, isProtected }: { from: string; to: string; isProtected: boolean }) {
  const plan = usePlan(from, to);
  return (
    <>
      {isProtected && <p className="note">{text.protected(to)}</p>}
      {plan.isFetching && <Skeleton rows={4} />}
      {plan.isError && !plan.isFetching && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && !plan.isFetching && (
        <Differences
          key={plan.dataUpdatedAt}
          {...{ from, to, isProtected, plan: plan.data }}
          onCompare={() => void plan.refetch()}
        />
      )}
    </>
  );
}
