// Replacements in worker bundles: small, and equally safe, because a worker serves many users.

export { linkPattern } from "../values/pattern.ts";
export { digest } from "./md5-compact.ts";
export { prepareKey } from "./prepared-key-none.ts";
