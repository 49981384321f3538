import type { Tokens } from "@assay/contract";
import { badRequest, unauthorized } from "../../../errors.ts";
import type { Lockout } from "../../../identity/lockout.ts";
import type { Trail } from "../../../identity/trail.ts";
import type { Runtime } from "../../../runtime.ts";
import type { Actor } from "../../../storage/change.ts";
import type { AccountService } from "../accounts.ts";
import type { AuthService } from "../service.ts";
import type { People } from "./people.ts";
import { isRefusal, type Provider, type TokenAnswer } from "./provider.ts";

interface AuthDeps {
  provider: Provider;
  people: People;
  runtime: Runtime;
  trail: Trail;
  lockout: Lockout;
  /** Where people sign in, as the answers say it. */
  signIn: string;
}

/** Signing in with an identity provider: what it offers is forwarded to it, for the rest people are sent there. */
export interface ExternalAuthService extends AuthService {
  /** Notes who signed in and answers what our API takes. @throws ApiError 401 */
  accept(answer: TokenAnswer, actor: Actor): Promise<Tokens>;
}

export function createExternalAuth(deps: AuthDeps): ExternalAuthService {
  const { provider, people, runtime, trail, lockout, signIn } = deps;

  /** Checked with the eyes of the API, so that nobody gets a token that the next request refuses. */
  async function check(answer: TokenAnswer) {
    const token = provider.bearerOf(answer);
    if (token === undefined) throw unauthorized("Could not validate credentials");
    const claims = await provider.verify(token);
    if (answer.id_token !== undefined) await seeProfile(answer);
    const user = await people.see(claims);
    const tokens: Tokens = {
      access_token: token,
      refresh_token: answer.refresh_token ?? "",
      token_type: "bearer",
      expires_in: Math.max(0, Math.floor(claims.exp! - runtime.now() / 1000)),
    };
    return { user, tokens };
  }

  /** Access tokens seldom have names and e-mails; the ID token that comes with them does. */
  async function seeProfile(answer: TokenAnswer): Promise<void> {
    const profile = answer.claims();
    if (profile) await people.see(profile, { withRole: false });
  }

  async function accept(answer: TokenAnswer, actor: Actor): Promise<Tokens> {
    const { user, tokens } = await check(answer);
    const self: Actor = { ...actor, actor_type: "USER", actor_id: user.id };
    trail.record({ action: "auth.login", actor: self, resource_type: "user", resource_id: user.id });
    return tokens;
  }

  return {
    accept,
    async login(username, password, actor) {
      if (!(await provider.offers("password"))) throw badRequest(`Passwords are not taken here; sign in at ${signIn}`);
      lockout.check(actor.ip, username);
      let answer: TokenAnswer;
      try {
        answer = await provider.exchangePassword(username, password);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        lockout.failed(actor.ip, username);
        trail.record({ action: "auth.login_failed", actor, resource_type: "user" });
        throw unauthorized("Incorrect username or password");
      }
      lockout.succeeded(actor.ip, username);
      return accept(answer, actor);
    },
    async refresh(refreshToken) {
      if (!(await provider.offers("refresh_token"))) throw badRequest(`Sessions end here; sign in again at ${signIn}`);
      try {
        return (await check(await provider.exchangeRefreshToken(refreshToken))).tokens;
      } catch (error) {
        throw isRefusal(error) ? unauthorized("Could not validate credentials") : error;
      }
    },
    // The session is the provider's: what ends here is only what we keep of it, which is nothing.
    async logout() {},
    async authenticate(accessToken) {
      return { user: await people.see(await provider.verify(accessToken)), sessionId: null };
    },
  };
}

/** Accounts that somebody else keeps: everything about them happens there. */
export function createExternalAccounts(issuer: string): AccountService {
  const refuse = (): never => {
    throw badRequest(`Accounts and passwords are kept by ${issuer}`);
  };
  return {
    signup: async () => refuse(),
    confirm: async () => refuse(),
    resendConfirmation: refuse,
    forgotPassword: refuse,
    resetPassword: async () => refuse(),
  };
}
