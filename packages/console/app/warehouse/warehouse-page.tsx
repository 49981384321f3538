import type { WarehouseSync } from "@assay/client";
import { useState } from "react";
import { DataJobs } from "../health/data-jobs.tsx";
import { hasDraft } from "../parts/draft.ts";
import { ListPage } from "../parts/list-page.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { usePages } from "../parts/pages.ts";
import { api } from "../session.ts";
import { useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { ConnectionForm, draftKey } from "./connection-form.tsx";
import { Connections } from "./connections.tsx";
import { SYNC_DRAFT, SyncForm } from "./sync-form.tsx";
import { SyncResult } from "./sync-result.tsx";

const { warehouse: text } = TEXT;
type Open = "connection" | "sync";

const openDraft = (): Open | undefined =>
  hasDraft(draftKey()) ? "connection" : hasDraft(SYNC_DRAFT) ? "sync" : undefined;

/** Connections to data warehouses, and experiments whose results come from there. */
export function WarehousePage() {
  const [open, setOpen] = useState(openDraft);
  const [synced, setSynced] = useState<WarehouseSync>();
  const me = useMe();
  const mayRead = useHasRole("DEVELOPER");
  const pages = usePages(["warehouse"], (page) => api.request("GET /warehouse/connections", { query: page }), {
    enabled: mayRead,
  });
  const close = () => setOpen(undefined);
  const connections = pages.items ?? [];
  return (
    <ListPage
      title={text.title}
      action={
        <RoleButton needs="DEVELOPER" className="primary" onClick={() => setOpen("connection")}>
          {text.create}
        </RoleButton>
      }
      lead={me && !mayRead && <p className="muted">{text.needs}</p>}
    >
      {mayRead && <Connections pages={pages} />}
      <div className="title-row">
        <h2>{text.syncs}</h2>
        <RoleButton needs="DEVELOPER" disabled={connections.length === 0} onClick={() => setOpen("sync")}>
          {text.sync}
        </RoleButton>
      </div>
      <div aria-live="polite">{synced && <SyncResult sync={synced} />}</div>
      <DataJobs only="warehouse-sync" />
      {open === "connection" && <ConnectionForm onClose={close} />}
      {open === "sync" && connections.length > 0 && (
        <SyncForm connections={connections} onSynced={setSynced} onClose={close} />
      )}
    </ListPage>
  );
}
