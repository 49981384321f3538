import type { User } from "@assay/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toDay } from "../parts/format.ts";
import { HintedButton } from "../parts/needs-role.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useMissingRank, useRank } from "./data.ts";
import { NewPerson } from "./new-person.tsx";
import { Permissions } from "./permissions.tsx";

const { people: text } = TEXT;
const { columns } = text;
const PAGE = 100;

/** Everyone with an account, for administrators; others see themselves. */
export function PeoplePage() {
  const [isCreating, setCreating] = useState(false);
  const missing = useMissingRank();
  const rank = useRank();
  const list = useInfiniteQuery({
    queryKey: ["users"],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => api.request("GET /users/", { query: { skip: pageParam, limit: PAGE } }),
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
  });
  const users = list.data?.pages.flatMap(({ items }) => items);
  return (
    <div className="page">
      <div className="title-row">
        <h1>
          {text.title} {users && <span className="count">{text.count(list.data?.pages[0]?.total ?? 0)}</span>}
        </h1>
        <HintedButton missing={missing} className="primary" onClick={() => setCreating(true)}>
          {text.create}
        </HintedButton>
      </div>
      {rank && !rank.isAdmin && <p className="muted">{text.onlyYou}</p>}
      {list.isPending && <Skeleton rows={4} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {users && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{columns.person}</th>
              <th scope="col">{columns.email}</th>
              <th scope="col">{columns.role}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.since}</th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <tr key={user.id}>
                <td data-label={columns.person}>
                  <Link to="/people/$id" params={{ id: user.id }} className="row-link">
                    <b>{user.full_name || user.username}</b>
                    <span className="muted small">{user.username}</span>
                  </Link>
                </td>
                <td data-label={columns.email}>{user.email}</td>
                <td data-label={columns.role}>
                  <Roles user={user} />
                </td>
                <td data-label={columns.state}>
                  <PersonState user={user} />
                </td>
                <td data-label={columns.since}>{toDay(user.created_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
      {rank?.isAdmin && <RoleList />}
      {isCreating && <NewPerson onClose={() => setCreating(false)} />}
    </div>
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
    queryFn: () => api.request("GET /roles", { query: { limit: PAGE } }),
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
