import { nameOf, type Step } from "@assay/client/definitions";
import { useRouter } from "@tanstack/react-router";
import { useId } from "react";
import { DiffTable } from "../parts/diff.tsx";
import { TEXT } from "../text.ts";
import { sayField } from "./facts.ts";

const { promotion: text } = TEXT;

interface Props {
  step: Step;
  /** The environment that changes. */
  to: string;
  isChosen: boolean;
  /** The new definitions that this one needs. */
  needed: readonly Step[];
  /** Undefined before it starts. */
  state: "waiting" | "working" | Step | undefined;
  isDisabled: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** One definition that differs: whether to take it, what changes, and what became of it. */
export function StepRow({ step, to, isChosen, needed, state, isDisabled, onChoose }: Props) {
  const { kind, key, action, changes, refusal } = step;
  const id = useId();
  const name = text.choose(text.kind[kind], key);
  return (
    <li className="card stack" aria-label={name}>
      <div className="title-row">
        <label className="check" htmlFor={id}>
          <input
            id={id}
            type="checkbox"
            checked={isChosen && refusal === null}
            disabled={isDisabled || refusal !== null}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
          <span>
            {text.kind[kind]} <code className="break">{key}</code>
          </span>
        </label>
        <span className="badge">{text.actions[action]}</span>
      </div>
      {refusal !== null && <p className="note">{refusal}</p>}
      {needed.length > 0 && <p className="hint">{text.needs(needed.map(nameOf).join(", "))}</p>}
      <details open={action === "update"}>
        <summary>{text.fields(key, changes.length)}</summary>
        <DiffTable
          before={action === "create" ? [] : changes.flatMap(({ field, from }) => sayField(kind, field, from))}
          after={changes.flatMap(({ field, to: value }) => sayField(kind, field, value))}
        />
      </details>
      {state !== undefined && <Outcome state={state} to={to} />}
    </li>
  );
}

function Outcome({ state, to }: { state: "waiting" | "working" | Step; to: string }) {
  const router = useRouter();
  if (typeof state === "string") return <p className="muted">{text.states[state]}</p>;
  const { refusal, proposal } = state;
  if (refusal !== null) return <p className="problem">{text.states.refused(refusal)}</p>;
  if (!proposal) return <p className="seen">{text.states.promoted}</p>;
  const page = router.buildLocation({
    to: "/proposals/$id",
    params: { id: proposal.id },
    search: { environment: to },
  });
  // Another environment opens as a new page.
  return (
    <p className="seen">
      {proposal.is_new ? text.states.proposed : text.states.open} <a href={page.href}>{TEXT.proposals.see}</a>
    </p>
  );
}
