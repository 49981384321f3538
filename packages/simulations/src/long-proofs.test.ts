import { LONG_PROOFS, testProofs } from "./proofs.fixture.ts";

testProofs(LONG_PROOFS);
