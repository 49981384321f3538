import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { pack } from "../first-steps/ground/packed.ts";

// Packs every package as it is built, for apps that install them from a clone: pnpm pack:all

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const target = `${root}packed`;

await rm(target, { recursive: true, force: true });
await mkdir(target);
const tarballs = await pack(root, target, "pnpm");
console.log(`${Object.keys(tarballs).length} packages. Install them in your app: npm install ${target}/*.tgz`);
