import type { Signup } from "@assay/contract";
import type { Store } from "@assay/store";
import { ApiError, badRequest, isApiError } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import type { AccountService, Message } from "../../identity/auth-services.ts";
import { CODE_MINUTES, type CodePurpose, type Codes } from "../../identity/codes.ts";
import type { Trail } from "../../identity/trail.ts";
import type { MailQueue } from "../../mail/mail-queue.ts";
import type { Mail } from "../../mail/mailer.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { UserService } from "../users/service.ts";
import { isInvited, type SignupMode } from "./invitation.ts";
import { createMailBudget } from "./mail-budget.ts";

const SENT = { message: "If the account exists, a code was sent to its e-mail address" };
const SUBJECTS: Record<CodePurpose, string> = { CONFIRM: "Confirm your account", RESET: "Set a new password" };

export function createAccountService(deps: {
  store: Store;
  runtime: Runtime;
  users: UserService;
  codes: Codes;
  trail: Trail;
  mailQueue: MailQueue;
  mode: SignupMode;
  invited: readonly string[];
}): AccountService {
  const { store, runtime, users, codes, trail, mailQueue, mode, invited } = deps;

  const budgets = {
    CONFIRM: createMailBudget(store, runtime, "confirmations"),
    RESET: createMailBudget(store, runtime, "resets"),
    NOTICE: createMailBudget(store, runtime, "notices"),
  };

  /** Returns null if the address has had enough mails; the code of the last one stays valid. */
  async function mailTo(user: UserRecord, purpose: CodePurpose, actor: Actor): Promise<Mail | null> {
    if (!(await budgets[purpose].take(user.email))) return null;
    const code = await codes.issue(user.id, purpose, actor);
    return { to: user.email, subject: SUBJECTS[purpose], text: textOf(user, purpose, code) };
  }

  /** Responds the same and at once in both cases, so that callers cannot find out which accounts exist. */
  function send(login: string, purpose: CodePurpose, actor: Actor, isWanted: (user: UserRecord) => boolean): Message {
    mailQueue.deliver(async () => {
      const user = users.findByLogin(login);
      return user?.is_active && isWanted(user) ? mailTo(user, purpose, actor) : null;
    });
    return SENT;
  }

  /** Tells the owner of an address, and no one else, why a sign-up has created no account. */
  function noteTaken(owner: UserRecord, actor: Actor): void {
    trail.record({ action: "auth.signup_refused", actor, resource_type: "user", resource_id: owner.id });
    mailQueue.deliver(async () => {
      const { email } = owner;
      return (await budgets.NOTICE.take(email)) ? { to: email, subject: "Your sign-up", text: noticeOf(owner) } : null;
    });
  }

  /** @throws ApiError 400 */
  async function redeem(login: string, purpose: CodePurpose, code: string, actor: Actor): Promise<UserRecord> {
    const user = users.findByLogin(login);
    const isRight = await codes.redeem(user?.id, purpose, code, actor);
    if (!isRight || !user?.is_active) throw badRequest("The code is wrong or has expired");
    return user;
  }

  const self = (user: UserRecord, actor: Actor, action: string): Change => ({
    actor: { ...actor, actor_type: "USER", actor_id: user.id },
    action,
  });

  return {
    async signup(body, by) {
      if (mode === "OFF") throw new ApiError(403, "Sign-up is disabled; ask an administrator for an account");
      if (mode === "INVITE" && !isInvited(body.email, invited)) throw new ApiError(403, "Sign-up is by invitation");
      const { username, email, password } = body;
      try {
        const user = await users.register({ username, email, password, ...namesOf(body) }, by);
        mailQueue.deliver(() => mailTo(user, "CONFIRM", by.actor));
        return { username: user.username, user_id: user.id, confirmation_required: true };
      } catch (error) {
        if (!isApiError(error) || error.status !== 409) throw error;
        const owner = users.findByLogin(email);
        const isNameTaken = !username.includes("@") && users.findByLogin(username) !== undefined;
        if (isNameTaken || !owner) throw error;
        // The same response as for a new account, because a 409 would tell which e-mails have accounts.
        noteTaken(owner, by.actor);
        return { username, user_id: runtime.id(), confirmation_required: true };
      }
    },
    async confirm(login, code, actor) {
      const user = await redeem(login, "CONFIRM", code, actor);
      await users.confirm(user.id, self(user, actor, "user.confirm"));
      return { message: "The account is confirmed; you can sign in now" };
    },
    resendConfirmation: (login, actor) => send(login, "CONFIRM", actor, (user) => user.confirmed_at === null),
    forgotPassword: (login, actor) => send(login, "RESET", actor, (user) => user.password_hash !== null),
    async resetPassword(login, code, password, actor) {
      const user = await redeem(login, "RESET", code, actor);
      await users.resetPassword(user.id, password, self(user, actor, "auth.reset_password"));
      return { message: "The new password is set; sign in with it" };
    },
  };
}

function namesOf({ given_name, family_name, full_name = "" }: Signup) {
  if (given_name !== undefined || family_name !== undefined) {
    return { given_name: given_name ?? "", family_name: family_name ?? "" };
  }
  const words = full_name.split(/\s+/);
  const last = words.length > 1 ? words.pop()! : "";
  return { given_name: words.join(" "), family_name: last };
}

function textOf({ username }: UserRecord, purpose: CodePurpose, code: string): string {
  const reason = purpose === "CONFIRM" ? "to confirm the account" : "to set a new password for the account";
  return [
    `The code ${reason} "${username}" is:`,
    `    ${code}`,
    `It works once and for ${CODE_MINUTES} minutes. If you did not ask for it, ignore this e-mail.`,
    "",
  ].join("\n\n");
}

function noticeOf({ username }: UserRecord): string {
  return [
    `A sign-up with this e-mail address has created no account, because the account "${username}" has it.`,
    "If you have forgotten your password, request a code for a new one. If it was not you, ignore this e-mail.",
    "",
  ].join("\n\n");
}
