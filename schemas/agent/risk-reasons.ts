import { Type, type Static } from '@sinclair/typebox'
import { Words } from '../common.js'

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
