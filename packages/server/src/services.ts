import type { H3 } from "h3-v2";
import type { AreaInput, AreaParts } from "./area.ts";
import { type Area, areas, type Merged } from "./areas.ts";
import type { Context } from "./context.ts";
import type { PipelineDeps } from "./http/pipeline.ts";
import { createLockout } from "./identity/lockout.ts";
import { createPasswords } from "./identity/passwords.ts";
import { createTokenSigner, type TokenSigner } from "./identity/tokens.ts";
import type { Job } from "./jobs/job.ts";
import { createScheduler } from "./jobs/scheduler.ts";
import type { AssayOptions } from "./options.ts";
import { loadSecrets } from "./secrets/ring.ts";

/** The services of every area. */
export type Services = Merged<Awaited<ReturnType<Area["create"]>>["services"]>;

/** The services, the other parts that the server uses, and functions that start and close everything. */
export type Composition = Awaited<ReturnType<typeof compose>>;

/** The services that the environments of a server share, because they share the users. */
const SHARED = ["users", "auth", "accounts", "roles"] as const;

/**
 * Creates the areas in order.
 * @param home the first environment, whose users the others share; undefined for the first itself
 */
export async function compose(context: Context, options: AssayOptions, api: AreaInput["api"], home?: Home) {
  const { store, runtime, collections } = context;
  const isTicking = (options.jobs ?? true) && context.roles.has("jobs");
  const secrets = await loadSecrets(store, options.secretKeys);
  const lifetime = (options.accessTokenMinutes ?? 30) * 60;
  const tokens = home?.tokens ?? (await createTokenSigner(store, runtime, lifetime, options.signingKeyDays));
  const passwords = createPasswords(options.passwordCost);
  const lockout = createLockout(store, runtime);
  // Areas add their jobs before the scheduler starts.
  const jobs: Job[] = [];
  const scheduler = createScheduler({ store, runtime, jobs, catchUp: collections.catchUp, isTicking });
  const foundation = { ...context, options, secrets, passwords, lockout, tokens, scheduler, isTicking, api };

  const parts: AreaParts[] = [];
  const shared = Object.fromEntries(home ? SHARED.map((name) => [name, home.services[name]]) : []);
  const services: Partial<Services> = {};
  for (const area of areas) {
    const part: AreaParts = await area.create({ ...foundation, services: createdSoFar(services) });
    Object.assign(services, part.services, shared);
    jobs.push(...(part.jobs ?? []));
    parts.push(part);
  }

  return {
    services: services as Services,
    tokens,
    /** Whether a request that names no environment belongs to this one. */
    claims: (request: Request) => parts.some((part) => part.claims?.(request)),
    /** Mounts the routes outside the contract. */
    mount(app: H3, base: string, deps: PipelineDeps) {
      for (const part of parts) part.mount?.(app, base, deps);
    },
    /** Starts background work. */
    async start() {
      for (const part of parts) await part.start?.();
      await scheduler.start();
    },
    /** Stops background work and waits for it to finish. */
    async close() {
      await scheduler.close();
      for (const part of parts.toReversed()) await part.close?.();
    },
  };
}

/** What an environment takes from the first one. */
interface Home {
  services: Pick<Services, (typeof SHARED)[number]>;
  tokens: TokenSigner;
}

/** Returns the services that an area sees while it is created. Reading one that does not exist yet throws. */
function createdSoFar(services: Partial<Services>): Services {
  return new Proxy(services, {
    get(created, name) {
      if (!(name in created)) throw new Error(`areas.ts lists the area of "${String(name)}" after one that uses it`);
      return Reflect.get(created, name);
    },
  }) as Services;
}
