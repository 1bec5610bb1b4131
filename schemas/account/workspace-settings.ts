import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from '../common.js'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))
const usd = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }))

/** Each is a limit of the installation too, by the same name. */
export const WorkspaceLimits = Type.Object({
  budget_run_usd: usd('Cost of one run before it asks'),
  budget_session_usd: usd('Cost of one session before it asks; for new sessions'),
  budget_user_day_usd: usd('Cost of one user and day'),
  budget_workspace_day_usd: usd('Cost of all its people together and day'),
  generation_usd: usd('Cost of one generation of a spec or of content'),
  model_calls_per_run: count('Model calls of one run'),
  tool_calls_per_run: count('Tool calls of one run'),
  live_runs_per_user: count('Runs of one user that are executed at once'),
  waiting_runs_per_user: count('Runs of one user that wait for approvals'),
  requests_per_minute: count('Requests of one principal'),
  streams_per_user: count('Open streams of one user on one instance'),
  confirmation_ttl_s: count('How long an approval waits')
}, {
  $id: 'WorkspaceLimits',
  additionalProperties: false,
  description: 'Limits that are stricter here than in the installation; each is at most the installation\'s'
})
export type WorkspaceLimits = Static<typeof WorkspaceLimits>

const days = (maximum: number, description: string, minimum = 1) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

export const WorkspaceRetention = Type.Object({
  chats_days: days(36_500, 'Chats without activity for so long are deleted; without it they stay'),
  deleted_days: days(30, 'How long deleted content, specs and apps can be restored, in the installation 30 days'),
  receipts_days: days(30, 'How long webhooks that were received are listed, in the installation 30 days'),
  audit_days: days(36_500, 'How long the record is kept, by default 400 days', 90)
}, { $id: 'WorkspaceRetention', additionalProperties: false, description: 'For how long things are kept, in days' })
export type WorkspaceRetention = Static<typeof WorkspaceRetention>

const parts = {
  limits: Nullable(WorkspaceLimits),
  retention: Nullable(WorkspaceRetention),
  sign_in: Nullable(Type.String({
    maxLength: 4_096,
    description: 'Who may sign in at its host name without an invitation, as in CODEHOST_SIGN_IN; empty = only who ' +
      'is invited. null: in the first workspace as CODEHOST_SIGN_IN says, in others only who is invited'
  })),
  step_up: Nullable(Type.Boolean({
    description: 'true: whoever changes policies or people signs it with a passkey, also who has none yet; null or ' +
      'false: who has one does'
  })),
  model: Nullable(Type.String({
    pattern: '^[\\w.:/@-]{1,100}$',
    examples: ['claude-sonnet-5'],
    description: 'The model that is asked'
  }))
}

export const WorkspaceSettings = Type.Object({
  ...parts,
  has_model_api_key: Type.Boolean({ description: 'Whether the model is asked with a key of its own' })
}, { $id: 'WorkspaceSettings', description: 'null = as the installation has it' })
export type WorkspaceSettings = Static<typeof WorkspaceSettings>

export const UpdateWorkspaceSettings = Type.Partial(Type.Object({
  ...parts,
  model_api_key: Nullable(Type.String({
    pattern: '^[\\x21-\\x7e]{1,500}$',
    examples: ['a-key-of-the-provider'],
    description: 'The key with which the model is asked, at the address that the installation has. It is never shown'
  }))
}), {
  $id: 'UpdateWorkspaceSettings',
  additionalProperties: false,
  minProperties: 1,
  description: 'Replaces those that are named, each as a whole; null = as the installation has it'
})
export type UpdateWorkspaceSettings = Static<typeof UpdateWorkspaceSettings>

/** What is stored of them: what a workspace has of its own. */
export const StoredSettings = Type.Partial(Type.Object({
  limits: WorkspaceLimits,
  retention: WorkspaceRetention,
  sign_in: Type.String(),
  step_up: Type.Boolean(),
  model: Type.String()
}), { additionalProperties: false })
export type StoredSettings = Static<typeof StoredSettings>
export type OwnSettings = StoredSettings
