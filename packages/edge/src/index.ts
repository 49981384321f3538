export {
  OverrideError,
  type OverrideOptions,
  type Overrides,
  type SignOptions,
  signOverrides,
} from "@assay/core/overrides";
export { ConnectionError, OptionError } from "@assay/sdk";
export { createFlagHandler, type FlagBehaviour, type FlagHandler, type FlagHandlerOptions } from "./flag.ts";
export type { IdentityOptions, UserIdLocation } from "./identity.ts";
export type { RequestOptions } from "./option.ts";
export { createOverrides, type EdgeOverrides, type Forced } from "./overrides.ts";
export type { Routes } from "./route.ts";
export {
  type AnyProgramEngine,
  createEdgeSource,
  type EdgeContext,
  type EdgeSource,
  type EdgeSourceOptions,
  type ProgramOptions,
} from "./source.ts";
export {
  createSplitUrlHandler,
  type Next,
  type SplitUrlAssignment,
  type SplitUrlBehaviour,
  type SplitUrlHandler,
  type SplitUrlOptions,
} from "./split-url.ts";
export type { TargetOptions } from "./target.ts";
