/** Writes the pages again from what was measured last: `pnpm --filter @assay/benchmarks run page`. */
import { groups } from "./groups.ts";
import { growths } from "./growths.ts";
import { filesOf, growthFilesOf, readGrowths, readRuns, readScale, scaleFilesOf, writeDocs } from "./report/files.ts";

await writeDocs(filesOf(groups, await readRuns(groups)));
await writeDocs(growthFilesOf(growths, await readGrowths(growths)));
await writeDocs(scaleFilesOf(await readScale()));
