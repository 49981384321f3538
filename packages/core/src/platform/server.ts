// What runs on servers: fast, safe with whatever pattern a user may write, and able to explain its answers.

export { digest } from "../bucketing/md5.ts";
export { prepareKey } from "../bucketing/prepared-key.ts";
export * from "../evaluation/trace.ts";
export { compilePattern } from "../targeting/pattern.ts";
