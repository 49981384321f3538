// Runs a command, and shows its output only if it fails: node quiet.mjs COMMAND [WORD…]. It runs before the first install,
// so it imports nothing but Node.
import { spawnSync } from "node:child_process";

const [command, ...words] = process.argv.slice(2);
if (process.stderr.isTTY) process.stderr.write("Installing and building…\n");
const { status, signal, stdout, stderr, error } = spawnSync(command, words, {
  stdio: ["ignore", "pipe", "pipe"],
  maxBuffer: 1 << 28,
});
if (status !== 0) {
  process.stdout.write(stdout ?? "");
  process.stderr.write(stderr ?? "");
  console.error(`${command} ${words.join(" ")}: ${error?.message ?? signal ?? `exit code ${status}`}`);
  process.exitCode = status || 1;
}
