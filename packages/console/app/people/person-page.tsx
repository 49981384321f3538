import type { User } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { toDay } from "../parts/format.ts";
import { HintedButton } from "../parts/needs-role.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useMissingRank, useRank, useUser } from "./data.ts";
import { draftKeys, EditAccount, EditRole, Remove, Switch } from "./edit-person.tsx";
import { PersonState, Roles } from "./people-page.tsx";
import { Permissions } from "./permissions.tsx";

const { people: text } = TEXT;
type Open = "role" | "account" | "switch" | "remove";

/** One person: the role, what it allows, and the changes to the account. */
export function PersonPage() {
  const { id } = useParams({ from: "/people/$id" });
  const { data: user, error, isPending, refetch } = useUser(id);
  if (isPending) return <Skeleton rows={4} />;
  return (
    <div className="page">
      {user ? <Person key={id} user={user} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </div>
  );
}

function Person({ user }: { user: User }) {
  const [open, setOpen] = useState<Open | undefined>(() => {
    const { role, account } = draftKeys(user);
    return hasDraft(role) ? "role" : hasDraft(account) ? "account" : undefined;
  });
  const missing = useMissingRank(user);
  const rank = useRank();
  const isMe = rank?.id === user.id;
  const permissions = useQuery({
    queryKey: ["permissions", user.id, user.updated_at],
    queryFn: () => api.request("GET /users/{user_id}/permissions", { params: { user_id: user.id } }),
  });
  const close = () => setOpen(undefined);
  return (
    <>
      <div>
        <h1>
          {user.full_name || user.username} <PersonState user={user} />
        </h1>
        <p className="muted">
          {user.username} · {user.email} · {text.since(toDay(user.created_at))}
        </p>
      </div>
      <p className="sentence">
        <Roles user={user} />
      </p>
      <p className="muted">{text.roleHints[user.role]}</p>
      <div className="buttons start">
        <HintedButton missing={missing} className="primary" onClick={() => setOpen("role")}>
          {text.changeRole}
        </HintedButton>
        <HintedButton missing={isMe ? undefined : missing} onClick={() => setOpen("account")}>
          {text.editAccount}
        </HintedButton>
        <HintedButton missing={missing} onClick={() => setOpen("switch")}>
          {user.is_active ? text.deactivate : text.activate}
        </HintedButton>
        <HintedButton missing={missing} className="danger" onClick={() => setOpen("remove")}>
          {text.remove}
        </HintedButton>
      </div>
      <h2>{text.permissions.title}</h2>
      {permissions.isPending && <Skeleton rows={4} height={36} />}
      {permissions.isError && <Problem error={permissions.error} onRetry={() => void permissions.refetch()} />}
      {permissions.data && <Permissions permissions={permissions.data.permissions} />}
      {open === "role" && <EditRole user={user} onClose={close} />}
      {open === "account" && <EditAccount user={user} onClose={close} />}
      {open === "switch" && <Switch user={user} onClose={close} />}
      {open === "remove" && <Remove user={user} onClose={close} />}
    </>
  );
}
