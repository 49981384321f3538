import { lmdbStore } from "./lmdb-store.ts";

/** The user `nobody` of most systems. */
const NOBODY = 65_534;

// Opens a store as a user other than root, and prints the error.
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
try {
  await lmdbStore({ path: process.argv[2]! }).close();
  console.log("opened");
} catch (error) {
  console.log(String(error));
}
