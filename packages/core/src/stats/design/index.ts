export { type Design, designMinimumEffect, designPower, type Variances } from "./design.ts";
export { type DesignSize, designSampleSize } from "./sample-size.ts";
export { type Clusters, designEffect, quantileVariance, ratioVariance, type UserValue } from "./variance.ts";
