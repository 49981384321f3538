import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { usePages } from "../parts/pages.ts";
import { PagedList } from "../parts/rows.tsx";
import { Empty } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { GroupCard } from "./group-card.tsx";
import { GroupForm, groupDraft } from "./group-form.tsx";
import { HoldoutCard } from "./holdout-card.tsx";

const { traffic: text } = TEXT;

/** Who shares which users: the holdout, and the slots of exclusion groups. */
export function TrafficPage() {
  const [isCreating, setCreating] = useState(() => hasDraft(groupDraft()));
  const pages = usePages(["groups"], (page) => api.request("GET /mutual-exclusion-groups", { query: page }), {
    limit: 50,
  });
  const groups = pages.items;
  const taken = new Set(groups?.flatMap(({ experiments }) => experiments.map(({ key }) => key)));
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <HoldoutCard />
      <div className="title-row">
        <div>
          <h2>{text.groups}</h2>
          <p className="muted">{text.groupsLead}</p>
        </div>
        <RoleButton needs="DEVELOPER" className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </RoleButton>
      </div>
      <PagedList pages={pages} rows={3} empty={<Empty>{text.empty}</Empty>}>
        {groups?.map((group) => (
          <GroupCard key={group.id} group={group} taken={taken} />
        ))}
      </PagedList>
      {isCreating && <GroupForm onClose={() => setCreating(false)} />}
    </div>
  );
}
