import { isAssayError } from "@assay/client";
import { MutationCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ROOT } from "./base.ts";
import { Proposed } from "./protection.ts";
import { router } from "./router.tsx";
import { resume } from "./session.ts";
import { applyTheme } from "./shell/theme.ts";

/** Reads are repeated once if the server failed or did not answer. After too many requests, the page counts down. */
const isWorthARetry = (failures: number, error: unknown) =>
  failures < 1 && isAssayError(error) && (error.status === 0 || error.status >= 500);

const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError(error) {
      if (error instanceof Proposed) void queries.invalidateQueries({ queryKey: ["proposals"] });
    },
  }),
  defaultOptions: {
    queries: { retry: isWorthARetry, retryDelay: 500, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

// The page names its icon by a relative path, which must not move with the address of the page.
const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
if (icon) icon.setAttribute("href", icon.href);

applyTheme();
void resume();
createRoot(ROOT).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
