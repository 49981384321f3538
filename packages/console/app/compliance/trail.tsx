import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ChoiceInput, TextInput } from "../parts/inputs.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { exportTrail, type SignedFile, type TrailFilter } from "./data.ts";

const { compliance: text } = TEXT;

/** Saves the sealed trail as files with signatures. */
export function Trail() {
  const [filter, setFilter] = useState<TrailFilter>({ format: "json", from: "", to: "" });
  const saving = useMutation({ mutationFn: exportTrail });
  const set = (change: Partial<TrailFilter>) => setFilter({ ...filter, ...change });
  return (
    <section className="card stack" aria-label={text.trail}>
      <div>
        <h2>{text.trail}</h2>
        <p className="muted">{text.trailLead}</p>
      </div>
      <div className="filters">
        <ChoiceInput
          label={text.format}
          value={filter.format}
          choices={text.formats}
          onChange={(format) => set({ format })}
        />
        <TextInput
          label={text.from}
          type="date"
          value={filter.from}
          error={issueOf(saving.error, "query", "start_date")}
          onChange={(from) => set({ from })}
        />
        <TextInput
          label={text.to}
          type="date"
          value={filter.to}
          error={issueOf(saving.error, "query", "end_date")}
          onChange={(to) => set({ to })}
        />
      </div>
      <div>
        <RoleButton needs="ADMIN" disabled={saving.isPending} onClick={() => saving.mutate(filter)}>
          {text.saveTrail}
        </RoleButton>
      </div>
      <ActionError error={saving.error} except={["query"]} />
      <div aria-live="polite">{saving.data && <Signatures files={saving.data} />}</div>
    </section>
  );
}

/** The signatures of saved files; each is the HMAC-SHA256 of the bytes of its file. */
export function Signatures({ files }: { files: readonly SignedFile[] }) {
  return (
    <>
      <p className="label">{text.parts}</p>
      <ul className="rules">
        {files.map(({ name, signature }) => (
          <li key={name}>
            <span>{name}</span> <code className="wrap">{signature}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
