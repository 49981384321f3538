// What bundles for browsers have instead: smaller still. A pattern that takes long keeps nobody else waiting there.

export { digest } from "../bucketing/md5-compact.ts";
export { prepareKey } from "../bucketing/prepared-key-none.ts";
export { linkPattern } from "../targeting/pattern-native.ts";
