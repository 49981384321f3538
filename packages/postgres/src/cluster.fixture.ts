import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** The directory with `initdb` and `pg_ctl`; empty if PostgreSQL is not installed. */
export const BINARIES = spawnSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"])
  .stdout.toString()
  .trim();

/** A PostgreSQL of one test, which it may stop, kill and freeze. */
export interface Cluster {
  url: string;
  start(): void;
  /** Ends all processes at once, without a checkpoint, as a crash does. */
  crash(): void;
  /** Stops all processes with SIGSTOP, or lets them continue. */
  freeze(): void;
  thaw(): void;
  /** Starts a standby of it, which answers reads. */
  startStandby(): Promise<Standby>;
  remove(): void;
  /** Runs a statement as the superuser. */
  execute(statement: string): Promise<pg.QueryResult>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the ids of the processes that a process has started. */
function childrenOf(pid: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      // The parent follows the name, in parentheses, and the state.
      const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]!.split(" ");
      if (parent === pid) found.push(Number(name));
    } catch {
      // The process has ended.
    }
  }
  return found;
}

/**
 * A standby of a cluster. Remove it before a tablespace is created: a tablespace has one path on both, and the standby
 * removes what the primary has written there.
 */
export interface Standby {
  url: string;
  remove(): void;
}

/** Creates and starts a cluster. PostgreSQL does not run as root, so that it runs as `postgres` then. */
export async function startCluster(): Promise<Cluster> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "assay-cluster-"));
  const isRoot = process.getuid?.() === 0;
  const run = (command: string) =>
    execFileSync(isRoot ? "su" : "sh", isRoot ? ["postgres", "-c", command] : ["-c", command]);
  writeFileSync(join(directory, "password"), "assay\n");
  if (isRoot) execFileSync("chown", ["-R", "postgres", directory]);
  run(
    `${BINARIES}/initdb -D ${directory}/data -U assay --pwfile=${directory}/password -A scram-sha-256 -E UTF8 >/dev/null`,
  );
  const control = (words: string) =>
    run(`${BINARIES}/pg_ctl -D ${directory}/data -l ${directory}/log -w ${words} >/dev/null`);
  const start = () => control(`-o '-p ${port} -k ${directory} -c listen_addresses=127.0.0.1' start`);
  const signal = (name: NodeJS.Signals) => {
    const [pid] = readFileSync(join(directory, "data/postmaster.pid"), "utf8").split("\n");
    for (const one of [Number(pid), ...childrenOf(pid!)]) process.kill(one, name);
  };
  const urlOf = (port: number) => `postgres://assay:assay@127.0.0.1:${port}/postgres`;
  start();
  const url = urlOf(port);
  return {
    url,
    async startStandby() {
      const other = await freePort();
      const data = `${directory}/standby-${other}`;
      run(`${BINARIES}/pg_basebackup -d ${url} -D ${data} -R -X stream --checkpoint=fast`);
      const settings = `-p ${other} -k ${directory} -c listen_addresses=127.0.0.1`;
      run(`${BINARIES}/pg_ctl -D ${data} -l ${data}.log -w -o '${settings}' start >/dev/null`);
      return {
        url: urlOf(other),
        remove: () => run(`${BINARIES}/pg_ctl -D ${data} -w -m immediate stop >/dev/null`),
      };
    },
    async execute(statement) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await client.query(statement);
      } finally {
        await client.end();
      }
    },
    start,
    crash: () => control("-m immediate stop"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    remove() {
      control("-m immediate stop || true");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
