import { expect } from "vitest";
import { type Check, type Node, onAll, type Race, refused, statusesOf, untilAll } from "./nodes.fixture.ts";

const getFlag = ({ client }: Node, id: string) => client.raw("GET /feature-flags/{id}", { params: { id } });

/** Creates a flag, and waits until every server knows it. */
export async function createFlag({ nodes, random }: Race, key: string) {
  const flag = await random.one(nodes).client.request("POST /feature-flags/", {
    body: { key, name: "Race", description: "0", status: "ACTIVE", rollout_percentage: 100 },
  });
  await untilAll(nodes, async (node) => Boolean(await getFlag(node, key).catch(refused(404))));
  return flag;
}

const uniqueKeys: Check = {
  name: "of requests that create the same key on all servers, one succeeds",
  async run(race) {
    const key = `unique-${race.round}`;
    const flags = await onAll(race, ({ client }) =>
      client.raw("POST /feature-flags/", { body: { key, name: "Unique" } }),
    );
    expect(statusesOf(flags)).toEqual([201, 409, 409, 409]);
    const variants = [{ key: "a" }, { key: "b" }];
    const experiments = await onAll(race, ({ client }) =>
      client.raw("POST /experiments/", { body: { key, name: "Unique", variants } }),
    );
    expect(statusesOf(experiments)).toEqual([201, 409, 409, 409]);
    const winner = flags.find(({ status }) => status === 201)!.answer!.id;
    await untilAll(race.nodes, async (node) => (await getFlag(node, key).catch(refused(404)))?.data.id === winner);
  },
};

const EDITS = 5;

const conditionalEdits: Check = {
  name: "of edits with If-Match on all servers, none is lost",
  async run(race) {
    const key = `edited-${race.round}`;
    await createFlag(race, key);
    const edit = async (node: Node) => {
      const { data, headers } = await getFlag(node, key);
      const description = String(Number(data.description) + 1);
      return node.client
        .request("PUT /feature-flags/{id}", {
          params: { id: key },
          body: { description },
          headers: { "If-Match": headers.get("etag")! },
        })
        .catch(refused(412));
    };
    const editAll = async (node: Node) => {
      for (let done = 0; done < EDITS; ) if (await edit(node)) done++;
    };
    await Promise.all(race.nodes.map(editAll));
    const total = String(EDITS * race.nodes.length);
    await untilAll(race.nodes, async (node) => (await getFlag(node, key)).data.description === total);
  },
};

const fieldEdits: Check = {
  name: "of edits of different fields on all servers, none is lost",
  async run(race) {
    const key = `fields-${race.round}`;
    await createFlag(race, key);
    const edits = [{ name: "Edited" }, { description: "edited" }, { tags: ["edited"] }, { rollout_percentage: 7 }];
    const given = new Map(race.nodes.map((node, index) => [node, edits[index]!]));
    const answers = await onAll(race, (node) =>
      node.client.raw("PUT /feature-flags/{id}", { params: { id: key }, body: given.get(node)! }),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    const all = Object.assign({}, ...edits);
    for (const node of race.nodes) {
      await expect.poll(async () => (await getFlag(node, key)).data).toMatchObject(all);
    }
  },
};

const currentVersion: Check = {
  name: "an edit with the ETag of another server's answer succeeds at once",
  async run(race) {
    const key = `tag-${race.round}`;
    await createFlag(race, key);
    let seen = await getFlag(race.nodes[0]!, key);
    for (const node of race.random.shuffled(race.nodes)) {
      await node.client.request("PUT /feature-flags/{id}", {
        params: { id: key },
        body: { description: `by ${node.name}` },
        headers: { "If-Match": seen.headers.get("etag")! },
      });
      seen = await getFlag(node, key);
    }
  },
};

/** Reads the audit trail of a server, oldest entry first. */
async function readTrail({ client }: Node): Promise<{ sequence: number; id: string }[]> {
  const entries: { sequence: number; id: string }[] = [];
  for (;;) {
    const { items } = await client.request("GET /audit-logs", {
      query: { limit: 500, skip: entries.length },
    });
    entries.push(...items.map(({ sequence, id }) => ({ sequence, id })));
    if (items.length < 500) break;
  }
  // Entries that are added between two pages move the next one.
  const unique = new Map(entries.map((entry) => [entry.sequence, entry]));
  return [...unique.values()].sort((a, b) => a.sequence - b.sequence);
}

const auditTrail: Check = {
  name: "the audit trail has no gap and no duplicate, and is the same on every server",
  async run(race) {
    const name = `audited-${race.round}`;
    await onAll(race, ({ client, name: node }) =>
      client.raw("POST /feature-flags/", { body: { key: `${name}-${node.replace(" ", "-")}`, name } }),
    );
    const trails = await Promise.all(race.nodes.map(readTrail));
    const shortest = Math.min(...trails.map(({ length }) => length));
    const [first = []] = trails;
    expect(first.map(({ sequence }) => sequence)).toEqual(first.map((_, index) => index + 1));
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
    for (const trail of trails) expect(trail.slice(0, shortest)).toEqual(first.slice(0, shortest));
  },
};

export const CHANGE_CHECKS: Check[] = [uniqueKeys, conditionalEdits, fieldEdits, currentVersion, auditTrail];
