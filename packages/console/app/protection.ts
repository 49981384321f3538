import type { Client, Proposal, ProposalCreate } from "@assay/client";
import { useSyncExternalStore } from "react";

type Route = ProposalCreate["route"];

/** The changes that a protected environment takes as proposals. The types of the API say which these are. */
const PROPOSABLE: Record<Route, true> = {
  "POST /feature-flags/": true,
  "PUT /feature-flags/{id}": true,
  "PATCH /feature-flags/{id}": true,
  "PATCH /feature-flags/{id}/rollout": true,
  "DELETE /feature-flags/{id}": true,
  "POST /experiments/": true,
  "PUT /experiments/{experiment_id}": true,
  "PATCH /experiments/{experiment_id}": true,
  "DELETE /experiments/{experiment_id}": true,
  "POST /experiments/{experiment_id}/start": true,
  "POST /experiments/{experiment_id}/pause": true,
  "POST /experiments/{experiment_id}/complete": true,
  "POST /experiments/{experiment_id}/archive": true,
  "POST /experiments/{experiment_id}/clone": true,
  "PUT /bandit/{experiment_id}/weights": true,
  "POST /segments": true,
  "PUT /segments/{id}": true,
  "DELETE /segments/{id}": true,
  "POST /rollout-schedules": true,
  "PUT /rollout-schedules/{id}": true,
  "DELETE /rollout-schedules/{id}": true,
  "POST /rollout-schedules/{id}/activate": true,
  "POST /rollout-schedules/{id}/pause": true,
  "POST /rollout-schedules/{id}/cancel": true,
  "POST /rollout-schedules/{id}/stages": true,
  "PUT /rollout-schedules/stages/{stage_id}": true,
  "DELETE /rollout-schedules/stages/{stage_id}": true,
  "POST /rollout-schedules/stages/{stage_id}/advance": true,
  "POST /mutual-exclusion-groups": true,
  "PUT /mutual-exclusion-groups/{group_id}": true,
  "DELETE /mutual-exclusion-groups/{group_id}": true,
  "POST /holdout": true,
  "PUT /holdout/{id}": true,
};

/** What a request became in a protected environment: nothing has changed yet. */
export class Proposed extends Error {
  override readonly name = "Proposed";
  readonly proposal: Proposal;

  constructor(proposal: Proposal) {
    super("The change is proposed");
    this.proposal = proposal;
  }
}

let isProtected = false;
const listeners = new Set<() => void>();

/** Says whether the environment of this page is protected, once that is known. */
export function setProtected(value: boolean): void {
  isProtected = value;
  for (const listener of listeners) listener();
}

/** Whether changes of flags and experiments are proposals here. */
export function useProtected(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isProtected,
  );
}

/** Whether a change of a flag turns it off and does nothing else, which needs no approval. */
export function isKill(fields: object): boolean {
  const names = Object.keys(fields).filter((name) => name !== "reason");
  return names.length === 1 && (fields as { status?: string }).status === "INACTIVE";
}

interface Input {
  params?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Returns a client that proposes the changes of a protected environment.
 * @throws {Proposed} after a change is proposed, because it is not made
 */
export function withProposals(client: Client): Client {
  const request = async (route: string, input: Input = {}) => {
    const { params, body, headers } = input;
    const isDirect = !isProtected || !Object.hasOwn(PROPOSABLE, route);
    if (isDirect || (route === "PUT /feature-flags/{id}" && isKill(body ?? {}))) {
      return (client.request as (route: string, input: Input) => Promise<unknown>)(route, input);
    }
    const wish = { route: route as Route, params, body: body as ProposalCreate["body"] };
    throw new Proposed(await client.request("POST /proposals", { body: wish, headers }));
  };
  return { ...client, request: request as Client["request"] };
}
