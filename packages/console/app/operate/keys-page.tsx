import type { ApiKey } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toAgo, toDay } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { Rows } from "../parts/rows.tsx";
import { Secret } from "../parts/secret.tsx";
import { Empty, issueOf, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { successorOf } from "./rotation.ts";

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
        <Rows
          items={sorted}
          keyOf={({ id }) => id}
          columns={[
            {
              label: columns.name,
              cell: ({ name, stale, replaces }) => (
                <span>
                  {name} {stale && <span className="badge warn">{text.stale}</span>}
                  {replaces !== null && <span className="muted small">{text.successor}</span>}
                </span>
              ),
            },
            { label: columns.kind, cell: (key) => text.kinds[key.kind] },
            { label: columns.rights, cell: ({ scopes }) => scopes.map((scope) => text.scopes[scope]).join(", ") },
            { label: columns.used, cell: ({ last_used_at }) => toAgo(last_used_at) },
            {
              label: columns.created,
              cell: ({ created_at, rotate_by }) => (
                <span>
                  {toDay(created_at)} <span className="muted small">{text.rotate(toDay(rotate_by))}</span>
                </span>
              ),
            },
            {
              label: columns.actions,
              kind: "buttons",
              cell: (key) =>
                key.is_active ? (
                  <div className="buttons">
                    <Rotate of={key} successor={successorOf(key, sorted)} />
                    <RoleButton
                      needs="DEVELOPER"
                      aria-label={`${text.revoke} ${key.name}`}
                      onClick={() => setRevoked(key)}
                    >
                      {text.revoke}
                    </RoleButton>
                  </div>
                ) : (
                  <span className="muted">{text.revoked}</span>
                ),
            },
          ]}
        />
      )}
      {isCreating && <Create onClose={() => setCreating(false)} />}
      {revoked && (
        <RemoveDialog
          title={text.revokeTitle(revoked.name)}
          lead={text.revokeLead}
          submit={text.revokeSubmit}
          remove={() => api.request("DELETE /api-keys/{id}", { params: { id: revoked.id } })}
          reads={["keys"]}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </div>
  );
}

/** Leads to the rotation of a key. */
function Rotate({ of: { id, name }, successor }: { of: ApiKey; successor: ApiKey | undefined }) {
  const missing = useMissingRole("DEVELOPER");
  const [label, spoken] = successor ? [text.goOn, text.goOnOf(name)] : [text.rotateNow, text.rotateOf(name)];
  if (missing) {
    return (
      <RoleButton needs="DEVELOPER" aria-label={spoken}>
        {label}
      </RoleButton>
    );
  }
  return (
    <Link to="/keys/$id/rotate" params={{ id }} className="button" aria-label={spoken}>
      {label}
    </Link>
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
  return (
    <FormDialog
      title={text.create}
      submit={text.create}
      action={creation}
      fields={["name"]}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <Field label={text.name} error={issueOf(creation.error, "name")}>
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
    </FormDialog>
  );
}
