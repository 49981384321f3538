import type { SignedUp, Signup, Tokens } from "@assay/contract";
import type { UserRecord } from "../model/user.ts";
import type { Actor, Change } from "../storage/change.ts";

/** Sign-in and sessions, of local users or with an identity provider. */
export interface AuthService {
  /** @throws ApiError 401, with the same text for every failed login; 429 after too many */
  login(username: string, password: string, actor: Actor): Promise<Tokens>;
  /** Exchanges a refresh token for new tokens. A spent token ends the whole session. @throws ApiError 401 */
  refresh(refreshToken: string, actor: Actor): Promise<Tokens>;
  logout(sessionId: string | null, by: Change): Promise<void>;
  /** The user of an active session. @throws ApiError 401 */
  authenticate(accessToken: string): Promise<{ user: UserRecord; sessionId: string | null }>;
}

/** Self-service before sign-in. */
export interface AccountService {
  /**
   * Answers the same for a taken name or e-mail; an e-mail then tells the owner of the address.
   * @throws ApiError 403 if sign-up is off or requires an invitation, 422
   */
  signup(body: Signup, by: Change): Promise<SignedUp>;
  /** @throws ApiError 400, with the same text for wrong code, expired code and unknown account */
  confirm(login: string, code: string, actor: Actor): Promise<Message>;
  /** Responds before looking up the account, so that it reveals nothing. */
  resendConfirmation(login: string, actor: Actor): Message;
  /** Responds before looking up the account, so that it reveals nothing. */
  forgotPassword(login: string, actor: Actor): Message;
  /** @throws ApiError 400 like `confirm` */
  resetPassword(login: string, code: string, password: string, actor: Actor): Promise<Message>;
}

/** A sentence for the user. */
export interface Message {
  message: string;
}
