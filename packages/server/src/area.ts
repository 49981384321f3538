import type { H3 } from "h3-v2";
import type { Context } from "./context.ts";
import type { Perform } from "./http/perform.ts";
import type { PipelineDeps } from "./http/pipeline.ts";
import type { Guard } from "./identity/guard.ts";
import type { Lockout } from "./identity/lockout.ts";
import type { Passwords } from "./identity/passwords.ts";
import type { TokenSigner } from "./identity/tokens.ts";
import type { Job } from "./jobs/job.ts";
import type { Scheduler } from "./jobs/scheduler.ts";
import type { AssayOptions } from "./options.ts";
import type { Secrets } from "./secrets/secrets.ts";

/** The input that creates an area. `Needed` names the services of other areas that it uses. */
export interface AreaInput<Needed = object> extends Context {
  options: AssayOptions;
  secrets: Secrets;
  passwords: Passwords;
  lockout: Lockout;
  tokens: TokenSigner;
  /** Runs the jobs of all areas. */
  scheduler: Scheduler;
  /** Whether this node runs background work by the clock. */
  isTicking: boolean;
  /** The API itself, once the server has started. */
  api: {
    allows: Guard["allows"];
    /** Handles a request like one from outside. */
    dispatch(request: Request): Response | Promise<Response>;
    /** Calls the handler of a route in this environment. */
    perform: Perform;
  };
  /** Services of areas earlier in the list. */
  services: Needed;
}

/** What an area adds to the server. */
export interface AreaParts {
  /** For handlers, and for areas later in the list. */
  services: object;
  jobs?: readonly Job[];
  /**
   * Whether a request that names no environment belongs to this one, because it contains a key, a token or an id that was
   * created here. It is not authenticated yet.
   */
  claims?(request: Request): boolean;
  /** Mounts routes outside the contract. */
  mount?(app: H3, base: string, deps: PipelineDeps): void;
  /** Starts background work. */
  start?(): Promise<void>;
  /** Stops background work and waits for it to finish. */
  close?(): Promise<void>;
}
