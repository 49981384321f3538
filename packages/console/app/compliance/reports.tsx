import type { ComplianceReport } from "@assay/client";
import { useMutation } from "@tanstack/react-query";
import { toCount, toDay } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Rows } from "../parts/rows.tsx";
import { saveJson } from "../parts/save.ts";
import { ActionError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { signatureOf } from "./data.ts";
import { Signatures } from "./trail.tsx";

const { compliance: text } = TEXT;
const FRAMEWORKS = ["soc2", "iso27001"] as const;

/** Reports of evidence per control, which are created when someone asks. */
export function Reports() {
  return (
    <>
      <h2>{text.reports}</h2>
      {FRAMEWORKS.map((framework) => (
        <Report key={framework} framework={framework} />
      ))}
    </>
  );
}

function Report({ framework }: { framework: (typeof FRAMEWORKS)[number] }) {
  const name = text.frameworks[framework];
  const creation = useMutation({
    async mutationFn() {
      const { data, headers } = await api.raw(`GET /compliance/reports/${framework}`);
      return { report: data, signature: signatureOf(headers) };
    },
  });
  const file = `${framework}.json`;
  return (
    <section className="card stack" aria-label={name}>
      <div className="title-row">
        <h3>{name}</h3>
        <div className="buttons">
          <RoleButton needs="ADMIN" disabled={creation.isPending} onClick={() => creation.mutate()}>
            {text.report(name)}
          </RoleButton>
          {creation.data && (
            <button type="button" onClick={() => saveJson(file, creation.data.report)}>
              {text.saveReport(name)}
            </button>
          )}
        </div>
      </div>
      <ActionError error={creation.error} />
      <div aria-live="polite" className="stack">
        {creation.data && (
          <>
            <Evidence report={creation.data.report} />
            <Signatures files={[{ name: file, signature: creation.data.signature }]} />
          </>
        )}
      </div>
    </section>
  );
}

function Evidence({ report }: { report: ComplianceReport }) {
  const { period, controls, total_events, integrity } = report;
  return (
    <>
      <p>{text.period(toDay(period.start), toDay(period.end), toCount(total_events))}</p>
      {integrity.valid ? (
        <p>{text.valid(toCount(integrity.checked))}</p>
      ) : (
        <div className="note">
          <p>{text.invalid}</p>
          <ul>
            {integrity.problems.map(({ sequence, detail }) => (
              <li key={`${sequence} ${detail}`}>
                {sequence}: {detail}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Rows
        items={controls}
        keyOf={({ id }) => id}
        columns={[
          {
            label: text.controls.control,
            cell: ({ id, name }) => (
              <span>
                <b>{id}</b> {name}
              </span>
            ),
          },
          { label: text.controls.entries, kind: "number", cell: ({ evidence_count }) => toCount(evidence_count) },
          {
            label: text.controls.state,
            cell: ({ status }) => (
              <span className={status === "EVIDENCED" ? "badge state-active" : "badge"}>{text.statuses[status]}</span>
            ),
          },
        ]}
      />
    </>
  );
}
