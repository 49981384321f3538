import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { toList } from "./lists.ts";
import { Prerequisites } from "./prerequisites.tsx";
import { Review } from "./review.tsx";
import { Section } from "./section.tsx";

const { settings: text } = TEXT;

/** What is seldom changed: the name and tags of a flag, its prerequisites, and its end. */
export function Settings({ stored }: { stored: StoredFlag }) {
  return (
    <div className="stack" key={stored.flag.version}>
      <Details stored={stored} />
      <Prerequisites stored={stored} />
      <Retire stored={stored} />
    </div>
  );
}

function Details({ stored }: { stored: StoredFlag }) {
  const { name, description, tags, permanent, client_side, expires_at } = stored.flag;
  const initial = {
    name,
    description,
    tags: tags.join(", "),
    permanent: permanent ?? false,
    client_side,
    expires: expires_at?.slice(0, 10) ?? "",
  };
  return (
    <Section
      stored={stored}
      name="details"
      title={text.details}
      initial={initial}
      shown={["name", "description", "tags", "expires_at"]}
      toFields={({ expires, ...draft }) => ({
        fields: {
          ...draft,
          tags: toList(draft.tags),
          // The time of the day stays if the day does.
          expires_at: expires === initial.expires ? expires_at : expires === "" ? null : `${expires}T00:00:00.000Z`,
        },
      })}
    >
      {({ draft, set, error }) => (
        <>
          <Field label={TEXT.newFlag.name} error={issueOf(error, "name")}>
            <input required value={draft.name} onInput={(event) => set({ name: event.currentTarget.value })} />
          </Field>
          <Field label={TEXT.newFlag.description} error={issueOf(error, "description")}>
            <textarea
              rows={2}
              value={draft.description}
              onInput={(event) => set({ description: event.currentTarget.value })}
            />
          </Field>
          <Field label={text.tags} hint={TEXT.rules.listHint} error={issueOf(error, "tags")}>
            <input value={draft.tags} onInput={(event) => set({ tags: event.currentTarget.value })} />
          </Field>
          <Field label={text.expires} hint={text.expiresHint} error={issueOf(error, "expires_at")}>
            <input type="date" value={draft.expires} onInput={(event) => set({ expires: event.currentTarget.value })} />
          </Field>
          <label className="check">
            <input
              type="checkbox"
              checked={draft.permanent}
              onChange={(event) => set({ permanent: event.currentTarget.checked })}
            />
            {text.permanent}
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={draft.client_side}
              onChange={(event) => set({ client_side: event.currentTarget.checked })}
            />
            {text.clientSide}
          </label>
        </>
      )}
    </Section>
  );
}

/** Archives a flag, takes it back, or deletes it. */
function Retire({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const [open, setOpen] = useState<"archive" | "delete">();
  const navigate = useNavigate();
  const isArchived = flag.status === "ARCHIVED";
  const close = () => setOpen(undefined);
  const remove = () =>
    api.request("DELETE /feature-flags/{id}", { params: { id: flag.key }, headers: { "If-Match": stored.etag } });
  return (
    <section className="card stack" aria-label={text.end}>
      <h2>{text.end}</h2>
      <p className="muted">{isArchived ? text.archivedLead : text.archiveLead}</p>
      <div className="buttons start">
        <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setOpen("archive")}>
          {isArchived ? text.unarchive : text.archive}
        </RoleButton>
        <RoleButton needs="DEVELOPER" owner={flag.created_by} className="danger" onClick={() => setOpen("delete")}>
          {text.delete}
        </RoleButton>
      </div>
      {open === "archive" && (
        <Review
          title={isArchived ? text.unarchiveTitle(flag.key) : text.archiveTitle(flag.key)}
          stored={stored}
          fields={{ status: isArchived ? "INACTIVE" : "ARCHIVED" }}
          submit={isArchived ? text.unarchive : text.archive}
          onClose={close}
        />
      )}
      {open === "delete" && (
        <RemoveDialog
          title={text.deleteTitle(flag.key)}
          lead={text.deleteLead}
          submit={text.delete}
          remove={remove}
          reads={["flags"]}
          onRemoved={() => navigate({ to: "/flags" })}
          onClose={close}
        />
      )}
    </section>
  );
}
