import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { CONSOLE_URL } from "./base.ts";
import { toEnvironment } from "./environment.ts";
import { type ExperimentTab, toTab } from "./experiments/tabs.ts";
import { FlagPage } from "./flags/flag-page.tsx";
import { FlagsPage } from "./flags/flags-page.tsx";
import { NewFlagPage } from "./flags/new-flag-page.tsx";
import { type FlagTab, TABS } from "./flags/tabs.ts";
import { NotFound } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>): { environment?: string } => ({
    environment: toEnvironment(search.environment),
  }),
  // Every link leads to a page of the same environment.
  search: { middlewares: [retainSearchParams(["environment"])] },
});
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const PROPOSAL_STATUSES = ["OPEN", "APPLIED", "REJECTED", "WITHDRAWN", "ALL"] as const;
type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

interface ListSearch {
  search?: string;
  state?: string;
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/flags", replace: true });
  },
});

const flags = createRoute({
  getParentRoute: () => root,
  path: "/flags",
  validateSearch: (search: Record<string, unknown>): ListSearch & { stale?: true } => ({
    search: text(search.search),
    state: text(search.state),
    stale: search.stale === true ? true : undefined,
  }),
  component: FlagsPage,
});

const newFlag = createRoute({ getParentRoute: () => root, path: "/flags/new", component: NewFlagPage });

const flag = createRoute({
  getParentRoute: () => root,
  path: "/flags/$key",
  validateSearch: (search: Record<string, unknown>): { tab?: FlagTab } => ({
    tab: TABS.find((tab) => tab === search.tab),
  }),
  component: FlagPage,
});

const experiments = createRoute({
  getParentRoute: () => root,
  path: "/experiments",
  validateSearch: (search: Record<string, unknown>): ListSearch => ({
    search: text(search.search),
    state: text(search.state),
  }),
  component: lazyRouteComponent(() => import("./experiments/experiments-page.tsx"), "ExperimentsPage"),
});

const newExperiment = createRoute({
  getParentRoute: () => root,
  path: "/experiments/new",
  component: lazyRouteComponent(() => import("./experiments/new-experiment-page.tsx"), "NewExperimentPage"),
});

const editExperiment = createRoute({
  getParentRoute: () => root,
  path: "/experiments/$key/edit",
  component: lazyRouteComponent(() => import("./experiments/edit-experiment-page.tsx"), "EditExperimentPage"),
});

const experiment = createRoute({
  getParentRoute: () => root,
  path: "/experiments/$key",
  validateSearch: (search: Record<string, unknown>): { tab?: ExperimentTab; by?: string; metric?: string } => ({
    tab: toTab(search.tab),
    by: text(search.by),
    metric: text(search.metric),
  }),
  component: lazyRouteComponent(() => import("./experiments/experiment-page.tsx"), "ExperimentPage"),
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/start",
  component: lazyRouteComponent(() => import("./start/start-page.tsx"), "StartPage"),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: "/keys",
  component: lazyRouteComponent(() => import("./operate/keys-page.tsx"), "KeysPage"),
});

const rotation = createRoute({
  getParentRoute: () => root,
  path: "/keys/$id/rotate",
  component: lazyRouteComponent(() => import("./operate/rotation-page.tsx"), "RotationPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: (search: Record<string, unknown>): { kind?: string } => ({ kind: text(search.kind) }),
  component: lazyRouteComponent(() => import("./operate/audit-page.tsx"), "AuditPage"),
});

const people = createRoute({
  getParentRoute: () => root,
  path: "/people",
  component: lazyRouteComponent(() => import("./people/people-page.tsx"), "PeoplePage"),
});

const person = createRoute({
  getParentRoute: () => root,
  path: "/people/$id",
  component: lazyRouteComponent(() => import("./people/person-page.tsx"), "PersonPage"),
});

const segments = createRoute({
  getParentRoute: () => root,
  path: "/segments",
  validateSearch: (search: Record<string, unknown>): { search?: string } => ({ search: text(search.search) }),
  component: lazyRouteComponent(() => import("./segments/segments-page.tsx"), "SegmentsPage"),
});

const segment = createRoute({
  getParentRoute: () => root,
  path: "/segments/$id",
  component: lazyRouteComponent(() => import("./segments/segment-page.tsx"), "SegmentPage"),
});

const traffic = createRoute({
  getParentRoute: () => root,
  path: "/traffic",
  component: lazyRouteComponent(() => import("./traffic/traffic-page.tsx"), "TrafficPage"),
});

const proposals = createRoute({
  getParentRoute: () => root,
  path: "/proposals",
  validateSearch: (search: Record<string, unknown>): { status?: ProposalStatus } => ({
    status: PROPOSAL_STATUSES.find((status) => status === search.status),
  }),
  component: lazyRouteComponent(() => import("./proposals/proposals-page.tsx"), "ProposalsPage"),
});

const proposal = createRoute({
  getParentRoute: () => root,
  path: "/proposals/$id",
  component: lazyRouteComponent(() => import("./proposals/proposal-page.tsx"), "ProposalPage"),
});

const promotion = createRoute({
  getParentRoute: () => root,
  path: "/promotion",
  validateSearch: (search: Record<string, unknown>): { from?: string; to?: string } => ({
    from: toEnvironment(search.from),
    to: toEnvironment(search.to),
  }),
  component: lazyRouteComponent(() => import("./promotion/promotion-page.tsx"), "PromotionPage"),
});

const rollouts = createRoute({
  getParentRoute: () => root,
  path: "/rollouts",
  component: lazyRouteComponent(() => import("./rollouts/rollouts-page.tsx"), "RolloutsPage"),
});

const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  component: lazyRouteComponent(() => import("./health/health-page.tsx"), "HealthPage"),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: "/notifications",
  component: lazyRouteComponent(() => import("./health/notifications-page.tsx"), "NotificationsPage"),
});

const integrations = createRoute({
  getParentRoute: () => root,
  path: "/integrations",
  validateSearch: (search: Record<string, unknown>): { search?: string; kind?: string } => ({
    search: text(search.search),
    kind: text(search.kind),
  }),
  component: lazyRouteComponent(() => import("./integrations/integrations-page.tsx"), "IntegrationsPage"),
});

const integration = createRoute({
  getParentRoute: () => root,
  path: "/integrations/$id",
  component: lazyRouteComponent(() => import("./integrations/integration-page.tsx"), "IntegrationPage"),
});

const warehouse = createRoute({
  getParentRoute: () => root,
  path: "/warehouse",
  component: lazyRouteComponent(() => import("./warehouse/warehouse-page.tsx"), "WarehousePage"),
});

const compliance = createRoute({
  getParentRoute: () => root,
  path: "/compliance",
  component: lazyRouteComponent(() => import("./compliance/compliance-page.tsx"), "CompliancePage"),
});

const operate = [
  people,
  person,
  segments,
  segment,
  traffic,
  proposals,
  proposal,
  promotion,
  rollouts,
  health,
  notifications,
  integrations,
  integration,
  warehouse,
  compliance,
];

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    flags,
    newFlag,
    flag,
    experiments,
    newExperiment,
    editExperiment,
    experiment,
    start,
    keys,
    rotation,
    audit,
    ...operate,
  ]),
  basepath: CONSOLE_URL.pathname,
  defaultPreload: "intent",
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
