import type { Signup } from "@assay/contract";
import { ApiError, badRequest } from "../../ground/errors.ts";
import type { AccountService, Message } from "../../identity/auth-services.ts";
import { CODE_MINUTES, type CodePurpose, type Codes } from "../../identity/codes.ts";
import type { MailQueue } from "../../mail/mail-queue.ts";
import type { Mail } from "../../mail/mailer.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { UserService } from "../users/service.ts";
import { isInvited, type SignupMode } from "./invitation.ts";

const SENT = { message: "If the account exists, a code was sent to its e-mail address" };
const SUBJECTS: Record<CodePurpose, string> = { CONFIRM: "Confirm your account", RESET: "Set a new password" };

export function createAccountService(deps: {
  users: UserService;
  codes: Codes;
  mailQueue: MailQueue;
  mode: SignupMode;
  invited: readonly string[];
}): AccountService {
  const { users, codes, mailQueue, mode, invited } = deps;

  async function mailTo(user: UserRecord, purpose: CodePurpose): Promise<Mail> {
    const code = await codes.issue(user.id, purpose);
    return { to: user.email, subject: SUBJECTS[purpose], text: textOf(user, purpose, code) };
  }

  /** Responds the same and at once in both cases, so that callers cannot find out which accounts exist. */
  function send(login: string, purpose: CodePurpose, isWanted: (user: UserRecord) => boolean): Message {
    mailQueue.deliver(async () => {
      const user = users.findByLogin(login);
      return user?.is_active && isWanted(user) ? mailTo(user, purpose) : null;
    });
    return SENT;
  }

  /** @throws ApiError 400 */
  async function redeem(login: string, purpose: CodePurpose, code: string): Promise<UserRecord> {
    const user = users.findByLogin(login);
    const isRight = await codes.redeem(user?.id, purpose, code);
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
      const user = await users.register({ username, email, password, ...namesOf(body) }, by);
      mailQueue.deliver(() => mailTo(user, "CONFIRM"));
      return { username: user.username, user_id: user.id, confirmation_required: true };
    },
    async confirm(login, code, actor) {
      const user = await redeem(login, "CONFIRM", code);
      await users.confirm(user.id, self(user, actor, "user.confirm"));
      return { message: "The account is confirmed; you can sign in now" };
    },
    resendConfirmation: (login) => send(login, "CONFIRM", (user) => user.confirmed_at === null),
    forgotPassword: (login) => send(login, "RESET", (user) => user.password_hash !== null),
    async resetPassword(login, code, password, actor) {
      const user = await redeem(login, "RESET", code);
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
