import type { Revised } from "@assay/core";
import type { Format, ProviderEngine, ProviderOutline, UpdatableEngine } from "@assay/sdk/internal";

/** The flags of a page. The revision of a flag changes when its results may change. */
export interface RevisedOutline extends ProviderOutline {
  flags: (ProviderOutline["flags"][number] & Revised)[];
}

/** The engine of a page, over a program or over results of the server. */
export type PageEngine<D extends RevisedOutline> = ProviderEngine & UpdatableEngine<D>;

/** The format of a page's flags, with its engine. */
export type PageFormat<D extends RevisedOutline = RevisedOutline> = Format<D, PageEngine<D>>;
