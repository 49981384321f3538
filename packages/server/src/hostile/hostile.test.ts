import { afterAll, beforeAll, describe, test } from "vitest";
import { ADDRESSES } from "./addresses.fixture.ts";
import { BODIES } from "./bodies.fixture.ts";
import { expectAnswer } from "./expectation.fixture.ts";
import { type HostileServer, startServer } from "./server.fixture.ts";
import { createWorld, type World } from "./world.fixture.ts";

let server: HostileServer;
let world: World;

beforeAll(async () => {
  server = await startServer();
  world = await createWorld(server);
}, 60_000);
afterAll(() => server.close());

describe("a body", () => {
  test.each(BODIES)("with $name gets $status at once", async (one) => {
    await expectAnswer(server, world, one);
  });
});

describe("an address or header", () => {
  test.each(ADDRESSES)("with $name gets $status at once", async (one) => {
    await expectAnswer(server, world, one);
  });
});
