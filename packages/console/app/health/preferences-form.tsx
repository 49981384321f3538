import type { NotificationPreferences } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { notifications: text } = TEXT;
const TEXTS = ["email_address", "slack_webhook_url", "webhook_url", "webhook_secret"] as const;
const CHANNELS = [
  { enabled: "email_enabled", label: text.channels.EMAIL, fields: ["email_address"] },
  { enabled: "slack_enabled", label: text.channels.SLACK, fields: ["slack_webhook_url"] },
  { enabled: "webhook_enabled", label: text.channels.WEBHOOK, fields: ["webhook_url", "webhook_secret"] },
] as const;

/** Chooses channels and events. A set secret shows as a mask, which keeps it. */
export function PreferencesForm({
  preferences,
  onClose,
}: {
  preferences: NotificationPreferences;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(preferences);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => {
      const { email_enabled, slack_enabled, webhook_enabled, events } = draft;
      const texts = Object.fromEntries(TEXTS.map((name) => [name, draft[name]?.trim() || null]));
      return api.request("PUT /notifications/preferences", {
        body: { email_enabled, slack_enabled, webhook_enabled, events, ...texts },
      });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["notifications"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.edit}
      submit={TEXT.actions.save}
      action={change}
      fields={TEXTS}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {CHANNELS.map(({ enabled, label, fields }) => (
        <fieldset key={enabled} className="stack">
          <label className="check">
            <input
              type="checkbox"
              checked={draft[enabled]}
              onChange={(event) => setDraft({ ...draft, [enabled]: event.currentTarget.checked })}
            />
            {label}
          </label>
          {draft[enabled] &&
            fields.map((name) => (
              <Field key={name} label={text.fields[name]} hint={text.hints[name]} error={issueOf(change.error, name)}>
                <input
                  autoComplete="off"
                  value={draft[name] ?? ""}
                  onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
                />
              </Field>
            ))}
        </fieldset>
      ))}
      <fieldset>
        <legend className="label">{text.about}</legend>
        {(Object.keys(text.events) as (keyof typeof draft.events)[]).map((event) => (
          <label key={event} className="check wide">
            <input
              type="checkbox"
              checked={draft.events[event]}
              onChange={({ currentTarget: { checked } }) =>
                setDraft({ ...draft, events: { ...draft.events, [event]: checked } })
              }
            />
            {text.events[event]}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
