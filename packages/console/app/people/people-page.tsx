import type { User } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toDay } from "../parts/format.ts";
import { ListPage } from "../parts/list-page.tsx";
import { HintedButton } from "../parts/needs-role.tsx";
import { usePages } from "../parts/pages.ts";
import { type Column, PagedRows } from "../parts/rows.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useMissingRank, useRank } from "./data.ts";
import { NewPerson, PERSON_DRAFT } from "./new-person.tsx";
import { Permissions } from "./permissions.tsx";

const { people: text } = TEXT;
const { columns } = text;

const COLUMNS: Column<User>[] = [
  {
    label: columns.person,
    cell: ({ id, full_name, username }) => (
      <Link to="/people/$id" params={{ id }} className="row-link">
        <b>{full_name || username}</b>
        <span className="muted small">{username}</span>
      </Link>
    ),
  },
  { label: columns.email, cell: ({ email }) => email },
  { label: columns.role, cell: (user) => <Roles user={user} /> },
  { label: columns.state, cell: (user) => <PersonState user={user} /> },
  { label: columns.since, cell: ({ created_at }) => toDay(created_at) },
];

/** Everyone with an account, for administrators; others see themselves. */
export function PeoplePage() {
  const [isCreating, setCreating] = useState(() => hasDraft(PERSON_DRAFT));
  const missing = useMissingRank();
  const rank = useRank();
  const pages = usePages(["users"], (page) => api.request("GET /users/", { query: page }));
  return (
    <ListPage
      title={text.title}
      count={pages.total !== null && text.count(pages.total)}
      action={
        <HintedButton missing={missing} className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </HintedButton>
      }
      lead={rank && !rank.isAdmin && <p className="muted">{text.onlyYou}</p>}
    >
      <PagedRows pages={pages} columns={COLUMNS} keyOf={({ id }) => id} empty={null} />
      {rank?.isAdmin && <RoleList />}
      {isCreating && <NewPerson onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

export function Roles({ user }: { user: User }) {
  return (
    <span>
      {TEXT.roles[user.role]}
      {user.is_superuser && ` · ${text.superuser}`}
      {(user.custom_roles ?? []).map((role) => (
        <span key={role}>
          {" "}
          <span className="tag">{role}</span>
        </span>
      ))}
    </span>
  );
}

export function PersonState({ user }: { user: User }) {
  return user.is_active ? (
    <span className="badge state-active">{text.active}</span>
  ) : (
    <span className="badge">{text.inactive}</span>
  );
}

/** What each role allows. */
function RoleList() {
  const roles = useQuery({
    queryKey: ["roles"],
    queryFn: () => api.request("GET /roles", { query: { limit: 100 } }),
  });
  if (!roles.data) return null;
  return (
    <section className="stack">
      <h2>{text.roles}</h2>
      {roles.data.items.map(({ name, description, is_built_in, permissions }) => (
        <details key={name} className="card">
          <summary>
            <b>{name}</b> {!is_built_in && <span className="tag">{text.custom}</span>} {description}
          </summary>
          <Permissions permissions={permissions} />
        </details>
      ))}
    </section>
  );
}
