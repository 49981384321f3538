import { createHash, randomBytes } from "node:crypto";
import type { Tokens } from "@assay/contract";
import { unauthorized } from "../../http/errors.ts";
import type { Passwords } from "../../identity/passwords.ts";
import type { TokenSigner } from "../../identity/tokens.ts";
import type { Trail } from "../../identity/trail.ts";
import { type Runtime, timestampOf } from "../../runtime.ts";
import { type Actor, type Change, SYSTEM } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { UserRecord } from "../users/record.ts";
import type { UserService } from "../users/service.ts";
import type { SessionRecord } from "./record.ts";

export interface AuthService {
  /** @throws ApiError 401, one text for every wrong login */
  login(username: string, password: string, actor: Actor): Promise<Tokens>;
  /** Spends a refresh token for new tokens; a spent one ends the whole session. @throws ApiError 401 */
  refresh(refreshToken: string, actor: Actor): Promise<Tokens>;
  logout(sessionId: string | null, by: Change): Promise<void>;
  /** The user of a live session. @throws ApiError 401 */
  authenticate(accessToken: string): Promise<{ user: UserRecord; sessionId: string | null }>;
}

const REFRESH_LIFETIME_MS = 30 * 24 * 3600 * 1000;
const SPENT_KEPT = 20;

export function createAuthService(deps: {
  runtime: Runtime;
  passwords: Passwords;
  users: UserService;
  sessions: Collection<SessionRecord>;
  tokens: TokenSigner;
  trail: Trail;
}): AuthService {
  const { runtime, passwords, users, sessions, tokens, trail } = deps;
  const expiry = () => timestampOf(runtime.now() + REFRESH_LIFETIME_MS);

  async function answer(session: SessionRecord, secret: string): Promise<Tokens> {
    return {
      access_token: await tokens.sign(session.user_id, session.id),
      refresh_token: `${session.id}.${secret}`,
      token_type: "bearer",
      expires_in: tokens.lifetime,
    };
  }

  function activeUser(id: string): UserRecord {
    const user = users.require(id);
    if (!user.is_active) throw unauthorized("Could not validate credentials");
    return user;
  }

  async function sweep(userId: string): Promise<void> {
    const now = timestampOf(runtime.now());
    const expired = sessions.all().filter((session) => session.user_id === userId && session.expires_at < now);
    for (const session of expired) await sessions.remove(session.id, { actor: SYSTEM, action: "session.expire" });
  }

  return {
    async login(username, password, actor) {
      const user = users.findByLogin(username);
      const matches = await passwords.verify(password, user?.password_hash ?? null);
      if (!user || !matches || !user.is_active) {
        trail.record({ action: "auth.login_failed", actor, resource_type: "user", resource_id: user?.id ?? null });
        throw unauthorized("Incorrect username or password");
      }
      const secret = newSecret();
      const self: Actor = { ...actor, actor_type: "USER", actor_id: user.id };
      const session = await sessions.insert(
        { user_id: user.id, secret_hash: hashOf(secret), spent_hashes: [], expires_at: expiry() },
        { actor: self, action: "auth.login" },
      );
      await sweep(user.id);
      return answer(session, secret);
    },
    async refresh(refreshToken, actor) {
      const [id = "", given = ""] = refreshToken.split(".", 2);
      const session = sessions.get(id);
      const hash = hashOf(given);
      if (!session || session.expires_at < timestampOf(runtime.now()))
        throw unauthorized("Could not validate credentials");
      const self: Actor = { ...actor, actor_type: "USER", actor_id: session.user_id };
      if (session.secret_hash !== hash) {
        if (session.spent_hashes.includes(hash)) {
          await sessions.remove(id, { actor: self, action: "auth.refresh_reuse" });
        }
        throw unauthorized("Could not validate credentials");
      }
      activeUser(session.user_id);
      const secret = newSecret();
      const updated = await sessions.update(
        id,
        (current) => {
          // Two requests with the same token: the one that lost the race sees it already spent.
          if (current.secret_hash !== hash) throw unauthorized("Could not validate credentials");
          const spent_hashes = [...current.spent_hashes, hash].slice(-SPENT_KEPT);
          return { ...current, secret_hash: hashOf(secret), spent_hashes, expires_at: expiry() };
        },
        { actor: self, action: "auth.refresh" },
      );
      return answer(updated, secret);
    },
    async logout(sessionId, by) {
      if (sessionId && sessions.get(sessionId)) await sessions.remove(sessionId, by);
    },
    async authenticate(accessToken) {
      const { userId, sessionId } = await tokens.verify(accessToken);
      const session = sessionId === null ? undefined : sessions.get(sessionId);
      if (!session || session.user_id !== userId) throw unauthorized("Could not validate credentials");
      return { user: activeUser(userId), sessionId };
    },
  };
}

const newSecret = () => randomBytes(32).toString("base64url");
const hashOf = (secret: string) => createHash("sha256").update(secret).digest("base64url");
