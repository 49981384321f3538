import type { IntegrationDelivery } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { toMinute } from "../parts/format.ts";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { DeliveryState } from "./states.tsx";

const { integrations: text } = TEXT;
const { messages } = text;
const COLUMNS: Column<IntegrationDelivery>[] = [
  {
    label: messages.what,
    cell: ({ direction, event, subject }) => (
      <div className="row-link">
        <span>
          {text.directions[direction]} <code className="wrap">{event}</code>
        </span>
        <span className="muted small">{subject}</span>
      </div>
    ),
  },
  {
    label: messages.experiment,
    cell: ({ experiment_key: key }) =>
      key !== null && (
        <Link to="/experiments/$key" params={{ key }}>
          <code>{key}</code>
        </Link>
      ),
  },
  {
    label: messages.state,
    cell: ({ status, reason, attempts, verified }) => (
      <span>
        <DeliveryState status={status} /> {reason}
        {attempts > 1 && <span className="muted small"> {text.attempts(attempts)}</span>}
        {verified === false && <span className="badge warn">{text.unverified}</span>}
      </span>
    ),
  },
  { label: messages.when, cell: ({ updated_at }) => toMinute(updated_at) },
];

/** The latest messages in both directions. */
export function Deliveries({ id }: { id: string }) {
  const pages = usePages(
    ["integration-deliveries", id],
    (page) => api.request("GET /integrations/{id}/deliveries", { params: { id }, query: page }),
    { limit: 50 },
  );
  return (
    <PagedRows
      pages={pages}
      columns={COLUMNS}
      keyOf={(one) => one.id}
      rows={2}
      empty={<p className="muted">{text.noDeliveries}</p>}
    />
  );
}
