import { KINDS, nameOf, neededBy, type Step } from "@assay/client/definitions";
import { useState } from "react";
import { useDialogDraft, useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { RoleButton } from "../parts/needs-role.tsx";
import { ActionError } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import { type Outcomes, useCarryOut } from "./carry-out.ts";
import { type Plan, withNeeded } from "./plan.ts";
import { StepRow } from "./step-row.tsx";

const { promotion: text } = TEXT;

interface Props {
  from: string;
  to: string;
  isProtected: boolean;
  plan: Plan;
  onCompare: () => void;
}

/** What differs between two environments, and what becomes of what one chooses. */
export function Differences({ from, to, isProtected, plan, onCompare }: Props) {
  const { steps, same, left } = plan;
  const { draft, setDraft, clear } = useDraft<string[]>(`promotion ${from} ${to}`, []);
  const [isAsking, setAsking] = useState(false);
  const work = useCarryOut();
  const possible = steps.filter(({ refusal }) => refusal === null);
  const chosen = possible.filter((step) => draft.includes(nameOf(step)));
  const isOver = work.order !== undefined && !work.isRunning;
  const count = (action: Step["action"]) => steps.filter((step) => step.action === action).length;

  function choose(step: Step, isChosen: boolean) {
    const name = nameOf(step);
    setDraft(isChosen ? withNeeded([...draft, name], possible) : draft.filter((one) => one !== name));
  }
  function start(reason: string) {
    setAsking(false);
    work.start({ to, steps: chosen, reason: reason.trim() || text.reason(from), isProposed: isProtected });
  }
  return (
    <>
      <p>{steps.length === 0 ? text.nothing(to) : text.counts(count("create"), count("update"), same)}</p>
      {left.length > 0 && <p className="muted break">{text.left(to, left.join(", "))}</p>}
      {possible.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={chosen.length === possible.length}
            disabled={work.order !== undefined}
            onChange={(event) => setDraft(event.currentTarget.checked ? possible.map(nameOf) : [])}
          />
          {text.chooseAll}
        </label>
      )}
      {KINDS.map((kind) => {
        const own = steps.filter((step) => step.kind === kind);
        return own.length === 0 ? null : (
          <section key={kind} aria-label={text.kinds[kind]}>
            <h2>{text.kinds[kind]}</h2>
            <ul className="rules">
              {own.map((step) => (
                <StepRow
                  key={nameOf(step)}
                  step={step}
                  to={to}
                  isChosen={draft.includes(nameOf(step))}
                  needed={neededBy(step, possible)}
                  state={work.order && stateOf(step, work.order.steps, work.outcomes, work.isRunning)}
                  isDisabled={work.order !== undefined}
                  onChoose={(isChosen) => choose(step, isChosen)}
                />
              ))}
            </ul>
          </section>
        );
      })}
      <ActionError error={work.error} />
      <p role="status">
        {work.order && sayProgress(work.order.steps.length, work.outcomes, work.isRunning, isProtected)}
      </p>
      <div className="buttons start">
        {isOver || steps.length === 0 ? (
          <button
            type="button"
            className="primary"
            onClick={() => {
              clear();
              onCompare();
            }}
          >
            {text.again}
          </button>
        ) : (
          <RoleButton
            needs="DEVELOPER"
            className="primary"
            disabled={chosen.length === 0 || work.isRunning}
            onClick={() => setAsking(true)}
          >
            {isProtected ? text.propose(chosen.length) : text.promote(chosen.length)}
          </RoleButton>
        )}
      </div>
      {isAsking && (
        <Ask {...{ from, to, isProtected }} count={chosen.length} onStart={start} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface AskProps extends Pick<Props, "from" | "to" | "isProtected"> {
  count: number;
  onStart: (reason: string) => void;
  onClose: () => void;
}

/** Asks before another environment changes, and for the reason. */
function Ask({ from, to, isProtected, count, onStart, onClose }: AskProps) {
  const { draft, set, close } = useDialogDraft(`promotion reason ${from} ${to}`, { reason: "" }, onClose);
  return (
    <FormDialog
      title={isProtected ? text.proposeTitle(count, to) : text.promoteTitle(count, to)}
      submit={isProtected ? text.propose(count) : text.promote(count)}
      action={{ isPending: false, error: null }}
      onSubmit={() => {
        onStart(draft.reason);
        close();
      }}
      onClose={close}
    >
      <p>{text.order}</p>
      <Field label={TEXT.reason} hint={TEXT.reasonHint}>
        <input
          value={draft.reason}
          placeholder={text.reason(from)}
          onInput={(event) => set({ reason: event.currentTarget.value })}
        />
      </Field>
    </FormDialog>
  );
}

/** Returns how far a step is; undefined if it was not chosen. */
function stateOf(step: Step, ordered: readonly Step[], outcomes: Outcomes, isRunning: boolean) {
  const name = nameOf(step);
  if (!ordered.some((one) => nameOf(one) === name)) return undefined;
  const next = ordered.find((one) => outcomes[nameOf(one)] === undefined);
  return outcomes[name] ?? (isRunning && next && nameOf(next) === name ? "working" : "waiting");
}

function sayProgress(all: number, outcomes: Outcomes, isRunning: boolean, isProtected: boolean): string {
  const taken = Object.values(outcomes);
  if (isRunning) return text.running(taken.length, all);
  const refused = taken.filter(({ refusal }) => refusal !== null).length;
  return (isProtected ? text.proposed : text.done)(taken.length - refused, refused);
}
