// What runs on servers: fast, and safe with whatever pattern a user may write.

export { linkPattern } from "../values/pattern.ts";
export { digest } from "./md5.ts";
export { prepareKey } from "./prepared-key.ts";
