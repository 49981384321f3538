import type { IntegrationSummary } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toAgo } from "../parts/format.ts";
import { ChoiceFilter, ListPage, SearchFilter } from "../parts/list-page.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useHasRole, useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import type { IntegrationType } from "./data.ts";
import { draftKey, IntegrationForm } from "./integration-form.tsx";
import { DeliveryState, IntegrationState } from "./states.tsx";

const { integrations: text } = TEXT;
const { columns } = text;
const COLUMNS: Column<IntegrationSummary>[] = [
  {
    label: columns.integration,
    cell: ({ id, name, description }) => (
      <Link to="/integrations/$id" params={{ id }} className="row-link">
        <b>{name}</b>
        <span className="muted small">{description}</span>
      </Link>
    ),
  },
  { label: columns.type, cell: ({ integration_type }) => text.types[integration_type] },
  { label: columns.state, cell: ({ is_active }) => <IntegrationState isActive={is_active} /> },
  { label: columns.last, cell: ({ id }) => <LastDelivery id={id} /> },
];

/** The other systems that Assay reports to and hears from. */
export function IntegrationsPage() {
  const { search, kind } = useSearch({ from: "/integrations" });
  const navigate = useNavigate({ from: "/integrations" });
  const [isCreating, setCreating] = useState(() => hasDraft(draftKey()));
  const me = useMe();
  const mayRead = useHasRole("ANALYST");
  const type = kind !== undefined && Object.hasOwn(text.types, kind) ? (kind as IntegrationType) : undefined;
  const pages = usePages(
    ["integrations", search, type],
    async (page) => {
      const { data, headers } = await api.raw("GET /integrations", { query: { ...page, search, type } });
      return { items: data, total: Number(headers.get("x-total-count")) };
    },
    { enabled: mayRead },
  );
  const filter = (change: { search?: string; kind?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const create = (
    <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
      {text.create}
    </RoleButton>
  );
  if (me && !mayRead) {
    return (
      <ListPage title={text.title}>
        <p className="muted">{text.needs}</p>
      </ListPage>
    );
  }
  return (
    <ListPage
      title={text.title}
      action={create}
      filters={
        <>
          <SearchFilter label={text.find} value={search} onChange={(value) => filter({ search: value })} />
          <ChoiceFilter
            label={text.type}
            value={type}
            all={text.allTypes}
            choices={text.types}
            onChange={(value) => filter({ kind: value })}
          />
        </>
      }
    >
      <PagedRows
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty>{search || type ? text.emptySearch : text.empty}</Empty>}
      />
      {isCreating && (
        <IntegrationForm
          onSaved={(id) => navigate({ to: "/integrations/$id", params: { id } })}
          onClose={() => setCreating(false)}
        />
      )}
    </ListPage>
  );
}

function LastDelivery({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ["integration-deliveries", id, "last"],
    queryFn: () => api.request("GET /integrations/{id}/deliveries", { params: { id }, query: { limit: 1 } }),
  });
  const last = data?.items[0];
  if (!last) return data ? TEXT.never : null;
  return (
    <span>
      <DeliveryState status={last.status} /> {toAgo(last.updated_at)}
    </span>
  );
}
