import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { ActionError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { fromTyped } from "./value-input.tsx";

const TYPES = ["BOOLEAN", "STRING", "NUMBER", "OBJECT"] as const;
type ValueType = (typeof TYPES)[number];

/** Suggests a key for a name: "New checkout" becomes `new-checkout`. */
export const toKey = (name: string) =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);

const EMPTY = { name: "", key: "", type: "BOOLEAN" as ValueType, off: "", on: "", description: "" };

export function NewFlagPage() {
  const { draft, setDraft, clear } = useDraft("new-flag", EMPTY);
  const [isBadValue, setBadValue] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const missing = useMissingRole("DEVELOPER");
  const { name, type, off, on, description } = draft;
  const key = draft.key || toKey(name);
  const set = (change: Partial<typeof EMPTY>) => setDraft({ ...draft, ...change });
  const creation = useMutation({
    mutationFn: () => {
      const isBoolean = type === "BOOLEAN";
      const values = isBoolean
        ? {}
        : { default_value: fromTyped(type, off), variants: [{ key: "on", weight: 100, value: fromTyped(type, on) }] };
      const body = {
        key,
        name,
        description,
        value_type: type,
        status: "INACTIVE",
        rollout_percentage: 100,
        ...values,
      } as const;
      return api.request("POST /feature-flags/", { body: body as never });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["flags"] });
      clear();
      await navigate({ to: "/flags/$key", params: { key } });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    try {
      if (type !== "BOOLEAN") [off, on].map((text) => fromTyped(type, text));
    } catch {
      return setBadValue(true);
    }
    setBadValue(false);
    creation.mutate();
  }

  const valueHint = TEXT.newFlag.defaultHints[type];
  return (
    <div className="page narrow">
      <h1>{TEXT.newFlag.title}</h1>
      <form onSubmit={submit} className="stack">
        <Field label={TEXT.newFlag.name}>
          <input required maxLength={255} value={name} onInput={(event) => set({ name: event.currentTarget.value })} />
        </Field>
        <Field label={TEXT.newFlag.key} hint={TEXT.newFlag.keyHint}>
          <input
            className="mono"
            required
            value={key}
            spellCheck={false}
            autoCapitalize="off"
            onInput={(event) => set({ key: event.currentTarget.value })}
          />
        </Field>
        <Field label={TEXT.newFlag.type}>
          <select value={type} onChange={(event) => set({ type: event.currentTarget.value as ValueType })}>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {TEXT.newFlag.types[one]}
              </option>
            ))}
          </select>
        </Field>
        {type !== "BOOLEAN" && (
          <>
            <Field label={TEXT.newFlag.default} hint={valueHint}>
              <input className="mono" value={off} onInput={(event) => set({ off: event.currentTarget.value })} />
            </Field>
            <Field label={TEXT.newFlag.onValue} hint={valueHint}>
              <input className="mono" value={on} onInput={(event) => set({ on: event.currentTarget.value })} />
            </Field>
            {isBadValue && (
              <p role="alert" className="problem">
                {TEXT.newFlag.badValue}
              </p>
            )}
          </>
        )}
        <Field label={TEXT.newFlag.description}>
          <textarea rows={2} value={description} onInput={(event) => set({ description: event.currentTarget.value })} />
        </Field>
        <p className="hint">{TEXT.newFlag.startsOff}</p>
        <ActionError error={creation.error} />
        <div className="buttons">
          <button type="submit" className="primary" disabled={creation.isPending || missing !== undefined}>
            {TEXT.newFlag.submit}
          </button>
          {missing && <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>}
        </div>
      </form>
    </div>
  );
}
