import type { Segment } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConditionsForm } from "../flags/conditions-form.tsx";
import { type ConditionsDraft, fromConditionsDraft, toConditionsDraft } from "../flags/rule-draft.ts";
import type { Stored } from "../parts/change.ts";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { ReviewChange } from "../parts/review.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { editSegment, toFacts } from "./data.ts";

const { segments: text } = TEXT;

interface SegmentDraft {
  name: string;
  description: string;
  conditions: ConditionsDraft;
  users: string;
}

type Fields = Pick<Segment, "name" | "description" | "conditions" | "user_ids">;

const EMPTY: SegmentDraft = { name: "", description: "", conditions: { match: "all", conditions: [] }, users: "" };

const toDraft = ({ name, description, conditions, user_ids }: Segment): SegmentDraft => ({
  name,
  description,
  conditions: conditions ? toConditionsDraft(conditions) : EMPTY.conditions,
  users: user_ids.join("\n"),
});

/** @throws SyntaxError if nested conditions are not JSON */
function fromDraft({ name, description, conditions, users }: SegmentDraft): Fields {
  const isEmpty = conditions.json === undefined ? conditions.conditions.length === 0 : conditions.json.trim() === "";
  const ids = users.split("\n").map((line) => line.trim());
  return {
    name,
    description,
    conditions: isEmpty ? null : fromConditionsDraft(conditions),
    user_ids: [...new Set(ids.filter((id) => id !== ""))],
  };
}

interface FormProps {
  draftKey: string;
  initial: SegmentDraft;
  submit: string;
  error: unknown;
  isBusy?: boolean;
  onSubmit: (fields: Fields, clear: () => void) => void;
  onClose: () => void;
}

/** The fields of a segment. What is typed stays until it is saved or discarded. */
function SegmentForm({ draftKey, initial, submit, error, isBusy, onSubmit, onClose }: FormProps) {
  const { draft, setDraft, isChanged, clear } = useDraft(`segment.${draftKey}`, initial);
  const [isBad, setBad] = useState(false);
  const set = (change: Partial<SegmentDraft>) => setDraft({ ...draft, ...change });
  const discard = () => {
    clear();
    onClose();
  };
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          onSubmit(fromDraft(draft), discard);
          setBad(false);
        } catch {
          setBad(true);
        }
      }}
    >
      <Field label={text.name} error={issueOf(error, "name")}>
        <input required value={draft.name} onInput={(event) => set({ name: event.currentTarget.value })} />
      </Field>
      <Field label={text.description} error={issueOf(error, "description")}>
        <input value={draft.description} onInput={(event) => set({ description: event.currentTarget.value })} />
      </Field>
      <fieldset className="stack">
        <legend className="label">{text.conditions}</legend>
        {draft.conditions.conditions.length === 0 && draft.conditions.json === undefined && (
          <p className="hint">{text.noConditions}</p>
        )}
        <ConditionsForm draft={draft.conditions} least={0} onChange={(conditions) => set({ conditions })} />
        {(isBad || issueOf(error, "conditions")) && (
          <p role="alert" className="problem small">
            {isBad ? TEXT.rules.badJson : issueOf(error, "conditions")}
          </p>
        )}
      </fieldset>
      <Field label={text.users} hint={text.usersHint} error={issueOf(error, "user_ids")}>
        <textarea
          className="mono"
          rows={4}
          spellCheck={false}
          value={draft.users}
          onInput={(event) => set({ users: event.currentTarget.value })}
        />
      </Field>
      <ActionError error={error} except={["name", "description", "conditions", "user_ids"]} />
      <div className="buttons start">
        <button type="submit" className="primary" disabled={!isChanged || isBusy}>
          {submit}
        </button>
        <button type="button" onClick={discard}>
          {isChanged ? TEXT.rules.discard : TEXT.actions.close}
        </button>
      </div>
    </form>
  );
}

export function NewSegment({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: ({ fields }: { fields: Fields; clear: () => void }) => api.request("POST /segments", { body: fields }),
    async onSuccess({ id }, { clear }) {
      clear();
      await queries.invalidateQueries({ queryKey: ["segments"] });
      await navigate({ to: "/segments/$id", params: { id } });
    },
  });
  return (
    <SegmentForm
      draftKey=""
      initial={EMPTY}
      submit={text.create}
      error={creation.error}
      isBusy={creation.isPending}
      onSubmit={(fields, clear) => creation.mutate({ fields, clear })}
      onClose={onClose}
    />
  );
}

export function EditSegment({ stored, onClose }: { stored: Stored<Segment>; onClose: () => void }) {
  const [initial] = useState(() => toDraft(stored.value));
  const [reviewed, setReviewed] = useState<{ fields: Fields; clear: () => void }>();
  const [error, setError] = useState<unknown>();
  return (
    <>
      <SegmentForm
        draftKey={stored.value.id}
        initial={initial}
        submit={TEXT.flag.review}
        error={error}
        onSubmit={(fields, clear) => {
          setError(undefined);
          setReviewed({ fields, clear });
        }}
        onClose={onClose}
      />
      {reviewed && (
        <ReviewChange
          title={TEXT.flag.reviewTitle}
          lead={stored.value.used_by.length > 0 && text.usedBy(stored.value.used_by.length)}
          stored={stored}
          fields={reviewed.fields}
          editable={editSegment(stored.value.id)}
          toFacts={toFacts}
          onClose={() => setReviewed(undefined)}
          onSaved={reviewed.clear}
          onRefused={(refusal) => {
            setError(refusal);
            setReviewed(undefined);
          }}
        />
      )}
    </>
  );
}
