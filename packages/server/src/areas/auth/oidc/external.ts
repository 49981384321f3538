import type { H3 } from "h3-v2";
import type { Runtime } from "../../../ground/runtime.ts";
import type { AccountService } from "../../../identity/auth-services.ts";
import type { Lockout } from "../../../identity/lockout.ts";
import type { Trail } from "../../../identity/trail.ts";
import type { UserRecord } from "../../../model/user.ts";
import type { Actor } from "../../../storage/change.ts";
import type { Collection } from "../../../storage/collection.ts";
import { createExternalAccounts, createExternalAuth, type ExternalAuthService } from "./auth.ts";
import { type OidcOptions, requireSafe } from "./options.ts";
import { createPeople } from "./people.ts";
import { createProvider } from "./provider.ts";
import { mountSignIn } from "./sign-in.ts";

/** External identity mode: the same services as with local users, and the routes for browser sign-in. */
export interface ExternalIdentity {
  auth: ExternalAuthService;
  accounts: AccountService;
  mount(app: H3, base: string, actorOf: (request: Request) => Actor): void;
}

/** @throws {TypeError} for an unsafe setting */
export function createExternalIdentity(
  options: OidcOptions,
  deps: { runtime: Runtime; users: Collection<UserRecord>; trail: Trail; lockout: Lockout },
): ExternalIdentity {
  requireSafe(options);
  const { issuer, redirectUri } = options;
  const { runtime, trail, lockout } = deps;
  const provider = createProvider(options, runtime);
  const people = createPeople({ options, runtime, users: deps.users });
  const signIn = redirectUri === undefined ? issuer : redirectUri.replace(/\/callback$/, "/login");
  const auth = createExternalAuth({ provider, people, runtime, trail, lockout, signIn });
  return {
    auth,
    accounts: createExternalAccounts(issuer),
    mount(app, base, actorOf) {
      if (redirectUri !== undefined) mountSignIn(app, base, { provider, auth, runtime, redirectUri, actorOf });
    },
  };
}
