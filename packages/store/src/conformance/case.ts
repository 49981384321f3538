import type { Store } from "../store.ts";
import { forkChild, type StoreChild } from "./child.ts";

/** One requirement of the storage port. It rejects with an AssertionError if a store violates it. */
export interface StoreCase {
  title: string;
  /** The capabilities of the harness that the case needs. Without them the case is skipped. */
  needs?: StoreNeed[];
  run(place: StorePlace): Promise<void>;
}

/**
 * `reopen`: data survives `close`. `children`: child processes can open it. `processes`: several can at the same time.
 */
export type StoreNeed = "reopen" | "damage" | "tear" | "children" | "processes" | "exclusive";

/** Gives the suite access to one kind of store. */
export interface StoreHarness {
  /** Creates a location for data, such as the path of a new directory, which `open` opens. */
  create(): string | Promise<string>;
  open(location: string): Store | Promise<Store>;
  /** Removes a location after its case. */
  remove?(location: string): Promise<void>;
  /** Data survives closing and reopening a store. */
  reopens?: boolean;
  /** Changes bytes of one record while the store is closed, so that its checksum fails. */
  damage?(location: string, target: DamageTarget): Promise<void>;
  /** Cuts the last record of a journal short while the store is closed, as a crash in the middle of a write would. */
  tear?(location: string, journal: string): Promise<void>;
  /** A script that calls `answerParent` with the same `open`, and Node's arguments to run it. */
  child?: { script: URL; execArgv?: string[] };
  /** Calls on one instance are processed in the order of the calls. */
  inOrder?: boolean;
  /** Several processes may open it. If false, the store must reject a second one. */
  multiProcess?: boolean;
}

/** A record to damage. */
export type DamageTarget = { key: string } | { journal: string; position: number };

/** The context of a case, with fresh data that is removed afterwards. */
export interface StorePlace {
  open(): Promise<Store>;
  damage(target: DamageTarget): Promise<void>;
  tear(journal: string): Promise<void>;
  /** Starts child processes that open the same data with their first task. */
  fork(count: number): Promise<StoreChild[]>;
}

/** Returns whether a case applies to the store of this harness. */
export function isApplicable({ needs = [] }: StoreCase, harness: StoreHarness): boolean {
  const offers: Record<StoreNeed, boolean> = {
    reopen: harness.reopens ?? false,
    damage: harness.damage !== undefined,
    tear: harness.tear !== undefined,
    children: harness.child !== undefined,
    processes: harness.child !== undefined && (harness.multiProcess ?? false),
    exclusive: harness.child !== undefined && !harness.multiProcess,
  };
  return needs.every((need) => offers[need]);
}

/** Runs one case on fresh data and closes everything that it leaves open. */
export async function runStoreCase(storeCase: StoreCase, harness: StoreHarness): Promise<void> {
  const location = await harness.create();
  const stores: Store[] = [];
  const children: StoreChild[] = [];
  try {
    await storeCase.run({
      async open() {
        const store = await harness.open(location);
        stores.push(store);
        return store;
      },
      damage: async (target) => harness.damage?.(location, target),
      tear: async (journal) => harness.tear?.(location, journal),
      async fork(count) {
        const { child } = harness;
        if (!child) throw new TypeError("This harness starts no child processes");
        const started = Array.from({ length: count }, () => forkChild(child.script, location, child.execArgv));
        children.push(...started);
        await Promise.all(started.map((one) => one.started));
        return started;
      },
    });
  } finally {
    for (const child of children) child.kill();
    await Promise.allSettled([...stores.map((store) => store.close()), ...children.map((child) => child.gone)]);
    await harness.remove?.(location);
  }
}
