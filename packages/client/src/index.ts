export { type Client, createClient } from "./client.ts";
export { AssayError, type AssayErrorCode, type AssayErrorFields, isAssayError } from "./error.ts";
export type * from "./openapi.generated.ts";
export type { Answer, CallOptions, RawAnswer, RequestArguments, RequestOptions, Route } from "./route.ts";
export type { IssuedTokens } from "./session.ts";
export type { ClientOptions } from "./transport.ts";
