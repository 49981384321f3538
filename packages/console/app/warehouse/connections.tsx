import type { WarehouseConnection } from "@assay/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toDay } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import type { Pages } from "../parts/pages.ts";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { ActionError, Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { ConnectionForm, draftKey } from "./connection-form.tsx";
import { TestResult } from "./test-result.tsx";

const { warehouse: text } = TEXT;
const { columns } = text;
const COLUMNS: Column<WarehouseConnection>[] = [
  { label: columns.name, cell: ({ name }) => <b>{name}</b> },
  { label: columns.type, cell: ({ type }) => text.types[type] },
  { label: columns.where, cell: (connection) => <span className="break">{sayPlace(connection)}</span> },
  { label: columns.user, cell: ({ username, has_password }) => sayUser(username, has_password) },
  { label: columns.changed, cell: ({ updated_at }) => toDay(updated_at) },
  { label: columns.actions, kind: "buttons", cell: (connection) => <Actions connection={connection} /> },
];

export function Connections({ pages }: { pages: Pages<WarehouseConnection> }) {
  return (
    <PagedRows pages={pages} columns={COLUMNS} keyOf={({ id }) => id} empty={<Empty>{text.empty}</Empty>} rows={2} />
  );
}

function sayPlace({ host, port, database, schema }: WarehouseConnection): string {
  const server = host && (port === null ? host : `${host}:${port}`);
  return [server, database, schema].filter(Boolean).join(" · ");
}

const sayUser = (username: string | null, hasPassword: boolean) =>
  username !== null && (hasPassword ? text.withPassword(username) : text.withoutPassword(username));

function Actions({ connection }: { connection: WarehouseConnection }) {
  const { id, name } = connection;
  const [open, setOpen] = useState<"edit" | "remove" | undefined>(hasDraft(draftKey(connection)) ? "edit" : undefined);
  const close = () => setOpen(undefined);
  const trial = useMutation({
    mutationFn: () => api.request("POST /warehouse/connections/test", { body: { connection_id: id } }),
  });
  return (
    <div className="stack">
      <div className="buttons">
        <RoleButton
          needs="DEVELOPER"
          aria-label={`${text.test}: ${name}`}
          disabled={trial.isPending}
          onClick={() => trial.mutate()}
        >
          {text.testShort}
        </RoleButton>
        <RoleButton needs="DEVELOPER" aria-label={`${text.edit}: ${name}`} onClick={() => setOpen("edit")}>
          {text.edit}
        </RoleButton>
        <RoleButton needs="DEVELOPER" aria-label={`${text.remove}: ${name}`} onClick={() => setOpen("remove")}>
          {text.remove}
        </RoleButton>
      </div>
      <TestResult result={trial.data} />
      <ActionError error={trial.error} />
      {open === "edit" && <ConnectionForm connection={connection} onClose={close} />}
      {open === "remove" && (
        <RemoveDialog
          title={text.removeTitle(name)}
          lead={text.removeLead}
          submit={text.remove}
          remove={() => api.request("DELETE /warehouse/connections/{id}", { params: { id } })}
          reads={["warehouse"]}
          onClose={close}
        />
      )}
    </div>
  );
}
