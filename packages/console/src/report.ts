export { type ReportChart, toCharts } from "../app/report/charts.ts";
export { toCsv } from "../app/report/csv.ts";
export { toHtml } from "../app/report/html.ts";
export { type ReportInput, type ReportRow, type ReportSummary, toSummary } from "../app/report/report.ts";
