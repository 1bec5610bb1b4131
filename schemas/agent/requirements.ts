import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Words } from '../common.js'

export const StepOf = Type.Object({
  id: Type.Unsafe<string>({ ...Id, description: 'The same for all steps of the plan' }),
  step: Type.Integer({ minimum: 1 }),
  of: Type.Integer({ minimum: 1, description: 'How many steps the plan has' }),
  input_digest: Type.String({ description: 'Of the whole plan: what the votes are for' })
}, { $id: 'StepOf', description: 'The plan of steps with which it is decided' })
export type StepOf = Static<typeof StepOf>

export const surfaceNames = ['browser', 'terminal', 'slack'] as const
export type Surface = typeof surfaceNames[number]

export const missingParts = ['summary', 'rows', 'length', 'diff', 'cut'] as const
export type MissingPart = typeof missingParts[number]

export const NotShown = Type.Object({
  surface: Words(surfaceNames),
  missing: Type.Array(Words(missingParts), {
    description: '`summary`: its end; `rows`: later changes; `length`: parts of long values; `diff`: how long texts ' +
      'differ; `cut`: what no card has whole, and `arguments` does'
  })
}, { $id: 'NotShown', description: 'What of the plan a surface cannot show: there it is not approved' })
export type NotShown = Static<typeof NotShown>

export const RiskReason = Words([
  'own_records', 'only_adds', 'raises_budget',
  'archives', 'changes_capacity', 'stops_unfinished', 'effect_unknown', 'allows_publishing', 'spends_on_model',
  'changes_settings', 'deploys_by_itself', 'changes_standing', 'readers_see',
  'anyone_sees', 'replaces_running', 'runs_code', 'stops_service', 'changes_autoscaling', 'interrupts_deployment',
  'publishes', 'unpublishes', 'sends_twice', 'deletes', 'withdraws_standard', 'changes_approval', 'changes_targets'
], { description: 'What can go wrong, or why little can' })
export type RiskReason = Static<typeof RiskReason>

export const RiskReasons = Type.Array(RiskReason, {
  description: 'Why the risk is what it is, by the code that made the plan; left out or empty where an earlier ' +
    'release made it'
})

/** What one of several policies asks for that name groups which have none in common. */
export const GroupDemand = Type.Object({
  approvals: Type.Integer({ minimum: 1, description: 'People who have to approve' }),
  groups: Type.Array(Id, { description: 'Of one of these groups' }),
  escalate_to: Type.Array(Id, { description: 'These count, too, once the question has escalated' })
}, { $id: 'ApprovalGroupDemand' })
export type GroupDemand = Static<typeof GroupDemand>

/** What a question needs for an approval, as it was judged when it was asked. */
export const Requirement = Type.Object({
  approvals: Type.Integer({ minimum: 1, description: 'People who have to approve' }),
  groups: Type.Array(Id, { description: 'Only people of one of these groups count; empty = whoever may approve it' }),
  each: Type.Optional(Type.Array(GroupDemand, {
    description: 'Policies name groups that have none in common: all of these have to be met, each by so many people. ' +
      'One who is in groups of several counts for each'
  })),
  exclude_requester: Type.Boolean({ description: 'The person who asked may not be one of them' }),
  escalate: Nullable(Type.Object({
    after_s: Type.Integer({ minimum: 60, description: 'Seconds after which the groups below count, too' }),
    groups: Type.Array(Id)
  })),
  signed: Type.Optional(Type.Boolean({ description: 'Each of them signs the plan with a passkey; absent = no' })),
  policy_version: Nullable(Type.Integer({ description: 'The version of the policies that applied; null = none' })),
  policies: Type.Array(Type.String(), { description: 'The ids of the policies that decided' })
}, { $id: 'ApprovalRequirement', description: 'Who has to approve it' })
export type Requirement = Static<typeof Requirement>

/** Without policies: one person, who may be the one who asked. */
export const ordinaryRequirement: Requirement =
  { approvals: 1, groups: [], exclude_requester: false, escalate: null, policy_version: null, policies: [] }
