export function ExperimentsPage() {
  return null;
}
