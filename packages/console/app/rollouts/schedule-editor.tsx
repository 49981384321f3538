import type { FeatureFlag, RolloutSchedule } from "@assay/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useRolloutChange } from "./data.ts";
import { fromDraft, NEW_STAGE, type StageDraft, toDraft } from "./stage-draft.ts";
import { StageForm } from "./stage-form.tsx";

const { rollouts: text } = TEXT;

interface Props {
  flag: FeatureFlag;
  /** A draft to edit; absent to create one. */
  schedule?: RolloutSchedule;
  onClose: () => void;
}

const suggest = (flag: FeatureFlag) => ({
  name: text.suggestedName(flag.name),
  stages: ["5", "25", "100"].map((share, index) => ({ ...NEW_STAGE, share, hours: index === 0 ? "0" : "24" })),
});

/** Creates a schedule, or edits one that has not begun. What is typed stays over a reload. */
export function ScheduleEditor({ flag, schedule, onClose }: Props) {
  const [initial] = useState(() =>
    schedule ? { name: schedule.name, stages: schedule.stages.map(toDraft) } : suggest(flag),
  );
  const { draft, setDraft, clear } = useDraft(`schedule.${schedule?.id ?? flag.key}`, initial);
  const discard = () => {
    clear();
    onClose();
  };
  const change = useRolloutChange((): Promise<unknown> => {
    const body = { name: draft.name, stages: draft.stages.map(fromDraft) };
    if (!schedule) return api.request("POST /rollout-schedules", { body: { ...body, feature_flag_id: flag.id } });
    const params = { id: schedule.id };
    return api.request("PUT /rollout-schedules/{id}", {
      params,
      body,
      headers: { "If-Match": `"v${schedule.version}"` },
    });
  }, discard);
  const setStage = (index: number, stage: StageDraft) =>
    setDraft({ ...draft, stages: draft.stages.map((one, place) => (place === index ? stage : one)) });
  const remove = (index: number) => setDraft({ ...draft, stages: draft.stages.filter((_, place) => place !== index) });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <p className="muted">{text.editorLead}</p>
      <Field label={text.name} error={issueOf(change.error, "name")}>
        <input
          required
          value={draft.name}
          onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
      </Field>
      {draft.stages.map((stage, index) => (
        <StageForm
          key={index}
          stage={stage}
          index={index}
          error={change.error}
          onChange={(next) => setStage(index, next)}
          onRemove={() => remove(index)}
        />
      ))}
      <ActionError error={change.error} except={["name", "stages"]} />
      <div className="buttons start">
        <button type="button" onClick={() => setDraft({ ...draft, stages: [...draft.stages, NEW_STAGE] })}>
          <Plus aria-hidden size={16} /> {text.addStage}
        </button>
        <button type="submit" className="primary" disabled={change.isPending}>
          {schedule ? TEXT.actions.save : text.create}
        </button>
        <button type="button" onClick={discard}>
          {TEXT.actions.cancel}
        </button>
      </div>
    </form>
  );
}
