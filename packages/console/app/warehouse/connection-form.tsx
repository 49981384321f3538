import type { WarehouseConnection } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDialogDraft } from "../parts/draft.ts";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ChoiceInput, TextInput } from "../parts/inputs.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { EMPTY, FIELDS, toBody, toDraft } from "./connection-draft.ts";
import { TestResult } from "./test-result.tsx";

const { warehouse: text } = TEXT;
const SHOWN = ["name", "type", "host", "port", "database", "schema", "username", "password", "options"];

/** Names the draft of the form. */
export const draftKey = (connection?: Pick<WarehouseConnection, "id">) => `warehouse.${connection?.id ?? ""}`;

/** Creates a connection or edits one. A reload keeps everything but the password. */
export function ConnectionForm({ connection, onClose }: { connection?: WarehouseConnection; onClose: () => void }) {
  const initial = connection ? toDraft(connection) : EMPTY;
  const { draft, set, close } = useDialogDraft(draftKey(connection), initial, onClose);
  const [password, setPassword] = useState("");
  const queries = useQueryClient();
  const body = toBody(draft, password);
  const change = useMutation<unknown>({
    mutationFn: () =>
      connection
        ? api.request("PUT /warehouse/connections/{id}", { params: { id: connection.id }, body })
        : api.request("POST /warehouse/connections", { body }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["warehouse"] });
      close();
    },
  });
  const trial = useMutation({
    mutationFn: () =>
      api.request("POST /warehouse/connections/test", {
        body: { ...body, ...(connection ? { connection_id: connection.id } : {}) },
      }),
    onMutate: () => change.reset(),
  });
  const errorOf = (...path: string[]) => issueOf(change.error ?? trial.error, ...path);
  const isRemote = draft.type !== "DUCKDB";
  const fields = Object.entries(FIELDS[draft.type]) as [
    "host" | "port" | "database" | "schema" | "username",
    boolean,
  ][];
  return (
    <FormDialog
      title={connection ? text.editTitle(connection.name) : text.create}
      submit={connection ? TEXT.actions.save : text.create}
      action={change}
      fields={SHOWN}
      onSubmit={() => change.mutate()}
      onClose={close}
    >
      <TextInput
        label={text.name}
        required
        value={draft.name}
        error={errorOf("name")}
        onChange={(name) => set({ name })}
      />
      <ChoiceInput
        label={text.type}
        value={draft.type}
        choices={text.types}
        error={errorOf("type")}
        isDisabled={connection !== undefined}
        onChange={(type) => set({ type })}
      />
      {fields.map(([name, isRequired]) => (
        <TextInput
          key={name}
          label={text.fields[name]}
          hint={text.hints[draft.type][name]}
          required={isRequired}
          autoComplete="off"
          type={name === "port" ? "number" : "text"}
          value={draft[name]}
          error={errorOf(name)}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      {isRemote && (
        <>
          <TextInput
            label={text.password}
            hint={connection?.has_password ? text.keepsPassword : undefined}
            type="password"
            autoComplete="new-password"
            value={password}
            error={errorOf("password")}
            onChange={setPassword}
          />
          <ChoiceInput
            label={text.ssl}
            value={draft.ssl}
            choices={text.ssls}
            error={errorOf("options", "ssl")}
            onChange={(ssl) => set({ ssl })}
          />
        </>
      )}
      <TextInput
        label={text.timeout}
        hint={text.timeoutHint}
        type="number"
        value={draft.timeout}
        error={errorOf("options", "statement_timeout_seconds")}
        onChange={(timeout) => set({ timeout })}
      />
      <div className="buttons start">
        <button type="button" disabled={trial.isPending} onClick={() => trial.mutate()}>
          {text.test}
        </button>
        <TestResult result={trial.data} />
      </div>
      <ActionError error={trial.error} except={SHOWN} />
    </FormDialog>
  );
}
