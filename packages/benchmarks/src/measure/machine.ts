import { cpus, loadavg, platform, release, totalmem } from "node:os";

/** Describes the machine in one line: processor, cores, memory, system, Node version and how busy it is. */
export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${first?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, ${memory} GiB, ${platform()} ${release()}, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`;
}
