import type { PersonErasure } from "@assay/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toCount } from "../parts/format.ts";
import { TextInput } from "../parts/inputs.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { Rows } from "../parts/rows.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { exportPerson } from "./data.ts";
import { Erase } from "./erase.tsx";

const { compliance: text } = TEXT;

interface Erased extends PersonErasure {
  user: string;
}

/** Exports and erases what Assay knows about one person. */
export function Person() {
  const [user, setUser] = useState("");
  const [isErasing, setErasing] = useState(false);
  const [erased, setErased] = useState<Erased>();
  const saving = useMutation({ mutationFn: exportPerson });
  const id = user.trim();
  return (
    <section className="card stack" aria-label={text.person}>
      <div>
        <h2>{text.person}</h2>
        <p className="muted">{text.personLead}</p>
      </div>
      <TextInput
        label={text.user}
        autoComplete="off"
        value={user}
        error={issueOf(saving.error, "path", "user_id")}
        onChange={setUser}
      />
      <div className="buttons start">
        <RoleButton needs="ADMIN" disabled={id === "" || saving.isPending} onClick={() => saving.mutate(id)}>
          {text.export}
        </RoleButton>
        <RoleButton needs="ADMIN" className="danger" disabled={id === ""} onClick={() => setErasing(true)}>
          {text.erase}
        </RoleButton>
      </div>
      <ActionError error={saving.error} except={["path"]} />
      <div aria-live="polite" className="stack">
        {saving.data && <p>{sayExport(saving.data)}</p>}
        {erased && <Outcome erased={erased} />}
      </div>
      {isErasing && (
        <Erase
          user={id}
          onErased={(outcome) => {
            setErased({ user: id, ...outcome });
            saving.reset();
          }}
          onClose={() => setErasing(false)}
        />
      )}
    </section>
  );
}

const sayExport = ({ events, assignments }: Awaited<ReturnType<typeof exportPerson>>) =>
  events + assignments === 0 ? text.nothing : text.exported(toCount(events), toCount(assignments));

function Outcome({ erased }: { erased: Erased }) {
  const { user, erased_events, erased_assignments, removed_from, remaining, remaining_total } = erased;
  return (
    <>
      <p className="sentence">{text.erased(user, toCount(erased_events), toCount(erased_assignments))}</p>
      {removed_from.length > 0 && (
        <p>
          {text.removedFrom}{" "}
          {removed_from.map(({ resource_name, resource_id }) => resource_name ?? resource_id).join(", ")}
        </p>
      )}
      {remaining_total > 0 && (
        <>
          <p className="note">{text.remaining(toCount(remaining_total))}</p>
          <Rows
            items={remaining}
            keyOf={({ resource_type, resource_id }) => `${resource_type} ${resource_id}`}
            columns={[
              {
                label: text.columns.place,
                cell: ({ resource_type, resource_id, resource_name }) => (
                  <span className="break">
                    {resource_type.replaceAll("_", " ")} {resource_name ?? resource_id}
                  </span>
                ),
              },
              { label: text.columns.what, cell: ({ advice }) => advice },
            ]}
          />
        </>
      )}
      <p className="muted">{text.outside}</p>
    </>
  );
}
