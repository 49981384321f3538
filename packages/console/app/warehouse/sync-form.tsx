import type { WarehouseConnection, WarehouseSync } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDialogDraft } from "../parts/draft.ts";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ChoiceInput, LinesInput, TextInput } from "../parts/inputs.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { EMPTY, type Side, toBody } from "./sync-draft.ts";

const { warehouse: text } = TEXT;
const SIDES = ["assignments", "events"] as const;
const STATES = ["ACTIVE", "PAUSED", "COMPLETED"] as const;

export const SYNC_DRAFT = "warehouse-sync";

interface Props {
  connections: readonly WarehouseConnection[];
  onSynced: (sync: WarehouseSync) => void;
  onClose: () => void;
}

/** Computes the sums of one experiment in a warehouse. A sync that fails leaves the form open. */
export function SyncForm({ connections, onSynced, onClose }: Props) {
  const { draft, set, close } = useDialogDraft(SYNC_DRAFT, { ...EMPTY, connection: connections[0]?.id ?? "" }, onClose);
  const queries = useQueryClient();
  const experiments = useQuery({
    queryKey: ["experiments", "started"],
    queryFn: async () => {
      const read = STATES.map((status_filter) =>
        api.request("GET /experiments/", { query: { status_filter, limit: 500 } }),
      );
      return (await Promise.all(read)).flatMap(({ items }) => items);
    },
  });
  const sync = useMutation({
    mutationFn: () =>
      api.request("POST /warehouse/sync/{experiment_id}", {
        params: { experiment_id: draft.experiment },
        body: toBody(draft),
      }),
    async onSuccess(outcome) {
      if (outcome.status === "FAILED") return;
      await Promise.all(["results", "experiments"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
      close();
      onSynced(outcome);
    },
  });
  const errorOf = (...path: string[]) => issueOf(sync.error, ...path);
  const sourceError = (side: Side) => errorOf(`${side}_table`) ?? errorOf(`${side}_sql`);
  const hasColumnError = errorOf("columns") !== undefined;
  const choices = Object.fromEntries([
    ["", text.choose],
    ...(experiments.data ?? []).map(({ key, name }) => [key, name] as const),
  ]);
  const shown = ["connection_id", "columns", ...SIDES.flatMap((side) => [`${side}_table`, `${side}_sql`])];
  return (
    <FormDialog
      title={text.sync}
      submit={sync.isPending ? text.syncing : text.syncNow}
      isDisabled={draft.experiment === ""}
      action={sync}
      fields={shown}
      onSubmit={() => sync.mutate()}
      onClose={close}
    >
      <p className="muted">{text.syncLead}</p>
      <ChoiceInput
        label={text.experiment}
        hint={text.experimentHint}
        value={draft.experiment}
        choices={choices}
        onChange={(experiment) => set({ experiment })}
      />
      <ChoiceInput
        label={text.connection}
        value={draft.connection}
        choices={Object.fromEntries(connections.map(({ id, name }) => [id, name]))}
        error={errorOf("connection_id")}
        onChange={(connection) => set({ connection })}
      />
      {SIDES.map((side) => (
        <LinesInput
          key={side}
          label={text.sources[side]}
          hint={text.sourceHints[side]}
          rows={2}
          value={draft[side]}
          error={sourceError(side)}
          onChange={(value) => set({ [side]: value })}
        />
      ))}
      <label className="check wide">
        <input
          type="checkbox"
          checked={!draft.hasValue}
          onChange={(event) => set({ hasValue: !event.currentTarget.checked })}
        />
        {text.noValue}
      </label>
      <details open={hasColumnError || undefined}>
        <summary>{text.otherNames}</summary>
        {SIDES.map((side) => (
          <fieldset key={side} className="stack">
            <legend className="label">{text.sources[side]}</legend>
            {Object.entries(text.columnNames[side]).map(([column, { label, usual }]) => (
              <TextInput
                key={column}
                label={label}
                placeholder={usual}
                value={draft.columns[side][column] ?? ""}
                error={errorOf("columns", side, column)}
                onChange={(value) =>
                  set({ columns: { ...draft.columns, [side]: { ...draft.columns[side], [column]: value } } })
                }
              />
            ))}
          </fieldset>
        ))}
      </details>
      {sync.isPending && <progress aria-label={text.syncing} />}
      {sync.data?.status === "FAILED" && !sync.isPending && (
        <p role="alert" className="problem">
          {text.failed(sync.data.error ?? "")}
        </p>
      )}
    </FormDialog>
  );
}
