import type { User } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useRank } from "./data.ts";
import { RoleSelect } from "./new-person.tsx";

const { people: text } = TEXT;

interface Props {
  user: User;
  onClose: () => void;
}

/** Names the drafts about a person. */
export const draftKeys = ({ id }: Pick<User, "id">) => ({ role: `person-role.${id}`, account: `person.${id}` });

/** A change of a person, after which everything that shows people is read again. */
function usePersonChange<T>(change: (fields: T) => Promise<unknown>, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      const read = ["users", "user", "me", "permissions"].map((name) => ({ queryKey: [name] }));
      await Promise.all(read.map((filter) => queries.invalidateQueries(filter)));
      onSaved();
    },
  });
}

type Rank = Pick<User, "role" | "is_superuser" | "is_active"> & { custom_roles: string[] };
const administer = (user: User) => (fields: Partial<Rank>) =>
  api.request("PATCH /admin/users/{user_id}", { params: { user_id: user.id }, body: fields });

export function EditRole({ user, onClose }: Props) {
  const initial = { role: user.role, custom_roles: user.custom_roles ?? [], is_superuser: user.is_superuser };
  const { draft, set, close } = useDialogDraft(draftKeys(user).role, initial, onClose);
  const rank = useRank();
  const roles = useQuery({ queryKey: ["roles"], queryFn: () => api.request("GET /roles", { query: { limit: 100 } }) });
  const change = usePersonChange(administer(user), close);
  const custom = roles.data?.items.filter(({ is_built_in }) => !is_built_in) ?? [];
  const own = draft.custom_roles;
  const toggle = (name: string) =>
    set({ custom_roles: own.includes(name) ? own.filter((one) => one !== name) : [...own, name] });
  return (
    <FormDialog
      title={text.changeRoleTitle(user.username)}
      submit={TEXT.actions.save}
      action={change}
      onSubmit={() => change.mutate(draft)}
      onClose={close}
    >
      <RoleSelect value={draft.role} onChange={(role) => set({ role })} />
      {custom.length > 0 && (
        <fieldset>
          <legend className="label">{text.customRoles}</legend>
          {custom.map(({ name, description }) => (
            <label key={name} className="check">
              <input type="checkbox" checked={own.includes(name)} onChange={() => toggle(name)} />
              {name} <span className="hint">{description}</span>
            </label>
          ))}
        </fieldset>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={draft.is_superuser}
          disabled={!rank?.isSuperuser}
          onChange={(event) => set({ is_superuser: event.currentTarget.checked })}
        />
        {text.superuser} <span className="hint">{rank?.isSuperuser ? text.superuserHint : text.needsSuperuser}</span>
      </label>
    </FormDialog>
  );
}

/** Name and password; administrators change the e-mail address too. A reload keeps everything but the password. */
export function EditAccount({ user, onClose }: Props) {
  const initial = { full_name: user.full_name, email: user.email };
  const { draft, set, close } = useDialogDraft(draftKeys(user).account, initial, onClose);
  const [password, setPassword] = useState("");
  const rank = useRank();
  const change = usePersonChange(
    () =>
      api.request("PUT /users/{user_id}", {
        params: { user_id: user.id },
        body: {
          full_name: draft.full_name,
          ...(password ? { password } : {}),
          ...(draft.email === user.email ? {} : { email: draft.email }),
        },
      }),
    close,
  );
  return (
    <FormDialog
      title={text.editAccountTitle(user.username)}
      submit={TEXT.actions.save}
      action={change}
      fields={["full_name", "email", "password"]}
      onSubmit={() => change.mutate(undefined)}
      onClose={close}
    >
      <Field label={text.fullName} error={issueOf(change.error, "full_name")}>
        <input value={draft.full_name} onInput={(event) => set({ full_name: event.currentTarget.value })} />
      </Field>
      <Field
        label={text.email}
        error={issueOf(change.error, "email")}
        hint={rank?.isAdmin ? undefined : TEXT.needsRole(TEXT.roles.ADMIN)}
      >
        <input
          required
          disabled={!rank?.isAdmin}
          value={draft.email}
          onInput={(event) => set({ email: event.currentTarget.value })}
        />
      </Field>
      <Field label={text.newPassword} hint={text.newPasswordHint} error={issueOf(change.error, "password")}>
        <input
          type="password"
          autoComplete="new-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}

export function Switch({ user, onClose }: Props) {
  const change = usePersonChange(administer(user), onClose);
  return (
    <FormDialog
      title={(user.is_active ? text.deactivateTitle : text.activateTitle)(user.username)}
      submit={user.is_active ? text.deactivate : text.activate}
      isDangerous={user.is_active}
      action={change}
      onSubmit={() => change.mutate({ is_active: !user.is_active })}
      onClose={onClose}
    >
      <p>{user.is_active ? text.deactivateLead : text.activateLead}</p>
    </FormDialog>
  );
}

export function Remove({ user, onClose }: Props) {
  const navigate = useNavigate();
  return (
    <RemoveDialog
      title={text.removeTitle(user.username)}
      lead={text.removeLead}
      submit={text.remove}
      remove={() => api.request("DELETE /admin/users/{user_id}", { params: { user_id: user.id } })}
      reads={["users"]}
      onRemoved={() => navigate({ to: "/people" })}
      onClose={onClose}
    />
  );
}
