// What bundles for browsers have instead: smaller still. A pattern that takes long keeps nobody else waiting there.

export { linkPattern } from "../values/pattern-native.ts";
export { digest } from "./md5-compact.ts";
export { prepareKey } from "./prepared-key-none.ts";
