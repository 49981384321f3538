import type { FeatureFlag } from "@assay/client";
import { type ReactNode, useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { ActionError } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { Review } from "./review.tsx";

/** What is wrong with what was typed, by the name of its field. */
export type Faults = Record<string, string>;

interface Props<D> {
  stored: StoredFlag;
  /** Names the draft, which stays until it is saved or discarded. */
  name: string;
  title: string;
  initial: D;
  /** Returns the fields to save, or what is wrong before the server sees them. */
  toFields: (draft: D) => { fields: Partial<FeatureFlag> } | { faults: Faults };
  /** Fields that show what the server refuses themselves. */
  shown: readonly string[];
  onClose?: () => void;
  children: (form: { draft: D; set: (change: Partial<D>) => void; error: unknown; faults: Faults }) => ReactNode;
}

/** A part of a flag as a form: its changes are reviewed before they are saved. */
export function Section<D extends object>({
  stored,
  name,
  title,
  initial,
  toFields,
  shown,
  onClose,
  children,
}: Props<D>) {
  const [start] = useState(initial);
  const { draft, setDraft, isChanged, clear } = useDraft<D>(`${name}.${stored.flag.key}`, start);
  const [reviewed, setReviewed] = useState<Partial<FeatureFlag>>();
  const [error, setError] = useState<unknown>();
  const [faults, setFaults] = useState<Faults>({});
  const discard = () => {
    clear();
    setError(undefined);
    setFaults({});
    onClose?.();
  };
  return (
    <>
      <form
        className="card stack"
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          setError(undefined);
          const result = toFields(draft);
          setFaults("faults" in result ? result.faults : {});
          if ("fields" in result) setReviewed(result.fields);
        }}
      >
        <h2>{title}</h2>
        {children({ draft, set: (change) => setDraft({ ...draft, ...change }), error, faults })}
        <ActionError error={error} except={shown} />
        <div className="buttons start">
          <RoleButton needs="DEVELOPER" owner={stored.flag.created_by} type="submit" disabled={!isChanged}>
            {TEXT.flag.review}
          </RoleButton>
          {(isChanged || onClose) && (
            <button type="button" onClick={discard}>
              {isChanged ? TEXT.rules.discard : TEXT.actions.close}
            </button>
          )}
        </div>
      </form>
      {reviewed && (
        <Review
          title={TEXT.flag.reviewTitle}
          stored={stored}
          fields={reviewed}
          onClose={() => setReviewed(undefined)}
          onSaved={discard}
          onRefused={(refusal) => {
            setError(refusal);
            setReviewed(undefined);
          }}
        />
      )}
    </>
  );
}
