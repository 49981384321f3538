import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type Check, createExperiment, type Node, onAll, type Race, refused, untilAll } from "./nodes.fixture.ts";

/** An issue tracker that notes every comment it receives. */
export interface Tracker {
  /** The issues of all comments, in order of receipt. */
  comments: string[];
  /** Connects the servers with it. */
  connect(race: Race): Promise<void>;
  close(): Promise<void>;
}

/** Serves an issue tracker that takes its time, so that other servers could send the same comment meanwhile. */
export async function serveTracker(): Promise<Tracker> {
  const comments: string[] = [];
  const server = createServer(async (request, response) => {
    request.resume();
    const [, issue] = /\/issue\/([^/]+)\/comment$/.exec(request.url ?? "") ?? [];
    if (issue) comments.push(decodeURIComponent(issue));
    await wait(100);
    response.writeHead(201, { "content-type": "application/json" }).end('{"id":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    comments,
    async connect({ nodes }) {
      const config = { base_url: `http://127.0.0.1:${port}`, username: "bot", api_token: "t", allow_unsigned: true };
      const { id } = await nodes[0]!.client.request("POST /integrations", {
        body: { name: "Tracker", integration_type: "TRACKER", description: "", config },
      });
      const params = { id };
      await untilAll(nodes, async ({ client }) =>
        Boolean(await client.request("GET /integrations/{id}", { params }).catch(refused(404))),
      );
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Completes an experiment on all servers at once: the tracker gets one comment. */
export function deliveryCheck(tracker: Tracker): Check {
  return {
    name: "a change that all servers make at once is delivered to an integration once",
    async run(race) {
      const issue = `RACE-${race.round}`;
      const { id } = await createExperiment(race, { key: `delivered-${race.round}`, tracker_issue_key: issue });
      const complete = ({ client }: Node) =>
        client.raw("POST /experiments/{experiment_id}/complete", { params: { experiment_id: id } });
      const answers = await onAll(race, complete);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      await expect.poll(() => tracker.comments).toContain(issue);
    },
  };
}
