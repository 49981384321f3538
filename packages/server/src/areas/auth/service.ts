import type { Tokens } from "@assay/contract";
import { isApiError, unauthorized } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { AuthService } from "../../identity/auth-services.ts";
import type { Lockout } from "../../identity/lockout.ts";
import type { Passwords } from "../../identity/passwords.ts";
import { endSession } from "../../identity/sessions.ts";
import type { TokenSigner } from "../../identity/tokens.ts";
import type { Trail } from "../../identity/trail.ts";
import type { SessionRecord } from "../../model/session.ts";
import type { UserRecord } from "../../model/user.ts";
import { type Actor, SYSTEM } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { UserService } from "../users/service.ts";
import { judge, nextRefreshToken, REFRESH_LIFETIME_MS, sessionIdIn } from "./refresh-token.ts";

export function createAuthService(deps: {
  runtime: Runtime;
  passwords: Passwords;
  users: UserService;
  sessions: Collection<SessionRecord>;
  tokens: TokenSigner;
  trail: Trail;
  lockout: Lockout;
  /** Applies the changes of other nodes. */
  catchUp: () => Promise<void>;
}): AuthService {
  const { runtime, passwords, users, sessions, tokens, trail, lockout, catchUp } = deps;
  const expiry = () => timestampOf(runtime.now() + REFRESH_LIFETIME_MS);

  async function answer(session: SessionRecord, refresh_token: string): Promise<Tokens> {
    return {
      access_token: await tokens.sign(session.user_id, session.id),
      refresh_token,
      token_type: "bearer",
      expires_in: tokens.lifetime,
    };
  }

  /** @throws ApiError 401 */
  function activeUser(id: string): UserRecord {
    const user = users.find(id);
    if (!user?.is_active) throw unauthorized("Could not validate credentials");
    return user;
  }

  /** Ends expired sessions, of anyone: they are in memory, and their users may never come back. */
  async function sweep(): Promise<void> {
    const now = timestampOf(runtime.now());
    const expired = sessions.all().filter((session) => session.expires_at < now);
    for (const session of expired.slice(0, SWEPT))
      await endSession(sessions, session.id, { actor: SYSTEM, action: "session.expire" });
  }

  return {
    async login(username, password, actor) {
      const user = users.findByLogin(username);
      const account = user?.id ?? username;
      await lockout.check(actor.ip, account);
      const matches = await passwords.verify(password, user?.password_hash ?? null);
      if (!user || !matches || !user.is_active || user.confirmed_at === null) {
        await lockout.failed(actor.ip, account);
        trail.record({ action: "auth.login_failed", actor, resource_type: "user", resource_id: user?.id ?? null });
        throw unauthorized("Incorrect username or password");
      }
      await lockout.succeeded(actor.ip, account);
      const { state, tokenOf } = nextRefreshToken();
      const self: Actor = { ...actor, actor_type: "USER", actor_id: user.id };
      const session = await sessions.insert(
        { user_id: user.id, ...state, expires_at: expiry() },
        { actor: self, action: "auth.login" },
      );
      await sweep();
      return answer(session, tokenOf(session.id));
    },
    async refresh(refreshToken, actor) {
      // Another node may have exchanged the token a moment ago.
      await catchUp();
      const session = sessions.get(sessionIdIn(refreshToken));
      const verdict = session ? judge(refreshToken, session) : "FOREIGN";
      if (!session || verdict === "FOREIGN" || session.expires_at < timestampOf(runtime.now())) {
        throw unauthorized("Could not validate credentials");
      }
      const self: Actor = { ...actor, actor_type: "USER", actor_id: session.user_id };
      if (verdict === "SPENT") {
        await endSession(sessions, session.id, { actor: self, action: "auth.refresh_reuse" });
        throw unauthorized("Could not validate credentials");
      }
      activeUser(session.user_id);
      const { state, tokenOf } = nextRefreshToken(session);
      const rotate = (current: SessionRecord) => {
        // Of two requests with the same token, the slower one finds it spent.
        if (judge(refreshToken, current) !== "CURRENT") throw unauthorized("Could not validate credentials");
        return { ...current, ...state, expires_at: expiry() };
      };
      const by = { actor: self, action: "auth.refresh" };
      const updated = await sessions.update(session.id, rotate, by).catch((error: unknown) => {
        // The session ended in the meantime, by a logout or a reused token.
        throw isApiError(error) ? unauthorized("Could not validate credentials") : error;
      });
      return answer(updated, tokenOf(session.id));
    },
    async logout(sessionId, by) {
      if (sessionId) await endSession(sessions, sessionId, by);
    },
    async authenticate(accessToken) {
      const { userId, sessionId } = await tokens.verify(accessToken);
      if (sessionId !== null && !sessions.get(sessionId)) await catchUp();
      const session = sessionId === null ? undefined : sessions.get(sessionId);
      if (!session || session.user_id !== userId) throw unauthorized("Could not validate credentials");
      return { user: activeUser(userId), sessionId };
    },
  };
} /** The maximum number of expired sessions that a sign-in ends. */
const SWEPT = 20;
