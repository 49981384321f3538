import { useMutation } from "@tanstack/react-query";
import { save } from "../parts/save.ts";
import { ActionError } from "../parts/states.tsx";
import type { ReportChart } from "../report/charts.ts";
import type { ReportInput } from "../report/report.ts";
import { TEXT } from "../text.ts";

const { report: words } = TEXT;
/** Pixels of a picture per unit of a chart, for sharp prints. */
const DENSITY = 2;

async function toPng({ svg, width, height }: ReportChart): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * DENSITY;
  canvas.height = height * DENSITY;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(words.failed))), "image/png"),
  );
}

/** Saves the results as files. The code that makes them loads when it is needed. */
async function exportAs(format: "csv" | "html" | "png", input: ReportInput): Promise<void> {
  const { key } = input.experiment;
  if (format === "csv") {
    const { toCsv } = await import("../report/csv.ts");
    return save(`${key}.csv`, new Blob([toCsv(input)], { type: "text/csv;charset=utf-8" }));
  }
  if (format === "html") {
    const { toHtml } = await import("../report/html.ts");
    return save(`${key}.html`, new Blob([toHtml(input)], { type: "text/html;charset=utf-8" }));
  }
  const { toCharts } = await import("../report/charts.ts");
  for (const chart of toCharts(input)) save(`${key}-${chart.name}.png`, await toPng(chart));
}

/** Saves the results as CSV, as pictures, or as a report. */
export function Export({ input }: { input: ReportInput }) {
  const saving = useMutation({ mutationFn: (format: "csv" | "html" | "png") => exportAs(format, input) });
  return (
    <section className="buttons start" aria-label={words.export}>
      <span className="muted">{words.export}</span>
      {(["csv", "png", "html"] as const).map((format) => (
        <button key={format} type="button" disabled={saving.isPending} onClick={() => saving.mutate(format)}>
          {words.formats[format]}
        </button>
      ))}
      <ActionError error={saving.error} />
    </section>
  );
}
