import type { Environment } from "@assay/contract";

export interface EnvironmentService {
  /** All environments of the server, the default one first. */
  list(): Environment[];
}

export function createEnvironmentService(place: {
  name: string;
  all: readonly string[];
  /** The names of the protected environments. */
  guarded: readonly string[];
}): EnvironmentService {
  const environments = place.all.map((name, index) => ({
    name,
    is_default: index === 0,
    is_current: name === place.name,
    is_protected: place.guarded.includes(name),
  }));
  return { list: () => environments };
}
