import { lazy, Suspense, useState } from "react";
import { hasDraft, useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { toPercent, toValue } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Skeleton } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { Review } from "./review.tsx";
import { dividingVariants } from "./words.ts";

const { columns } = TEXT.variants;

const VariantsEditor = lazy(() =>
  import("./variants-editor.tsx").then((module) => ({ default: module.VariantsEditor })),
);

const SchemaCard = lazy(() => import("./schema/schema-card.tsx").then((module) => ({ default: module.SchemaCard })));

/** What the variants of a flag serve, and their weights. */
export function Variants({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const [isEditing, setEditing] = useState(hasDraft(`variants.${flag.key}`));
  const variants = dividingVariants(flag);
  const equal = variants.length > 0 ? 100 / variants.length : 0;
  const initial = variants.map(({ weight }) => weight ?? equal);
  const { draft, setDraft, isChanged, clear } = useDraft(`weights.${flag.key}`, initial);
  const [isOpen, setOpen] = useState(false);
  // Another change may have added or removed variants since.
  const weights = draft.length === variants.length ? draft : initial;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const isWhole = Math.abs(sum - 100) < 1e-9;
  if (isEditing) {
    return (
      <Suspense fallback={<Skeleton rows={4} />}>
        <VariantsEditor stored={stored} onClose={() => setEditing(false)} />
      </Suspense>
    );
  }
  return (
    <div className="stack">
      {variants.length === 0 && <p className="muted">{TEXT.variants.empty}</p>}
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{columns.key}</th>
            <th scope="col">{columns.value}</th>
            <th scope="col" className="number">
              {columns.weight}
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map(({ key, value }, index) => (
            <tr key={key}>
              <td data-label={columns.key}>
                <code>{key}</code>
              </td>
              <td data-label={columns.value}>
                <code className="wrap">{toValue(value)}</code>
              </td>
              <td data-label={columns.weight} className="number">
                {toPercent(initial[index] ?? 0)}
              </td>
            </tr>
          ))}
          <tr>
            <td data-label={columns.key}>{TEXT.variants.default}</td>
            <td data-label={columns.value}>
              <code className="wrap">{toValue(flag.default_value)}</code>
            </td>
            <td data-label={columns.weight} />
          </tr>
        </tbody>
      </table>
      <div>
        <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setEditing(true)}>
          {TEXT.variants.editAll}
        </RoleButton>
      </div>
      {variants.length > 1 && (
        <form
          className="card stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isWhole) setOpen(true);
          }}
        >
          <h2>{TEXT.variants.edit}</h2>
          {variants.map(({ key }, index) => (
            <Field key={key} label={TEXT.variants.weight(key)}>
              <input
                type="number"
                min={0}
                max={100}
                step="any"
                required
                value={weights[index]}
                onInput={({ currentTarget: { value } }) =>
                  setDraft(weights.map((one, at) => (at === index ? Number(value) : one)))
                }
              />
            </Field>
          ))}
          {!isWhole && <p className="problem">{TEXT.variants.sum(toPercent(sum))}</p>}
          <RoleButton needs="DEVELOPER" owner={flag.created_by} type="submit" disabled={!isChanged || !isWhole}>
            {TEXT.flag.review}
          </RoleButton>
        </form>
      )}
      {flag.value_type === "OBJECT" && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <SchemaCard stored={stored} />
        </Suspense>
      )}
      {isOpen && (
        <Review
          title={TEXT.flag.reviewTitle}
          stored={stored}
          fields={{ variants: variants.map((variant, index) => ({ ...variant, weight: weights[index] })) }}
          onClose={() => setOpen(false)}
          onSaved={clear}
        />
      )}
    </div>
  );
}
