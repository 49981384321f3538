import type { AiService } from "./areas/ai/service.ts";
import type { ApiKeyService } from "./areas/api-keys/service.ts";
import type { AuditLogService } from "./areas/audit-logs/service.ts";
import type { AccountService } from "./areas/auth/accounts.ts";
import type { AuthService } from "./areas/auth/service.ts";
import type { ComplianceService } from "./areas/compliance/service.ts";
import type { CounterService } from "./areas/counters/service.ts";
import type { ExperimentService } from "./areas/experiments/service.ts";
import type { FlagHistoryService } from "./areas/feature-flags/history.ts";
import type { FeatureFlagService } from "./areas/feature-flags/service.ts";
import type { HoldoutService } from "./areas/holdout/service.ts";
import type { IntegrationService } from "./areas/integrations/service.ts";
import type { McpService } from "./areas/mcp/service.ts";
import type { GroupService } from "./areas/mutual-exclusion-groups/service.ts";
import type { OpenFeatureService } from "./areas/openfeature/service.ts";
import type { ResultsService } from "./areas/results/service.ts";
import type { RoleService } from "./areas/roles/service.ts";
import type { SchedulerService } from "./areas/scheduler/service.ts";
import type { SegmentService } from "./areas/segments/service.ts";
import type { TrackingService } from "./areas/tracking/service.ts";
import type { UserService } from "./areas/users/service.ts";
import type { WarehouseService } from "./areas/warehouse/service.ts";

/** The rules of every area, composed once in `create.ts`. */
export interface Services {
  auth: AuthService;
  accounts: AccountService;
  users: UserService;
  roles: RoleService;
  apiKeys: ApiKeyService;
  featureFlags: FeatureFlagService;
  flagHistory: FlagHistoryService;
  experiments: ExperimentService;
  segments: SegmentService;
  groups: GroupService;
  holdout: HoldoutService;
  openfeature: OpenFeatureService;
  auditLogs: AuditLogService;
  compliance: ComplianceService;
  tracking: TrackingService;
  results: ResultsService;
  counters: CounterService;
  integrations: IntegrationService;
  warehouse: WarehouseService;
  mcp: McpService;
  scheduler: SchedulerService;
  ai: AiService;
}
