// Replacements on servers: fast, and safe with any pattern that a user may write.

export { linkPattern } from "../values/pattern.ts";
export { digest } from "./md5.ts";
export { prepareKey } from "./prepared-key.ts";
