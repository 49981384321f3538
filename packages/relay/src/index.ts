export type { RelayLogger, RelayOptions } from "./ground/option.ts";
export { createRelay, type Relay } from "./relay.ts";
