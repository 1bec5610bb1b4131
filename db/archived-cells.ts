import { Type, type TSchema } from '@sinclair/typebox'
import type { ColumnType } from 'kysely'
import { IdentityRule } from '../schemas/account/identity-providers.js'
import { PolicyExample, ReplayCounts } from '../schemas/account/policies.js'
import { Scope } from '../schemas/account/scopes.js'
import { StoredSettings } from '../schemas/account/workspace-settings.js'
import { ConfirmationPlan } from '../schemas/agent/confirmations.js'
import { Compaction, PreviewRow, Target } from '../schemas/agent/events.js'
import { GrantBounds } from '../schemas/agent/grants.js'
import { ReportSentence } from '../schemas/agent/reports.js'
import { Requirement, RiskReason, StepOf } from '../schemas/agent/requirements.js'
import { channelEvents, Digest, Quiet } from '../schemas/channels/channels.js'
import { Capabilities, RoleArn } from '../schemas/cloud/accounts.js'
import { CostAnomaly, CostForecast, CostPeriod } from '../schemas/cloud/costs.js'
import { Nullable, Words } from '../schemas/common.js'
import { BrandSettings } from '../schemas/content/brands.js'
import { BrandReport, BriefBody, ContentBody, RefusedRule, ReportFinding, ValeRule } from 'steward-prose-engine/schemas'
import { ContentFailure } from '../schemas/content/generation-words.js'
import { ContentEstimate } from '../schemas/content/generation-records.js'
import { GenerateContent } from '../schemas/content/generations.js'
import { External, PublicationAttempt, PublicationWarning } from '../schemas/content/publications.js'
import { PublishTarget } from '../schemas/content/targets.js'
import { AppSource, AppTarget, AutoDeploy } from '../schemas/deployments/apps.js'
import { AppBuilder, StoredRun } from '../schemas/deployments/builders.js'
import { BuildStep, ExpectedTarget, TargetState } from '../schemas/deployments/builds.js'
import { CancelFacts, Change, Progress, ServiceState } from '../schemas/infrastructure/service-deployments.js'
import { TaskFailure } from '../schemas/infrastructure/services.js'
import { Definition, LeftOut, ServerProblem } from '../schemas/toolservers/servers.js'
import type { leftOutTables } from './archived-tables.js'
import { specCells } from './pse/archived-cells.js'
import type { Database } from './types.js'

const Texts = Type.Array(Type.String())
const Fields = Type.Record(Type.String(), Type.Unknown())
const Groups = Type.Record(Type.String(), Type.String())
const Scopes = Type.Array(Scope)

/** In whose name work is done later; each part of the service keeps the names that it needs. */
const Asker = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  via: Words(['browser', 'token', 'assistant']),
  via_id: Nullable(Type.String()),
  scopes: Nullable(Texts),
  admitted: Type.Optional(Type.Boolean()),
  confirmation_id: Type.Optional(Type.String())
})
const AwsActor = Type.Object({
  user_id: Nullable(Type.String()), run_id: Nullable(Type.String()), confirmation_id: Nullable(Type.String())
})

const StoredAuth = Type.Union([
  Type.Object({
    type: Type.Literal('assume_role'),
    role_arn: Nullable(RoleArn),
    external_id: Type.String(),
    session_seconds: Type.Integer({ minimum: 900, maximum: 43_200 })
  }),
  Type.Object({ type: Type.Literal('access_keys'), access_key_id_hint: Type.String(), rotated_at: Type.String() }),
  Type.Object({ type: Type.Literal('ambient') })
])

const { written_by: _, ...shown } = ConfirmationPlan.properties
const ShownPlan = Type.Object(shown)
const Brand = Type.Object({
  ...BrandSettings.properties,
  publish_targets: Type.Array(Type.Omit(PublishTarget, ['secret_set', 'disabled_reason']))
})

/** Columns of a row in which the code believes what it reads there: JSON that another type than text comes out of. */
type Cells<Row> = {
  [Name in keyof Row as Row[Name] extends ColumnType<infer Read, infer Written, unknown>
    ? [Exclude<Read, null>] extends [string] ? never
        : [Exclude<Written, null | undefined>] extends [never] ? never
            : [Exclude<Written, null | undefined>] extends [string] ? Name : never
    : never]: Row[Name] extends ColumnType<infer Read, unknown, unknown>
    ? TSchema & { static: Exclude<Read, null> } : never
}

type Archived = Exclude<keyof Database, keyof typeof leftOutTables>
type CellsOf = { [Table in Archived as [keyof Cells<Database[Table]>] extends [never] ? never : Table]:
  Cells<Database[Table]> }

/**
 * What each JSON column of an archive may have: what the code takes for granted of it, so that the compiler misses one
 * that is not here, and one whose schema says less than the column's type.
 */
export const archivedCells = {
  workspace: { settings: StoredSettings },
  account_identity_provider: { scopes: Texts, domains: Texts, rules: Type.Array(IdentityRule) },
  account_identity: { groups: Texts },
  account_policy_draft: { examples: Type.Array(PolicyExample), groups: Groups, replay: ReplayCounts },
  account_policy_version: { examples: Type.Array(PolicyExample), groups: Groups, replay: ReplayCounts },
  account_token: { scopes: Scopes },
  agent_grant: { target: Target, bounds: GrantBounds },
  agent_message: { content: Type.Array(Fields), sent: Type.Array(Fields), compaction: Compaction },
  agent_run: { principal: Fields, error: Fields },
  agent_tool_call: { input: Type.Unknown(), effective_input: Fields, result: Type.Unknown() },
  agent_confirmation: {
    arguments: Fields,
    preview: Type.Array(PreviewRow),
    risk_reasons: Type.Array(RiskReason),
    editable: Texts,
    target: Target,
    facts: Fields,
    requirement: Requirement,
    draft: Type.Object({ ...shown, by: Type.Optional(Type.String()) }),
    proposed: ShownPlan,
    authors: Texts,
    steps: StepOf
  },
  agent_preference: { value: Type.Unknown(), applies_to: Texts },
  agent_trigger: {
    principal: Type.Object({ scopes: Nullable(Texts), token_id: Type.Optional(Nullable(Type.String())) })
  },
  agent_trigger_firing: { alert: Type.Unknown() },
  agent_report: { sentences: Type.Array(ReportSentence) },
  audit: { body: Fields },
  audit_entry: { body: Fields },
  channel: { events: Type.Array(Words(channelEvents)), quiet: Quiet, digest: Digest },
  channel_delivery: {
    facts: Type.Object({
      title: Type.Optional(Type.String()), detail: Type.Optional(Type.String()), path: Type.Optional(Type.String())
    }),
    ref: Type.Object({ channel: Type.String(), ts: Type.String() })
  },
  cloud_account: {
    regions: Texts,
    auth: StoredAuth,
    capabilities: Type.Partial(Capabilities),
    last_test: Type.Object({ at: Type.String(), status: Type.String() }),
    session_marks: Type.Object({ tags: Type.Boolean(), source_identity: Type.Boolean() })
  },
  cloud_cost: {
    slice: Type.Object({
      periods: Type.Array(CostPeriod),
      forecast: CostForecast,
      anomalies: Nullable(Type.Array(CostAnomaly)),
      tags: Nullable(Texts)
    })
  },
  content_brand: { settings: Brand },
  content_brand_version: { settings: Brand },
  content_style: { rules: Type.Array(ValeRule), refused: Type.Array(RefusedRule) },
  content_brief: { body: BriefBody },
  content_repair: { finding: ReportFinding },
  content_generation: {
    plan: Type.Object({
      model: Type.String(),
      budget: Type.Object({
        max_cost_usd: Type.Optional(Type.String()),
        max_output_tokens: Type.Integer(),
        max_seconds: Type.Integer(),
        max_repair_rounds: Type.Integer()
      }),
      warnings: Texts
    }),
    brief: BriefBody,
    request: GenerateContent,
    estimate: ContentEstimate,
    prompt_inputs: Texts,
    error: ContentFailure
  },
  content_generation_output: { proposal: ContentBody, refused: Texts, error: ContentFailure },
  content_generation_step: { result: Type.Unknown(), error: ContentFailure },
  content_publication: {
    warnings: Type.Array(PublicationWarning),
    attempts: Type.Array(PublicationAttempt),
    external: External,
    principal: Asker
  },
  content_placement: { external: External },
  content_version: { body: ContentBody, checks: BrandReport },
  deployment_app: {
    source: AppSource,
    target: AppTarget,
    builder: AppBuilder,
    auto_deploy: AutoDeploy,
    auto_deploy_principal: Asker,
    refused_push: Type.Object({ commit: Type.String(), code: Type.String(), detail: Type.String(), at: Type.String() })
  },
  deployment_build: {
    target: AppTarget,
    builder: AppBuilder,
    run: StoredRun,
    principal: Asker,
    cancel_principal: Asker,
    expected: ExpectedTarget,
    verified: TargetState,
    steps: Type.Array(BuildStep)
  },
  service_deployment: {
    expected: ServiceState,
    plan: Type.Object({
      register: Nullable(Fields),
      force: Type.Boolean(),
      circuit_breaker: Nullable(Type.Object({ enabled: Type.Boolean(), rollback: Type.Boolean() }))
    }),
    changes: Type.Array(Change),
    progress: Progress,
    failures: Type.Array(TaskFailure),
    acting_for: AwsActor,
    cancel_for: AwsActor,
    cancel_expected: Type.Partial(CancelFacts)
  },
  ...specCells,
  stream_event: { data: Fields },
  tool_server: { left_out: Type.Array(LeftOut), problem: ServerProblem },
  tool_server_tool: { pinned: Definition, offered: Definition }
} satisfies CellsOf
