import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { parseAttributes } from "../flags/attributes.ts";
import { Field } from "../parts/field.tsx";
import { ActionError, issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { segments: text } = TEXT;

/** Whether one user is a member, and why. */
export function Membership({ id }: { id: string }) {
  const [user, setUser] = useState("");
  const [attributes, setAttributes] = useState("");
  const [badLine, setBadLine] = useState<string>();
  const question = useMutation({
    mutationFn: (body: { user_id: string; attributes: Record<string, unknown> }) =>
      api.request("POST /segments/{id}/evaluate", { params: { id }, body: body as never }),
  });
  function ask(event: FormEvent) {
    event.preventDefault();
    try {
      question.mutate({ user_id: user, attributes: parseAttributes(attributes) });
      setBadLine(undefined);
    } catch (line) {
      setBadLine(TEXT.who.badLine(String(line)));
    }
  }
  const { data } = question;
  return (
    <div className="split">
      <form className="stack" onSubmit={ask}>
        <Field label={TEXT.who.user} error={issueOf(question.error, "user_id")}>
          <input required value={user} onInput={(event) => setUser(event.currentTarget.value)} />
        </Field>
        <Field
          label={TEXT.who.attributes}
          hint={TEXT.who.attributesHint}
          error={badLine ?? issueOf(question.error, "attributes")}
        >
          <textarea
            className="mono"
            rows={3}
            value={attributes}
            onInput={(event) => setAttributes(event.currentTarget.value)}
          />
        </Field>
        <ActionError error={question.error} except={["user_id", "attributes"]} />
        <div>
          <button type="submit" className="primary" disabled={question.isPending}>
            {TEXT.who.submit}
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {data && (
          <section className="card stack">
            <p className="sentence">{data.is_member ? text.member(data.user_id) : text.noMember(data.user_id)}</p>
            {data.matched.length > 0 && (
              <ul className="rules">
                {data.matched.map((one) => (
                  <li key={one}>{one === "user_ids" ? text.matchedUser : one}</li>
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
    </div>
  );
}
