import type { MutualExclusionGroup } from "@assay/client";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useTrafficChange } from "./data.ts";

const { traffic: text } = TEXT;

/** Names the draft of a group. */
export const groupDraft = (group?: Pick<MutualExclusionGroup, "id">) => `group.${group?.id ?? ""}`;

/** Creates a group, or edits one. */
export function GroupForm({ group, onClose }: { group?: MutualExclusionGroup; onClose: () => void }) {
  const initial = {
    name: group?.name ?? "",
    description: group?.description ?? "",
    share: String(group?.traffic_percentage ?? 100),
  };
  const { draft, set, close } = useDialogDraft(groupDraft(group), initial, onClose);
  const { name, description, share } = draft;
  const change = useTrafficChange(() => {
    const body = { name, description, traffic_percentage: Number(share) };
    if (!group) return api.request("POST /mutual-exclusion-groups", { body });
    return api.request("PUT /mutual-exclusion-groups/{group_id}", {
      params: { group_id: group.id },
      body,
      headers: { "If-Match": `"v${group.version}"` },
    });
  }, close);
  const errorOf = (field: string) => issueOf(change.error, field);
  return (
    <FormDialog
      title={group ? text.editTitle(group.name) : text.create}
      submit={group ? TEXT.actions.save : text.create}
      action={change}
      fields={["name", "description", "traffic_percentage"]}
      onSubmit={() => change.mutate(undefined)}
      onClose={close}
    >
      <Field label={text.name} error={errorOf("name")}>
        <input required value={name} onInput={(event) => set({ name: event.currentTarget.value })} />
      </Field>
      <Field label={text.description} error={errorOf("description")}>
        <input value={description} onInput={(event) => set({ description: event.currentTarget.value })} />
      </Field>
      <Field label={text.traffic} hint={text.trafficHint} error={errorOf("traffic_percentage")}>
        <input
          type="number"
          step="any"
          required
          value={share}
          onInput={(event) => set({ share: event.currentTarget.value })}
        />
      </Field>
    </FormDialog>
  );
}
