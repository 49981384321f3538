import type { Tokens } from "@assay/contract";
import { badRequest, unauthorized } from "../../../ground/errors.ts";
import type { Runtime } from "../../../ground/runtime.ts";
import type { AccountService, AuthService } from "../../../identity/auth-services.ts";
import type { Lockout } from "../../../identity/lockout.ts";
import type { Trail } from "../../../identity/trail.ts";
import type { Actor } from "../../../storage/change.ts";
import type { People } from "./people.ts";
import { isRefusal, type Provider, type TokenAnswer } from "./provider.ts";

interface AuthDeps {
  provider: Provider;
  people: People;
  runtime: Runtime;
  trail: Trail;
  lockout: Lockout;
  /** Where users sign in, for error messages. */
  signIn: string;
}

/**
 * Sign-in with an identity provider. Forwards the grants the provider supports, and refers users to it for the rest.
 */
export interface ExternalAuthService extends AuthService {
  /** Records the sign-in and returns the tokens the API accepts. @throws ApiError 401 */
  accept(answer: TokenAnswer, actor: Actor): Promise<Tokens>;
}

export function createExternalAuth(deps: AuthDeps): ExternalAuthService {
  const { provider, people, runtime, trail, lockout, signIn } = deps;

  /** Validates as the API does, so that issued tokens work on the next request. */
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

  /** Access tokens seldom contain names and e-mails. The accompanying ID token does. */
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
      if (!(await provider.offers("password"))) throw badRequest(`Password sign-in is off; sign in at ${signIn}`);
      await lockout.check(actor.ip, username);
      let answer: TokenAnswer;
      try {
        answer = await provider.exchangePassword(username, password);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await lockout.failed(actor.ip, username);
        trail.record({ action: "auth.login_failed", actor, resource_type: "user" });
        throw unauthorized("Incorrect username or password");
      }
      await lockout.succeeded(actor.ip, username);
      return accept(answer, actor);
    },
    async refresh(refreshToken) {
      if (!(await provider.offers("refresh_token")))
        throw badRequest(`Sessions cannot be renewed; sign in again at ${signIn}`);
      try {
        return (await check(await provider.exchangeRefreshToken(refreshToken))).tokens;
      } catch (error) {
        throw isRefusal(error) ? unauthorized("Could not validate credentials") : error;
      }
    },
    // The provider owns the session, and this server keeps no state of it.
    async logout() {},
    async authenticate(accessToken) {
      return { user: await people.see(await provider.verify(accessToken)), sessionId: null };
    },
  };
}

/** Account operations that the provider handles instead. */
export function createExternalAccounts(issuer: string): AccountService {
  const refuse = (): never => {
    throw badRequest(`${issuer} manages accounts and passwords`);
  };
  return {
    signup: async () => refuse(),
    confirm: async () => refuse(),
    resendConfirmation: refuse,
    forgotPassword: refuse,
    resetPassword: async () => refuse(),
  };
}
