export { type EffectPrior, effectPosterior, effectPriorTest } from "./effect-prior.ts";
export { type EffectLaw, effectLaw, MIN_EXPERIMENTS } from "./past-effects.ts";
export type { EffectEstimate, EffectPosterior, PosteriorOptions } from "./posterior.ts";
export {
  type Exaggeration,
  exaggeration,
  type SelectedEstimate,
  type SelectionOptions,
  selectedEstimate,
} from "./selection.ts";
