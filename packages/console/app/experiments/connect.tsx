import type { Experiment } from "@assay/client";
import { Link } from "@tanstack/react-router";
import { SERVER_URL } from "../base.ts";
import { CopyButton } from "../parts/secret.tsx";
import { TEXT } from "../text.ts";

const words = TEXT.connect;

/** The command that reports one user: the exposure, and an event of each metric. */
function toCommand({ key, variants, metrics }: Experiment): string {
  const types = [...new Set(metrics.map(({ event_type }) => event_type))];
  const events = [
    { event_type: "exposure", user_id: "user-1", experiment_id: key, variant_id: variants[0]?.key },
    ...types.map((event_type) => ({ event_type, user_id: "user-1", value: 1 })),
  ];
  const body = JSON.stringify({ events }, null, 2).replaceAll("'", "'\\''");
  const address = new URL("api/v1/tracking/events", SERVER_URL).href;
  return `curl -X POST '${address}' \\
  -H 'Content-Type: application/json' \\
  -H 'X-API-Key: ${words.placeholder}' \\
  -d '${body}'`;
}

/** How users get into a running experiment that has none yet. */
export function Connect({ experiment }: { experiment: Experiment }) {
  const command = toCommand(experiment);
  return (
    <section className="card stack" aria-labelledby="connect">
      <h2 id="connect">{words.title}</h2>
      <p>{TEXT.experiments.noUsers}</p>
      <p>
        {words.lead} <Link to="/keys">{words.key}</Link>
      </p>
      <pre>
        <code>{command}</code>
      </pre>
      <div>
        <CopyButton text={command} />
      </div>
    </section>
  );
}
