import type { MutualExclusionGroup } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toPercent } from "../parts/format.ts";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useTrafficChange } from "./data.ts";

const { traffic: text } = TEXT;

interface Props {
  group: MutualExclusionGroup;
  taken: ReadonlySet<string>;
  onClose: () => void;
}

/** Names the draft of an addition to a group. */
export const addDraft = ({ id }: Pick<MutualExclusionGroup, "id">) => `group-add.${id}`;

/** Gives a draft experiment a slot of a group. */
export function AddExperiment({ group, taken, onClose }: Props) {
  const { draft, set, close } = useDialogDraft(addDraft(group), { key: "", share: "" }, onClose);
  const { key, share } = draft;
  const drafts = useQuery({
    queryKey: ["experiments", "drafts"],
    queryFn: () => api.request("GET /experiments/", { query: { status_filter: "DRAFT", limit: 500 } }),
  });
  const addition = useTrafficChange(
    () =>
      api.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
        params: { group_id: group.id },
        body: { experiment_id: key, ...(share === "" ? {} : { slot_percentage: Number(share) }) },
      }),
    close,
  );
  const free = drafts.data?.items.filter((one) => !taken.has(one.key));
  return (
    <FormDialog
      title={text.addTitle(group.name)}
      submit={text.add}
      action={addition}
      isDisabled={key === ""}
      fields={["experiment_id", "slot_percentage"]}
      onSubmit={() => addition.mutate(undefined)}
      onClose={close}
    >
      <Field
        label={text.columns.experiment}
        hint={free?.length === 0 ? text.noDrafts : text.onlyDrafts}
        error={issueOf(addition.error, "experiment_id")}
      >
        <select required value={key} onChange={(event) => set({ key: event.currentTarget.value })}>
          <option value="">{text.choose}</option>
          {free?.map((one) => (
            <option key={one.id} value={one.key}>
              {one.name}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label={text.slotShare}
        hint={text.slotHint(toPercent(group.free_percentage / 2, 4))}
        error={issueOf(addition.error, "slot_percentage")}
      >
        <input type="number" step="any" value={share} onInput={(event) => set({ share: event.currentTarget.value })} />
      </Field>
    </FormDialog>
  );
}
