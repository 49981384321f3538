/** Tests of one kind of fault or attack. */
export interface Section {
  name: string;
  /** Test files or folders, relative to the repository. */
  files: string[];
}

/** What `pnpm torture` runs, one section after the other. */
export const SECTIONS: Section[] = [
  {
    name: "kill -9 under mixed load",
    files: ["packages/cli/src/serve/mixed-load.crash.test.ts"],
  },
  {
    name: "kill -9 at chosen moments",
    files: [
      "packages/cli/src/serve/crash.test.ts",
      "packages/lmdb/src/effects.crash.test.ts",
      "packages/lmdb/src/idempotency.crash.test.ts",
      "packages/server/src/areas/rollout-schedules/one-batch.test.ts",
      "packages/server/src/events/group-commit.crash.test.ts",
      "packages/server/src/http/idempotency.resume.test.ts",
      "packages/store/src/generic/generic-store.crash.test.ts",
    ],
  },
  {
    name: "several processes on one directory",
    files: [
      "packages/lmdb/src/together.test.ts",
      "packages/lmdb/src/transaction-number.test.ts",
      "packages/lmdb/src/lmdb-store.test.ts",
      "packages/lmdb/src/counters.test.ts",
      "packages/lmdb/src/scheduler.test.ts",
    ],
  },
  {
    name: "four servers on one store",
    files: [
      "packages/cli/src/race/race.test.ts",
      "packages/server/src/nodes.test.ts",
      "packages/server/src/storage/collections.test.ts",
    ],
  },
  {
    name: "damaged files, full and failing disks",
    files: [
      "packages/cli/src/backup/backup.test.ts",
      "packages/cli/src/check/check.test.ts",
      "packages/cli/src/serve/bad-states.test.ts",
      "packages/cli/src/serve/disk-failure.test.ts",
      "packages/lmdb/src/backup.test.ts",
      "packages/lmdb/src/damage.test.ts",
      "packages/lmdb/src/full-disk.test.ts",
      "packages/lmdb/src/opening.test.ts",
      "packages/lmdb/src/repair.test.ts",
      "packages/server/src/areas/etl/etl.test.ts",
      "packages/server/src/areas/etl/export-thread.test.ts",
      "packages/server/src/damage.test.ts",
      "packages/server/src/failing-writes.test.ts",
      "packages/server/src/storage/format.test.ts",
    ],
  },
  {
    name: "hanging stores, slow clients, outages and clocks",
    files: [
      "packages/cli/src/serve/listener.test.ts",
      "packages/cli/src/serve/store-outage.test.ts",
      "packages/lmdb/src/hang.test.ts",
      "packages/postgres/src/failures.test.ts",
      "packages/postgres/src/rate-limits.test.ts",
      "packages/redis/src/cluster.test.ts",
      "packages/redis/src/failures.test.ts",
      "packages/redis/src/rate-limits.test.ts",
      "packages/server/src/events/group-commit.test.ts",
      "packages/server/src/jobs/scheduler.test.ts",
      "packages/server/src/outage.test.ts",
      "packages/server/src/storage/redis.test.ts",
    ],
  },
  {
    name: "generated hostile requests by every role",
    files: ["packages/server/src/hostile/generated.test.ts"],
  },
  {
    name: "expensive and malformed requests",
    files: [
      "packages/server/src/fuzz",
      "packages/server/src/hostile/analyses.test.ts",
      "packages/server/src/hostile/evaluations.test.ts",
      "packages/server/src/hostile/hostile.test.ts",
    ],
  },
  {
    name: "access: roles, keys, owners",
    files: [
      "packages/server/src/contract.test.ts",
      "packages/server/src/identity",
      "packages/server/src/outbound/address.test.ts",
      "packages/server/src/secrets",
    ],
  },
];
