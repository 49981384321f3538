import { TEXT } from "../text.ts";

/** One line of a thing in words: what it is about, and what it says. */
export interface Fact {
  label: string;
  text: string;
}

interface Difference {
  label: string;
  before?: string;
  after?: string;
}

/** What a field without a choice says; a new thing has many of them. */
const UNSET: readonly string[] = [TEXT.none, TEXT.never, TEXT.words.no, "{}"];

/** Compares two versions of the same fields in words. */
function compare(before: readonly Fact[], after: readonly Fact[]): Difference[] {
  const old = new Map(before.map(({ label, text }) => [label, text]));
  const next = new Map(after.map(({ label, text }) => [label, text]));
  const labels = [...new Set([...old.keys(), ...next.keys()])];
  return labels
    .map((label) => ({ label, before: old.get(label), after: next.get(label) }))
    .filter((one) => one.before !== one.after && !(one.before === undefined && UNSET.includes(one.after ?? "")));
}

/** A table of what differs between two versions. */
export function DiffTable({ before, after }: { before: readonly Fact[]; after: readonly Fact[] }) {
  const rows = compare(before, after);
  if (rows.length === 0) return <p className="muted">{TEXT.diff.nothing}</p>;
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{TEXT.diff.field}</th>
          <th scope="col">{TEXT.diff.before}</th>
          <th scope="col">{TEXT.diff.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, before: old, after: next }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{old === undefined ? TEXT.diff.absent : <del>{old}</del>}</td>
            <td>{next === undefined ? TEXT.diff.absent : <ins>{next}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
