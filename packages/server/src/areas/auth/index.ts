import type { AreaInput, AreaParts } from "../../area.ts";
import { actorOf } from "../../http/enter.ts";
import type { AccountService, AuthService } from "../../identity/auth-services.ts";
import { codeCollection, createCodes } from "../../identity/codes.ts";
import { sessionCollection } from "../../model/session.ts";
import type { Collections } from "../../storage/collections.ts";
import type { UserService } from "../users/service.ts";
import { createAccountService } from "./accounts.ts";
import { createExternalIdentity } from "./oidc/external.ts";
import type { OidcOptions } from "./oidc/options.ts";
import { createAuthService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({
  sessions: define(sessionCollection),
  codes: define(codeCollection),
});

interface AuthParts extends AreaParts {
  services: { auth: AuthService; accounts: AccountService };
}

type Input = AreaInput<{ users: UserService }>;

export function create(input: Input): AuthParts {
  return input.options.identity ? createExternal(input, input.options.identity) : createLocal(input);
}

function createLocal({
  options,
  store,
  runtime,
  collections: { catchUp },
  records,
  passwords,
  tokens,
  trail,
  lockout,
  mailQueue,
  services,
}: Input) {
  const { sessions, codes } = records;
  const { users } = services;
  return {
    services: {
      auth: createAuthService({ runtime, passwords, users, sessions, tokens, trail, lockout, catchUp }),
      accounts: createAccountService({
        store,
        runtime,
        users,
        codes: createCodes({ store, runtime, codes, passwords, trail }),
        trail,
        mailQueue,
        mode: options.signup ?? "OPEN",
        invited: options.invited ?? [],
      }),
    },
  };
}

function createExternal({ runtime, records, trail, lockout }: Input, identity: OidcOptions): AuthParts {
  const { users } = records;
  const { auth, accounts, mount } = createExternalIdentity(identity, { runtime, users, trail, lockout });
  return {
    services: { auth, accounts },
    mount: (app, base, { peer }) => mount(app, base, (request) => actorOf(request, runtime, peer)),
  };
}
