import type { WarehouseSync } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { toCount } from "../parts/format.ts";
import { TEXT } from "../text.ts";

const { warehouse: text } = TEXT;

/** What a sync found, with the statements that ran. */
export function SyncResult({ sync }: { sync: WarehouseSync }) {
  const { experiment_id, rows, variants, crossover, forced, generated_sql } = sync;
  return (
    <section className="card stack" aria-label={text.result}>
      <p className="sentence">
        <span className="badge state-active">{text.synced}</span>{" "}
        <Link to="/experiments/$key" params={{ key: experiment_id }}>
          {text.users(toCount(rows))}
        </Link>
      </p>
      <p>{variants.map(({ key, users }) => `${key}: ${toCount(users)}`).join(", ")}</p>
      {crossover + forced > 0 && <p className="muted">{text.excluded(toCount(crossover), toCount(forced))}</p>}
      <details>
        <summary>{text.statements}</summary>
        <pre>{generated_sql}</pre>
      </details>
    </section>
  );
}
