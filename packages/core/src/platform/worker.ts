// What bundles for workers have instead: small, and as safe, because a worker serves others.

export { digest } from "../bucketing/md5-compact.ts";
export { prepareKey } from "../bucketing/prepared-key-none.ts";
export { linkPattern } from "../targeting/pattern.ts";
