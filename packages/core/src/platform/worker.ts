// What bundles for workers have instead: small, and as safe, because a worker serves others.

export { linkPattern } from "../values/pattern.ts";
export { digest } from "./md5-compact.ts";
export { prepareKey } from "./prepared-key-none.ts";
