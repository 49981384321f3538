import { useQuery } from "@tanstack/react-query";
import { ENVIRONMENT } from "../environment.ts";
import { server } from "../session.ts";

/** Returns all environments once known, the default one first, and the index of the one of this page, -1 if it does not exist. */
export function useEnvironments() {
  const { data: all = [] } = useQuery({
    queryKey: ["environments"],
    queryFn: () => server.request("GET /environments"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { all, current: ENVIRONMENT === undefined ? 0 : all.findIndex(({ name }) => name === ENVIRONMENT) };
}
