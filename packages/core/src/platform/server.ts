// What runs on servers: fast, and safe with whatever pattern a user may write.

export { digest } from "../bucketing/md5.ts";
export { prepareKey } from "../bucketing/prepared-key.ts";
export { linkPattern } from "../targeting/pattern.ts";
