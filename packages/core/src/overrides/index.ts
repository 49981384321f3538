export { forcedArm, forceFlag } from "./force.ts";
export {
  createOverrideReader,
  OVERRIDE_COOKIE,
  OVERRIDE_HEADER,
  OverrideError,
  type OverrideOptions,
  type OverrideReader,
  type Overrides,
  type SignOptions,
  signOverrides,
} from "./token.ts";
