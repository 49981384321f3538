/** The area of the store with the runs of data jobs. */
export const ETL_RUNS = "etl-runs";
