import type { Store } from "../store.ts";
import { forkChild, type StoreChild } from "./child.ts";

/** One requirement of the storage port; it rejects with an AssertionError where a store does not meet it. */
export interface StoreCase {
  title: string;
  /** What the harness must offer; the case does not apply without it. */
  needs?: StoreNeed[];
  run(place: StorePlace): Promise<void>;
}

/** `reopen`: data survives `close`; `children`: child processes can open it; `processes`: several at the same time. */
export type StoreNeed = "reopen" | "damage" | "tear" | "children" | "processes" | "exclusive";

/** How the suite gets at one kind of store. */
export interface StoreHarness {
  /** Answers a place for data, such as the path of a new directory; what is there is opened by `open`. */
  create(): string | Promise<string>;
  open(location: string): Store | Promise<Store>;
  /** Clears a place away after its case. */
  remove?(location: string): Promise<void>;
  /** Data is still there when a closed store is opened again. */
  reopens?: boolean;
  /** Changes bytes of one record while the store is closed, so that its checksum cannot hold. */
  damage?(location: string, target: DamageTarget): Promise<void>;
  /** Cuts the last record of a journal short while the store is closed, as a crash in the middle of a write would. */
  tear?(location: string, journal: string): Promise<void>;
  /** A script that calls `answerParent` with the same `open`, and Node's arguments to run it. */
  child?: { script: URL; execArgv?: string[] };
  /** Calls on one instance happen in the order in which they are made. */
  inOrder?: boolean;
  /** Several processes may have it open; where false, a second one must be refused. */
  multiProcess?: boolean;
}

/** A record to damage. */
export type DamageTarget = { key: string } | { journal: string; position: number };

/** What a case works with: fresh data of its own, cleared away afterwards. */
export interface StorePlace {
  open(): Promise<Store>;
  damage(target: DamageTarget): Promise<void>;
  tear(journal: string): Promise<void>;
  /** Starts child processes that open the same data when they get their first task. */
  fork(count: number): Promise<StoreChild[]>;
}

/** Whether a case applies to the store of this harness. */
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

/** Runs one case on fresh data and closes everything it leaves open. */
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
