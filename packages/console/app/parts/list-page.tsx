import type { ReactNode } from "react";
import { Field } from "./field.tsx";

interface Props {
  title: string;
  /** How many there are, in words. */
  count?: ReactNode;
  action?: ReactNode;
  /** Stands above the filters. */
  lead?: ReactNode;
  filters?: ReactNode;
  children: ReactNode;
}

/** The frame of a page with a list: heading, action and filters. */
export function ListPage({ title, count, action, lead, filters, children }: Props) {
  return (
    <div className="page">
      <div className="title-row">
        <h1>
          {title} {count && <span className="count">{count}</span>}
        </h1>
        {action}
      </div>
      {lead}
      {filters && <search className="filters">{filters}</search>}
      {children}
    </div>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  /** Gets undefined if everything is shown. */
  onChange: (value: string | undefined) => void;
}

/** A filter by a part of a name. */
export function SearchFilter({ label, value, onChange }: FilterProps) {
  return (
    <Field label={label}>
      <input type="search" value={value ?? ""} onInput={(event) => onChange(event.currentTarget.value || undefined)} />
    </Field>
  );
}

/** A filter by one of a few values. `choices` maps them to their texts. */
export function ChoiceFilter({
  label,
  value,
  all,
  choices,
  onChange,
}: FilterProps & { all: string; choices: Record<string, string> }) {
  return (
    <Field label={label}>
      <select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
        <option value="">{all}</option>
        {Object.entries(choices).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
