import type { ApiKey } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { toAgo, toDay } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Secret } from "../parts/secret.tsx";
import { ActionError, Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { keys: text } = TEXT;
const { columns } = text;
const KINDS = ["SERVER", "CLIENT"] as const;
const RIGHTS = { read: ["read"], write: ["read", "write"], admin: ["read", "write", "admin"] } as const;
type Right = keyof typeof RIGHTS;

/** All API keys: how old and how used they are; new ones, and revoking. */
export function KeysPage() {
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const keys = useQuery({ queryKey: ["keys"], queryFn: () => api.request("GET /api-keys") });
  const create = (
    <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
      {text.create}
    </RoleButton>
  );
  // What needs attention first: unused keys, then by age.
  const sorted = keys.data?.toSorted(
    (a, b) => Number(b.is_active) - Number(a.is_active) || Number(b.stale) - Number(a.stale),
  );
  return (
    <div className="page">
      <div className="title-row">
        <h1>{text.title}</h1>
        {sorted && sorted.length > 0 && create}
      </div>
      {keys.isPending && <Skeleton rows={4} />}
      {keys.isError && <Problem error={keys.error} onRetry={() => void keys.refetch()} />}
      {sorted?.length === 0 && <Empty action={create}>{text.empty}</Empty>}
      {sorted !== undefined && sorted.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.name}</th>
              <th scope="col">{columns.kind}</th>
              <th scope="col">{columns.rights}</th>
              <th scope="col">{columns.used}</th>
              <th scope="col">{columns.created}</th>
              <th scope="col">
                <span className="sr">{text.revoke}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((key) => (
              <tr key={key.id}>
                <td data-label={columns.name}>
                  {key.name} {key.stale && <span className="badge warn">{text.stale}</span>}
                </td>
                <td data-label={columns.kind}>{text.kinds[key.kind]}</td>
                <td data-label={columns.rights}>{key.scopes.map((scope) => text.scopes[scope]).join(", ")}</td>
                <td data-label={columns.used}>{toAgo(key.last_used_at)}</td>
                <td data-label={columns.created}>
                  {toDay(key.created_at)} <span className="muted small">{text.rotate(toDay(key.rotate_by))}</span>
                </td>
                <td>
                  {key.is_active ? (
                    <RoleButton
                      needs="DEVELOPER"
                      aria-label={`${text.revoke} ${key.name}`}
                      onClick={() => setRevoked(key)}
                    >
                      {text.revoke}
                    </RoleButton>
                  ) : (
                    <span className="muted">{text.revoked}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isCreating && <Create onClose={() => setCreating(false)} />}
      {revoked && <Revoke apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </div>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<(typeof KINDS)[number]>("SERVER");
  const [right, setRight] = useState<Right>("read");
  const queries = useQueryClient();
  const rights = (Object.keys(RIGHTS) as Right[]).filter((one) => kind === "SERVER" || one !== "admin");
  const creation = useMutation({
    mutationFn: () => api.request("POST /api-keys", { body: { name, kind, scopes: [...RIGHTS[right]] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  if (creation.data?.key) {
    return (
      <Dialog title={text.onceTitle} onClose={onClose}>
        <Secret value={creation.data.key} label={text.once} />
        <div className="buttons">
          <button type="button" className="primary" onClick={onClose}>
            {TEXT.start.done}
          </button>
        </div>
      </Dialog>
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    creation.mutate();
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={text.name}>
          <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Field label={text.kind}>
          <select
            value={kind}
            onChange={(event) => {
              setKind(event.currentTarget.value as typeof kind);
              setRight("read");
            }}
          >
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {text.kinds[one]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={text.rights}>
          <select value={right} onChange={(event) => setRight(event.currentTarget.value as Right)}>
            {rights.map((one) => (
              <option key={one} value={one}>
                {text.scopes[one]}
              </option>
            ))}
          </select>
        </Field>
        <ActionError error={creation.error} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {TEXT.actions.cancel}
          </button>
          <button type="submit" className="primary" disabled={creation.isPending}>
            {text.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => api.request("DELETE /api-keys/{id}", { params: { id: apiKey.id } }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      onClose();
    },
  });
  return (
    <Dialog title={text.revokeTitle(apiKey.name)} onClose={onClose}>
      <div className="stack">
        <p>{text.revokeLead}</p>
        <ActionError error={removal.error} />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {TEXT.actions.cancel}
          </button>
          <button type="button" className="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
            {text.revokeSubmit}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
