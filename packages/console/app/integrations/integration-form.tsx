import type { Integration } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDialogDraft } from "../parts/draft.ts";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ChoiceInput, LinesInput, TextInput } from "../parts/inputs.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { CONFIGS, type ConfigField } from "./data.ts";
import { type Config, EMPTY, toConfig, toDraft } from "./integration-draft.ts";

const { integrations: text } = TEXT;

/** Names the draft of the form. */
export const draftKey = (integration?: Pick<Integration, "id">) => `integration.${integration?.id ?? ""}`;

interface Props {
  integration?: Integration;
  onSaved?: (id: string) => unknown;
  onClose: () => void;
}

/** Connects another system, or edits how. A reload keeps everything but secrets. */
export function IntegrationForm({ integration, onSaved, onClose }: Props) {
  const initial = integration ? toDraft(integration) : EMPTY;
  const { draft, set, close } = useDialogDraft(draftKey(integration), initial, onClose);
  const [secrets, setSecrets] = useState<Partial<Record<ConfigField, string>>>({});
  const [badLine, setBadLine] = useState<string>();
  const queries = useQueryClient();
  const { name, description, type } = draft;
  const change = useMutation({
    async mutationFn(config: Config) {
      if (!integration) {
        // The server checks the fields of the config.
        const body = { name, description, integration_type: type, config: config as never };
        return (await api.request("POST /integrations", { body })).id;
      }
      const headers = { "If-Match": `"v${integration.version}"` };
      const body = { name, description, config };
      return (await api.request("PUT /integrations/{id}", { params: { id: integration.id }, body, headers })).id;
    },
    async onSuccess(id) {
      await Promise.all(["integrations", "integration"].map((read) => queries.invalidateQueries({ queryKey: [read] })));
      close();
      await onSaved?.(id);
    },
  });
  function submit() {
    try {
      const config = toConfig(draft, secrets);
      setBadLine(undefined);
      change.mutate(config);
    } catch (line) {
      setBadLine(text.badTransition(String(line)));
    }
  }
  const setConfig = (field: ConfigField, value: string | boolean) =>
    set({ config: { ...draft.config, [field]: value } });
  const fields = CONFIGS[type];
  const errorOf = (field: ConfigField) => issueOf(change.error, "config", field);
  const isShown = fields.some((field) => errorOf(field.name));
  return (
    <FormDialog
      title={integration ? text.editTitle(integration.name) : text.create}
      submit={integration ? TEXT.actions.save : text.create}
      action={change}
      fields={["name", "description", ...(isShown ? ["config"] : [])]}
      onSubmit={submit}
      onClose={close}
    >
      <ChoiceInput
        label={text.type}
        hint={text.typeHints[type]}
        value={type}
        choices={text.types}
        isDisabled={integration !== undefined}
        onChange={(chosen) => set({ type: chosen })}
      />
      <TextInput
        label={text.name}
        required
        value={name}
        error={issueOf(change.error, "name")}
        onChange={(value) => set({ name: value })}
      />
      <TextInput
        label={text.description}
        value={description}
        error={issueOf(change.error, "description")}
        onChange={(value) => set({ description: value })}
      />
      {fields.map(({ name: field, kind, isRequired = false }) => {
        const common = { label: text.fields[field], hint: text.hints[field], error: errorOf(field) };
        const isSet = integration?.config[field] != null;
        const written = String(draft.config[field] ?? "");
        if (kind === "secret") {
          return (
            <TextInput
              key={field}
              {...common}
              hint={isSet ? text.keepsSecret : text.hints[field]}
              type="password"
              autoComplete="new-password"
              required={isRequired && !isSet}
              value={secrets[field] ?? ""}
              onChange={(value) => setSecrets({ ...secrets, [field]: value })}
            />
          );
        }
        if (kind === "check") {
          return (
            <label key={field} className="check wide">
              <input
                type="checkbox"
                checked={draft.config[field] === true}
                onChange={(event) => setConfig(field, event.currentTarget.checked)}
              />
              {common.label}
            </label>
          );
        }
        const onChange = (value: string) => setConfig(field, value);
        if (kind === "transitions") {
          return (
            <LinesInput
              key={field}
              {...common}
              error={badLine ?? common.error}
              rows={3}
              value={written}
              onChange={onChange}
            />
          );
        }
        return <TextInput key={field} {...common} required={isRequired} value={written} onChange={onChange} />;
      })}
    </FormDialog>
  );
}
