// For providers in pages.

export { createPageEngine, type PageEngine } from "../engine/page-engine.ts";
