export function ExperimentPage() {
  return null;
}
