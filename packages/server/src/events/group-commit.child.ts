import { genericStore } from "@assay/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { createGroupCommit } from "./group-commit.ts";
import { type IncomingEvent, submissionOf } from "./submission.ts";

/** Writes events numbered from argv[3] on, two of each, and prints each number once it is acknowledged. */
const [, , base, first] = process.argv;
const store = genericStore(createStorage({ driver: fsDriver({ base: base! }) }));
const commit = createGroupCommit(store, createRuntime({ logger: silentLogger }), () => {});

function eventOf(number: number): IncomingEvent {
  const nothing = { experimentId: null, variantKey: null, flagKey: null, value: null, forced: false, metadata: null };
  const id = `event-${number}`;
  return { id, claimed: true, type: "t", userId: id, time: Date.now(), assignment: null, ...nothing };
}

for (let number = Number(first); ; number += 5) {
  const numbers = [0, 1, 2, 3, 4].map((offset) => number + offset);
  const twice = [...numbers, ...numbers].map(async (one) => {
    await commit.submit(submissionOf({ at: Date.now(), events: [eventOf(one)] }));
    process.stdout.write(`${one}\n`);
  });
  await Promise.all(twice);
}
