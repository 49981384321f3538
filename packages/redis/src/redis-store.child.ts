import { answerParent } from "@assay/store/conformance";
import { openFixture } from "./redis-store.fixture.ts";

await answerParent(openFixture);
