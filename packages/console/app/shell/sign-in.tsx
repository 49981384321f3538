import { isAssayError } from "@assay/client";
import { type FormEvent, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { describeError } from "../parts/states.tsx";
import { signIn } from "../session.ts";
import { TEXT } from "../text.ts";

export function SignInPage() {
  return (
    <main className="sign-in" id="main">
      <h1>{TEXT.signIn.title}</h1>
      <p className="muted">{TEXT.signIn.lead}</p>
      <SignInForm />
    </main>
  );
}

/** Asks for credentials over the page, so that what was typed there stays. */
export function SignInDialog() {
  return (
    <Dialog title={TEXT.signIn.expired}>
      <p>{TEXT.signIn.kept}</p>
      <SignInForm />
    </Dialog>
  );
}

function SignInForm() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn(username, password);
    } catch (error) {
      const isWrong = isAssayError(error) && error.status === 401;
      setFailure(isWrong ? TEXT.signIn.wrong : describeError(error).detail);
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit} className="stack">
      <Field label={TEXT.signIn.username}>
        <input
          name="username"
          autoComplete="username"
          required
          value={username}
          onInput={(event) => setUsername(event.currentTarget.value)}
        />
      </Field>
      <Field label={TEXT.signIn.password}>
        <input
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </Field>
      {failure && (
        <p role="alert" className="problem">
          {failure}
        </p>
      )}
      <button type="submit" className="primary" disabled={isBusy}>
        {isBusy ? TEXT.signIn.busy : TEXT.signIn.submit}
      </button>
    </form>
  );
}
