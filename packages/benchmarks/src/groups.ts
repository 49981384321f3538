import { bucketing } from "./bucketing/group.ts";
import { evaluation } from "./evaluation/group.ts";
import { http } from "./http/group.ts";
import { ingestion } from "./ingestion/group.ts";
import type { Group } from "./measure/group.ts";
import { results } from "./results/group.ts";
import { recomputation } from "./results/recomputation.ts";
import { sizes } from "./sizes/group.ts";

/** Every group, in the order of the page. */
export const groups: readonly Group[] = [evaluation, bucketing, http, ingestion, recomputation, results, sizes];
