import { open } from "lmdb";

// Takes LMDB's lock of writers, says so, and stops as a debugger or `kill -STOP` stops a process.
const root = open({ path: process.argv[2]!, noSubdir: false, encoding: "binary" });
root.transactionSync(() => {
  process.stdout.write("locked\n");
  process.kill(process.pid, "SIGSTOP");
});
await root.close();
