// @ts-expect-error The package has no types.
import { from } from "pg-copy-streams";

/** Returns a query that takes the rows of COPY as a stream. */
export const copyFrom = (statement: string) => from(statement);
