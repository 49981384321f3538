import type { contract } from "@assay/contract";
import { type Area, areas, type Merged } from "./areas.ts";
import type { Handlers } from "./http/handler.ts";

const routes: Merged<Area["routes"]> = Object.assign({}, ...areas.map((area) => area.routes));

/** A handler for every route of the contract. A missing one is a type error. */
export const handlers: Handlers<typeof contract> = routes;
