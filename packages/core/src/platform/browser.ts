// Replacements in browser bundles: smaller still. A slow pattern there delays only the page's own user.

export { linkPattern } from "../values/pattern-native.ts";
export { digest } from "./md5-compact.ts";
export { prepareKey } from "./prepared-key-none.ts";
