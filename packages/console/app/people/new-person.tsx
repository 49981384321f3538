import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { CopyButton } from "../parts/secret.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { ROLES, type Role } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { useRank } from "./data.ts";

const { people: text } = TEXT;

/** A password that no list has: 20 random letters and digits. */
function suggestPassword(): string {
  const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  return Array.from(crypto.getRandomValues(new Uint32Array(20)), (random) => letters[random % letters.length]).join("");
}

/** Names the draft of a new account. */
export const PERSON_DRAFT = "person.";
const EMPTY = { username: "", email: "", full_name: "", role: "VIEWER" as Role, is_superuser: false };

/** Creates an account, with a password to hand over. A reload keeps everything but the password. */
export function NewPerson({ onClose }: { onClose: () => void }) {
  const { draft, set, close } = useDialogDraft(PERSON_DRAFT, EMPTY, onClose);
  const [password, setPassword] = useState(suggestPassword);
  const queries = useQueryClient();
  const rank = useRank();
  const creation = useMutation({
    mutationFn: () => {
      const { full_name, ...rest } = draft;
      const body = { ...rest, password, ...(full_name ? { full_name } : {}) };
      return api.request("POST /users/", { body });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["users"] });
      close();
    },
  });
  const errorOf = (field: string) => issueOf(creation.error, field);
  return (
    <FormDialog
      title={text.createTitle}
      submit={text.create}
      action={creation}
      fields={["username", "email", "full_name", "password"]}
      onSubmit={() => creation.mutate()}
      onClose={close}
    >
      <Field label={text.username} error={errorOf("username")}>
        <input
          required
          autoComplete="off"
          value={draft.username}
          onInput={(event) => set({ username: event.currentTarget.value })}
        />
      </Field>
      <Field label={text.email} error={errorOf("email")}>
        <input
          required
          autoComplete="off"
          value={draft.email}
          onInput={(event) => set({ email: event.currentTarget.value })}
        />
      </Field>
      <Field label={text.fullName} error={errorOf("full_name")}>
        <input value={draft.full_name} onInput={(event) => set({ full_name: event.currentTarget.value })} />
      </Field>
      <RoleSelect value={draft.role} onChange={(role) => set({ role })} />
      <label className="check">
        <input
          type="checkbox"
          checked={draft.is_superuser}
          disabled={!rank?.isSuperuser}
          onChange={(event) => set({ is_superuser: event.currentTarget.checked })}
        />
        {text.superuser} {!rank?.isSuperuser && <span className="hint">{text.needsSuperuser}</span>}
      </label>
      <Field label={text.password} hint={text.passwordHint} error={errorOf("password")}>
        <input
          className="mono"
          required
          autoComplete="off"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </Field>
      <div>
        <CopyButton text={password} />
      </div>
    </FormDialog>
  );
}

export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Field label={text.columns.role} hint={text.roleHints[value]}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Role)}>
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {TEXT.roles[one]}
          </option>
        ))}
      </select>
    </Field>
  );
}
