import type { FeatureFlag } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { SERVER_URL } from "../base.ts";
import { toKey } from "../flags/new-flag-page.tsx";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { toAgo } from "../parts/format.ts";
import { CopyButton, Secret } from "../parts/secret.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { SNIPPETS } from "./snippets.ts";

const { start } = TEXT;
const POLL_MS = 2_000;

/** From nothing to a flag that the reader's own code evaluates. */
export function StartPage() {
  const { draft, setDraft } = useDraft("start", { flag: "", language: "node" });
  // A key is in memory only; a reload asks for a new one.
  const [keys, setKeys] = useState<{ server?: string; web?: string }>({});
  const snippet = SNIPPETS.find(({ id }) => id === draft.language) ?? SNIPPETS[0]!;
  const kind = snippet.isWeb ? "web" : "server";
  const apiKey = keys[kind];
  const server = SERVER_URL.href.replace(/\/$/, "");
  const code = apiKey && snippet.code({ server, apiKey, flagKey: draft.flag });
  return (
    <div className="page narrow">
      <h1>{start.title}</h1>
      <p className="muted">{start.lead}</p>
      <ol className="steps">
        <li className="card stack">
          <h2>1. {start.steps[0]}</h2>
          <ChooseFlag flag={draft.flag} onChoose={(flag) => setDraft({ ...draft, flag })} />
        </li>
        <li className="card stack">
          <h2>2. {start.steps[1]}</h2>
          <Field label={start.language}>
            <select
              value={snippet.id}
              onChange={(event) => setDraft({ ...draft, language: event.currentTarget.value })}
            >
              {SNIPPETS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          {apiKey ? (
            <Secret value={apiKey} label={start.keyOnce} />
          ) : (
            <CreateKey key={kind} isWeb={snippet.isWeb} onCreate={(key) => setKeys({ ...keys, [kind]: key })} />
          )}
          <p className="hint">{snippet.isWeb ? start.keyForPages : start.keyForServers}</p>
        </li>
        {code && draft.flag && (
          <li className="card stack">
            <h2>3. {start.steps[2]}</h2>
            <pre>
              <code>{code}</code>
            </pre>
            <div>
              <CopyButton text={code} />
            </div>
          </li>
        )}
        {code && draft.flag && (
          <li className="card stack">
            <h2>4. {start.steps[3]}</h2>
            <Seen flag={draft.flag} isWeb={snippet.isWeb} />
          </li>
        )}
      </ol>
    </div>
  );
}

function ChooseFlag({ flag, onChoose }: { flag: string; onChoose: (key: string) => void }) {
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const missing = useMissingRole("DEVELOPER");
  const flags = useQuery({
    queryKey: ["flags", "start"],
    queryFn: () => api.request("GET /feature-flags/", { query: { limit: 100, status_filter: "ACTIVE" } }),
  });
  const creation = useMutation({
    mutationFn: () => {
      const body = { key: toKey(name), name, value_type: "BOOLEAN", status: "ACTIVE", client_side: true } as const;
      return api.request("POST /feature-flags/", { body });
    },
    async onSuccess({ key }: FeatureFlag) {
      await queries.invalidateQueries({ queryKey: ["flags"] });
      onChoose(key);
      setName("");
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    creation.mutate();
  }
  if (flags.isPending) return <Skeleton rows={1} />;
  if (flags.isError) return <Problem error={flags.error} onRetry={() => void flags.refetch()} />;
  return (
    <>
      {flags.data.length > 0 && (
        <Field label={start.chooseFlag}>
          <select value={flag} onChange={(event) => onChoose(event.currentTarget.value)}>
            <option value="">{start.choose}</option>
            {flags.data.map(({ key }) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
          </select>
        </Field>
      )}
      <form className="inline-form" onSubmit={submit}>
        <Field label={start.newFlagName}>
          <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
        <button type="submit" disabled={creation.isPending || missing !== undefined}>
          {start.create}
        </button>
        {missing && <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>}
      </form>
      <ActionError error={creation.error} />
      {flag && <p role="status">{start.created(flag)}</p>}
    </>
  );
}

function CreateKey({ isWeb, onCreate }: { isWeb: boolean; onCreate: (key: string) => void }) {
  const [name, setName] = useState<string>(isWeb ? start.keyNames.web : start.keyNames.server);
  const missing = useMissingRole("DEVELOPER");
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: () =>
      api.request("POST /api-keys", { body: { name, kind: isWeb ? "CLIENT" : "SERVER", scopes: ["read", "write"] } }),
    async onSuccess({ key }) {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      if (key) onCreate(key);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    creation.mutate();
  }
  return (
    <>
      <form className="inline-form" onSubmit={submit}>
        <Field label={start.keyName}>
          <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
        <button type="submit" disabled={creation.isPending || missing !== undefined}>
          {start.createKey}
        </button>
        {missing && <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>}
      </form>
      <ActionError error={creation.error} />
    </>
  );
}

/** Waits for the first evaluation. The server keeps its time to the minute, so any time since the page opened counts. */
function Seen({ flag: key, isWeb }: { flag: string; isWeb: boolean }) {
  const { data: flag } = useQuery({
    queryKey: ["flag-seen", key],
    queryFn: () => api.request("GET /feature-flags/{id}", { params: { id: key } }),
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <p role="status">
        {flag?.last_evaluated_at ? (
          <span className="seen">{start.seen(toAgo(flag.last_evaluated_at))}</span>
        ) : (
          start.waiting
        )}
      </p>
      {isWeb && flag?.client_side === false && <p className="note">{start.notForPages}</p>}
      <Link to="/flags/$key" params={{ key }}>
        {start.open}
      </Link>
    </>
  );
}
