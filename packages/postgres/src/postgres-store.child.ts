import { answerParent } from "@assay/store/conformance";
import { openFixture } from "./database.fixture.ts";

await answerParent(openFixture);
